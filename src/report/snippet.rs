//! The source line of a place, cut to the width of the page, and where to put the carets.
//!
//! Not annotate-snippets: it is given text and byte offsets and prints the text as it is, so hidden
//! characters, which get longer when they are spelled out, would have to be rewritten with all spans
//! before; it walks the whole file for each snippet; and it draws a span of many lines (every mapping
//! is one) over all of them. Here only the part of the line around the place is looked at, which also
//! bounds the work for a document that is one line of 60 MB.

use unicode_width::UnicodeWidthChar;

use super::escape;
use crate::finding::Findings;
use crate::source::{Place, SourceMap};

/// Tabs go to the next multiple of this.
const TAB: usize = 4;

/// One line of source text as it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Snippet {
    /// The text, safe to print; `…` stands where it was cut.
    pub(super) text: String,
    /// Columns before the first caret.
    pub(super) before: usize,
    /// Number of carets, at least 1.
    pub(super) carets: usize,
}

/// A character as it is shown, and its columns.
struct Cell {
    text: String,
    columns: usize,
}

/// The line of a place's first byte in at most `columns` columns. Nothing where the document is not
/// known to hold no Secret, for a place that is a file as a whole, and where there is no text.
pub(super) fn snippet(found: &Findings, sources: &SourceMap, place: Place, columns: usize) -> Option<Snippet> {
    let document = found.shown_document(place)?;
    let text = sources.file(place.file).text();
    if place == Place::file(place.file) {
        return None;
    }
    let at = text.floor_char_boundary(place.start.min(text.len()));
    let line = sources.line_bytes(place);
    // the line may hold the end of the document before or the start of the one behind
    let start = text.ceil_char_boundary(line.start.max(document.start)).min(at);
    let end = text.floor_char_boundary(line.end.min(document.end)).max(at);
    // what does not fit on the page is not looked at: characters have 4 bytes at most
    let enough = at + 4 * (columns.max(16) + 2);
    let line = match enough < end {
        true => &text[start..text.ceil_char_boundary(enough)],
        false => text[start..end].trim_end(),
    };
    let at = (at - start).min(line.len());
    if line.is_empty() {
        return None;
    }
    // where the place goes on behind the line, all of the rest is marked
    let marked = (place.end.saturating_sub(start)).clamp(at, line.len());
    Some(cut(line, at, line.floor_char_boundary(marked), columns))
}

/// Cuts a line around the bytes `at..marked`.
fn cut(line: &str, at: usize, marked: usize, columns: usize) -> Snippet {
    let columns = columns.max(16);
    let window: usize = line[..at].chars().rev().take(columns).map(char::len_utf8).sum();
    let mut column = 0;
    let mut left: Vec<Cell> = cells(&line[at - window..at], &mut column).collect();
    let mut is_cut_left = window < at;
    let mut before: usize = left.iter().map(|cell| cell.columns).sum();
    let right: Vec<Cell> = cells(&line[at..], &mut column).take(columns + 1).collect();
    let after: usize = right.iter().map(|cell| cell.columns).sum();

    // the place gets half of the page at least, and what stands before it the rest
    if before + after > columns {
        let keep = (columns / 2).max(columns.saturating_sub(after)) - 1;
        let mut gone = 0;
        while before > keep && gone < left.len() {
            before -= left[gone].columns;
            gone += 1;
        }
        left.drain(..gone);
        is_cut_left |= gone > 0;
    }
    let mut shown = String::from(if is_cut_left { "…" } else { "" });
    before += usize::from(is_cut_left);
    shown.extend(left.iter().map(|cell| cell.text.as_str()));

    let room = columns.saturating_sub(before);
    let is_cut_right = after > room;
    let room = room.saturating_sub(usize::from(is_cut_right));
    let (mut used, mut carets) = (0, 0);
    let marked = line[at..marked].chars().count();
    for (nth, cell) in right.iter().enumerate() {
        if used + cell.columns > room {
            break;
        }
        used += cell.columns;
        shown.push_str(&cell.text);
        carets += if nth < marked { cell.columns } else { 0 };
    }
    shown.push_str(if is_cut_right { "…" } else { "" });
    Snippet { text: shown, before, carets: carets.max(1) }
}

/// The characters of a text as they are shown from a column on.
fn cells<'t>(text: &'t str, column: &'t mut usize) -> impl Iterator<Item = Cell> + 't {
    text.chars().map(|c| {
        let mut text = String::new();
        match c {
            '\t' => text.extend(std::iter::repeat_n(' ', TAB - *column % TAB)),
            c => escape::push(&mut text, c),
        }
        let columns = text.chars().filter_map(UnicodeWidthChar::width).sum();
        *column += columns;
        Cell { text, columns }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line and the carets below it, for the first `mark` in it.
    fn drawn(line: &str, mark: &str, columns: usize) -> String {
        let at = line.find(mark).unwrap();
        let snippet = cut(line, at, at + mark.len(), columns);
        let (before, carets) = (" ".repeat(snippet.before), "^".repeat(snippet.carets));
        format!("{}\n{before}{carets}", snippet.text)
    }

    #[test]
    fn carets_stand_under_wide_and_combining_characters() {
        assert_eq!(drawn("漢字: x", "x", 80), "漢字: x\n      ^");
        assert_eq!(drawn("e\u{301}: 漢字", "漢字", 80), "e\u{301}: 漢字\n   ^^^^");
        assert_eq!(drawn("a\tb", "b", 80), "a   b\n    ^");
        assert_eq!(drawn("a\u{1b}b", "b", 80), "a\\u{1b}b\n       ^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}KEY{}", "l".repeat(5000), "r".repeat(5000));
        let snippet = cut(&line, 5000, 5003, 20);
        assert_eq!(snippet.text, "…lllllllllKEYrrrrrr…");
        assert_eq!((snippet.before, snippet.carets), (10, 3));
        let end = cut(&line, 10_000, 10_003, 20);
        assert_eq!(end.text, format!("…{}", "r".repeat(19)));
        assert_eq!((end.before, end.carets), (17, 3));
        let long = format!("{}{}", "x".repeat(30), " ".repeat(5000));
        let mut sources = SourceMap::default();
        let file = sources.add(crate::source::SourceFile::new("a.yaml", format!("{long}\n{long}y\n")));
        let mut found = Findings::default();
        found.show_source(Place { file, start: 0, end: 2 * long.len() + 2 });
        for start in [0, long.len() + 1] {
            let shown = super::snippet(&found, &sources, Place { file, start, end: start + 5000 }, 20).unwrap();
            assert_eq!((shown.text.as_str(), shown.carets), ("xxxxxxxxxxxxxxxxxxx…", 19));
        }
        let all = cut(&line, 0, line.len(), 20);
        assert_eq!(all.text, "lllllllllllllllllll…");
        assert_eq!((all.before, all.carets), (0, 19));
    }
}
