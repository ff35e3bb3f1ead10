//! Where the output of a template comes from.
//!
//! The engine does not say which tag printed what. So a template is rendered a second time with marks
//! in it, characters of the private planes of Unicode that are taken out again: what stands behind a
//! mark was made by the text or tag before which the mark was put. Where the two outputs differ but
//! for the marks (something counted characters, say), the marks have no say.

use std::ops::Range;

/// The planes from which marks are taken, and how many each has.
const PLANES: [(u32, usize); 2] = [(0xF_0000, 0xFFFD), (0x10_0000, 0xFFFD)];

/// Put by the escape function of the second run before what is no string of the values.
pub(super) const OTHER: char = '\u{E000}';

/// A stretch of the source of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// What it is.
    pub(super) kind: Kind,
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// Whether it takes the blanks before it away (`{{-`, `{%-`, `{#-`).
    pub(super) trims_before: bool,
    /// Whether it takes the blanks behind it away.
    pub(super) trims_behind: bool,
}

/// What a stretch of source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text that is printed as it is.
    Text,
    /// `{{ … }}`.
    Print,
    /// `{% … %}`.
    Statement,
    /// `{# … #}`.
    Comment,
}

/// What a mark stands before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The template, by its number.
    pub(super) template: usize,
    /// The bytes of its source.
    pub(super) range: Range<usize>,
    /// Text, a tag that prints, or one that includes (a statement).
    pub(super) kind: Kind,
}

/// Takes the source of a template apart, as the lexer of Tera does: tags end at the first end mark
/// that is in no string, and between `{% raw %}` and `{% endraw %}` all is text.
pub(super) fn pieces(source: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut at, mut raw) = (0, false);
    while at < source.len() {
        let rest = &source[at..];
        let next = match raw {
            true => rest.match_indices("{%").find(|(start, _)| keyword(&rest[*start..]) == "endraw"),
            false => rest.match_indices('{').find(|(start, _)| opens(&rest[*start..]).is_some()),
        };
        let start = next.map_or(source.len(), |(start, _)| at + start);
        if start > at {
            pieces.push(Piece { kind: Kind::Text, range: at..start, trims_before: false, trims_behind: false });
        }
        let Some(kind) = opens(&source[start..]) else { break };
        let piece = tag(source, start, kind);
        raw = kind == Kind::Statement && keyword(&source[start..]) == "raw";
        at = piece.range.end;
        pieces.push(piece);
    }
    pieces
}

/// The kind of the tag that a text begins with.
fn opens(text: &str) -> Option<Kind> {
    let kinds = [("{{", Kind::Print), ("{%", Kind::Statement), ("{#", Kind::Comment)];
    kinds.into_iter().find(|(open, _)| text.starts_with(open)).map(|(_, kind)| kind)
}

/// The word that a statement begins with.
pub(super) fn keyword(tag: &str) -> &str {
    let inside = tag.trim_start_matches(['{', '%', '-']).trim_start();
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inside.len());
    &inside[..end]
}

fn tag(source: &str, start: usize, kind: Kind) -> Piece {
    let close = match kind {
        Kind::Print => "}}",
        Kind::Comment => "#}",
        _ => "%}",
    };
    let rest = &source[start + 2..];
    let mut open_quote = None;
    let end = rest.char_indices().find(|(at, c)| match open_quote {
        Some(quote) if kind != Kind::Comment => {
            if *c == quote {
                open_quote = None;
            }
            false
        }
        _ if rest[*at..].starts_with(close) => true,
        _ => {
            open_quote = matches!(c, '"' | '\'' | '`').then_some(*c);
            false
        }
    });
    let end = end.map_or(source.len(), |(at, _)| start + 2 + at + close.len());
    let trims_behind = source[..end].strip_suffix(close).is_some_and(|inside| inside.ends_with('-'));
    Piece { kind, range: start..end, trims_before: rest.starts_with('-'), trims_behind }
}

