//! The only printer of this program, and the only place that knows exit codes.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use tidegate::report::escape::escape;

/// Why a run did not get to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The command line is wrong.
    Usage(String),
    /// A file, an address or a pipe is.
    Machine(String),
    /// tidegate is.
    Internal(String),
}

/// The exit code of a run, once what it has to say is said.
pub(crate) fn code(run: Result<(), Stop>) -> ExitCode {
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Usage(message)) => failed(&message, 2),
        Err(Stop::Machine(message)) => failed(&message, 3),
        Err(Stop::Internal(message)) => failed(&message, 4),
    }
}

/// Ends with what clap has to say: help and versions on standard output, errors on standard error.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let printed = error.print();
    drop(printed); // there is nowhere left to say that it failed
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// Prints to standard output.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Stop::Machine(format!("standard output: {error}"))),
        _ => Ok(()),
    }
}

/// Writes a line of the log to standard error.
pub(crate) fn log(line: &str) {
    let written = writeln!(io::stderr(), "{}", escape(line));
    drop(written); // serving goes on where nobody listens
}

fn failed(message: &str, code: u8) -> ExitCode {
    log(&format!("error: {message}"));
    ExitCode::from(code)
}
