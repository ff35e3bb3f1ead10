//! Where things begin and end in the text, where the parser does not say.

use std::ops::Range;

use granit_parser::ErrorKind;

/// The start of a block scalar's header (`|` or `>`), looked for from `from`, a place behind the
/// token before it, up to its content.
pub(super) fn block_scalar_start(text: &str, from: usize, content: usize) -> usize {
    let header = first_token(text, from, content, |byte| matches!(byte, b'|' | b'>'));
    header.unwrap_or(content)
}

/// The bytes of a block scalar from its header on: without the last line break, and without the
/// blank lines that are no part of the value.
pub(super) fn block_scalar(text: &str, from: usize, content: Range<usize>) -> Range<usize> {
    let start = block_scalar_start(text, from, content.start);
    let header_end =
        memchr::memchr2(b'\n', b'\r', &text.as_bytes()[start..content.end]).map_or(content.end, |at| start + at);
    let header = &text[start..header_end];
    let header = header.split([' ', '\t']).next().unwrap_or("");
    let lines = &text[start..content.end];
    let kept =
        if header.contains('+') { without_line_break(without_margin(lines)) } else { without_blank_lines(lines) };
    start..start + kept.len()
}

/// The lines without the margin of a line that is no longer theirs.
fn without_margin(lines: &str) -> &str {
    let cut = lines.trim_end_matches(' ');
    if cut.ends_with(['\n', '\r']) { cut } else { lines }
}

fn without_line_break(lines: &str) -> &str {
    let cut = lines.strip_suffix('\n').unwrap_or(lines);
    cut.strip_suffix('\r').unwrap_or(cut)
}

fn without_blank_lines(mut lines: &str) -> &str {
    loop {
        let cut = without_line_break(lines);
        let start_of_last = memchr::memrchr2(b'\n', b'\r', cut.as_bytes()).map_or(0, |at| at + 1);
        let is_blank = start_of_last > 0 && cut[start_of_last..].trim_matches(' ').is_empty();
        if !is_blank {
            return cut;
        }
        lines = &cut[..start_of_last];
    }
}

/// The first dash of a block list that stands as the value of a key, whose end is `from`.
pub(super) fn first_dash(text: &str, from: usize, first_item: usize) -> usize {
    let dash = first_token(text, from, first_item, |byte| byte == b'-');
    dash.unwrap_or(first_item)
}

/// Where the value of a key that has none would stand: behind its colon, or behind the key.
pub(super) fn missing_value(text: &str, key_end: usize) -> usize {
    let colon = first_token(text, key_end, text.len(), |_| true);
    match colon {
        Some(at) if text.as_bytes().get(at) == Some(&b':') => at + 1,
        _ => key_end,
    }
}

/// The byte of a failure, for which the parser says `at`: it points at the token that holds a
/// character that is not allowed, or behind a tab.
pub(super) fn culprit(text: &str, at: usize, kind: &ErrorKind) -> usize {
    let character = match kind {
        ErrorKind::UnexpectedCharacter { character } => *character,
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabNotAllowed => '\t',
        _ => return at,
    };
    let (before, behind) = text.split_at(at);
    let without = before.trim_end_matches(character);
    if character == '\t' && without.len() < at {
        return without.len();
    }
    behind.find(character).map_or(at, |next| at + next)
}

/// The first byte from `from` to `until` that `is_wanted` and begins a token: blanks, comments,
/// anchors, tags, and the indicators `:`, `-` and `?` before it are passed over.
fn first_token(text: &str, from: usize, until: usize, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = text.as_bytes().get(..until)?;
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let is_blank = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        at = match byte {
            _ if is_blank => at + 1,
            b'#' => end_of_word(bytes, at, |byte| matches!(byte, b'\n' | b'\r')),
            byte if is_wanted(byte) => return Some(at),
            b':' | b'-' | b'?' => at + 1,
            b'&' | b'!' => end_of_word(bytes, at, |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')),
            _ => return None,
        };
    }
    None
}

fn end_of_word(bytes: &[u8], from: usize, is_end: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[from..];
    from + rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_scalars_begin_at_their_header() {
        for (text, content, whole) in [
            ("a: |\n  x\n  y\n\nb", "  x\n  y\n\n", "|\n  x\n  y"),
            ("a: |+\n  x\n\nb", "  x\n\n", "|+\n  x\n"),
            ("a: |+\n   x\n\n  b", "   x\n\n  ", "|+\n   x\n"),
            ("a: &x !t >2- # | +\r\n   x\r\n \r\nb", "   x\r\n \r\n", ">2- # | +\r\n   x"),
            ("a: # |\n  |\n  x", "  x", "|\n  x"),
            ("a: |\nb", "", "|"),
        ] {
            let start = if content.is_empty() { 5 } else { text.find(content).unwrap() };
            let range = block_scalar(text, 1, start..start + content.len());
            assert_eq!(&text[range], whole, "{text:?}");
        }
    }

    #[test]
    fn dashes_and_missing_values() {
        assert_eq!(first_dash("f: # -\n- - a", 1, 9), 7);
        assert_eq!(first_dash("f: &x-\n- a", 1, 9), 7);
        assert_eq!(missing_value("a :\nb: 1", 1), 3);
        assert_eq!(missing_value("a\nb: 1", 1), 1);
    }
}
