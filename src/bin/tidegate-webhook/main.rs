//! The `tidegate-webhook` program: converts custom resources for API servers, over HTTPS.

#[allow(clippy::disallowed_methods, reason = "the command line meets the machine")]
mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
