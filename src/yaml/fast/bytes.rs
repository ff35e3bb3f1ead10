//! Classes of bytes.

use memchr::memchr3_iter;

/// What a scalar or collection may begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// A plain scalar.
    Plain,
    /// A plain scalar unless a blank or the end of the line follows.
    Indicator,
    /// A quoted scalar.
    Quote,
    /// A flow collection.
    Bracket,
    /// A block scalar.
    Text,
    /// Something for the full parser, or an error.
    Other,
}

/// What begins with each byte.
pub(super) static BEGIN: [Begin; 256] = begin();

/// Bytes at which plain text in a block may end.
pub(super) static ENDS_PLAIN: [bool; 256] = set(b"\n\t:#");

/// Bytes at which plain text inside brackets may end.
pub(super) static ENDS_FLOW_PLAIN: [bool; 256] = set(b"\n\t:#,[]{}");

const fn begin() -> [Begin; 256] {
    let mut table = [Begin::Plain; 256];
    let others = b" \t\n\r&*!%@`,]}#";
    let mut nth = 0;
    while nth < others.len() {
        table[others[nth] as usize] = Begin::Other;
        nth += 1;
    }
    table[b'-' as usize] = Begin::Indicator;
    table[b':' as usize] = Begin::Indicator;
    table[b'?' as usize] = Begin::Indicator;
    table[b'"' as usize] = Begin::Quote;
    table[b'\'' as usize] = Begin::Quote;
    table[b'[' as usize] = Begin::Bracket;
    table[b'{' as usize] = Begin::Bracket;
    table[b'|' as usize] = Begin::Text;
    table[b'>' as usize] = Begin::Text;
    table
}

const fn set(members: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut nth = 0;
    while nth < members.len() {
        table[members[nth] as usize] = true;
        nth += 1;
    }
    table
}

/// Whether the text holds a character that readers disagree about: a control character, a carriage
/// return, a line break of Unicode (NEL, LS, PS), a byte order mark, U+FFFE or U+FFFF.
pub(super) fn are_unusual(text: &[u8]) -> bool {
    let mut high = false;
    // whole blocks without a branch inside: the compiler makes vector code of it
    for block in text.chunks(64) {
        let mut control = false;
        let mut all = 0;
        for &byte in block {
            control |= (byte < 0x20) & (byte != b'\n') & (byte != b'\t') | (byte == 0x7F);
            all |= byte;
        }
        if control {
            return true;
        }
        high |= all >= 0x80;
    }
    high && memchr3_iter(0xC2, 0xE2, 0xEF, text).any(|at| {
        let next = |nth: usize| text.get(at + nth).copied().unwrap_or_default();
        match text[at] {
            0xC2 => next(1) < 0xA0,
            0xE2 => next(1) == 0x80 && matches!(next(2), 0xA8 | 0xA9),
            _ => matches!((next(1), next(2)), (0xBB, 0xBF) | (0xBF, 0xBE | 0xBF)),
        }
    })
}
