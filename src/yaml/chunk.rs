//! Cutting a stream into documents as kubectl does: by lines, before any YAML is read.

use std::ops::Range;

use crate::finding::rules::BAD_SEPARATOR;
use crate::finding::{Finding, Findings, Label, Reported};
use crate::source::{DocumentStart, FileId, Place};

/// The text between two separators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk<'s> {
    /// The text without the separators' lines and without a byte order mark at its start. May be
    /// blank or hold comments alone.
    pub text: &'s str,
    /// Where the text begins, in bytes from the start of the stream.
    pub offset: usize,
    /// The separator before this chunk where kubectl refuses it: bytes of the stream, without the
    /// line break.
    pub bad_separator: Option<Range<usize>>,
}

impl Chunk<'_> {
    /// Where the chunk's own offsets begin, when the stream is the file's whole text.
    pub fn start(&self, file: FileId) -> DocumentStart {
        DocumentStart { file, offset: self.offset }
    }

    /// Whether the separator before this chunk is one. Reports one that kubectl refuses; the
    /// stream is then not what kubectl would read, though the chunk's text may be readable.
    pub fn check_separator(&self, file: FileId, found: &mut Findings) -> Result<(), Reported> {
        let Some(Range { start, end }) = self.bad_separator.clone() else {
            return Ok(());
        };
        let message = "only blanks or a comment may follow --- on its line";
        let finding = Finding::new(&BAD_SEPARATOR, message)
            .with_label(Label::new(Place { file, start, end }))
            .with_remedy("move what follows the dashes to the next line, or indent the line if it is text");
        found.push(finding);
        Err(Reported)
    }
}

/// Cuts a stream at every line that begins with `---`, as kubectl does. An empty text has no chunk,
/// and nothing comes before a separator that begins the stream.
///
/// Source: apimachinery, `pkg/util/yaml/decoder.go` (`YAMLReader.Read`).
pub fn chunks(text: &str) -> impl Iterator<Item = Chunk<'_>> {
    Chunks { text, next: if text.is_empty() { None } else { Some(0) } }
}

struct Chunks<'s> {
    text: &'s str,
    /// Start of the line at which the next chunk begins, its separator included.
    next: Option<usize>,
}

impl<'s> Iterator for Chunks<'s> {
    type Item = Chunk<'s>;

    fn next(&mut self) -> Option<Chunk<'s>> {
        let start = self.next?;
        let (offset, bad_separator) = match self.text[start..].strip_prefix("---") {
            Some(behind) => self.behind_separator(start, behind),
            None => (start, None),
        };
        let end = next_separator(self.text, offset);
        self.next = end;
        let text = &self.text[offset..end.unwrap_or(self.text.len())];
        let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
        Some(Chunk { text: unmarked, offset: offset + text.len() - unmarked.len(), bad_separator })
    }
}

impl Chunks<'_> {
    /// The start of the line behind a separator, and the separator if kubectl refuses it.
    fn behind_separator(&self, start: usize, behind: &str) -> (usize, Option<Range<usize>>) {
        let line = memchr::memchr(b'\n', behind.as_bytes()).map_or(behind, |end| &behind[..end]);
        let end = start + 3 + line.len();
        let rest = line.trim();
        let is_bad = !rest.is_empty() && !rest.starts_with('#');
        let shown_end = start + 3 + line.trim_end().len();
        let offset = (end + 1).min(self.text.len());
        (offset, is_bad.then_some(start..shown_end))
    }
}

/// The start of the first line from `from` (itself the start of a line) that begins with `---`.
fn next_separator(text: &str, from: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[from..];
    if bytes.starts_with(b"---") {
        return Some(from);
    }
    let at = memchr::memmem::find(bytes, b"\n---")?;
    Some(from + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(&str, usize, Option<&str>)> {
        chunks(text)
            .map(|chunk| {
                assert!(text[chunk.offset..].starts_with(chunk.text));
                (chunk.text, chunk.offset, chunk.bad_separator.map(|bad| &text[bad]))
            })
            .collect()
    }

    #[test]
    fn lines_of_dashes_cut() {
        assert_eq!(cut(""), []);
        assert_eq!(cut("a: 1\n"), [("a: 1\n", 0, None)]);
        assert_eq!(cut("---\n"), [("", 4, None)]);
        assert_eq!(cut("---"), [("", 3, None)]);
        assert_eq!(
            cut("---\n---\na\n--- # c\r\nb\n---"),
            [("", 4, None), ("a\n", 8, None), ("b\n", 19, None), ("", 24, None)]
        );
        assert_eq!(cut("a: |\n ---\n x\n"), [("a: |\n ---\n x\n", 0, None)]);
    }

    #[test]
    fn a_mark_is_skipped_in_every_chunk() {
        assert_eq!(cut("\u{feff}a\n---\n\u{feff}b"), [("a\n", 3, None), ("b", 12, None)]);
    }

    #[test]
    fn separators_hold_nothing_but_a_comment() {
        assert_eq!(
            cut("--- {a: 1}\nb\n---text \r\nc\n----\n---#x\n--- \u{a0}\n"),
            [
                ("b\n", 11, Some("--- {a: 1}")),
                ("c\n", 23, Some("---text")),
                ("", 30, Some("----")),
                ("", 36, None),
                ("", 43, None)
            ]
        );
    }
}
