//! Quoted scalars.

use std::borrow::Cow;

use memchr::{memchr2, memchr3};

use super::Reader;

impl<'s> Reader<'s> {
    /// The text of the quoted scalar that starts here; `at` comes to stand behind its closing quote.
    /// Further lines may stand at any column, as kubectl has it.
    pub(super) fn quoted(&mut self) -> Option<Cow<'s, str>> {
        match self.byte(self.at)? {
            b'\'' => self.single_quoted(),
            _ => self.double_quoted(),
        }
    }

    fn single_quoted(&mut self) -> Option<Cow<'s, str>> {
        let start = self.at + 1;
        let mut from = start; // what is not in the scratch yet
        let mut at = start;
        let mut changed = false;
        loop {
            at += memchr2(b'\'', b'\n', &self.bytes[at..])?;
            if self.bytes[at] == b'\'' && self.byte(at + 1) != Some(b'\'') {
                return Some(self.close_quote(start, from, at, changed));
            }
            if !changed {
                self.scratch.clear();
                changed = true;
            }
            if self.bytes[at] == b'\'' {
                self.scratch.push_str(&self.text[from..=at]);
                at += 2;
            } else {
                at = self.fold_quoted(from, at)?;
            }
            from = at;
        }
    }

    fn double_quoted(&mut self) -> Option<Cow<'s, str>> {
        let start = self.at + 1;
        let mut from = start; // what is not in the scratch yet
        let mut at = start;
        let mut changed = false;
        loop {
            at += memchr3(b'"', b'\\', b'\n', &self.bytes[at..])?;
            if self.bytes[at] == b'"' {
                return Some(self.close_quote(start, from, at, changed));
            }
            if !changed {
                self.scratch.clear();
                changed = true;
            }
            at = match self.bytes[at] {
                b'\n' => self.fold_quoted(from, at)?,
                _ => {
                    self.scratch.push_str(&self.text[from..at]);
                    self.escape(at + 1)?
                }
            };
            from = at;
        }
    }

    /// The text of a quoted scalar whose closing quote is at `at`: a slice of the source unless
    /// something in it was changed.
    fn close_quote(&mut self, start: usize, from: usize, at: usize, changed: bool) -> Cow<'s, str> {
        self.at = at + 1;
        if !changed {
            return Cow::Borrowed(&self.text[start..at]);
        }
        self.scratch.push_str(&self.text[from..at]);
        Cow::Owned(self.scratch.as_str().to_owned())
    }

    /// Adds the text from `from` to the line break at `at` and what that break folds to. Returns
    /// the first byte of content on the line that goes on.
    fn fold_quoted(&mut self, from: usize, at: usize) -> Option<usize> {
        let end = self.without_blanks(from, at);
        if self.bytes[from..end].last() == Some(&b'\t') {
            return None;
        }
        self.scratch.push_str(&self.text[from..end]);
        let (content, breaks) = self.continuation(at)?;
        self.push_fold(breaks);
        Some(content)
    }

    /// The line break at `at`, and blank lines: the first content behind them, and their number.
    fn continuation(&mut self, at: usize) -> Option<(usize, usize)> {
        let mut line = at + 1;
        let mut breaks = 1;
        loop {
            let content = self.behind_spaces(line);
            match self.byte(content)? {
                b'\t' => return None,
                b'\n' => {
                    breaks += 1;
                    line = content + 1;
                }
                _ if content == line && self.is_marker(line) => return None,
                _ => {
                    self.line = line;
                    return Some((content, breaks));
                }
            }
        }
    }

    /// Adds what the escape stands for whose backslash is before `at`. Returns the byte behind it.
    /// Gives up at escapes that kubectl or the full parser may refuse.
    fn escape(&mut self, at: usize) -> Option<usize> {
        let character = match self.byte(at)? {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            simple @ (b'"' | b'\\' | b' ' | b'/') => char::from(simple),
            b'x' => return self.code(at + 1, 2),
            b'u' => return self.code(at + 1, 4),
            b'U' => return self.code(at + 1, 8),
            b'\n' => {
                let (content, breaks) = self.continuation(at)?;
                return (breaks == 1).then_some(content);
            }
            _ => return None,
        };
        self.scratch.push(character);
        Some(at + 1)
    }

    /// Adds the character of a hexadecimal escape; controls and surrogates are the full parser's.
    fn code(&mut self, at: usize, digits: usize) -> Option<usize> {
        let text = self.text.get(at..at + digits)?;
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let code = u32::from_str_radix(text, 16).ok()?;
        let character = char::from_u32(code).filter(|_| code >= 0x20)?;
        self.scratch.push(character);
        Some(at + digits)
    }
}
