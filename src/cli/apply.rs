//! `tidegate apply`: the input to a cluster, by kubectl, wave by wave.

mod bars;
mod words;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use tidegate::apply::{self, Install, Interrupt, Kubectl, Options, Outcome, Progress, Rehearsal, Script, Trouble};
use tidegate::config::{EngineName, Overrides};
use tidegate::render;
use tidegate::report::escape::escape;

use super::args::{ApplyArgs, DryRun, FindingsForm, WaitFor};
use super::exit::{self, Stop};
use super::input::{self, Start};

/// How a shell names the end by a signal.
const BY_SIGNAL: usize = 128;

pub(crate) fn run(mut args: ApplyArgs) -> Result<u8, Stop> {
    refuse_other_engine(&args)?;
    let calls = match args.script {
        true => Some(Script { kubectl: words::kubectl(&args), render: words::render(&args.input)? }),
        false => None,
    };
    args.input.engine = Some(EngineName::Kubectl);
    let flags = Overrides { write_namespace: Some(true), ..Overrides::default() };
    let Start { sources, settings, mut found } = input::read(&args.input, flags)?;
    let mut planned = render::plan(&sources, &settings, &mut found);
    input::settle(&mut found, &settings, &sources, &args.input)?;
    input::report(&found, &sources, &args.input, &settings, FindingsForm::Text)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code != 0 {
        return Ok(code);
    }
    let options = options(&args, settings.namespace.clone());
    let inventory = options.inventory.as_ref().map(ToString::to_string);
    let install = apply::install(&mut planned, &settings, &sources, inventory.as_deref());
    if let Some(calls) = calls {
        apply::script(&install, &options, &calls, &mut exit::out()).map_err(exit::no_output)?;
        return Ok(0);
    }
    if args.prune && install.is_empty() {
        return Err(Stop::Usage("there is no object in the input: --prune would delete everything".to_owned()));
    }
    let kubectl = kubectl(&args)?;
    match rehearsal(&args) {
        Some(what) => rehearse(what, &install, &kubectl, &options),
        None => go(&install, &kubectl, &options, args.input.quiet),
    }
}

/// Nobody else waits for gates here: what is written for another engine would be applied too early.
fn refuse_other_engine(args: &ApplyArgs) -> Result<(), Stop> {
    let other = args.input.engine.filter(|engine| *engine != EngineName::Kubectl).and_then(words::word);
    other.map_or(Ok(()), |name| {
        Err(Stop::Usage(format!(
            "`apply` drives kubectl, and --engine (or TIDEGATE_ENGINE) says {name}: leave it out or write `--engine kubectl`; \
             `tidegate render --engine {name}` writes for {name}"
        )))
    })
}

fn rehearsal(args: &ApplyArgs) -> Option<Rehearsal> {
    match args.dry_run {
        Some(DryRun::Server) => Some(Rehearsal::DryRun),
        None => args.diff.then_some(Rehearsal::Diff),
    }
}

fn options(args: &ApplyArgs, namespace: Option<String>) -> Options {
    let mut inventory = args.inventory.clone();
    if let Some(inventory) = &mut inventory {
        inventory.namespace = inventory.namespace.take().or_else(|| namespace.clone());
    }
    Options {
        client_side: args.client_side,
        force_conflicts: args.force_conflicts,
        timeout: args.timeout,
        wait_timeout: args.wait_timeout,
        beat: args.poll_interval,
        wait_for_all: args.wait == WaitFor::All || args.prune,
        namespace,
        inventory,
        prune: args.prune,
        verbose: args.input.verbose,
    }
}

