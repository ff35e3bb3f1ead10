//! Texts that a template prints without quotes, and that YAML reads as something else.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::engine::Rendered;
use super::trace::Kind;
use super::values::Values;
use crate::finding::{Finding, Findings, Label, rules::templates as rules};
use crate::source::{DocumentStart, Limits, Written};
use crate::{tree, yaml};

/// Findings of one template, after which it is silent.
const ENOUGH: usize = 20;

/// Bytes before and behind a value that are looked at.
const LONGEST_KEY: usize = 1_000;

/// Says where a text of the values stands alone as the value of a key or item and is read as a number,
/// a boolean or null: `version: {{ version }}` with the version `1.10`.
pub(super) fn report(rendered: &Rendered, written: &Written, values: &Values, found: &mut Findings) {
    let mut like = BTreeSet::new();
    collect(&values.json(), &mut like);
    if like.is_empty() {
        return;
    }
    let text = &rendered.text;
    let file = written.template;
    let mut said = BTreeSet::new();
    for (nth, met) in rendered.met.iter().enumerate() {
        let end = rendered.met.get(nth + 1).map_or(text.len(), |next| next.at);
        let is_print = rendered.marks[met.mark].kind == Kind::Print;
        let value = &text[met.at..end];
        let place = written.segments[nth].source;
        if !is_print || met.is_other || !like.contains(value) || !stands_alone(text, met.at, end) {
            continue;
        }
        if !said.insert(place) || said.len() > ENOUGH || file.is_none() {
            continue;
        }
        // no word of the value: it may be secret
        let message = format!("a string is printed here without quotes, and YAML reads it as {}", read_as(value));
        found.push(Finding::new(&rules::LOOKALIKE, message).with_label(Label::new(place)).with_remedy(
            "print it with the filter `yaml` (`{{ value | yaml }}`), or take the quotes away where it is set \
                 if a number or boolean is meant",
        ));
    }
}

/// Collects the strings that YAML reads as something else when they stand without quotes.
fn collect(value: &Json, like: &mut BTreeSet<String>) {
    match value {
        Json::String(text) if !text.is_empty() && text.len() < 64 && read_as(text) != "a string" => {
            like.insert(text.clone());
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, like)),
        Json::Object(entries) => entries.values().for_each(|value| collect(value, like)),
        _ => {}
    }
}

/// What YAML reads a plain scalar as.
fn read_as(text: &str) -> &'static str {
    let mut map = crate::source::SourceMap::default();
    let file = map.add(crate::source::SourceFile::new("", ""));
    let at = DocumentStart { file, offset: 0 };
    match yaml::parse(text, at, &Limits::default(), &mut Findings::default()) {
        Ok(Some(node)) if node.mapping().is_some() || node.items().is_some() => "a string",
        Ok(Some(node)) => node.kind(),
        Ok(None) => tree::Node::default().kind(),
        Err(_) => "a string",
    }
}

/// Whether nothing stands between the bytes and their key or dash, and nothing behind them but a
/// comment. Of a long line only the part around the bytes is looked at: it may hold many of them.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let window = text.ceil_char_boundary(start.saturating_sub(LONGEST_KEY));
    let line = match text[window..start].rfind('\n') {
        Some(at) => window + at + 1,
        None if window == 0 => 0,
        None => return false,
    };
    let before = text[line..start].trim_end();
    let behind = &text[end..text.floor_char_boundary((end + LONGEST_KEY).min(text.len()))];
    let behind = behind.lines().next().unwrap_or_default();
    let is_apart = before.len() < start - line;
    let has_no_quotes = !before.contains(['"', '\'', '#', '{', '[', '|', '>']);
    is_apart
        && has_no_quotes
        && (before.ends_with(':') || before.ends_with('-') && before.trim() == "-")
        && (behind.trim().is_empty() || behind.starts_with(" #"))
}
