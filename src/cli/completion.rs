//! `tidegate completion`: a script for a shell.

use std::io::Write;

use clap::CommandFactory;

use super::args::{Args, CompletionArgs};
use super::exit::{Stop, out};

pub(crate) fn run(args: CompletionArgs) -> Result<u8, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tidegate", &mut script);
    out().write_all(&script)?;
    Ok(0)
}
