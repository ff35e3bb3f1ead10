//! Block mappings and sequences.

use super::bytes::{BEGIN, Begin};
use super::plain::Stop;
use super::{LONGEST_KEY, Reader};
use crate::source::Span;
use crate::tree::{Key, Mapping, Node, Value};

/// Up to this many entries, keys are compared each with each.
const FEW: usize = 12;

impl<'s> Reader<'s> {
    /// The node whose first byte is here, on a line of its own or behind a dash. What continues it
    /// stands right of column `parent`.
    pub(super) fn block(&mut self, parent: isize) -> Option<Node<'s>> {
        let column = self.at - self.line;
        if self.is_dash() {
            return self.sequence(column);
        }
        let start = self.at;
        let first_line = self.line;
        match BEGIN[usize::from(self.byte(start)?)] {
            Begin::Plain | Begin::Indicator => {
                let line = self.first_plain_line()?;
                match line.stop {
                    Stop::Colon(colon) => {
                        let key = self.plain_key(start, line.end, colon)?;
                        self.mapping(key, column)
                    }
                    _ => self.plain(line, parent),
                }
            }
            Begin::Quote => {
                let text = self.quoted()?;
                let span = Span::new(start, self.at);
                match self.colon()? {
                    Some(colon) if self.line == first_line => {
                        self.at = colon + 1;
                        self.mapping(short_key(Key { span, name: text })?, column)
                    }
                    Some(_) => None,
                    None => self.scalar(span, Value::String(text), parent),
                }
            }
            _ => self.value(parent),
        }
    }

    /// A scalar that has been read up to its end; goes on to the next content.
    fn scalar(&mut self, span: Span, value: Value<'s>, parent: isize) -> Option<Node<'s>> {
        if parent < 0 {
            return None;
        }
        self.finish_line(parent)?;
        Some(Node { span, value })
    }

    /// The value that starts here, on the line of its key or alone on a line; never a mapping or
    /// sequence in block style.
    fn value(&mut self, parent: isize) -> Option<Node<'s>> {
        if parent < 0 {
            return None;
        }
        let start = self.at;
        match BEGIN[usize::from(self.byte(start)?)] {
            Begin::Plain | Begin::Indicator => {
                let line = self.first_plain_line()?;
                self.plain(line, parent)
            }
            Begin::Quote => {
                let text = self.quoted()?;
                self.scalar(Span::new(start, self.at), Value::String(text), parent)
            }
            Begin::Bracket => {
                let node = self.flow()?;
                self.finish_line(parent)?;
                Some(node)
            }
            Begin::Text => self.block_text(parent),
            _ => None,
        }
    }

    fn is_dash(&self) -> bool {
        self.byte(self.at) == Some(b'-') && self.is_gap(self.at + 1)
    }

    /// The colon behind a key, blanks before it allowed; nothing inside where there is none.
    fn colon(&self) -> Option<Option<usize>> {
        let colon = self.behind_spaces(self.at);
        match self.byte(colon) {
            Some(b':') if self.is_gap(colon + 1) => Some(Some(colon)),
            Some(b':') => None,
            _ => Some(None),
        }
    }

    /// The key of the next entry; `at` comes to stand behind its colon.
    fn key(&mut self) -> Option<Key<'s>> {
        let start = self.at;
        match BEGIN[usize::from(self.byte(start)?)] {
            Begin::Plain | Begin::Indicator => {
                let line = self.first_plain_line()?;
                match line.stop {
                    Stop::Colon(colon) => self.plain_key(start, line.end, colon),
                    _ => None,
                }
            }
            Begin::Quote => {
                let line = self.line;
                let name = self.quoted()?;
                let span = Span::new(start, self.at);
                self.at = self.colon()?? + 1;
                short_key(Key { span, name }).filter(|_| self.line == line)
            }
            _ => None,
        }
    }

    /// The key of plain text from `start` to `end`; `at` comes to stand behind its colon.
    pub(super) fn plain_key(&mut self, start: usize, end: usize, colon: usize) -> Option<Key<'s>> {
        self.at = colon + 1;
        short_key(Key { span: Span::new(start, end), name: self.plain_name(start, end)? })
    }

    /// A mapping at a column; its first key and colon have been read.
    fn mapping(&mut self, first: Key<'s>, column: usize) -> Option<Node<'s>> {
        self.enter()?;
        let start = first.span.start as usize;
        let base = self.entries.len();
        let column = column.cast_signed();
        let mut key = first;
        loop {
            let value = self.entry_value(column)?;
            self.entries.push((key, value));
            if self.indent < column {
                break;
            }
            if self.indent > column || self.is_dash() {
                return None;
            }
            key = self.key()?;
        }
        self.leave();
        let end = self.entries.last()?.1.span.end() as usize;
        Some(Node { span: Span::new(start, end), value: Value::Mapping(self.take_entries(base)?) })
    }

    /// The value behind the colon of a key of a mapping at a column: on the same line, on the lines
    /// below (a sequence may stand at the mapping's own column), or none at all.
    fn entry_value(&mut self, column: isize) -> Option<Node<'s>> {
        let colon_end = self.at;
        self.at = self.behind_spaces(colon_end);
        if !matches!(self.byte(self.at), None | Some(b'\n' | b'#')) {
            return self.value(column);
        }
        self.at = self.line_end(self.at);
        self.next_content()?;
        if self.indent > column {
            self.block(column)
        } else if self.indent == column && self.is_dash() {
            self.sequence(column.cast_unsigned())
        } else {
            Some(absent(colon_end))
        }
    }

    /// A sequence whose first dash is here, at a column.
    fn sequence(&mut self, column: usize) -> Option<Node<'s>> {
        self.enter()?;
        let start = self.at;
        let base = self.nodes.len();
        let column = column.cast_signed();
        loop {
            let item = self.item(column)?;
            self.nodes.push(item);
            if self.indent > column {
                return None;
            }
            // at the same column, a key goes on with the mapping that holds this sequence
            if self.indent < column || !self.is_dash() {
                break;
            }
        }
        self.leave();
        let end = self.nodes.last()?.span.end() as usize;
        Some(Node { span: Span::new(start, end), value: Value::Sequence(self.nodes.drain(base..).collect()) })
    }

    /// The item whose dash is here.
    fn item(&mut self, column: isize) -> Option<Node<'s>> {
        let dash_end = self.at + 1;
        let content = self.behind_spaces(dash_end);
        self.at = content;
        if !matches!(self.byte(content), None | Some(b'\n' | b'#')) {
            return self.block(column);
        }
        self.at = self.line_end(content);
        self.next_content()?;
        if self.indent > column {
            return self.block(column);
        }
        // behind blanks, the place of nothing is a matter of taste
        (content == dash_end).then(|| absent(dash_end))
    }

    /// Takes the entries from `base` on; gives up where two have the same key.
    pub(super) fn take_entries(&mut self, base: usize) -> Option<Mapping<'s>> {
        let entries = &self.entries[base..];
        if has_duplicates(entries) {
            return None;
        }
        Some(Mapping::new(self.entries.drain(base..).collect()))
    }
}

/// A value that is not written, directly behind its colon or dash.
fn absent(at: usize) -> Node<'static> {
    Node { span: Span::new(at, at), value: Value::Null }
}

/// The key, unless it is so long that it may be none.
pub(super) fn short_key(key: Key<'_>) -> Option<Key<'_>> {
    (key.span.len as usize <= LONGEST_KEY).then_some(key)
}

fn has_duplicates(entries: &[(Key<'_>, Node<'_>)]) -> bool {
    if entries.len() <= FEW {
        return entries.iter().enumerate().any(|(nth, (key, _))| {
            let before = &entries[..nth];
            before.iter().any(|(other, _)| other.name == key.name)
        });
    }
    let mut names: Vec<&str> = entries.iter().map(|(key, _)| &*key.name).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}
