//! Plain scalars and keys.

use std::borrow::Cow;

use super::Reader;
use super::bytes::{BEGIN, Begin, ENDS_PLAIN};
use crate::source::Span;
use crate::tree::{Node, Value};
use crate::yaml::scalar::{is_rounded, resolve_plain};

/// Plain text of one line.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Its first byte.
    pub(super) start: usize,
    /// The byte behind its last one that is no blank.
    pub(super) end: usize,
    /// What ends it.
    pub(super) stop: Stop,
}

/// What ends plain text.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    /// The end of the line, at this byte.
    End(usize),
    /// A comment, at this byte.
    Comment(usize),
    /// A colon that makes the text a key, at this byte.
    Colon(usize),
}

impl<'s> Reader<'s> {
    /// The first line of the plain text that starts here. Gives up at indicators that stand alone.
    pub(super) fn first_plain_line(&self) -> Option<Line> {
        let begin = BEGIN[usize::from(self.byte(self.at)?)];
        if begin == Begin::Indicator && self.is_gap(self.at + 1) {
            return None;
        }
        self.plain_line(self.at)
    }

    /// The plain text from `start` to what ends it on its line. Gives up at tabs.
    fn plain_line(&self, start: usize) -> Option<Line> {
        let mut at = start;
        let stop = loop {
            let rest = &self.bytes[at..];
            let Some(length) = rest.iter().position(|byte| ENDS_PLAIN[usize::from(*byte)]) else {
                break Stop::End(self.bytes.len());
            };
            at += length;
            match self.bytes[at] {
                b'\n' => break Stop::End(at),
                b'\t' => return None,
                b':' if self.byte(at + 1) == Some(b'\t') => return None,
                b':' if self.is_gap(at + 1) => break Stop::Colon(at),
                b'#' if at > start && self.bytes[at - 1] == b' ' => break Stop::Comment(at),
                _ => at += 1,
            }
        };
        let (Stop::End(end) | Stop::Comment(end) | Stop::Colon(end)) = stop;
        let end = self.without_blanks(start, end);
        Some(Line { start, end, stop })
    }

    /// `end`, moved back over spaces, not before `start`.
    pub(super) fn without_blanks(&self, start: usize, end: usize) -> usize {
        let text = &self.bytes[start..end];
        let last = text.iter().rposition(|byte| *byte != b' ');
        last.map_or(start, |last| start + last + 1)
    }

    /// The plain scalar whose first line is `line`, further lines included; goes on to the next
    /// content.
    pub(super) fn plain(&mut self, line: Line, parent: isize) -> Option<Node<'s>> {
        if parent < 0 {
            return None;
        }
        self.finish_plain_line(line)?;
        if self.indent > parent {
            return self.folded_plain(line, parent);
        }
        Some(Node { span: Span::new(line.start, line.end), value: self.plain_value(line.start, line.end)? })
    }

    fn finish_plain_line(&mut self, line: Line) -> Option<()> {
        self.at = match line.stop {
            Stop::End(end) => end,
            Stop::Comment(at) => self.line_end(at),
            Stop::Colon(_) => return None,
        };
        self.next_content()
    }

    /// A plain scalar of several lines: a line break is a space, more of them are one less. It is
    /// text, for what resolves to anything else holds no blank. Gives up where a comment stands
    /// between its lines, which ends it.
    fn folded_plain(&mut self, first: Line, parent: isize) -> Option<Node<'s>> {
        let mut line = first;
        self.scratch.clear();
        self.scratch.push_str(&self.text[line.start..line.end]);
        while self.indent > parent {
            if self.commented || matches!(line.stop, Stop::Comment(_)) {
                return None;
            }
            self.push_fold(self.breaks);
            line = self.plain_line(self.at)?;
            self.scratch.push_str(&self.text[line.start..line.end]);
            self.finish_plain_line(line)?;
        }
        Some(Node {
            span: Span::new(first.start, line.end),
            value: Value::String(Cow::Owned(self.scratch.as_str().to_owned())),
        })
    }

    /// Adds what a run of line breaks folds to.
    pub(super) fn push_fold(&mut self, breaks: usize) {
        match breaks {
            1 => self.scratch.push(' '),
            _ => self.push_breaks(breaks.saturating_sub(1)),
        }
    }

    pub(super) fn push_breaks(&mut self, count: usize) {
        self.scratch.extend(std::iter::repeat_n('\n', count));
    }

    /// What the plain text from `start` to `end` is as a value. Gives up at numbers that a finding
    /// belongs to.
    pub(super) fn plain_value(&self, start: usize, end: usize) -> Option<Value<'s>> {
        let text = &self.text[start..end];
        match resolve_plain(text) {
            None => Some(Value::String(Cow::Borrowed(text))),
            Some(scalar) => scalar.into_value().filter(|value| !is_rounded(value)),
        }
    }

    /// What the plain text from `start` to `end` is as a key. Gives up at merge keys and at keys
    /// that Kubernetes refuses.
    pub(super) fn plain_name(&self, start: usize, end: usize) -> Option<Cow<'s, str>> {
        match &self.text[start..end] {
            "<<" => None,
            text => match resolve_plain(text) {
                None => Some(Cow::Borrowed(text)),
                Some(scalar) => scalar.into_key(),
            },
        }
    }
}
