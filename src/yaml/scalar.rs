//! What a plain scalar is to Kubernetes.
//!
//! kubectl reads YAML through sigs.k8s.io/yaml, which reads scalars as go-yaml v2 does: YAML 1.1
//! booleans (`yes`, `on`), Go's integers (`0644`, `0o644`, `0x1F`, `1_000`), no base 60, and dates
//! that stay strings. Source: sigs.k8s.io/yaml, `goyaml.v2/resolve.go` and `yaml.go`.

use std::borrow::Cow;

use crate::tree::Value;

/// What a scalar that is no string resolves to, in go-yaml's types: a value and a key see the same
/// scalar differently ([`Scalar::into_value`], [`Scalar::into_key`]).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    /// `null`, `~`, or nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that fits 64 signed bits.
    Int(i64),
    /// An integer from 2^63 to 2^64 - 1.
    Unsigned(u64),
    /// A number with a point or an exponent, or one of `.inf` and `.nan`.
    Float(f64),
    /// A decimal integer that go-yaml reads as a float for want of bits: sign and digits.
    Digits(Box<str>),
}

/// What an untagged plain scalar resolves to; nothing for a string.
///
/// `text` is the scalar without its surroundings, lines folded.
pub(crate) fn resolve_plain(text: &str) -> Option<Scalar> {
    match text.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'0'..=b'9' | b'+' | b'-') => special(text).or_else(|| number(text)),
        Some(b'.') => special(text).or_else(|| finite(text).map(Scalar::Float)),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => special(text),
        Some(_) => None,
    }
}

/// The words that are no strings.
fn special(text: &str) -> Option<Scalar> {
    if text.len() > 5 {
        return None;
    }
    Some(match text {
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Scalar::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Scalar::Bool(false),
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        _ => return None,
    })
}

/// A scalar that starts like a number: every `_` is dropped, then an integer of base 2, 8, 10 or 16
/// is tried, then a decimal float.
fn number(text: &str) -> Option<Scalar> {
    let may_be = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
    if !text.as_bytes().iter().all(may_be) {
        return None;
    }
    let text = match memchr::memchr(b'_', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace('_', "")),
        None => Cow::Borrowed(text),
    };
    let (sign, magnitude) = match text.as_bytes().first()? {
        sign @ (b'-' | b'+') => (Some(*sign), &text[1..]),
        _ => (None, &*text),
    };
    integer(sign, magnitude).or_else(|| decimal(sign, magnitude, &text))
}

/// Go's `ParseInt` with base 0, then its `ParseUint`, which takes no sign.
fn integer(sign: Option<u8>, magnitude: &str) -> Option<Scalar> {
    let (radix, digits) = match magnitude.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &magnitude[2..]),
        [b'0', b'o' | b'O', ..] => (8, &magnitude[2..]),
        [b'0', b'b' | b'B', ..] => (2, &magnitude[2..]),
        [b'0', _, ..] => (8, &magnitude[1..]),
        _ => (10, magnitude),
    };
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let value = u64::from_str_radix(digits, radix).ok().filter(|_| all_digits)?;
    match sign {
        Some(b'-') => 0i64.checked_sub_unsigned(value).map(Scalar::Int),
        _ => match (i64::try_from(value), sign) {
            (Ok(value), _) => Some(Scalar::Int(value)),
            (Err(_), None) => Some(Scalar::Unsigned(value)),
            (Err(_), Some(_)) => None,
        },
    }
}

/// A finite decimal number; one of digits alone that is beyond 64 bits keeps them.
fn decimal(sign: Option<u8>, magnitude: &str, text: &str) -> Option<Scalar> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if !is_decimal(magnitude) {
        return None;
    }
    let float = finite(text)?;
    if float.abs() < BEYOND || !magnitude.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Scalar::Float(float));
    }
    let minus = if sign == Some(b'-') { "-" } else { "" };
    Some(Scalar::Digits(format!("{minus}{magnitude}").into()))
}

/// Whether this is `(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?`.
fn is_decimal(magnitude: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(magnitude);
    let mut rest = &magnitude[whole..];
    if let Some(behind) = rest.strip_prefix('.') {
        let fraction = digits(behind);
        if whole + fraction == 0 {
            return false;
        }
        rest = &behind[fraction..];
    } else if whole == 0 {
        return false;
    }
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else {
        return rest.is_empty();
    };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !exponent.is_empty() && digits(exponent) == exponent.len()
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|float: &f64| float.is_finite())
}