/// The source of a template with marks in it, which are added to `marks`; nothing when there are too
/// many of them.
///
/// No mark stands where the output is caught for something to work on it (blocks of `set` and
/// `filter`, bodies of components), and none where it would keep a tag from taking blanks away.
pub(super) fn marked(template: usize, source: &str, marks: &mut Vec<Mark>) -> Option<String> {
    let mut out = String::with_capacity(source.len() * 2);
    let (mut caught, mut trims) = (0_usize, false);
    for piece in pieces(source) {
        let text = &source[piece.range.clone()];
        let mut put = |kind, range: Range<usize>, out: &mut String| {
            marks.push(Mark { template, range, kind });
            mark_of(marks.len() - 1).map(|mark| out.push(mark))
        };
        match piece.kind {
            Kind::Text if caught == 0 => {
                let mut at = piece.range.start;
                for (nth, line) in text.split_inclusive('\n').enumerate() {
                    let blanks = line.len() - line.trim_start().len();
                    if nth == 0 && !trims {
                        put(Kind::Text, at..piece.range.end, &mut out)?;
                        out.push_str(line);
                    } else if blanks == line.len() {
                        out.push_str(line);
                    } else {
                        out.push_str(&line[..blanks]);
                        put(Kind::Text, at + blanks..piece.range.end, &mut out)?;
                        out.push_str(&line[blanks..]);
                    }
                    at += line.len();
                }
            }
            Kind::Print | Kind::Statement if caught == 0 && !piece.trims_before => {
                if piece.kind == Kind::Print || keyword(text) == "include" {
                    put(piece.kind, piece.range.clone(), &mut out)?;
                }
                out.push_str(text);
            }
            _ => out.push_str(text),
        }
        if piece.kind == Kind::Statement {
            caught = (caught + usize::from(catches(text))).saturating_sub(usize::from(lets_go(text)));
        }
        trims = piece.trims_behind;
    }
    Some(out)
}

/// Whether a statement begins to catch the output.
fn catches(tag: &str) -> bool {
    match keyword(tag) {
        "filter" | "component" => true,
        "set" | "set_global" => !tag.contains('='),
        // {% <card> %} … {% </card> %}
        "" => tag.contains('<') && !tag.contains("</") && !tag.contains("/>"),
        _ => false,
    }
}

/// Whether a statement ends what [`catches`] began.
fn lets_go(tag: &str) -> bool {
    matches!(keyword(tag), "endfilter" | "endcomponent" | "endset") || keyword(tag).is_empty() && tag.contains("</")
}

/// The character of a mark.
fn mark_of(nth: usize) -> Option<char> {
    let mut nth = nth;
    for (first, count) in PLANES {
        if nth < count {
            return char::from_u32(first + u32::try_from(nth).ok()?);
        }
        nth -= count;
    }
    None
}

/// The number of the mark that a character is.
fn number(c: char) -> Option<usize> {
    let mut before = 0;
    for (first, count) in PLANES {
        if let Some(nth) = u32::from(c).checked_sub(first).map(|nth| nth as usize).filter(|nth| *nth < count) {
            return Some(before + nth);
        }
        before += count;
    }
    None
}

/// A mark that was met in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Met {
    /// The byte of the output without marks that it stands before.
    pub(super) at: usize,
    /// Its number.
    pub(super) mark: usize,
    /// Whether what it printed is something else than a string of the values, or more than that.
    pub(super) is_other: bool,
}

/// Marks of one output that are kept: each takes memory, and an output may have as many as it has bytes.
const MOST: usize = 1_000_000;

/// An output without its marks, and the marks in their order; nothing where there are too many.
pub(super) fn without_marks(output: &str) -> Option<(String, Vec<Met>)> {
    let mut text = String::with_capacity(output.len());
    let mut met: Vec<Met> = Vec::new();
    for c in output.chars() {
        if let Some(mark) = number(c) {
            met.push(Met { at: text.len(), mark, is_other: false });
            if met.len() > MOST {
                return None;
            }
        } else if c == OTHER {
            if let Some(last) = met.last_mut() {
                last.is_other = true;
            }
        } else {
            text.push(c);
        }
    }
    Some((text, met))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a source, each as its kind and text.
    fn taken_apart(source: &str) -> Vec<String> {
        pieces(source).iter().map(|piece| format!("{:?} {}", piece.kind, &source[piece.range.clone()])).collect()
    }

    #[test]
    fn tags_end_where_tera_ends_them() {
        assert_eq!(
            taken_apart("a{{ \"}}\" }}{% if x %}{# }} #}b{ c"),
            ["Text a", "Print {{ \"}}\" }}", "Statement {% if x %}", "Comment {# }} #}", "Text b{ c"]
        );
        assert_eq!(
            taken_apart("{% raw %}{{ x }}{% endraw %}"),
            ["Statement {% raw %}", "Text {{ x }}", "Statement {% endraw %}"]
        );
        assert_eq!(taken_apart("{{ x"), ["Print {{ x"]);
    }

    #[test]
    fn marks_come_out_as_they_went_in() {
        let source = "a: {{ x }}\n  {%- if y %}\nb: 1{% endif %}\n{% set z %}q{{ x }}{% endset %}";
        let mut marks = Vec::new();
        let marked = marked(0, source, &mut marks).unwrap();
        let (text, met) = without_marks(&marked).unwrap();
        assert_eq!(text, source);
        assert_eq!(met.len(), marks.len());
        let before: Vec<_> = met.iter().map(|met| &source[met.at..=met.at]).collect();
        assert_eq!(before, ["a", "{", "\n", "\n", "b", "\n"]);
        for met in met {
            assert_eq!(marks[met.mark].range.start, met.at);
        }
    }
}
