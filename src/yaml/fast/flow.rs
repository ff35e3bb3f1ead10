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
    /// Further lines may stand at any column, as kubectl has it.
    pub(super) fn flow(&mut self) -> Option<Node<'s>> {
        self.enter()?;
        let start = self.at;
        self.at += 1;
        let value = match self.byte(start)? {
            b'[' => self.flow_sequence()?,
            _ => self.flow_mapping()?,
        };
        self.leave();
        Some(Node { span: Span::new(start, self.at), value })
    }

    fn flow_sequence(&mut self) -> Option<Value<'s>> {
        let base = self.nodes.len();
        while self.flow_gap()? != b']' {
            let item = self.flow_value()?;
            self.nodes.push(item);
            self.flow_separator(b']')?;
        }
        self.at += 1;
        Some(Value::Sequence(self.nodes.drain(base..).collect()))
    }

    fn flow_mapping(&mut self) -> Option<Value<'s>> {
        let base = self.entries.len();
        while self.flow_gap()? != b'}' {
            let key = self.flow_key()?;
            self.flow_gap()?;
            let value = self.flow_value()?;
            self.entries.push((key, value));
            self.flow_separator(b'}')?;
        }
        self.at += 1;
        Some(Value::Mapping(self.take_entries(base)?))
    }

    /// Goes over the comma behind an item, or up to the closing bracket.
    fn flow_separator(&mut self, close: u8) -> Option<()> {
        match self.flow_gap()? {
            b',' => self.at += 1,
            byte if byte == close => {}
            _ => return None,
        }
        Some(())
    }

    /// Goes over blanks and line breaks; returns the byte that is there then. Gives up at comments
    /// and tabs, which no item starts with.
    fn flow_gap(&mut self) -> Option<u8> {
        loop {
            self.at = self.behind_spaces(self.at);
            if self.byte(self.at)? != b'\n' {
                break;
            }
            self.at += 1;
            self.line = self.at;
            if self.is_marker(self.line) {
                return None;
            }
        }
        self.byte(self.at)
    }

    /// The key that is here; `at` comes to stand behind its colon.
    fn flow_key(&mut self) -> Option<Key<'s>> {
        let start = self.at;
        let line = self.line;
        let (name, end) = match BEGIN[usize::from(self.byte(start)?)] {
            Begin::Quote => (self.quoted()?, self.at),
            Begin::Plain | Begin::Indicator => {
                let (end, stop) = self.flow_plain()?;
                if stop != Stop::Colon {
                    return None;
                }
                (self.plain_name(start, end)?, end)
            }
            _ => return None,
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
    fn flow_value(&mut self) -> Option<Node<'s>> {
        let start = self.at;
        let value = match BEGIN[usize::from(self.byte(start)?)] {
            Begin::Bracket => return self.flow(),
            Begin::Quote => Value::String(self.quoted()?),
            Begin::Plain | Begin::Indicator => {
                let (end, stop) = self.flow_plain()?;
                if stop == Stop::Colon {
                    return None;
                }
                self.at = end;
                self.plain_value(start, end)?
            }
            _ => return None,
        };
        Some(Node { span: Span::new(start, self.at), value })
    }

    /// Reads the plain text that is here: the byte behind its last one that is no blank, and what
    /// ends it; `at` comes to stand there.
    fn flow_plain(&mut self) -> Option<(usize, Stop)> {
        let start = self.at;
        // `:` and `?` before text are read differently by different readers
        let is_safe = match self.bytes[start] {
            b'-' => !self.ends_flow_plain(start + 1),
            byte => BEGIN[usize::from(byte)] == Begin::Plain,
        };
        if !is_safe {
            return None;
        }
        let mut at = start;
        let stop = loop {
            let rest = &self.bytes[at..];
            at += rest.iter().position(|byte| ENDS_FLOW_PLAIN[usize::from(*byte)])?;
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
        matches!(self.byte(at), None | Some(b' ' | b'\t' | b'\n' | b',' | b'[' | b']' | b'{' | b'}'))
    }
}
