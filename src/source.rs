//! Text that came in, and places in it.
//!
//! A [`SourceMap`] owns the text of every file of a run. Everything after it borrows: a tree's
//! strings point into the text, a [`Span`] counts bytes inside one document, and a [`Place`] names
//! bytes of a file. Lines and columns are counted only when somebody asks
//! ([`SourceMap::line_column`]).
//!
//! [`read()`] fills a map from what the user named: files, folders (`walk.rs`, the only reader of
//! folders), standard input, text in memory. What it met and did not read as it stands, it hands
//! back as [`Note`]s.

#![allow(clippy::disallowed_methods, reason = "this room is the only reader of files and folders")]

#[cfg(test)]
mod fixture;
mod ignored;
mod limits;
mod links;
mod memory;
mod names;
mod note;
mod plan;
mod read;
mod text;
mod walk;
mod written;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use camino::{Utf8Path, Utf8PathBuf};

pub use limits::Limits;
pub use memory::resident_bytes;
pub use names::is_kustomization;
pub use note::{Bound, LinkTrouble, Note};
pub use read::{Input, ReadError, ReadOptions, Reading, STDIN, enters, read};
pub use text::Encoding;
pub use written::{Segment, Written};

/// Which of two inputs a file belongs to. Everything but a comparison has only new files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The state to compare with.
    Old,
    /// The state that is rendered.
    #[default]
    New,
}

/// A file of a [`SourceMap`]: an index, cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// Bytes of one document: UTF-8 offset and length, half-open, counted from the document's start.
///
/// The span of a value covers its style too: quotes, the `|` header of a block scalar, brackets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte, counted from the start of the document.
    pub start: u32,
    /// Number of bytes.
    pub len: u32,
}

impl Span {
    /// The span from byte `start` up to byte `end`, which it does not hold. Offsets beyond
    /// `u32::MAX` are cut there: the document limit keeps real ones far below.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { start: clamp(start), len: clamp(end.saturating_sub(start)) }
    }

    /// The byte behind the last one.
    pub fn end(self) -> u32 {
        self.start.saturating_add(self.len)
    }
}

/// Where a document lies in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentStart {
    /// The file.
    pub file: FileId,
    /// Byte of the file at which the document's own offsets begin.
    pub offset: usize,
}

impl DocumentStart {
    /// The bytes of the file that a span of this document covers.
    pub fn place(self, span: Span) -> Place {
        Place { file: self.file, start: self.offset + span.start as usize, end: self.offset + span.end() as usize }
    }
}

/// Bytes of a file, half-open. Empty for a file as a whole ([`Place::file`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

impl Place {
    /// The start of a file, for what concerns the file as a whole.
    pub fn file(file: FileId) -> Self {
        Place { file, start: 0, end: 0 }
    }

    /// Whether `other` lies inside this place.
    pub fn covers(&self, other: &Place) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// Line and column, both from 1; the column counts characters (Unicode scalar values).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line of the file, from 1.
    pub line: u32,
    /// Character of the line, from 1.
    pub column: u32,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What a file is by its name and place, before anybody looked inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Holds manifests, or other YAML: its documents decide.
    #[default]
    Manifests,
    /// A kustomization file.
    Kustomization,
    /// Never read as manifests: a tool's own file (`Chart.yaml`, `Kptfile`, …).
    Tool,
    /// `*.yaml.tera`: its output is manifests.
    Template,
    /// `*.tera`, `_*.yaml.tera`: for templates to include.
    Partial,
}

/// One file, or standard input, as text.
#[derive(Debug)]
pub struct SourceFile {
    /// The name to show: relative to where the user stands, `/` between folders; `<stdin>`.
    pub path: Utf8PathBuf,
    /// Which input it belongs to.
    pub side: Side,
    /// What it is by its name.
    pub role: Role,
    /// False where the file could not be read as text; `text` then holds what was readable, for
    /// messages only.
    pub readable: bool,
    /// How many bytes at the start of `path` are the folder that the user named, its `/` included;
    /// names of templates count from there.
    pub below: usize,
    /// Where the text was written, if a template made it.
    pub written: Option<Written>,
    text: Box<str>,
    lines: OnceLock<Vec<u32>>,
    /// How many characters begin before each block of [`BLOCK`] bytes.
    blocks: OnceLock<Vec<usize>>,
}

/// Bytes between two counts of characters, so that a column of a line of many megabytes is found
/// without a walk from its start.
const BLOCK: usize = 1 << 10;

/// How many characters begin in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

