//! From the text of a configuration file to what it sets.

use super::raw::{Raw, from_node};
use crate::finding::{Finding, Findings, Label, Severity, rules};
use crate::source::{DocumentStart, FileId, Limits, Place};
use crate::tree::Node;
use crate::yaml;

/// Reads the whole text of a configuration file: one YAML or JSON document.
///
/// Whatever is wrong becomes a finding of tidegate's own configuration, also what the YAML reader
/// finds. Nothing comes back for a text that cannot be read, and for an object of another kind or
/// version. The lines of a configuration may be shown, but for those of its patches.
pub fn read(text: &str, file: FileId, found: &mut Findings) -> Option<Raw> {
    let limits = Limits::default();
    let mut documents: Vec<(Node<'_>, DocumentStart, usize)> = Vec::new();
    let mut readable = true;
    let mut reading = Findings::default();
    for chunk in yaml::chunks(text) {
        let at = chunk.start(file);
        let separator = chunk.check_separator(file, &mut reading);
        match yaml::parse(chunk.text, at, &limits, &mut reading) {
            Ok(Some(node)) => documents.push((node, at, chunk.text.len())),
            Ok(None) => {}
            Err(_) => readable = false,
        }
        readable &= separator.is_ok();
    }
    for finding in reading.sorted() {
        found.push(as_ours(finding.clone()));
    }
    if !readable {
        return None;
    }
    let mut documents = documents.into_iter();
    let Some((node, at, len)) = documents.next() else {
        let message = "the configuration is empty: it must have apiVersion and kind";
        let label = Label::new(Place::file(file));
        found.push(Finding::new(&rules::CONFIG, message).with_label(label));
        return None;
    };
    let start = at.place(node.span);
    for (node, at, _) in documents {
        let message = "a configuration is one document; this is another one";
        let second = Label::new(at.place(node.span));
        let first = Label::new(start).text("the first one");
        let finding = Finding::new(&rules::CONFIG, message).with_label(second);
        found.push(finding.with_label(first));
    }
    let raw = from_node(&node, at, found);
    if raw.as_ref().is_some_and(|raw| raw.kind.is_some()) {
        let whole = Place { file, start: at.offset, end: at.offset + len };
        show_source(&node, whole, text, found);
    }
    raw
}

/// Lets the lines of a configuration be shown, but for its patches: what they set may be secret.
fn show_source(root: &Node<'_>, whole: Place, text: &str, found: &mut Findings) {
    let patches = root.get("spec").and_then(Node::mapping).and_then(|spec| spec.entry("patches"));
    let Some((key, value)) = patches else { return found.show_source(whole) };
    let (first, last) = (whole.start + key.span.start as usize, whole.start + value.span.end() as usize);
    let start = text[..first.min(text.len())].rfind('\n').unwrap_or(whole.start).max(whole.start);
    let end = text[last.min(text.len())..].find('\n').map_or(whole.end, |at| last + at + 1).min(whole.end);
    found.show_source(Place { end: start, ..whole });
    found.show_source(Place { start: end, ..whole });
}

/// What is wrong with the text of a configuration is wrong with the configuration, not the input.
fn as_ours(mut finding: Finding) -> Finding {
    if finding.severity == Severity::Error {
        finding.rule = &rules::CONFIG;
    }
    finding
}
