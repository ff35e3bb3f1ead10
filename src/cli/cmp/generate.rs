//! `tidegate cmp generate`: the manifests of the application in whose folder it is started.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use tidegate::config::Settings;
use tidegate::emit::select::Selection;
use tidegate::finding::{Finding, Findings, rules};
use tidegate::plugin::{self, Asked, Environment, Source, Tools};
use tidegate::source::{Input, SourceMap};
use tidegate::{emit, render};

use super::super::args::{CmpGenerateArgs, FindingsForm, InputArgs};
use super::super::exit::{self, Stop};
use super::super::input::{self, Call, Start};

/// What to do about a kustomization that must be built.
const BUILD: &str = "have it built: set the parameter `source` of the application to `kustomize`, or to `auto`";

/// Renders the folder that the process is in.
pub(crate) fn run(args: &CmpGenerateArgs, environment: &Environment) -> Result<u8, Stop> {
    let started = Instant::now();
    let folder = env::current_dir()?;
    let folder =
        Utf8PathBuf::from_path_buf(folder).map_err(|_| Stop::Usage("the path of the folder is no text".to_owned()))?;
    if let Some(path) = &args.record {
        record(path, environment)?;
    }
    if let Some(path) = args.input.paths.iter().chain(&args.input.files).next() {
        return Err(Stop::Usage(format!("`{path}`: a plugin renders the folder that it is started in")));
    }
    let mut sources = SourceMap::default();
    let mut found = Findings::default();
    let asked = plugin::asked(environment, &mut sources, &mut found);
    let root =
        args.input.root.as_ref().map_or_else(|| plugin::root(&folder, environment.source_path()), Utf8PathBuf::from);
    let home = Home::make()?;
    let inputs = match inputs(&asked, &folder, &root, environment, &home) {
        Ok(inputs) => inputs,
        Err(why) => {
            found.push(Finding::new(&rules::plugins::SOURCE, why));
            Vec::new()
        }
    };
    if found.exit_code(Default::default()) != 0 {
        input::report(&found, &sources, &args.input, &Settings::default(), FindingsForm::Text)?;
        return Ok(found.exit_code(Default::default()));
    }
    // the program before it has a deadline of its own, and must not be left behind
    watch(environment.deadline(), started.elapsed(), home.path.clone());
    let input = InputArgs { paths: vec![".".to_owned()], ..args.input.clone() };
    print(input::call(&input, Call { inputs, root, environment })?, &input)
}

/// Renders what was read, and prints it whole.
fn print(start: Start, args: &InputArgs) -> Result<u8, Stop> {
    let Start { sources, settings, mut found } = start;
    let mut planned = render::plan(&sources, &settings, &mut found);
    // nobody can pipe here
    found.replace(&rules::objects::KUSTOMIZATION, |finding| finding.with_remedy(BUILD));
    input::settle(&mut found, &settings, &sources, args)?;
    let quiet = InputArgs { quiet: true, ..args.clone() };
    let code = found.exit_code(settings.findings.fail_on);
    // the server logs every line of a call that went well: there the warnings are for `tidegate check`
    let shown = if code == 0 && !args.verbose { &quiet } else { args };
    input::report(&found, &sources, shown, &settings, FindingsForm::Text)?;
    if code == 0 {
        emit::write(&mut planned, &settings, &Selection::default(), emit::Form::Yaml, &mut exit::out())
            .map_err(|error| Stop::Machine(format!("standard output: {error}"), exit::INPUT))?;
    }
    Ok(code)
}

/// Ends the process a little before the server kills it, and says why: of a call that is killed nobody learns anything.
fn watch(limit: Duration, spent: Duration, home: PathBuf) {
    let message = format!(
        "error: rendering took longer than {} s, which is the time that Argo CD gives without what it takes to say so: raise \
         ARGOCD_EXEC_TIMEOUT in the sidecar, and `--repo-server-timeout-seconds` of the controller and the API server, or \
         make the application smaller",
        limit.as_secs_f64()
    );
    thread::spawn(move || {
        thread::sleep(limit.saturating_sub(spent));
        drop(Home { path: home });
        exit::give_up(&message, exit::INPUT)
    });
}

/// What is read: the files of the folder, or what a program prints.
fn inputs(
    asked: &Asked,
    folder: &Utf8Path,
    root: &Utf8Path,
    environment: &Environment,
    home: &Home,
) -> Result<Vec<Input>, String> {
    let tool = |variable: &str, name: &str| {
        let named = environment.get(variable).map(PathBuf::from);
        named.or_else(|| on_path(environment.get("PATH").unwrap_or_default(), name))
    };
    let tools = Tools {
        kustomize: tool("TIDEGATE_KUSTOMIZE", "kustomize"),
        helm: tool("TIDEGATE_HELM", "helm"),
        home: home.path.clone(),
    };
    match plugin::find(asked, folder, root, environment, &tools)? {
        Source::Files => Ok(vec![Input::Path(".".into())]),
        Source::Program(child) => {
            let text = plugin::run(&child).map_err(|failure| failure.to_string())?;
            let words = child.arguments.first().map(String::as_str).unwrap_or_default();
            let program = child.program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok(vec![Input::Text { name: format!("<{program} {words}>"), text }])
        }
    }
}

/// A program in one of the folders of a search path.
fn on_path(path: &str, name: &str) -> Option<PathBuf> {
    env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}

/// Writes down what decides the call, for `tidegate cmp replay`.
fn record(path: &str, environment: &Environment) -> Result<(), Stop> {
    let text = serde_json::to_string_pretty(&environment.recorded()).map_err(|error| Stop::Usage(error.to_string()))?;
    exit::write_file(path, format!("{text}\n").as_bytes())
}

/// An empty folder for the programs of one call, gone with it.
struct Home {
    path: PathBuf,
}

impl Home {
    fn make() -> Result<Self, Stop> {
        let path = exit::fresh_folder(Path::new(&env::temp_dir()))?;
        Ok(Home { path })
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let removed = fs::remove_dir_all(&self.path);
        drop(removed); // the server removes what is left
    }
}
