//! Text that came from an input, made safe to print.

use std::borrow::Cow;
use std::fmt::Write as _;

pub use crate::finding::is_hidden;

/// The text with every hidden character in the form `\u{1b}`, and tabs and line breaks as `\t`,
/// `\n`, `\r`: one line that shows all that it holds.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// Adds one character in the form that [`escape`] gives it.
pub(super) fn push(shown: &mut String, c: char) {
    match is_hidden(c) {
        true => shown.extend(c.escape_default()),
        false => shown.push(c),
    }
}

/// JSON text with hidden characters inside strings as `\u` escapes; the value stays the same. JSON
/// has no character beyond ASCII but in strings, and no control there but escaped ones.
pub(super) fn json(text: &str) -> Cow<'_, str> {
    let escaped = |c: char| c != '\n' && is_hidden(c);
    if !text.contains(escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if !escaped(c) {
            shown.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // writing to a string cannot fail
            let _ = write!(shown, "\\u{unit:04x}");
        }
    }
    Cow::Owned(shown)
}

/// Text for the content and the quoted attributes of XML, HTML and SVG: the five signs as references, and hidden
/// characters, most of which XML cannot hold at all, in the form of [`escape`]; line breaks and tabs stay.
pub(super) fn xml(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            '\n' => shown.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => shown.extend(c.escape_unicode()),
            c => push(&mut shown, c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_or_hides_is_spelled_out() {
        assert_eq!(escape("a\u{1b}[31mb\u{9b}c"), "a\\u{1b}[31mb\\u{9b}c");
        assert_eq!(escape("x\u{202e}y\u{200b}z"), "x\\u{202e}y\\u{200b}z");
        assert_eq!(escape("a\tb\r\nc\0"), "a\\tb\\r\\nc\\u{0}");
        for plain in ["plain", "größe 漢字 e\u{301} é", "\\u{1b}"] {
            assert!(matches!(escape(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn nothing_opens_or_ends_anything_in_xml() {
        assert_eq!(
            xml("<a b='c' d=\"e\">&\u{1b}\n\u{ffff}"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\\u{1b}&#10;\\u{ffff}"
        );
    }

    #[test]
    fn escaped_json_is_the_same_value() {
        let value = serde_json::json!({"a": "x\u{202e}\u{7f}\u{e0001}\u{1b}\n漢"});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = json(&text);
        assert!(!shown.contains(|c| c != '\n' && is_hidden(c)), "{shown}");
        assert!(shown.contains("\\u202e\\u007f\\udb40\\udc01\\u001b\\n漢"), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
