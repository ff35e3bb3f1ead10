//! The form a text takes.

use super::lookalike::is_read_as_another_value;
use super::quoted::is_unprintable;

/// The three forms of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
    /// In double quotes, with escapes.
    Quoted,
    /// A block behind `|`, line for line.
    Literal,
}

/// What a byte can do to a plain text that holds it, a bit each: one pass over the text gathers them.
type Marks = u8;

/// Ends the line: no plain text.
const NEWLINE: Marks = 1;
/// White space of which readers think differently: no plain text.
const TAB: Marks = 1 << 1;
/// `:` makes a key of the text before it and `#` starts a comment, beside a blank.
const SIGN: Marks = 1 << 2;
/// Stands in no YAML text as it is.
const CONTROL: Marks = 1 << 3;
/// May start a character beyond ASCII that stands in no YAML text as it is.
const LEAD: Marks = 1 << 4;

const MARKS: [Marks; 256] = marks();

const fn marks() -> [Marks; 256] {
    let mut marks = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        marks[control] = CONTROL;
        control += 1;
    }
    marks[0x7f] = CONTROL;
    marks[b'\n' as usize] = NEWLINE;
    marks[b'\t' as usize] = TAB;
    marks[b':' as usize] = SIGN;
    marks[b'#' as usize] = SIGN;
    // The first bytes of U+0080…U+00BF, U+2000…U+2FFF and U+F000…U+FFFF.
    marks[0xc2] = LEAD;
    marks[0xe2] = LEAD;
    marks[0xef] = LEAD;
    marks
}

/// The form in which every reader takes `text` for this text, the simplest that does.
pub(super) fn of(text: &str) -> Style {
    let bytes = text.as_bytes();
    let marks = bytes.iter().fold(0, |marks, &byte| marks | MARKS[usize::from(byte)]);
    let has = |mark| marks & mark != 0;
    if has(CONTROL) || (has(LEAD) && text.chars().any(is_unprintable)) {
        Style::Quoted
    } else if has(NEWLINE) {
        if can_be_literal(text) { Style::Literal } else { Style::Quoted }
    } else if has(TAB)
        || (has(SIGN) && has_sign(bytes))
        || !can_start_plain(bytes)
        || text.ends_with(' ')
        || is_read_as_another_value(text)
    {
        Style::Quoted
    } else {
        Style::Plain
    }
}

/// Whether a text of one line holds the colon of a key or the start of a comment.
fn has_sign(bytes: &[u8]) -> bool {
    bytes.ends_with(b":") || bytes.windows(2).any(|pair| matches!(pair, b": " | b" #"))
}

/// Whether a text of several lines can be a literal. Its first line sets the indentation of all and
/// must show it; blanks at the very end would be lost to editors, if not to readers.
fn can_be_literal(text: &str) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let bytes = text.as_bytes();
    let first_line_shows = bytes.iter().find(|byte| !is_blank(byte)).is_some_and(|byte| *byte != b'\n');
    first_line_shows && bytes.first() != Some(&b'\t') && !bytes.last().is_some_and(is_blank)
}

/// Whether the start of a text is no sign of YAML. `-` is one only where it could be the dash of a
/// list; `?` and `:` never stand first, though most readers would take them: Ruby's makes a symbol
/// of `:name`.
fn can_start_plain(bytes: &[u8]) -> bool {
    !matches!(
        bytes,
        [] | [b'-']
            | [b'-', b' ' | b',' | b'[' | b']' | b'{' | b'}', ..]
            | [b'-', b'-', b'-', ..]
            | [b'.', b'.', b'.', ..]
            | [
                b' ' | b','
                    | b'['
                    | b']'
                    | b'{'
                    | b'}'
                    | b'#'
                    | b'&'
                    | b'*'
                    | b'!'
                    | b'|'
                    | b'>'
                    | b'\''
                    | b'"'
                    | b'%'
                    | b'@'
                    | b'`'
                    | b'?'
                    | b':',
                ..
            ]
    )
}
