//! A document written anew.

use super::{Form, Original, lines};
use crate::tree::Node;
use crate::{json, yaml};

/// The text of `changed` in the syntax of a document, with the comments before its first key.
pub(super) fn write(original: &Original<'_>, changed: &Node<'_>) -> String {
    let text = original.text;
    let mut out = String::new();
    match original.form {
        Form::Json if text.contains('\n') => json::write_pretty(changed, json_step(text), &mut out),
        Form::Json => json::write(changed, &mut out),
        Form::Yaml => yaml::emit(changed, &mut out),
    }
    let out = out.replace('\n', lines::line_break(text));
    let head = text.get(..original.root.span.start as usize).unwrap_or_default();
    let head = &head[..lines::start(head, head.len())];
    let is_comment = |line: &str| line.trim().is_empty() || line.starts_with('#');
    match original.form {
        Form::Yaml if head.lines().all(is_comment) => format!("{head}{out}"),
        _ => out,
    }
}

/// The spaces before the first part of a JSON document on lines of its own.
fn json_step(text: &str) -> usize {
    let second = text.find('\n').map_or("", |at| &text[at + 1..]);
    let step = second.len() - second.trim_start_matches(' ').len();
    if step == 0 { 4 } else { step }
}
