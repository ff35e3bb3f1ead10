//! `tidegate render`: manifests to standard output, findings to standard error.

use std::io::Write;

use tidegate::config::{EngineName, Overrides, Writing};
use tidegate::emit::select::Selection;
use tidegate::{check, emit, flow, render};

use super::args::{Form, RenderArgs, Stage};
use super::exit::{self, Stop};
use super::input::{self, Start};
use super::previous;

pub(crate) fn run(args: RenderArgs) -> Result<u8, Stop> {
    let flags = Overrides {
        write_namespace: args.write_namespace.then_some(true),
        writing: args.strip.then_some(Writing::Stripped),
        ..Overrides::default()
    };
    let Start { sources, settings, mut found } = input::read(&args.input, flags)?;
    let mut planned = render::plan(&sources, &settings, &mut found);
    let is_one_stream = args.stage.len() != 1 && args.wave.is_none() && args.include.is_empty();
    if settings.engine == EngineName::Kubectl && is_one_stream {
        check::one_stream(&planned, &mut found);
    }
    if let Some(code) = previous::compare(&args.input, &settings, &planned, &mut found)? {
        return Ok(code);
    }
    found.report_ignores();
    input::report(&found, &sources, &args.input, args.findings)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code == 0 {
        let (form, quiet) = (form(args.output), args.input.quiet);
        let selection = selection(args);
        let printed =
            emit::write(&mut planned, &settings, &selection, form, &mut exit::out()).map_err(exit::no_output)?;
        if printed == 0 && !selection.is_everything() && !quiet {
            exit::unread(writeln!(exit::err(), "no object matches the selection: nothing is printed"))?;
        }
    }
    // the process ends here: taking trees apart piece by piece would only cost time
    std::mem::forget(planned);
    std::mem::forget(sources);
    Ok(code)
}

fn form(form: Form) -> emit::Form {
    match form {
        Form::Yaml => emit::Form::Yaml,
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
