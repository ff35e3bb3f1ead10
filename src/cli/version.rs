//! `tidegate version`: what this is.

use std::io::Write;

use clap::CommandFactory;
use serde_json::json;
use tidegate::config::parameters::{parameters, short_names};
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
        let parameters: Vec<_> = parameters()
            .iter()
            .map(|parameter| json!({ "name": parameter.name, "accepts": parameter.accepts, "help": parameter.help }))
            .collect();
        let all = json!({
            "version": version,
            "config": "tidegate.dev/v1alpha1",
            "environment": variables,
            "limits": limits,
            "parameters": parameters,
        });
        text.push_str(&format!("{all:#}\n"));
    } else {
        text.push_str(&format!("tidegate {version}\n"));
        if args.verbose {
            text.push_str("\nconfiguration: tidegate.dev/v1alpha1\n\nenvironment variables that are read:\n");
            variables.iter().for_each(|name| text.push_str(&format!("  {name}\n")));
            let rules = if cfg!(feature = "cel") { "evaluated" } else { "not evaluated (no cargo feature `cel`)" };
            text.push_str(&format!("\nvalidation rules of definitions (CEL): {rules}\n"));
            text.push_str("\nlimits on the input:\n");
            limits.iter().for_each(|(name, limit)| text.push_str(&format!("  {name:<16} {limit}\n")));
            text.push_str("\nparameters that hosts of functions and plugins may set:\n");
            for parameter in parameters() {
                text.push_str(&format!("  {:<26} {}\n", parameter.name, parameter.accepts));
            }
            for (short, name) in short_names() {
                text.push_str(&format!("  {short:<26} short for {name}\n"));
            }
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
fn limits() -> [(&'static str, u64); 8] {
    let limits = Limits::default();
    [
        ("nesting", limits.nesting as u64),
        ("document-bytes", limits.document_bytes as u64),
        ("file-bytes", limits.file_bytes),
        ("total-bytes", limits.total_bytes),
        ("objects", limits.objects as u64),
        ("template-bytes", limits.template_bytes),
        ("template-items", limits.template_items),
        ("template-seconds", limits.template_seconds),
    ]
}
