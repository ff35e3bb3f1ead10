//! Numbers as Kubernetes keeps them: int64 where a number has no fraction and fits, float64 else.

use super::Value;

impl Value<'static> {
    /// A finite float as Kubernetes reads it: an integer where it has no fraction and fits into 64
    /// signed bits (`1.0`, `1e3`, `-0.0`), else itself.
    ///
    /// Source: apimachinery, `pkg/util/json/json.go` (`ConvertMapNumbers`), on what encoding/json
    /// prints of the float.
    pub fn float(float: f64) -> Self {
        const ABOVE: f64 = 9_223_372_036_854_775_808.0;
        let fits = (-ABOVE..ABOVE).contains(&float);
        if fits && float.fract() == 0.0 {
            // exact: integral and inside the range
            Value::I64(float as i64)
        } else {
            Value::F64(float)
        }
    }

    /// An integer in plain decimal digits, maybe behind `-`, of any size. Leading zeros are
    /// dropped; no digit is lost.
    pub fn integer(digits: &str) -> Self {
        let (sign, magnitude) = match digits.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", digits),
        };
        let magnitude = match magnitude.trim_start_matches('0') {
            "" => "0",
            rest => rest,
        };
        let digits = format!("{sign}{magnitude}");
        if let Ok(value) = digits.parse() {
            Value::I64(value)
        } else if let Ok(value) = digits.parse() {
            Value::U64(value)
        } else {
            Value::Number(digits.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_without_a_fraction_are_integers() {
        for (float, value) in [
            (1.0, Value::I64(1)),
            (-0.0, Value::I64(0)),
            (1e3, Value::I64(1000)),
            (0.5, Value::F64(0.5)),
            (9.3e18, Value::F64(9.3e18)),
            (-9.223_372_036_854_776e18, Value::I64(i64::MIN)),
            (9.223_372_036_854_776e18, Value::F64(9.223_372_036_854_776e18)),
            (1e300, Value::F64(1e300)),
        ] {
            assert_eq!(Value::float(float), value, "{float}");
        }
    }

    #[test]
    fn integers_keep_every_digit() {
        for (digits, value) in [
            ("0", Value::I64(0)),
            ("-0", Value::I64(0)),
            ("007", Value::I64(7)),
            ("-9223372036854775808", Value::I64(i64::MIN)),
            ("18446744073709551615", Value::U64(u64::MAX)),
            ("00018446744073709551616", Value::Number("18446744073709551616".into())),
            ("-9223372036854775809", Value::Number("-9223372036854775809".into())),
        ] {
            assert_eq!(Value::integer(digits), value, "{digits}");
        }
    }
}
