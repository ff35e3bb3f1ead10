//! From line to line: blank lines, comments, indentation.

use memchr::memchr;

use super::Reader;

impl Reader<'_> {
    /// The end of the line that holds `from`: its line break, or the end of the text.
    pub(super) fn line_end(&self, from: usize) -> usize {
        memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |length| from + length)
    }

    /// The first byte from `from` on that is no space.
    pub(super) fn behind_spaces(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        let spaces = rest.iter().position(|byte| *byte != b' ');
        spaces.map_or(self.bytes.len(), |count| from + count)
    }

    /// Goes from the start of the text to its first content.
    pub(super) fn first_content(&mut self) -> Option<()> {
        self.seek_content(0)
    }

    /// Goes from the end of a line to the next content, over blank lines and comments. The end of
    /// the text is content at column -1. Gives up at tabs before content, document markers and
    /// directives.
    pub(super) fn next_content(&mut self) -> Option<()> {
        debug_assert!(matches!(self.byte(self.at), None | Some(b'\n')));
        self.breaks = 0;
        self.commented = false;
        if self.at >= self.bytes.len() {
            return self.end();
        }
        self.seek_content(self.at + 1)
    }

    fn seek_content(&mut self, mut line: usize) -> Option<()> {
        loop {
            self.breaks += 1;
            let content = self.behind_spaces(line);
            let end = match self.byte(content) {
                None => return self.end(),
                Some(b'\t') => return None,
                Some(b'\n') => content,
                Some(b'#') => {
                    self.commented = true;
                    self.line_end(content)
                }
                Some(_) if content == line && self.is_last_line(line) => return self.end(),
                Some(_) if content == line && self.is_marker(line) => return None,
                Some(_) => {
                    self.at = content;
                    self.line = line;
                    self.indent = (content - line).cast_signed();
                    return Some(());
                }
            };
            if end >= self.bytes.len() {
                return self.end();
            }
            line = end + 1;
        }
    }

    fn end(&mut self) -> Option<()> {
        self.at = self.bytes.len();
        self.indent = -1;
        Some(())
    }

    /// Whether the end of the document is marked on a line and nothing follows it.
    fn is_last_line(&self, line: usize) -> bool {
        let rest = self.bytes[line..].strip_prefix(b"...");
        rest.is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b' ' | b'\n')))
    }

    /// Whether a line starts as a document marker or a directive does.
    pub(super) fn is_marker(&self, line: usize) -> bool {
        let rest = &self.bytes[line..];
        rest.starts_with(b"---") || rest.starts_with(b"...") || rest.starts_with(b"%")
    }

    /// Goes from behind a value to the next content, where nothing but blanks and a comment follows
    /// on its line and the next content does not lie inside `parent`.
    pub(super) fn finish_line(&mut self, parent: isize) -> Option<()> {
        let next = self.behind_spaces(self.at);
        self.at = match self.byte(next) {
            None | Some(b'\n') => next,
            Some(b'#') if next > self.at => self.line_end(next),
            Some(_) => return None,
        };
        self.next_content()?;
        (self.indent <= parent).then_some(())
    }
}
