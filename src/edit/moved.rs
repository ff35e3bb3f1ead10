//! Values that moved: their lines are taken along, with comments and form.

use super::lines;
use super::written::is_leaf;
use crate::finding::Findings;
use crate::source::{DocumentStart, Limits};
use crate::tree::Node;
use crate::yaml;

/// The text that nodes of a document come from.
#[derive(Clone, Copy)]
pub(super) struct Source<'d> {
    pub(super) text: &'d str,
    pub(super) at: DocumentStart,
}

/// A value as it was written elsewhere.
pub(super) enum Moved {
    /// On one line, to stand behind a key or dash.
    Line(String),
    /// Lines of a block, which end with `\n`, the last one without; the first column is its own.
    Lines(String),
}

impl Source<'_> {
    /// What a value was written as, if it stands in the text and is read as this value alone.
    pub(super) fn of(self, node: &Node<'_>) -> Option<Moved> {
        let (start, end) = (node.span.start as usize, node.span.end() as usize);
        let written = self.text.get(start..end).filter(|written| !written.is_empty())?;
        let is_line = is_leaf(node) || written.starts_with(['{', '[']);
        let moved = match is_line {
            true if written.contains(['\n', '\r']) => return None,
            true => Moved::Line(written.to_owned()),
            false => Moved::Lines(self.lines(start, end)),
        };
        let (Moved::Line(text) | Moved::Lines(text)) = &moved;
        self.is_read_as(text, node).then_some(moved)
    }

    /// The lines of a block, with the comments above its first one and behind its last one.
    fn lines(self, start: usize, end: usize) -> String {
        let column = start - lines::start(self.text, start);
        let mut from = start;
        if lines::begins(self.text, start) {
            while let Some(above) = lines::start(self.text, from).checked_sub(1) {
                let above = lines::start(self.text, above);
                match self.text[above..from].trim_start_matches(' ').as_bytes().first() {
                    Some(b'#' | b'\r' | b'\n') => from = above,
                    _ => break,
                }
            }
        }
        let block = self.text[from..lines::end(self.text, end)].lines();
        let own = |(nth, line): (usize, &str)| {
            let margin = line.len() - line.trim_start_matches(' ').len();
            let cut = if nth == 0 && from == start { 0 } else { margin.min(column) };
            line[cut..].trim_end_matches('\r').to_owned()
        };
        block.enumerate().map(own).collect::<Vec<_>>().join("\n")
    }

    /// Anchors, aliases and tags of elsewhere make it another value, or none.
    fn is_read_as(self, text: &str, node: &Node<'_>) -> bool {
        let text = format!("{text}\n");
        let read = yaml::parse(&text, self.at, &Limits::default(), &mut Findings::default());
        matches!(read, Ok(Some(read)) if read == *node)
    }
}
