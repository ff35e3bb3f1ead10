//! The `tidegate` program: parses the command line, runs a verb, ends with its exit code.

#[allow(clippy::disallowed_methods, reason = "the command line meets the machine")]
mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
