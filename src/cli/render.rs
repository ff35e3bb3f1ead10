//! `tidegate render`: manifests to standard output, findings to standard error.

use std::io::Write;

use camino::Utf8Path;
use tidegate::config::{EngineName, Overrides, Settings, Writing};
use tidegate::emit::select::Selection;
use tidegate::flow::Planned;
use tidegate::source::SourceMap;
use tidegate::{check, emit, flow, render};

use super::args::{Form, Layout, RenderArgs, Stage};
use super::exit::{self, Stop};
use super::input::{self, Start};
use super::previous;
use super::tree::{self, From, Manner};

pub(crate) fn run(args: RenderArgs) -> Result<u8, Stop> {
    let flags = Overrides {
        write_namespace: args.write_namespace.then_some(true),
        writing: args.strip.then_some(Writing::Stripped),
        ..Overrides::default()
    };
    let Start { sources, settings, mut found } = input::read(&args.input, flags)?;
    let mut planned = render::plan(&sources, &settings, &mut found);
    match &args.output_dir {
        Some(folder) if args.output == Form::Name => {
            return Err(Stop::Usage(format!("`--output-dir {folder}` writes manifests: `-o name` has none")));
        }
        Some(_) => check::output_tree(&planned, &mut found),
        None if settings.engine == EngineName::Flux => check::no_folders(&mut found),
        None if settings.engine == EngineName::Kubectl && is_one_stream(&args) => {
            check::one_stream(&planned, &mut found);
        }
        None => {}
    }
    if args.output_dir.is_none() {
        check::generated_names(&planned, &settings, &mut found);
    }
    if let Some(code) = previous::compare(&args.input, &settings, &planned, &mut found)? {
        return Ok(code);
    }
    input::settle(&mut found, &settings, &sources, &args.input)?;
    input::report(&found, &sources, &args.input, &settings, args.findings)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code == 0 {
        output(args, &mut planned, &sources, &settings)?;
    }
    // the process ends here: taking trees apart piece by piece would only cost time
    std::mem::forget(planned);
    std::mem::forget(sources);
    Ok(code)
}

/// Whether what is printed holds objects of more than one stage, as far as the flags say.
fn is_one_stream(args: &RenderArgs) -> bool {
    args.stage.len() != 1 && args.wave.is_none() && args.include.is_empty()
}

/// Prints the selected objects, or writes them into a folder.
fn output(args: RenderArgs, planned: &mut Planned<'_>, sources: &SourceMap, settings: &Settings) -> Result<(), Stop> {
    let (form, quiet, dry_run, folder) = (form(args.output), args.input.quiet, args.dry_run, args.output_dir.clone());
    let layout = match args.layout {
        Layout::Stage => emit::Layout::Stage,
        Layout::Wave => emit::Layout::Wave,
    };
    let input = args.input.clone();
    let selection = selection(args);
    let nothing = |what: &str| match quiet || selection.is_everything() {
        true => Ok(()),
        false => exit::unread(writeln!(exit::err(), "no object matches the selection: nothing is {what}")),
    };
    let Some(folder) = folder else {
        let printed = emit::write(planned, settings, &selection, form, &mut exit::out()).map_err(exit::no_output)?;
        return if printed == 0 { nothing("printed") } else { Ok(()) };
    };
    let shape = emit::Shape { form, layout, folder: Utf8Path::new(&folder) };
    let files = emit::directory(planned, settings, &selection, shape)
        .map_err(|error| Stop::Usage(format!("`--output-dir {folder}`: {error}")))?;
    // what an earlier run wrote is worth more than what a slip in a selection leaves of it
    if files.is_empty() && !selection.is_everything() {
        return nothing("written");
    }
    tree::write(&folder, &files, From { sources, args: &input }, Manner { dry_run, quiet })
}

fn form(form: Form) -> emit::Form {
    match form {
        Form::Yaml => emit::Form::Yaml,
        Form::Kyaml => emit::Form::Kyaml,
        Form::Json => emit::Form::Json,
        Form::Name => emit::Form::Name,
    }
}

fn selection(args: RenderArgs) -> Selection {
    let stage = |stage: &Stage| match stage {
        Stage::Config => flow::Stage::Config,
        Stage::Crd => flow::Stage::Crd,
        Stage::Workload => flow::Stage::Workload,
    };
    Selection {
        stages: args.stage.iter().map(stage).collect(),
        waves: args.wave,
        labels: args.selector,
        include: args.include,
        exclude: args.exclude,
    }
}
