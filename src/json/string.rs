//! String literals.

use std::borrow::Cow;

/// Why a literal is none, and the byte, counted from its opening quote.
pub(super) type Failure = (usize, &'static str);

const UNCLOSED: Failure = (0, "a quote is never closed");

/// Reads the literal at the start of `text`, which is its opening quote. Returns the string and the
/// number of bytes of the literal, quotes included; borrowed where it has no escapes.
pub(super) fn read(text: &str) -> Result<(Cow<'_, str>, usize), Failure> {
    let bytes = text.as_bytes();
    let mut decoded: Option<String> = None;
    let mut from = 1;
    loop {
        let rest = bytes.get(from..).unwrap_or_default();
        let stop = from + memchr::memchr2(b'"', b'\\', rest).ok_or(UNCLOSED)?;
        if let Some(control) = bytes[from..stop].iter().position(|byte| *byte < 0x20) {
            return Err((
                from + control,
                "a line break or another control character stands in a string; write it as an escape",
            ));
        }
        let plain = &text[from..stop];
        if bytes[stop] == b'"' {
            let whole = match decoded {
                None => Cow::Borrowed(plain),
                Some(mut decoded) => {
                    decoded.push_str(plain);
                    decoded.shrink_to_fit();
                    Cow::Owned(decoded)
                }
            };
            return Ok((whole, stop + 1));
        }
        let decoded = decoded.get_or_insert_default();
        decoded.push_str(plain);
        let (character, length) = escape(&bytes[stop..]).map_err(|why| (stop, why))?;
        decoded.push(character);
        from = stop + length;
    }
}

/// The character of an escape and its length in bytes; `bytes` begins with the backslash.
fn escape(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    let character = match bytes.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes),
        _ => return Err("a backslash begins no escape that JSON knows"),
    };
    Ok((character, 2))
}

/// `\uXXXX`, or two of them that make a surrogate pair.
fn unicode(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    const ALONE: &str = "an escape names half a character (a surrogate without its other half)";
    let unit = code_unit(bytes)?;
    match unit {
        0xD800..=0xDBFF => {
            let low = match bytes.get(6..8) {
                Some(br"\u") => code_unit(&bytes[6..])?,
                _ => return Err(ALONE),
            };
            if !(0xDC00..=0xDFFF).contains(&low) {
                return Err(ALONE);
            }
            let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            char::from_u32(code).map(|character| (character, 12)).ok_or(ALONE)
        }
        _ => char::from_u32(unit).map(|character| (character, 6)).ok_or(ALONE),
    }
}

fn code_unit(bytes: &[u8]) -> Result<u32, &'static str> {
    const DIGITS: &str = "an escape lacks hexadecimal digits";
    let digits = bytes.get(2..6).ok_or(DIGITS)?;
    digits.iter().try_fold(0, |unit, digit| {
        let digit = char::from(*digit).to_digit(16).ok_or(DIGITS)?;
        Ok(unit << 4 | digit)
    })
}

/// Writes a string as a literal, quotes included: what JSON demands is escaped, nothing else.
pub(super) fn write(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x0c => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        from = at + 1;
        if short.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        } else {
            out.push_str(short);
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}
