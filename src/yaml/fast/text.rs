//! Block scalars: `|` and `>`.

use std::borrow::Cow;

use super::Reader;
use crate::source::Span;
use crate::tree::{Node, Value};

/// The first line of a block scalar.
struct Header {
    folded: bool,
    chomp: Chomp,
    /// Columns that its lines are indented by, where that is written.
    indent: Option<usize>,
    /// The byte behind the last indicator.
    end: usize,
}

/// What becomes of the line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomp {
    /// One is left.
    Clip,
    /// None is left.
    Strip,
    /// All are left.
    Keep,
}

/// A line of text, or the end of the scalar.
enum Line {
    /// Text from here to here, behind so many blank lines.
    Text(usize, usize, usize),
    /// The scalar ends before the line that starts here, behind so many blank lines.
    End(usize, usize),
}

impl<'s> Reader<'s> {
    /// The block scalar whose indicator is here; goes on to the next content. Its lines stand right
    /// of column `parent`.
    pub(super) fn block_text(&mut self, parent: isize) -> Option<Node<'s>> {
        let start = self.at;
        let header = self.header()?;
        let body = (self.line_end(self.at) + 1).min(self.bytes.len());
        let indent = match header.indent {
            Some(columns) => parent.cast_unsigned() + columns,
            None => self.detect_indent(body, parent)?,
        };
        let (text, end, next) = self.body(&header, body, indent)?;
        self.at = next;
        self.next_content()?;
        (self.indent <= parent).then_some(Node { span: Span::new(start, end), value: Value::String(text) })
    }

    /// Reads the header; nothing but blanks and a comment may follow it on its line.
    fn header(&mut self) -> Option<Header> {
        let mut header =
            Header { folded: self.byte(self.at)? == b'>', chomp: Chomp::Clip, indent: None, end: self.at + 1 };
        loop {
            match self.byte(header.end) {
                Some(b'-') if header.chomp == Chomp::Clip => header.chomp = Chomp::Strip,
                Some(b'+') if header.chomp == Chomp::Clip => header.chomp = Chomp::Keep,
                Some(digit @ b'1'..=b'9') if header.indent.is_none() => {
                    header.indent = Some(usize::from(digit - b'0'));
                }
                _ => break,
            }
            header.end += 1;
        }
        let next = self.behind_spaces(header.end);
        let is_end = match self.byte(next) {
            None | Some(b'\n') => true,
            Some(byte) => byte == b'#' && next > header.end,
        };
        is_end.then_some(header)
    }

    /// The column of the first line of text; the least that is allowed where there is no text.
    /// Gives up where a blank line before it has more columns, or where tabs make it unclear.
    fn detect_indent(&self, body: usize, parent: isize) -> Option<usize> {
        let least = (parent + 1).cast_unsigned();
        let mut widest = 0;
        let mut line = body;
        loop {
            let content = self.behind_spaces(line);
            let column = content - line;
            match self.byte(content) {
                Some(b'\n') => {
                    widest = widest.max(column);
                    line = content + 1;
                }
                Some(b'\t') => return None,
                Some(_) if column >= least => return (widest <= column).then_some(column),
                _ => return (widest == 0 && column < least).then_some(least),
            }
        }
    }

    /// The text, the byte behind its last line, and the end of the line before what follows.
    fn body(&mut self, header: &Header, body: usize, indent: usize) -> Option<(Cow<'s, str>, usize, usize)> {
        let (start, mut end, breaks) = match self.text_line(body, indent)? {
            Line::Text(start, end, breaks) => (start, end, breaks),
            // no text: what blank lines are worth depends on how the text ends
            Line::End(_, breaks) if breaks > 0 && header.chomp == Chomp::Keep => return None,
            Line::End(next, _) => return Some((Cow::Borrowed(""), header.end, next)),
        };
        self.scratch.clear();
        self.push_breaks(breaks);
        let mut from = start;
        let mut lines = 1;
        let (next, breaks) = loop {
            let line = self.text_line(end + 1, indent)?;
            if let (Line::End(next, breaks), 1, true) = (&line, lines, self.scratch.is_empty())
                && let Some(text) = self.single_line(header, start, end, *breaks)
            {
                return Some((Cow::Borrowed(text), end, *next));
            }
            self.scratch.push_str(&self.text[from..end]);
            match line {
                Line::End(next, breaks) => break (next, breaks),
                Line::Text(start, line_end, breaks) => {
                    let is_kept = self.is_spaced(from) || self.is_spaced(start);
                    if header.folded && !is_kept {
                        self.push_fold(breaks + 1);
                    } else {
                        self.push_breaks(breaks + 1);
                    }
                    (from, end) = (start, line_end);
                    lines += 1;
                }
            }
        };
        match header.chomp {
            Chomp::Strip => {}
            Chomp::Clip => self.push_breaks(1),
            Chomp::Keep => self.push_breaks(breaks + 1),
        }
        Some((Cow::Owned(self.scratch.as_str().to_owned()), end, next))
    }

    /// Text of one line, which is a slice of the source.
    fn single_line(&self, header: &Header, start: usize, end: usize, breaks: usize) -> Option<&'s str> {
        match header.chomp {
            Chomp::Strip => self.text.get(start..end),
            Chomp::Keep if breaks > 0 => None,
            _ => self.text.get(start..=end),
        }
    }

    /// Whether a line of text starts with a blank: folding leaves the breaks around it alone.
    fn is_spaced(&self, start: usize) -> bool {
        matches!(self.byte(start), Some(b' ' | b'\t'))
    }

    /// The next line of text from the line that starts at `line`, over blank ones.
    fn text_line(&self, mut line: usize, indent: usize) -> Option<Line> {
        let mut breaks = 0;
        loop {
            if line >= self.bytes.len() {
                return Some(Line::End(self.bytes.len(), breaks));
            }
            let text = self.bytes.len().min(line + indent);
            let margin = &self.bytes[line..text];
            let spaces = margin.iter().position(|byte| *byte != b' ');
            let content = spaces.map_or(text, |count| line + count);
            match self.byte(content) {
                None => return Some(Line::End(self.bytes.len(), breaks)),
                Some(b'\n') => {
                    breaks += 1;
                    line = content + 1;
                }
                Some(b'\t') if content < text => return None,
                Some(_) if content < text => return Some(Line::End(line - 1, breaks)),
                Some(_) => return Some(Line::Text(content, self.line_end(content), breaks)),
            }
        }
    }
}
