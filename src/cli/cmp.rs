//! `tidegate cmp`: the config-management plugin of Argo CD.

mod doctor;
mod generate;
mod replay;

use std::io::Write;

use tidegate::plugin::setup::{self, Choices, SetupError};
use tidegate::plugin::{Environment, announce};

use super::args::{CmpArgs, CmpVerb, SetupArgs, SetupForm};
use super::exit::{self, Stop};

pub(crate) fn run(args: CmpArgs) -> Result<u8, Stop> {
    match args.verb {
        CmpVerb::Generate(args) => generate::run(&args, &Environment::new(std::env::vars_os().filter_map(text))),
        CmpVerb::Parameters => print(&format!("{:#}\n", announce::announcements())),
        CmpVerb::PluginYaml(args) => print(&made(setup::plugin_yaml(&choices(&args)))?),
        CmpVerb::Install(args) => match args.form {
            SetupForm::Kustomize => print(&made(setup::sidecar(&choices(&args.plugin)))?),
            SetupForm::Helm => print(&made(setup::chart_values(&choices(&args.plugin)))?),
        },
        CmpVerb::Doctor(args) => doctor::run(&args),
        CmpVerb::Replay(args) => replay::run(&args),
    }
}

/// A variable whose name and value are text; others are nobody's here.
fn text((name, value): (std::ffi::OsString, std::ffi::OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}

fn choices(args: &SetupArgs) -> Choices {
    Choices {
        name: args.name.clone(),
        program: args.program.clone(),
        image: args.image.clone(),
        discover: args.discover.clone(),
    }
}

fn made(text: Result<String, SetupError>) -> Result<String, Stop> {
    text.map_err(|error| Stop::Usage(error.to_string()))
}

fn print(text: &str) -> Result<u8, Stop> {
    exit::out().write_all(text.as_bytes()).map_err(exit::no_output)?;
    Ok(0)
}
