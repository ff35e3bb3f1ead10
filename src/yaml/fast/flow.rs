//! Flow collections: `[…]` and `{…}`.

use super::Reader;
use super::block::short_key;
use super::bytes::{BEGIN, Begin, ENDS_FLOW_PLAIN};
use crate::source::Span;
use crate::tree::{Key, Node, Value};

/// What ends plain text inside brackets.
#[derive(PartialEq, Eq)]
enum Stop {
    /// A comma, a bracket, or the end of the line.
    End,
    /// A colon that makes it a key.
    Colon,
}

impl<'s> Reader<'s> {
    /// The collection whose opening bracket is here; `at` comes to stand behind its closing one.
    /// Its further lines stand right of column `parent`, but closing brackets may stand anywhere.
    pub(super) fn flow(&mut self, parent: isize) -> Option<Node<'s>> {
        self.enter()?;
        let start = self.at;
        self.at += 1;
        let value = match self.byte(start)? {
            b'[' => self.flow_sequence(parent)?,
            _ => self.flow_mapping(parent)?,
        };
        self.leave();
        Some(Node {
            span: Span::new(start, self.at),
            value,
        })
    }

    fn flow_sequence(&mut self, parent: isize) -> Option<Value<'s>> {
        let base = self.nodes.len();
        while self.flow_gap(parent)? != b']' {
            let item = self.flow_value(parent)?;
            self.nodes.push(item);
            self.flow_separator(b']', parent)?;
        }
        self.at += 1;
        Some(Value::Sequence(self.nodes.drain(base..).collect()))
    }

    fn flow_mapping(&mut self, parent: isize) -> Option<Value<'s>> {
        let base = self.entries.len();
        while self.flow_gap(parent)? != b'}' {
            let key = self.flow_key(parent)?;
            self.flow_gap(parent)?;
            let value = self.flow_value(parent)?;
            self.entries.push((key, value));
            self.flow_separator(b'}', parent)?;
        }
        self.at += 1;
        Some(Value::Mapping(self.take_entries(base)?))
    }

    /// Goes over the comma behind an item, or up to the closing bracket.
    fn flow_separator(&mut self, close: u8, parent: isize) -> Option<()> {
        match self.flow_gap(parent)? {
            b',' => self.at += 1,
            byte if byte == close => {}
            _ => return None,
        }
        Some(())
    }

    /// Goes over blanks and line breaks; returns the byte that is there then. Gives up at comments
    /// and tabs, which no item starts with.
    fn flow_gap(&mut self, parent: isize) -> Option<u8> {
        loop {
            self.at = self.behind_spaces(self.at);
            if self.byte(self.at)? != b'\n' {
                break;
            }
            self.at += 1;
            self.line = self.at;
            let content = self.behind_spaces(self.at);
            let column = (content - self.line).cast_signed();
            let may_stand = match self.byte(content)? {
                b'\n' | b']' | b'}' => true,
                _ => column > parent,
            };
            if !may_stand {
                return None;
            }
        }
        self.byte(self.at)
    }

    /// The key that is here; `at` comes to stand behind its colon.
    fn flow_key(&mut self, parent: isize) -> Option<Key<'s>> {
        let start = self.at;
        let line = self.line;
        let is_quoted = BEGIN[usize::from(self.byte(start)?)] == Begin::Quote;
        let name = if is_quoted {
            self.quoted(parent)?
        } else {
            let (end, stop) = self.flow_plain()?;
            if stop != Stop::Colon {
                return None;
            }
            self.plain_name(start, end)?
        };
        let end = if is_quoted {
            self.at
        } else {
            self.without_blanks(start, self.at)
        };
        let colon = self.behind_spaces(self.at);
        if self.byte(colon)? != b':' || self.line != line || !self.is_gap(colon + 1) {
            return None;
        }
        self.at = colon + 1;
        let span = Span::new(start, end);
        short_key(Key { span, name })
    }

    /// The value that is here.
    fn flow_value(&mut self, parent: isize) -> Option<Node<'s>> {
        let start = self.at;
        let value = match BEGIN[usize::from(self.byte(start)?)] {
            Begin::Bracket => return self.flow(parent),
            Begin::Quote => Value::String(self.quoted(parent)?),
            Begin::Plain | Begin::Dash => {
                let (end, stop) = self.flow_plain()?;
                if stop == Stop::Colon {
                    return None;
                }
                self.at = end;
                self.plain_value(start, end)?
            }
            _ => return None,
        };
        Some(Node {
            span: Span::new(start, self.at),
            value,
        })
    }

    /// Reads the plain text that is here: the byte behind its last one that is no blank, and what
    /// ends it; `at` comes to stand there.
    fn flow_plain(&mut self) -> Option<(usize, Stop)> {
        let start = self.at;
        if self.bytes[start] == b'-' && self.ends_flow_plain(start + 1) {
            return None;
        }
        let mut at = start;
        let stop = loop {
            let rest = &self.bytes[at..];
            at += rest
                .iter()
                .position(|byte| ENDS_FLOW_PLAIN[usize::from(*byte)])?;
            match self.bytes[at] {
                b'\n' | b',' | b']' | b'}' => break Stop::End,
                b':' if self.ends_flow_plain(at + 1) => break Stop::Colon,
                b'#' if self.bytes[at - 1] != b' ' => at += 1,
                b':' => at += 1,
                _ => return None,
            }
        };
        self.at = at;
        Some((self.without_blanks(start, at), stop))
    }

    /// Whether a blank, a line's end, or an indicator of flow collections is at `at`.
    fn ends_flow_plain(&self, at: usize) -> bool {
        matches!(
            self.byte(at),
            None | Some(b' ' | b'\t' | b'\n' | b',' | b'[' | b']' | b'{' | b'}')
        )
    }
}
