//! Text edits by span over the text of a document: what is not changed keeps its bytes.
//!
//! [`apply`] takes a document as it is written, its tree, and the tree that it is to be. Where the two
//! differ it changes the text: a scalar in its place and its quotes, an entry or item on lines of its
//! own at the column of its neighbours, in braces and brackets behind a comma. Comments, blank lines,
//! order, line breaks and flow style of everything else stay.
//!
//! What moves takes its lines along. What becomes of comments: one that stands on a line of its own beside what is removed stays; one
//! on a line with, or inside, what is removed or replaced goes with it.
//!
//! The result is read again and must be the tree that it was to be. Where it is not (an anchor that
//! others share, a merge that brings a key which is to go), the text is edited once more from what
//! was read, and at last written anew as a whole, which the result says. No result has a wrong value.

mod block;
mod flow;
mod lines;
mod moved;
mod walk;
mod whole;
mod written;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::finding::Findings;
use crate::source::{DocumentStart, Limits};
use crate::tree::Node;
use crate::{json, yaml};

/// In which syntax a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// YAML: the text of a [`yaml::Chunk`].
    Yaml,
    /// JSON: one value of a stream, without blanks around it.
    Json,
}

/// A document as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Original<'d> {
    /// Its text, which the spans of the tree count in.
    pub text: &'d str,
    /// Where the text begins.
    pub at: DocumentStart,
    /// Its syntax.
    pub form: Form,
    /// Its tree.
    pub root: &'d Node<'d>,
}

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The text, which is read as the changed tree.
    pub text: String,
    /// Whether it was written anew as a whole: its comments and its form are lost, but for the
    /// comments before its first key.
    pub is_whole: bool,
    /// How many comments stood in what was removed or replaced, or behind it, and are gone.
    pub lost_comments: usize,
}

/// How often a text is edited from what the last edit is read as.
const ROUNDS: usize = 4;

/// Changes the text of a document so that it is read as `changed`; `limits` are those of the reader.
///
/// Nothing comes back where no text is read as that tree (a float that is no number, a limit).
pub fn apply(original: &Original<'_>, changed: &Node<'_>, limits: &Limits) -> Option<Edited> {
    let edited = edit(original, changed, true).and_then(|text| settle(text, original, changed, limits));
    let is_whole = edited.is_none();
    let text = edited.unwrap_or_else(|| whole::write(original, changed));
    let is_right = !is_whole || read(&text, original, limits).is_some_and(|root| root == *changed);
    let lost_comments = comments(original.text).saturating_sub(comments(&text));
    is_right.then_some(Edited { text, is_whole, lost_comments })
}

/// How many lines hold a comment: alone, or behind something. Text in quotes that run over lines, and lines of a block of
/// text, are taken for YAML; both stand on either side of what is compared.
fn comments(text: &str) -> usize {
    text.lines().filter(|line| has_comment(line)).count()
}

fn has_comment(line: &str) -> bool {
    let mut quote = None;
    let mut before = b' ';
    for byte in line.bytes() {
        match (quote, byte) {
            (None, b'#') if matches!(before, b' ' | b'\t') => return true,
            // a quote opens a text only where one may begin
            (None, b'"' | b'\'') if matches!(before, b' ' | b'\t' | b'[' | b'{' | b',' | b':') => quote = Some(byte),
            (Some(open), byte) if open == byte && before != b'\\' => quote = None,
            _ => {}
        }
        before = byte;
    }
    false
}

/// Edits until the text is read as `changed`: the first round leaves aliases alone, which change with
/// what they stand for; the next one writes out those that are not right yet.
fn settle(mut text: String, original: &Original<'_>, changed: &Node<'_>, limits: &Limits) -> Option<String> {
    for _ in 1..ROUNDS {
        let root = read(&text, original, limits)?;
        if root == *changed {
            return Some(text);
        }
        text = edit(&Original { text: &text, root: &root, ..*original }, changed, false)?;
    }
    let root = read(&text, original, limits)?;
    (root == *changed).then_some(text)
}

/// One round.
fn edit(original: &Original<'_>, changed: &Node<'_>, spares_aliases: bool) -> Option<String> {
    let edits = walk::edits(original, changed, spares_aliases).ok()?;
    replace(original.text, edits)
}

/// Reads an edited text in the syntax of its document.
fn read<'t>(text: &'t str, original: &Original<'_>, limits: &Limits) -> Option<Node<'t>> {
    let mut unsaid = Findings::default();
    match original.form {
        Form::Yaml => yaml::parse(text, original.at, limits, &mut unsaid).ok()?,
        Form::Json => match json::parse_stream(text, original.at, limits, &mut unsaid).pop() {
            Some(Ok((at, root))) if at == original.at => Some(root),
            _ => None,
        },
    }
}

/// Bytes that others take the place of; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    range: Range<usize>,
    with: String,
}

/// No edit of parts can do it here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stuck;

/// The text with all edits made; nothing where two of them meet. What is inserted where something
/// begins comes before it, several insertions in the order they were made.
fn replace(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for Edit { range, with } in edits {
        out.push_str(text.get(from..range.start)?);
        out.push_str(&with);
        from = range.end;
    }
    out.push_str(text.get(from..)?);
    Some(out)
}
