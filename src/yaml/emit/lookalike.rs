//! Text that some reader takes for another value where it has no quotes: wider than what
//! Kubernetes itself does, since others read the output too. Quotes too many do no harm.

/// Words that are null, a boolean, a merge key or a default key to some reader, in whatever case.
const WORDS: [&str; 12] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<"];
const LONGEST_WORD: usize = 5;

/// Whether a plain `text` is null, a boolean, a number, a date or a merge key to some reader.
pub(super) fn is_read_as_another_value(text: &str) -> bool {
    match text.as_bytes() {
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => is_number_or_date(text),
        [b'y' | b'Y' | b'n' | b'N' | b'o' | b'O' | b't' | b'T' | b'f' | b'F' | b'~' | b'=' | b'<', ..] => {
            text.len() <= LONGEST_WORD && is_word(text)
        }
        _ => false,
    }
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Whatever looks like a number in any base, also where it is out of range (one reader's text is
/// the next one's infinity), a time in base 60, or a date.
fn is_number_or_date(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    // Go and YAML 1.1 read past `_`, Ruby past `,` as well.
    let digits = bytes.iter().copied().filter(|byte| !matches!(byte, b'_' | b','));
    is_based(digits.clone())
        || is_decimal(digits.clone())
        || is_sexagesimal(digits)
        || is_date(bytes)
        || [".inf", ".nan"].iter().any(|word| word.eq_ignore_ascii_case(unsigned))
}

/// `0x1F`, `0o17`, `0b1`, in either case and without digits too.
fn is_based(mut digits: impl Iterator<Item = u8>) -> bool {
    if digits.next() != Some(b'0') {
        return false;
    }
    let radix = match digits.next() {
        Some(b'x' | b'X') => 16,
        Some(b'o' | b'O') => 8,
        Some(b'b' | b'B') => 2,
        _ => return false,
    };
    digits.all(|byte| char::from(byte).is_digit(radix))
}

/// `1`, `017`, `1.`, `.5`, `1e3`, `1.5E-7`.
fn is_decimal(digits: impl Iterator<Item = u8>) -> bool {
    let mut rest = digits.peekable();
    let mut take_digits = || {
        let mut count = 0;
        while rest.next_if(u8::is_ascii_digit).is_some() {
            count += 1;
        }
        (count, rest.next())
    };
    let (mut count, mut next) = take_digits();
    if next == Some(b'.') {
        let (fraction, after) = take_digits();
        count += fraction;
        next = after;
    }
    if count == 0 || next.is_none() {
        return count > 0;
    }
    if !matches!(next, Some(b'e' | b'E')) {
        return false;
    }
    match take_digits() {
        (0, Some(b'+' | b'-')) => matches!(take_digits(), (1.., None)),
        (exponent, after) => exponent > 0 && after.is_none(),
    }
}

/// `12:30`, `190:20:30.15`: base 60 in YAML 1.1.
fn is_sexagesimal(mut digits: impl Iterator<Item = u8> + Clone) -> bool {
    digits.clone().any(|byte| byte == b':') && digits.all(|byte| matches!(byte, b'0'..=b'9' | b':' | b'.'))
}

/// `2001-12-14`, `2001-1-1T10:00:00Z` and all that starts so.
fn is_date(bytes: &[u8]) -> bool {
    matches!(bytes, [a, b, c, d, b'-', e, ..] if [a, b, c, d, e].into_iter().all(u8::is_ascii_digit))
}
