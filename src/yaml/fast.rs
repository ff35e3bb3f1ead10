//! The fast path: the plain block subset of one document, read in one pass.
//!
//! Manifests that people and tools write hardly use more of YAML than block mappings and sequences,
//! plain and quoted scalars, block scalars, and short flow collections. This reader takes those at
//! several times the speed of the full parser. At anything else (anchors, tags, directives, `? `
//! keys, tabs and control characters where they could matter, numbers that a finding belongs to,
//! duplicate keys, every error) it gives up, and the full parser reads the document from its start.
//! So it never reports anything, and what it returns is what the full parser would return, spans
//! included: tests hold that on real files, on damaged ones and on made ones.
//!
//! Rooms: [`bytes`] (classes of bytes), [`lines`] (from line to line), [`block`] (mappings and
//! sequences), [`plain`], [`quoted`], [`text`] (`|` and `>`), [`flow`] (brackets).

mod block;
mod bytes;
mod flow;
mod lines;
mod plain;
mod quoted;
mod text;

#[cfg(test)]
mod tests;

use crate::source::Limits;
use crate::tree::{Key, Node};

/// Levels that are read by recursion, whatever the limit says.
const DEEPEST: usize = 200;

/// The longest key that is taken. YAML's own limit is 1,024 characters.
const LONGEST_KEY: usize = 1000;

/// Reads one document that holds no `---` line.
///
/// Nothing means that the full parser must read it. `Some(None)` is a document without content:
/// blank lines and comments. Spans count bytes from the start of `text`.
pub(crate) fn parse<'s>(text: &'s str, limits: &Limits) -> Option<Option<Node<'s>>> {
    if text.len() > limits.document_bytes || bytes::are_unusual(text.as_bytes()) {
        return None;
    }
    Reader::new(text, limits).document()
}

/// One pass over one document. Every function returns nothing to give up.
struct Reader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    /// The byte to read next. Between nodes: the first byte of content of a line.
    at: usize,
    /// The first byte of the line that holds `at`.
    line: usize,
    /// The column of the content that comes next, once a node has been read to its end; -1 at the
    /// end of the text.
    indent: isize,
    /// Line breaks between the node before and the content that comes next.
    breaks: usize,
    /// Whether a comment stands between them on a line of its own.
    commented: bool,
    depth: usize,
    deepest: usize,
    /// Items and entries of the collections that are being read, innermost last: each collection
    /// takes its own off the end, into a vector of exactly their number.
    nodes: Vec<Node<'s>>,
    entries: Vec<(Key<'s>, Node<'s>)>,
    /// Text that is no slice of the source, while it is put together.
    scratch: String,
}

impl<'s> Reader<'s> {
    fn new(text: &'s str, limits: &Limits) -> Self {
        Reader {
            text,
            bytes: text.as_bytes(),
            at: 0,
            line: 0,
            indent: -1,
            breaks: 0,
            commented: false,
            depth: 0,
            deepest: limits.nesting.min(DEEPEST),
            nodes: Vec::new(),
            entries: Vec::new(),
            scratch: String::new(),
        }
    }

    /// The whole document. A root that is a scalar or a flow collection is left to the full parser:
    /// no manifest has one.
    fn document(&mut self) -> Option<Option<Node<'s>>> {
        self.first_content()?;
        if self.indent < 0 {
            return Some(None);
        }
        let root = self.block(-1)?;
        (self.indent < 0).then_some(Some(root))
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Whether a line ends or a blank stands at `at`.
    fn is_gap(&self, at: usize) -> bool {
        matches!(self.byte(at), None | Some(b' ' | b'\n'))
    }

    /// Goes one level deeper.
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= self.deepest).then_some(())
    }

    /// Comes back from a level.
    fn leave(&mut self) {
        self.depth -= 1;
    }
}
