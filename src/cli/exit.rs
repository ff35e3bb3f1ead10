//! The only printer, and the only place that knows exit codes.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

/// Usage, or tidegate's own configuration.
pub(crate) const USAGE: u8 = 2;
/// Input that cannot be read.
pub(crate) const INPUT: u8 = 3;
/// tidegate is wrong.
const INTERNAL: u8 = 4;

/// Why a verb did not get to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The command line, or a file that it names, is wrong.
    Usage(String),
    /// Something outside gave out: a disk, a pipe.
    Machine(String, u8),
    /// Whoever read the output went away: nothing is wrong.
    NobodyReads,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Stop::NobodyReads,
            _ => Stop::Machine(error.to_string(), INPUT),
        }
    }
}

/// Standard output cannot take the manifests.
pub(crate) fn no_output(error: io::Error) -> Stop {
    match error.kind() {
        ErrorKind::BrokenPipe => Stop::NobodyReads,
        _ => Stop::Machine(format!("standard output: {error}"), INPUT),
    }
}

/// Runs a verb. A panic in it is an error of tidegate's own: one line and exit code 4.
pub(crate) fn guard(verb: impl FnOnce() -> Result<u8, Stop>) -> ExitCode {
    set_hook(Box::new(|_| {}));
    match catch_unwind(AssertUnwindSafe(verb)) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(Stop::NobodyReads)) => ExitCode::SUCCESS,
        Ok(Err(Stop::Usage(message))) => say(&format!("error: {message}"), USAGE),
        Ok(Err(Stop::Machine(message, code))) => say(&format!("error: {message}"), code),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let why = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            say(&format!("internal error: {why}; please report it with the input that shows it"), INTERNAL)
        }
    }
}

/// Ends with what clap has to say: help and versions on standard output, errors on standard error.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let code = if error.use_stderr() { USAGE } else { 0 };
    let printed = error.print();
    drop(printed); // there is nowhere left to say that it failed
    ExitCode::from(code)
}

fn say(message: &str, code: u8) -> ExitCode {
    let line = tidegate::report::escape::escape(message);
    let written = writeln!(io::stderr(), "{line}");
    drop(written); // there is nowhere left to say that it failed
    ExitCode::from(code)
}

/// Standard output, buffered by the caller.
pub(crate) fn out() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// Standard error, for findings and notes.
pub(crate) fn err() -> io::StderrLock<'static> {
    io::stderr().lock()
}

/// Whether findings may be coloured: a terminal, and no `NO_COLOR`.
pub(crate) fn color(terminal: &impl IsTerminal) -> bool {
    let asked_not = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    terminal.is_terminal() && !asked_not
}

#[allow(clippy::disallowed_methods, reason = "the only file that is written is one that the user names")]
/// Writes a file that the user named: whole or not at all, unless it is a device or a pipe.
pub(crate) fn write_file(path: &str, bytes: &[u8]) -> Result<(), Stop> {
    let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let beside = format!("{path}.part");
    let written = match is_special {
        true => std::fs::write(path, bytes),
        false => std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path)),
    };
    written.map_err(|error| Stop::Usage(format!("{path} cannot be written: {error}")))
}
