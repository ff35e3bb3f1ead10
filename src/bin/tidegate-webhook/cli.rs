//! The command line: flags in, exit code out.

mod args;
mod exit;
mod manifests;
mod serve;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Verb};

/// Runs what the command line names: the server, if nothing else.
pub(crate) fn main() -> ExitCode {
    match Args::try_parse() {
        Err(error) => exit::usage(&error),
        Ok(Args { verb: Some(Verb::Manifests(args)), .. }) => exit::code(manifests::run(&args)),
        Ok(Args { serve, .. }) => exit::code(serve::run(serve)),
    }
}
