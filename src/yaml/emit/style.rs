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

/// What a byte can do to a plain text that holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Nothing.
    Free,
    /// Ends the line: no plain text.
    Newline,
    /// White space of which readers think differently: no plain text.
    Tab,
    /// Makes a key of the text before it, where a blank or the end follows.
    Colon,
    /// Starts a comment behind a blank.
    Hash,
    /// Stands in no YAML text as it is.
    Control,
    /// May start a character beyond ASCII that stands in no YAML text as it is.
    Lead,
}

const ROLES: [Role; 256] = roles();

const fn roles() -> [Role; 256] {
    let mut roles = [Role::Free; 256];
    let mut control = 0;
    while control < 0x20 {
        roles[control] = Role::Control;
        control += 1;
    }
    roles[0x7f] = Role::Control;
    roles[b'\n' as usize] = Role::Newline;
    roles[b'\t' as usize] = Role::Tab;
    roles[b':' as usize] = Role::Colon;
    roles[b'#' as usize] = Role::Hash;
    // The first bytes of U+0080…U+00BF, U+2000…U+2FFF and U+F000…U+FFFF.
    roles[0xc2] = Role::Lead;
    roles[0xe2] = Role::Lead;
    roles[0xef] = Role::Lead;
    roles
}

/// The form in which every reader takes `text` for this text, the simplest that does.
pub(super) fn of(text: &str) -> Style {
    let bytes = text.as_bytes();
    let mut is_plain = true;
    let mut has_newline = false;
    for (at, &byte) in bytes.iter().enumerate() {
        match ROLES[usize::from(byte)] {
            Role::Free => {}
            Role::Newline => has_newline = true,
            Role::Tab => is_plain = false,
            Role::Colon => is_plain &= !matches!(bytes.get(at + 1), None | Some(b' ')),
            Role::Hash => is_plain &= at == 0 || bytes[at - 1] != b' ',
            Role::Control => return Style::Quoted,
            Role::Lead => {
                if text[at..].chars().next().is_some_and(is_unprintable) {
                    return Style::Quoted;
                }
            }
        }
    }
    if has_newline {
        if can_be_literal(text) {
            return Style::Literal;
        }
        return Style::Quoted;
    }
    if is_plain && can_start_plain(bytes) && !text.ends_with(' ') && !is_read_as_another_value(text) {
        return Style::Plain;
    }
    Style::Quoted
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
