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

/// What stands below a header.
struct Body<'s> {
    text: Cow<'s, str>,
    /// The byte behind its last line, or behind the header where there is none. Blank lines that
    /// are kept count, without the last line break.
    end: usize,
    /// The end of the line before what follows.
    next: usize,
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
        let body = self.body(&header, body, indent)?;
        self.at = body.next;
        self.next_content()?;
        (self.indent <= parent).then_some(Node { span: Span::new(start, body.end), value: Value::String(body.text) })
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

    /// Reads the lines from `body` on.
    fn body(&mut self, header: &Header, body: usize, indent: usize) -> Option<Body<'s>> {
        match self.text_line(body, indent)? {
            Line::Text(start, end, breaks) => {
                self.scratch.clear();
                self.push_breaks(breaks);
                match self.one_line(header, start, end, indent) {
                    Some(body) if breaks == 0 => Some(body),
                    _ => self.many_lines(header, start, end, indent),
                }
            }
            Line::End(next, _) => self.no_text(header, next),
        }
    }

    /// Text without a line, below the plainest headers: anything else is a matter of taste.
    fn no_text(&self, header: &Header, next: usize) -> Option<Body<'s>> {
        let is_plain =
            header.chomp != Chomp::Keep && header.indent.is_none() && self.line_end(header.end) == header.end;
        is_plain.then_some(Body { text: Cow::Borrowed(""), end: header.end, next })
    }

    /// Text whose first line, from `start` to `end`, is its last one, as a slice of the source.
    fn one_line(&self, header: &Header, start: usize, end: usize, indent: usize) -> Option<Body<'s>> {
        let Line::End(next, breaks) = self.text_line(end + 1, indent)? else {
            return None;
        };
        let text = match header.chomp {
            _ if self.is_spaced(start) => None,
            Chomp::Strip => self.text.get(start..end),
            Chomp::Keep if breaks > 0 => None,
            Chomp::Clip | Chomp::Keep => self.text.get(start..=end),
        };
        let text = Cow::Borrowed(text?);
        Some(Body { text, end, next })
    }

    /// Text whose first line is from `start` to `end`, added to the scratch.
    fn many_lines(&mut self, header: &Header, mut start: usize, mut end: usize, indent: usize) -> Option<Body<'s>> {
        let (next, breaks) = loop {
            self.scratch.push_str(&self.text[start..end]);
            match self.text_line(end + 1, indent)? {
                Line::End(next, breaks) => break (next, breaks),
                Line::Text(new, new_end, breaks) => {
                    let is_kept = self.is_spaced(start) || self.is_spaced(new);
                    if header.folded && !is_kept {
                        self.push_fold(breaks + 1);
                    } else {
                        self.push_breaks(breaks + 1);
                    }
                    (start, end) = (new, new_end);
                }
            }
        };
        if self.without_blanks(start, end) == start {
            return None; // whether a last line of blanks is text is a matter of taste
        }
        match header.chomp {
            Chomp::Strip => {}
            Chomp::Clip => self.push_breaks(1),
            Chomp::Keep => self.push_breaks(breaks + 1),
        }
        if header.chomp == Chomp::Keep && breaks > 0 {
            end = self.last_break(next)?;
        }
        let text = Cow::Owned(self.scratch.as_str().to_owned());
        Some(Body { text, end, next })
    }

    /// The line break that ends the blank lines before `next`; gives up at blanks that end the text.
    fn last_break(&self, next: usize) -> Option<usize> {
        let last = next.min(self.bytes.len() - 1);
        (self.byte(last) == Some(b'\n')).then_some(last)
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
