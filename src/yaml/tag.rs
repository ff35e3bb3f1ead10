//! What a tag makes of a scalar. Tags on lists and mappings change nothing.
//!
//! Source: sigs.k8s.io/yaml, `goyaml.v2/resolve.go` and `decode.go`.

use std::borrow::Cow;

use super::scalar::{Scalar, resolve_plain};
use crate::tree::Value;

/// The tags that change how a scalar is read; kubectl ignores every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `!!str`, or `!` alone.
    Text,
    Int,
    Float,
    Bool,
    Null,
    Timestamp,
    Binary,
    Merge,
    Other,
}

impl Tag {
    /// The tag of a resolved handle and a suffix.
    pub(super) fn new(handle: &str, suffix: &str) -> Self {
        let full = format!("{handle}{suffix}");
        match full.strip_prefix("tag:yaml.org,2002:").unwrap_or(&full) {
            "str" | "!" => Tag::Text,
            "int" => Tag::Int,
            "float" => Tag::Float,
            "bool" => Tag::Bool,
            "null" => Tag::Null,
            "timestamp" => Tag::Timestamp,
            "binary" => Tag::Binary,
            "merge" => Tag::Merge,
            _ => Tag::Other,
        }
    }

    /// The tag as it is written, for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tag::Text => "!!str",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Bool => "!!bool",
            Tag::Null => "!!null",
            Tag::Timestamp => "!!timestamp",
            Tag::Binary => "!!binary",
            Tag::Merge => "!!merge",
            Tag::Other => "!",
        }
    }
}

/// What a scalar is: text, or something else.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Resolved<'s> {
    Text(Cow<'s, str>),
    Other(Scalar),
}

impl<'s> Resolved<'s> {
    /// The value in a tree; nothing where JSON has none.
    pub(super) fn into_value(self) -> Option<Value<'s>> {
        match self {
            Resolved::Text(text) => Some(Value::String(text)),
            Resolved::Other(scalar) => scalar.into_value(),
        }
    }

    /// The name as a key; nothing where Kubernetes has none.
    pub(super) fn into_key(self) -> Option<Cow<'s, str>> {
        match self {
            Resolved::Text(text) => Some(text),
            Resolved::Other(scalar) => scalar.into_key(),
        }
    }
}

/// What a scalar is, or its tag where the text does not fit it.
pub(super) fn resolve(text: Cow<'_, str>, is_plain: bool, tag: Option<Tag>) -> Result<Resolved<'_>, Tag> {
    let Some(tag) = tag else {
        let resolved = if is_plain { resolve_plain(&text) } else { None };
        return Ok(resolved.map_or(Resolved::Text(text), Resolved::Other));
    };
    let scalar = match (tag, resolve_plain(&text)) {
        (Tag::Text | Tag::Merge | Tag::Other, _) => return Ok(Resolved::Text(text)),
        (Tag::Binary, _) => return decode_base64(&text).map(Resolved::Text).ok_or(tag),
        (Tag::Timestamp, _) if is_date(&text) => return Ok(Resolved::Text(text)),
        (Tag::Float, Some(Scalar::Int(value))) => Scalar::Float(value as f64), // as Go does
        (Tag::Float, Some(scalar @ (Scalar::Float(_) | Scalar::Digits(_))))
        | (Tag::Int, Some(scalar @ (Scalar::Int(_) | Scalar::Unsigned(_))))
        | (Tag::Bool, Some(scalar @ Scalar::Bool(_)))
        | (Tag::Null, Some(scalar @ Scalar::Null)) => scalar,
        _ => return Err(tag),
    };
    Ok(Resolved::Other(scalar))
}

/// Whether a text looks like a timestamp: `yyyy-m-d`, maybe followed by a time. The ranges of the
/// numbers are not looked at.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let mut digits = |counts: std::ops::RangeInclusive<usize>| {
        let part = parts.next().unwrap_or("");
        let count = part.bytes().take_while(u8::is_ascii_digit).count();
        counts.contains(&count).then(|| &part[count..])
    };
    let (year, month) = (digits(4..=4), digits(1..=2));
    let is_time = |rest: &str| rest.is_empty() || rest.starts_with(['T', 't', ' ', '\t']);
    year == Some("") && month == Some("") && digits(1..=2).is_some_and(is_time)
}

/// The text behind base64: padded, line breaks skipped; bytes that are no UTF-8 become U+FFFD, as
/// they do on the way through JSON.
fn decode_base64(text: &str) -> Option<Cow<'static, str>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count, mut padding) = (0u32, 0, 0);
    for byte in text.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                continue;
            }
            b'\n' | b'\r' => continue,
            _ => return None,
        };
        if padding > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(six);
        count += 1;
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    match (count, padding) {
        (0, 0) => {}
        (2, 2) => bytes.push((bits >> 4).to_be_bytes()[3]),
        (3, 1) => bytes.extend_from_slice(&(bits >> 2).to_be_bytes()[2..]),
        _ => return None,
    }
    Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_go() {
        for (text, expected) in [
            ("", Some("")),
            ("aGVsbG8=", Some("hello")),
            ("aGVs\r\nbG8=\n", Some("hello")),
            ("aGk", None),
            ("aGk==", None),
            ("aGk=aGk=", None),
            ("!!", None),
            ("aA==", Some("h")),
            ("gICA", Some("\u{fffd}\u{fffd}\u{fffd}")),
        ] {
            assert_eq!(decode_base64(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn timestamps_look_like_dates() {
        for text in ["2001-12-14", "2001-1-1", "2001-12-14t21:59:43.10-05:00", "2001-12-14 20:00:00"] {
            assert!(is_date(text), "{text}");
        }
        for text in ["abc", "2001-12", "2001-12-", "01-12-14", "2001-12-14x", "20011-2-3", ""] {
            assert!(!is_date(text), "{text}");
        }
    }
}
