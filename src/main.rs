//! The `tidegate` program: parses the command line, runs a verb, ends with its exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
