//! The command line: flags and environment in, exit code out. The only room of the program that
//! prints or ends it is [`exit`].

mod apply;
mod args;
mod check;
mod cmp;
mod completion;
mod convert;
mod definition;
mod diff;
mod exit;
mod explain;
mod findings;
mod function;
mod in_place;
mod init;
mod input;
mod named;
mod plan;
mod previous;
mod render;
mod tree;
mod version;

use std::process::ExitCode;

use args::{Args, Verb};

/// Runs the verb that the command line names.
pub(crate) fn main() -> ExitCode {
    if let Some(run) = function::unnamed() {
        return exit::guard(run);
    }
    let args = match Args::read(std::env::args_os()) {
        Ok(args) => args,
        Err(error) => return exit::usage(&error),
    };
    exit::guard(|| match args.verb {
        Verb::Render(args) => render::run(*args),
        Verb::Check(args) => check::run(*args),
        Verb::Plan(args) => plan::run(*args),
        Verb::Apply(args) => apply::run(*args),
        Verb::Cmp(args) => cmp::run(*args),
        Verb::Fn(args) => function::run(*args),
        Verb::Convert(args) => convert::run(*args),
        Verb::Diff(args) => diff::run(*args),
        Verb::Init(args) => init::run(args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Completion(args) => completion::run(args),
        Verb::Version(args) => version::run(&args),
    })
}