impl SourceFile {
    /// A readable file of the new side that holds manifests.
    pub fn new(path: impl Into<Utf8PathBuf>, text: impl Into<Box<str>>) -> Self {
        SourceFile {
            path: path.into(),
            side: Side::New,
            role: Role::Manifests,
            readable: true,
            below: 0,
            written: None,
            text: text.into(),
            lines: OnceLock::new(),
            blocks: OnceLock::new(),
        }
    }

    /// The text, UTF-8, as it was in the file (line breaks and all); a UTF-16 file decoded.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Byte offsets at which the lines start.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let starts = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(starts.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX))).collect()
        })
    }

    /// How many characters begin before a byte.
    fn characters_before(&self, at: usize) -> usize {
        let blocks = self.blocks.get_or_init(|| {
            let counts = self.text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
                *before += characters(block);
                Some(*before)
            });
            std::iter::once(0).chain(counts).collect()
        });
        let block = at / BLOCK;
        blocks[block] + characters(&self.text.as_bytes()[block * BLOCK..at])
    }

    /// The line that holds a byte, from 1; the last one for a byte beyond the text.
    fn line_number(&self, at: usize) -> usize {
        self.lines().partition_point(|start| *start as usize <= at)
    }
}

/// Every file of a run, in the order it was added.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Takes a file in and returns its handle.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(file);
        id
    }

    /// The file behind a handle of this map.
    ///
    /// # Panics
    /// With a handle of another map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The path of a file, as it is shown.
    pub fn path(&self, id: FileId) -> &Utf8Path {
        &self.file(id).path
    }

    /// All files with their handles, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(n, file)| (FileId(u32::try_from(n).unwrap_or(u32::MAX)), file))
    }

    /// The files, to say what they are.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut SourceFile> {
        self.files.iter_mut()
    }

    /// Where the author wrote what stands at a place: for text that a template made, the place in the
    /// template; any other place as it is.
    pub fn written(&self, place: Place) -> Place {
        self.file(place.file).written.as_ref().map_or(place, |written| written.place(place))
    }

    /// Where text that a template made was asked for, if another file than that of
    /// [`SourceMap::written`] asked: the tag that includes it.
    pub fn call_site(&self, place: Place) -> Option<Place> {
        self.file(place.file).written.as_ref()?.call_site(place)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Line and column of a place's first byte; the end of the file for a place beyond it.
    pub fn line_column(&self, place: Place) -> LineColumn {
        let file = self.file(place.file);
        let at = place.start.min(file.text.len());
        let line = file.line_number(at);
        let start = file.lines()[line - 1] as usize;
        let before = file.characters_before(at) - file.characters_before(start);
        LineColumn {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(before + 1).unwrap_or(u32::MAX),
        }
    }

    /// The bytes of the line (without its `\n`) that holds a place's first byte.
    pub(crate) fn line_bytes(&self, place: Place) -> Range<usize> {
        let file = self.file(place.file);
        let line = file.line_number(place.start.min(file.text.len()));
        let start = file.lines()[line - 1] as usize;
        start..file.lines().get(line).map_or(file.text.len(), |next| *next as usize - 1)
    }

    /// The text of the line (without its line break) that holds a place's first byte.
    pub fn line(&self, place: Place) -> &str {
        self.file(place.file).text[self.line_bytes(place)].trim_end_matches('\r')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let mut map = SourceMap::default();
        let file = map.add(SourceFile::new("a.yaml", "a: 1\nü: x\r\n"));
        let at = |start| map.line_column(Place { file, start, end: start });
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(4), LineColumn { line: 1, column: 5 });
        assert_eq!(at(5), LineColumn { line: 2, column: 1 });
        assert_eq!(at(7), LineColumn { line: 2, column: 2 });
        assert_eq!(at(999), LineColumn { line: 3, column: 1 });
        assert_eq!(map.line(Place { file, start: 7, end: 8 }), "ü: x");
    }

    #[test]
    fn a_column_of_a_long_line_is_found_without_a_walk() {
        let line = "aü漢😀".repeat(200_000);
        let mut map = SourceMap::default();
        let file = map.add(SourceFile::new("a.yaml", format!("x\n{line}\ny")));
        let at = |start| map.line_column(Place { file, start, end: start });
        // a walk for each of these would take 20,000,000,000 steps
        for nth in (0..200_000).step_by(10) {
            assert_eq!(at(2 + nth * 10), LineColumn { line: 2, column: nth as u32 * 4 + 1 });
        }
        assert_eq!(at(2 + 2_000_000), LineColumn { line: 2, column: 800_001 });
        assert_eq!(at(2 + 2_000_001), LineColumn { line: 3, column: 1 });
        assert_eq!(map.line_bytes(Place { file, start: 9, end: 9 }), 2..2_000_002);
        assert_eq!(map.line_bytes(Place { file, start: 9_999_999, end: 9_999_999 }), 2_000_003..2_000_004);
    }
}