impl Scalar {
    /// The value in a tree; nothing for `.inf` and `.nan`, which JSON cannot say.
    pub(crate) fn into_value(self) -> Option<Value<'static>> {
        Some(match self {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::I64(value),
            Scalar::Unsigned(value) => Value::U64(value),
            Scalar::Float(value) if value.is_finite() => Value::float(value),
            Scalar::Float(_) => return None,
            Scalar::Digits(digits) => Value::integer(&digits),
        })
    }

    /// The key of a mapping that this is, as sigs.k8s.io/yaml writes it: `0644` is `420`, `yes` is
    /// `true`, `1e6` is `1e+06`. Nothing for null and for integers above 2^63 - 1, which it refuses.
    pub(crate) fn into_key(self) -> Option<Cow<'static, str>> {
        Some(match self {
            Scalar::Null | Scalar::Unsigned(_) => return None,
            Scalar::Bool(true) => "true".into(),
            Scalar::Bool(false) => "false".into(),
            Scalar::Int(value) => value.to_string().into(),
            Scalar::Float(value) => float_key(value),
            Scalar::Digits(digits) => float_key(finite(&digits)?),
        })
    }
}

/// Whether a cluster cannot keep the digits of this number: kubectl and the API server hold
/// integers beyond 64 signed bits as floats.
pub(crate) fn is_rounded(value: &Value<'_>) -> bool {
    matches!(value, Value::U64(_) | Value::Number(_))
}

/// A float as a key: Go's `FormatFloat(value, 'g', -1, 32)`, so at 32-bit precision, and with an
/// exponent below 1e-4 and from 1e6 on.
fn float_key(value: f64) -> Cow<'static, str> {
    let value = value as f32; // beyond its range: infinite, as in Go
    if value.is_nan() {
        return ".nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.into();
    }
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific.into();
    };
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs()).into()
        }
        _ => format!("{value}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<Value<'static>> {
        resolve_plain(text).and_then(Scalar::into_value)
    }

    fn key(text: &str) -> Option<String> {
        resolve_plain(text)?.into_key().map(Cow::into_owned)
    }

    #[test]
    fn words() {
        for (text, expected) in [
            ("", Value::Null),
            ("~", Value::Null),
            ("NULL", Value::Null),
            ("y", Value::Bool(true)),
            ("On", Value::Bool(true)),
            ("OFF", Value::Bool(false)),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        for text in ["tRUE", "nULL", "none", "<<", "=", "inf", "nan", "2001-12-14"] {
            assert_eq!(resolve_plain(text), None, "{text}");
        }
    }

    #[test]
    fn integers_are_those_of_go() {
        for (text, expected) in [
            ("0644", 420),
            ("-0o17", -15),
            ("0B1", 1),
            ("0x_1F", 31),
            ("1_", 1),
            ("-_1", -1),
            ("08", 8),
            ("+0x1F", 31),
            ("00000000000000000000000000000000000001", 1),
            ("-0x8000000000000000", i64::MIN),
            ("09007199254740993", 9_007_199_254_740_992), // a float, for its 9
            ("1.5e3", 1500),
        ] {
            assert_eq!(value(text), Some(Value::I64(expected)), "{text}");
        }
        for text in [
            "0b12",
            "0x",
            "_1",
            "12:30:45",
            "0xFFFFFFFFFFFFFFFFF",
            "-0x8000000000000001",
            "1e400",
            "0x1p3",
            "1e",
            "+",
            "-",
            "++1",
            "+e1",
            "1.2.3",
            "500m",
            ".",
            "..",
            ".5_0",
            "1\u{e9}",
        ] {
            assert_eq!(resolve_plain(text), None, "{text}");
        }
    }

    #[test]
    fn digits_beyond_64_bits_are_kept() {
        for (text, expected) in [
            ("18446744073709551615", Value::U64(u64::MAX)),
            ("01777777777777777777777", Value::U64(u64::MAX)),
            ("+9223372036854775808", Value::U64(1 << 63)),
            ("18446744073709551616", Value::Number("18446744073709551616".into())),
            ("-9_223_372_036_854_775_809", Value::Number("-9223372036854775809".into())),
            ("07777777777777777777777777", Value::Number("7777777777777777777777777".into())),
        ] {
            assert_eq!(value(text), Some(expected.clone()), "{text}");
            assert!(is_rounded(&expected));
        }
        assert_eq!(value("1e21"), Some(Value::F64(1e21)));
        assert_eq!(resolve_plain(&"9".repeat(400)), None);
    }

    #[test]
    fn keys_are_those_of_sigs_yaml() {
        for (text, expected) in [
            ("0644", "420"),
            ("yes", "true"),
            ("1.0", "1"),
            ("1e5", "100000"),
            ("1e6", "1e+06"),
            ("123456789.0", "1.2345679e+08"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("-0.0", "-0"),
            ("1e39", ".inf"),
            ("-.inf", "-.inf"),
            (".nan", ".nan"),
            ("1.5e-45", "1e-45"),
            ("16777217.0", "1.6777216e+07"),
            ("+9223372036854775808", "9.223372e+18"),
            ("123456789012345678901", "1.2345679e+20"),
            ("09007199254740993", "9.007199e+15"),
        ] {
            assert_eq!(key(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(key("~"), None);
        assert_eq!(key("9223372036854775808"), None);
    }
}
