//! Lines of a text, which end with `\n` or `\r\n`.

/// The first byte of the line that holds a byte.
pub(super) fn start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1)
}

/// The byte behind the line break that ends the line of a byte.
pub(super) fn end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end + 1)
}

/// Whether nothing but spaces stands before a byte on its line.
pub(super) fn begins(text: &str, at: usize) -> bool {
    text.as_bytes()[start(text, at)..at].iter().all(|byte| *byte == b' ')
}

/// Whether nothing but blanks and a comment stands behind a byte on its line.
pub(super) fn is_rest_idle(text: &str, at: usize) -> bool {
    let rest = &text[at..end(text, at)];
    let trimmed = rest.trim_start_matches([' ', '\t']);
    trimmed.trim_end_matches(['\n', '\r']).is_empty() || trimmed.starts_with('#') && trimmed.len() < rest.len()
}

/// The first byte from `at` on that is no blank and no line break.
pub(super) fn next_token(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len())
}

/// How the lines of a text end: as the first one does.
pub(super) fn line_break(text: &str) -> &'static str {
    match memchr::memchr(b'\n', text.as_bytes()) {
        Some(at) if text.as_bytes()[..at].ends_with(b"\r") => "\r\n",
        _ => "\n",
    }
}

/// Lines that end with `\n`, the last one without, with another line break and with `column` spaces
/// before each but the first; blank lines stay empty.
pub(super) fn indent(lines: &str, column: usize, line_break: &str) -> String {
    let mut out = String::with_capacity(lines.len() + lines.len() / 4);
    for (nth, line) in lines.split('\n').enumerate() {
        if nth > 0 {
            out.push_str(line_break);
            if !line.is_empty() {
                out.extend(std::iter::repeat_n(' ', column));
            }
        }
        out.push_str(line);
    }
    out
}
