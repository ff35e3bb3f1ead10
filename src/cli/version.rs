//! `tidegate version`: what this is.

use std::io::Write;

use clap::CommandFactory;
use serde_json::json;
use tidegate::source::Limits;

use super::args::{Args, TextForm, VersionArgs};
use super::exit::{Stop, out};

pub(crate) fn run(args: &VersionArgs) -> Result<u8, Stop> {
    let version = env!("CARGO_PKG_VERSION");
    let variables = variables();
    let limits = limits();
    let mut text = String::new();
    if args.output == TextForm::Json {
        let limits: serde_json::Map<_, _> =
            limits.iter().map(|(name, limit)| ((*name).to_owned(), json!(limit))).collect();
        let all = json!({ "version": version, "config": "tidegate.dev/v1alpha1", "environment": variables, "limits": limits });
        text.push_str(&format!("{all:#}\n"));
    } else {
        text.push_str(&format!("tidegate {version}\n"));
        if args.verbose {
            text.push_str("\nconfiguration: tidegate.dev/v1alpha1\n\nenvironment variables that are read:\n");
            variables.iter().for_each(|name| text.push_str(&format!("  {name}\n")));
            text.push_str("\nlimits on the input:\n");
            limits.iter().for_each(|(name, limit)| text.push_str(&format!("  {name:<16} {limit}\n")));
        }
    }
    out().write_all(text.as_bytes())?;
    Ok(0)
}

/// Every environment variable that a flag can come from, by name.
fn variables() -> Vec<String> {
    let command = Args::command();
    let all = command.get_subcommands().flat_map(|verb| verb.get_arguments().filter_map(|arg| arg.get_env()));
    let mut names: Vec<_> =
        all.map(|name| name.to_string_lossy().into_owned()).chain(["NO_COLOR".to_owned()]).collect();
    names.sort();
    names.dedup();
    names
}

/// The limits by the names that `--limit` takes.
fn limits() -> [(&'static str, u64); 5] {
    let limits = Limits::default();
    [
        ("nesting", limits.nesting as u64),
        ("document-bytes", limits.document_bytes as u64),
        ("file-bytes", limits.file_bytes),
        ("total-bytes", limits.total_bytes),
        ("objects", limits.objects as u64),
    ]
}