fn go(install: &Install, kubectl: &Kubectl, options: &Options, quiet: bool) -> Result<u8, Stop> {
    let err = io::stderr();
    let mut progress: Box<dyn Progress> = match (quiet, err.is_terminal()) {
        (true, _) => Box::new(apply::Lines::new(io::sink())),
        (false, true) => Box::new(bars::Bars::default()),
        (false, false) => Box::new(apply::Lines::new(exit::err())),
    };
    let report = apply::apply(install, kubectl, options, progress.as_mut()).map_err(trouble)?;
    drop(progress);
    let mut lines = Vec::new();
    let code = match &report.outcome {
        Outcome::Done => {
            let objects = install.len();
            if !quiet {
                lines.push(format!("done: {objects} object{} applied", if objects == 1 { "" } else { "s" }));
            }
            0
        }
        Outcome::Failed(why) => {
            lines.extend(why.iter().enumerate().map(|(nth, line)| prefixed(nth, line)));
            lines.push("where it stands:".to_owned());
            lines.extend(report.lines(install));
            lines.push("nothing was taken back; the same command goes on from here".to_owned());
            1
        }
        Outcome::Interrupted(signal) => {
            lines.push(format!("interrupted by signal {signal}; where it stands:"));
            lines.extend(report.lines(install));
            lines.push("nothing was taken back; the same command goes on from here".to_owned());
            code_of(*signal)
        }
    };
    say(&lines)?;
    Ok(code)
}

fn rehearse(what: Rehearsal, install: &Install, kubectl: &Kubectl, options: &Options) -> Result<u8, Stop> {
    let answer = apply::rehearse(what, install, kubectl, options, &mut exit::out());
    match answer {
        Ok(Ok(found)) => Ok(u8::from(found)),
        Ok(Err(Outcome::Interrupted(signal))) => Ok(code_of(signal)),
        Ok(Err(Outcome::Failed(why))) => {
            say(&why.iter().enumerate().map(|(nth, line)| prefixed(nth, line)).collect::<Vec<_>>())?;
            // 1 says that something differs
            Ok(if what == Rehearsal::Diff { exit::INPUT } else { 1 })
        }
        Ok(Err(Outcome::Done)) => Ok(0),
        Err(apply::Failure::Kubectl(failure)) => Err(trouble(failure)),
        Err(apply::Failure::Output(failure)) => Err(exit::no_output(failure)),
    }
}

fn prefixed(nth: usize, line: &str) -> String {
    if nth == 0 { format!("error: {line}") } else { format!("  {line}") }
}

fn say(lines: &[String]) -> Result<(), Stop> {
    let mut err = exit::err();
    exit::unread(lines.iter().try_for_each(|line| writeln!(err, "{}", escape(line))))
}

fn code_of(signal: usize) -> u8 {
    u8::try_from(BY_SIGNAL + signal).unwrap_or(exit::INTERNAL)
}

fn trouble(trouble: Trouble) -> Stop {
    Stop::Usage(trouble.to_string())
}

/// The user's kubectl, which an interrupt stops in an orderly way; a second one ends this process at once.
fn kubectl(args: &ApplyArgs) -> Result<Kubectl, Stop> {
    let name = args.kubectl.as_deref().filter(|name| !name.is_empty()).unwrap_or("kubectl");
    let program = if name.contains(std::path::is_separator) { Some(PathBuf::from(name)) } else { on_path(name) };
    let program = program.ok_or_else(|| {
        Stop::Usage(format!("no {name} on PATH: install kubectl, or name one with --kubectl or TIDEGATE_KUBECTL"))
    })?;
    let interrupt = Interrupt::default();
    for signal in [SIGINT, SIGTERM] {
        let number = usize::try_from(signal).unwrap_or_default();
        let is_second = Arc::new(AtomicBool::new(false));
        let code = i32::from(code_of(number));
        flag::register_conditional_shutdown(signal, code, Arc::clone(&is_second))?;
        flag::register(signal, is_second)?;
        flag::register_usize(signal, interrupt.cell(), number)?;
    }
    Ok(Kubectl { program, arguments: words::cluster(args), interrupt })
}

/// A program in one of the folders of the search path.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|program| program.is_file())
}
