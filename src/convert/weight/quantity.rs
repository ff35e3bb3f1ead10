//! Kubernetes Quantities that are weights.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;

use crate::tree::{Node, Value};

/// A weight: not negative, a whole number of 10^-9, at most 2^63 - 1. Quantities are kept so: what is
/// finer is rounded up (apimachinery, `pkg/api/resource/quantity.go`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight {
    nanos: u128,
}

/// Why a value is no weight.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightError {
    /// There is none.
    #[error("it has no weight")]
    Missing,
    /// It is no number and no text.
    #[error("its weight is {0}, not a number")]
    Kind(&'static str),
    /// It is no Quantity.
    #[error("its weight `{0}` is no Quantity (as in 1, 0.5, 500m, 1k, 1Ki, 1e3)")]
    Syntax(String),
    /// It is below 0.
    #[error("its weight `{0}` is negative")]
    Negative(String),
    /// It is more than Kubernetes keeps.
    #[error("its weight `{0}` is more than 2^63 - 1, the most that a Quantity holds")]
    TooLarge(String),
}

/// The most that a Quantity holds.
const MOST: u128 = i64::MAX as u128 * NANO;
const NANO: u128 = 1_000_000_000;
/// The decimal digits behind the point that a weight has.
const DECIMALS: i64 = 9;
/// Longer text is no number that anybody wrote.
const LONGEST: usize = 400;

/// Suffixes and their powers of ten. `K` alone is none.
const DECIMAL: &[(&str, i64)] =
    &[("", 0), ("n", -9), ("u", -6), ("m", -3), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
/// Suffixes and their powers of two.
const BINARY: &[(&str, u32)] = &[("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

impl Weight {
    /// A whole weight.
    pub fn new(weight: u32) -> Self {
        Weight { nanos: u128::from(weight) * NANO }
    }

    /// How many times 10^-9 it is.
    pub fn nanos(self) -> u128 {
        self.nanos
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.nanos == 0
    }

    /// The weight that a field holds: a number, or text that is a Quantity.
    ///
    /// # Errors
    /// For everything else, null among it.
    pub fn of(node: &Node<'_>) -> Result<Self, WeightError> {
        match &node.value {
            Value::Null => Err(WeightError::Missing),
            Value::String(text) => text.parse(),
            Value::I64(number) => number.to_string().parse(),
            Value::U64(number) => number.to_string().parse(),
            Value::F64(number) => float(*number).parse(),
            Value::Number(digits) => digits.parse(),
            Value::Bool(_) | Value::Sequence(_) | Value::Mapping(_) => Err(WeightError::Kind(node.kind())),
        }
    }
}

/// In decimal, no digit more than needed: `0.5`, `1000`.
impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.nanos / NANO, self.nanos % NANO);
        match rest {
            0 => write!(f, "{whole}"),
            _ => f.write_str(format!("{whole}.{rest:09}").trim_end_matches('0')),
        }
    }
}

/// A float in few characters, as a Quantity and as a message has it.
pub(in crate::convert) fn float(number: f64) -> String {
    const PLAIN: std::ops::Range<f64> = 1e-9..1e19;
    if PLAIN.contains(&number.abs()) { number.to_string() } else { format!("{number:e}") }
}

/// The syntax of Quantities: a sign, decimal digits with or without a point, and a suffix
/// (`n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei`) or an exponent (`e3`, `E-3`). No blanks.
impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        let written = || shortened(text);
        let number = Number::split(text).ok_or_else(|| WeightError::Syntax(written()))?;
        let nanos = number.nanos().ok_or_else(|| WeightError::TooLarge(written()))?;
        if number.negative && nanos > 0 {
            return Err(WeightError::Negative(written()));
        }
        Ok(Weight { nanos })
    }
}

/// Text for a message: of a long one its beginning.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// A Quantity in parts: `digits` times 10^`decimal` times 2^`binary`.
struct Number {
    negative: bool,
    /// Decimal digits without leading and trailing zeros; none for 0.
    digits: String,
    decimal: i64,
    binary: u32,
}

impl Number {
    /// Takes a Quantity apart; nothing for other text.
    fn split(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let end = rest.bytes().take_while(is_number).count();
        let (number, suffix) = rest.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if fraction.contains('.') || whole.len() + fraction.len() == 0 || text.len() > LONGEST {
            return None;
        }
        let (power, binary) = scale(suffix)?;
        let all = format!("{whole}{fraction}");
        let kept = all.trim_end_matches('0');
        let behind = i64::try_from(fraction.len()).ok()? - i64::try_from(all.len() - kept.len()).ok()?;
        let decimal = power.saturating_sub(behind);
        Some(Number { negative, digits: kept.trim_start_matches('0').to_owned(), decimal, binary })
    }

    /// The value times 10^9, rounded up; nothing where it is more than a Quantity holds.
    fn nanos(&self) -> Option<u128> {
        /// 2^63 has 19 digits; a value of so many before the point is too large whatever they are.
        const WHOLE_DIGITS: i64 = 19;
        if self.digits.is_empty() {
            return Some(0);
        }
        let length = i64::try_from(self.digits.len()).ok()?;
        let before_point = length.saturating_add(self.decimal);
        if before_point > WHOLE_DIGITS {
            return None;
        }
        // below 10^-9 / 2^60: whatever it is, it is rounded up to the least that there is
        if before_point < -2 * DECIMALS - WHOLE_DIGITS {
            return Some(1);
        }
        // both bounds hold, and the digits are few: no power below is large
        let mut value = self.digits.parse::<BigUint>().ok()? << self.binary;
        let power = self.decimal + DECIMALS;
        let factor = BigUint::from(10u8).pow(u32::try_from(power.unsigned_abs()).ok()?);
        if power >= 0 {
            value *= factor;
        } else {
            value = (value + &factor - 1u8) / factor;
        }
        u128::try_from(value).ok().filter(|nanos| *nanos <= MOST)
    }
}

/// The power of ten and the power of two that a suffix stands for.
fn scale(suffix: &str) -> Option<(i64, u32)> {
    if let Some((_, power)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some((*power, 0));
    }
    if let Some((_, power)) = BINARY.iter().find(|(name, _)| *name == suffix) {
        return Some((0, *power));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // an exponent that does not fit says the same as a very large one
    let power: i64 = digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Some((sign * power, 0))
}
