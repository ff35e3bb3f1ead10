//! New values as text, in the style of what they take the place of.

use super::moved::{Moved, Source};
use super::{Form, lines};
use crate::tree::{Key, Mapping, Node, Value};
use crate::{json, yaml};

/// Whether a value is neither a list nor a mapping that holds something.
pub(super) fn is_leaf(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Sequence(items) => items.is_empty(),
        Value::Mapping(mapping) => mapping.is_empty(),
        _ => true,
    }
}

/// A leaf on one line of a block, in the quotes that `old`, the text before, has.
pub(super) fn leaf(node: &Node<'_>, old: &str) -> String {
    let plain = one_line(node);
    let Value::String(text) = &node.value else { return plain };
    let is_plain = !plain.starts_with(['"', '\'']);
    match old.as_bytes().first() {
        Some(b'\'') if is_plain => format!("'{}'", text.replace('\'', "''")),
        Some(b'"') if is_plain => in_quotes(node),
        _ => plain,
    }
}

/// A leaf as the emitter writes it where it must stay on one line.
fn one_line(node: &Node<'_>) -> String {
    let mut out = String::new();
    yaml::emit(node, &mut out);
    out.truncate(out.trim_end_matches('\n').len());
    out
}

/// As in JSON; what YAML takes in no text as it is becomes an escape that both read.
fn in_quotes(node: &Node<'_>) -> String {
    let mut literal = String::new();
    json::write(node, &mut literal);
    let mut out = String::with_capacity(literal.len());
    for character in literal.chars() {
        match yaml::is_unprintable(character) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => out.push(character),
        }
    }
    out
}

/// An entry of a block mapping, lines ending with `\n`, the last one without. What of it was written
/// elsewhere in the document is taken along.
pub(super) fn entry(name: &str, node: &Node<'_>, source: Source<'_>) -> String {
    let mut out = String::new();
    push_entry(name, node, source, &mut out);
    out
}

/// The part of an entry behind its key, from the colon on.
pub(super) fn behind_key(node: &Node<'_>, source: Source<'_>) -> String {
    let mut lines = entry("k", node, source);
    lines.remove(0);
    lines
}

/// An item of a block list, like [`entry`].
pub(super) fn item(node: &Node<'_>, source: Source<'_>) -> String {
    let mut value = String::new();
    match (source.of(node), &node.value) {
        // a comment above would stand behind the dash
        (Some(Moved::Line(text) | Moved::Lines(text)), _) if !text.starts_with('#') => value = text,
        (_, Value::Mapping(mapping)) if !mapping.is_empty() => push_entries(mapping, source, &mut value),
        (_, Value::Sequence(items)) if !items.is_empty() => push_items(items, source, &mut value),
        _ => {
            value = emitted(&Node::made(Value::Sequence(vec![node.clone()])));
            value.drain(..2);
            return format!("- {value}");
        }
    }
    format!("- {}", lines::indent(&value, 2, "\n"))
}

fn push_entry(name: &str, node: &Node<'_>, source: Source<'_>, out: &mut String) {
    let alone =
        |node: Node<'_>| emitted(&Node::made(Value::Mapping(Mapping::new(vec![(Key::made(name.to_owned()), node)]))));
    let key = alone(Node::default());
    let key = key.strip_suffix(" null").unwrap_or(&key);
    let mut value = String::new();
    match (source.of(node), &node.value) {
        (Some(Moved::Line(text)), _) => return out.push_str(&format!("{key} {text}")),
        (Some(Moved::Lines(text)), _) => value = text,
        (None, Value::Mapping(mapping)) if !mapping.is_empty() => push_entries(mapping, source, &mut value),
        (None, Value::Sequence(items)) if !items.is_empty() => push_items(items, source, &mut value),
        _ => return out.push_str(&alone(node.clone())),
    }
    let column = if node.items().is_some() { 0 } else { 2 };
    out.push_str(&format!("{key}\n{}{}", " ".repeat(column), lines::indent(&value, column, "\n")));
}

fn push_entries(mapping: &Mapping<'_>, source: Source<'_>, out: &mut String) {
    for (nth, (key, value)) in mapping.entries().iter().enumerate() {
        out.push_str(if nth > 0 { "\n" } else { "" });
        push_entry(&key.name, value, source, out);
    }
}

fn push_items(items: &[Node<'_>], source: Source<'_>, out: &mut String) {
    let items: Vec<String> = items.iter().map(|node| item(node, source)).collect();
    out.push_str(&items.join("\n"));
}

/// As the emitter writes it, without the last line break.
fn emitted(node: &Node<'_>) -> String {
    let mut out = String::new();
    yaml::emit(node, &mut out);
    out.pop();
    out
}

/// How values in braces and brackets are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// In which syntax.
    pub(super) form: Form,
    /// Whether blanks stand behind `:` and `,`.
    pub(super) is_spaced: bool,
    /// Where each part stands on a line of its own: the spaces a level adds.
    pub(super) step: Option<usize>,
}

impl Flow {
    /// A value whose own line is indented by `column`; lines end with `\n`.
    pub(super) fn value(self, node: &Node<'_>, column: usize) -> String {
        let mut out = String::new();
        self.push(node, column, &mut out);
        out
    }

    /// An entry of a mapping.
    pub(super) fn entry(self, name: &str, node: &Node<'_>, column: usize) -> String {
        let mut out = self.scalar(&Node::text(name));
        out.push(':');
        if self.is_spaced || self.form == Form::Yaml {
            out.push(' ');
        }
        self.push(node, column, &mut out);
        out
    }

    fn push(self, node: &Node<'_>, column: usize, out: &mut String) {
        let inner = column + self.step.unwrap_or(0);
        let parts: Vec<String> = match &node.value {
            Value::Sequence(items) => items.iter().map(|item| self.value(item, inner)).collect(),
            Value::Mapping(mapping) => {
                let entries = mapping.entries().iter();
                entries.map(|(key, value)| self.entry(&key.name, value, inner)).collect()
            }
            _ => return out.push_str(&self.scalar(node)),
        };
        let (open, close) = if node.items().is_some() { ('[', ']') } else { ('{', '}') };
        out.push(open);
        for (nth, part) in parts.iter().enumerate() {
            if nth > 0 {
                out.push(',');
            }
            match self.step {
                Some(_) => push_line(inner, out),
                None if nth > 0 && self.is_spaced => out.push(' '),
                None => {}
            }
            out.push_str(part);
        }
        if self.step.is_some() && !parts.is_empty() {
            push_line(column, out);
        }
        out.push(close);
    }

    /// A scalar: in YAML without quotes where nothing in it means something in brackets.
    fn scalar(self, node: &Node<'_>) -> String {
        if self.form == Form::Json {
            return in_quotes(node);
        }
        let line = one_line(node);
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        match &node.value {
            Value::String(text) if !line.starts_with('"') && !text.bytes().all(is_word) => in_quotes(node),
            _ => line,
        }
    }

    /// A scalar in the quotes that `old`, the text before, has.
    pub(super) fn leaf(self, node: &Node<'_>, old: &str) -> String {
        match (self.form, &node.value) {
            (Form::Yaml, Value::String(_)) if old.starts_with(['"', '\'']) => leaf(node, old),
            _ => self.value(node, 0),
        }
    }
}

fn push_line(column: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', column));
}
