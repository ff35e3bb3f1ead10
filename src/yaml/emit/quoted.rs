//! Text in double quotes, with escapes that YAML 1.1 and 1.2 share.

/// Whether a character stands in no YAML text as it is, or is a line break to some readers and not
/// to others: controls but newline and tab, DEL, the C1 controls with NEL, LS, PS, the byte order
/// mark, U+FFFE and U+FFFF.
pub(crate) fn is_unprintable(character: char) -> bool {
    matches!(
        character,
        '\0'..='\x08'
            | '\x0b'..='\x1f'
            | '\x7f'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}'
    )
}

/// Appends `text` in double quotes, on one line.
pub(super) fn push_quoted(text: &str, out: &mut String) {
    out.push('"');
    let mut written = 0;
    for (at, character) in text.char_indices() {
        if matches!(character, '"' | '\\' | '\t' | '\n') || is_unprintable(character) {
            out.push_str(&text[written..at]);
            push_escape(character, out);
            written = at + character.len_utf8();
        }
    }
    out.push_str(&text[written..]);
    out.push('"');
}

/// `\n`, `\x1b` or `\u2028`: the shortest that both versions of YAML read.
fn push_escape(character: char, out: &mut String) {
    let short = match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\t' => "\\t",
        '\n' => "\\n",
        '\r' => "\\r",
        _ => "",
    };
    out.push_str(short);
    if short.is_empty() {
        let code = u32::from(character);
        out.push_str(&if code <= 0xff { format!("\\x{code:02x}") } else { format!("\\u{code:04x}") });
    }
}
