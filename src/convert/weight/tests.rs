//! The arithmetic of weights, row by row.

use super::*;
use crate::tree::Node;

fn weights(texts: &[&str]) -> Vec<Weight> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn of(texts: &[&str], limit: Limit) -> Vec<u64> {
    whole(&weights(texts), limit).unwrap().weights
}

/// One factor an object, by values and not by spelling.
#[test]
fn whole_numbers_keep_the_proportion() {
    for (texts, expected) in [
        (&["500m", "500m"][..], &[500, 500][..]),
        (&["900m", "100m"], &[900, 100]),
        (&["1", "500m"], &[1000, 500]),
        (&["100", "0"], &[100, 0]),
        (&["1000m", "0m"], &[1, 0]),
        (&["1000m", "500m"], &[1000, 500]),
        (&["10m", "100m", "1500m"], &[10, 100, 1500]),
        (&["1.5", "0.5"], &[1500, 500]),
        (&["1k", "500"], &[1000, 500]),
        (&["1Ki", "1"], &[1024, 1]),
        (&["1e3", "1"], &[1000, 1]),
        (&["0.1m", "1"], &[1, 10000]),
        (&["1", "250m", "0m"], &[1000, 250, 0]),
        (&["0", "0"], &[0, 0]),
        (&[], &[]),
    ] {
        assert_eq!(of(texts, Limit::LINKERD), expected, "{texts:?}");
        assert_eq!(whole(&weights(texts), Limit::LINKERD).unwrap().error, None, "{texts:?}");
    }
}

/// The limits of Linkerd hold for each weight and for their sum, that of a route for each alone.
#[test]
fn a_limit_takes_the_common_divisor_out_and_then_rounds() {
    assert_eq!(of(&["429496", "0"], Limit::LINKERD), [429_496, 0]);
    assert_eq!(of(&["429496", "429496"], Limit::LINKERD), [1, 1]);
    assert_eq!(of(&["429497", "1"], Limit::LINKERD), [429_495, 1]);
    assert_eq!(of(&["429497", "1"], Limit::HTTP_ROUTE), [429_497, 1]);
    assert_eq!(of(&["1000000", "1000000", "3"], Limit::HTTP_ROUTE), [1_000_000, 1_000_000, 3]);
    assert_eq!(of(&["1000001", "1000001"], Limit::HTTP_ROUTE), [1, 1]);
    assert_eq!(of(&["2147483647", "1"], Limit::INT32), [2_147_483_646, 1]);
    assert_eq!(of(&["3", "3", "3"], Limit::new(2000).unwrap()), [3, 3, 3]);
    // 3.5 and 2.5: one more for both passes the limit, one more for one is further from the truth
    assert_eq!(of(&["7", "5"], Limit::new(6).unwrap()), [3, 2]);
    assert_eq!(of(&["9000000000000000000", "1n"], Limit::LINKERD), [429_495, 1]);
}

#[test]
fn rounding_keeps_every_weight_its_rank_and_says_what_it_costs() {
    // equal weights stay equal, though one of them could have one more
    assert_eq!(of(&["7", "7", "7", "1"], Limit::new(10).unwrap()), [3, 3, 3, 1]);
    let limit = Limit::new(100).unwrap();
    let rounded = whole(&weights(&["1000", "1", "1", "0", "999"]), limit).unwrap();
    assert_eq!(rounded.weights, [49, 1, 1, 0, 49]);
    assert_eq!(rounded.error, Some(0.975_013));
    let none = whole(&weights(&["1", "1000001"]), Limit::new(1).unwrap());
    assert_eq!(none, Err(NoRoom { backends: 2, limit: 1 }));
    assert_eq!(Limit::new(0), None);
    assert_eq!(Limit::new(1 << 31), None);
}

#[test]
fn quantities_are_read_as_kubernetes_reads_them() {
    for (text, shown) in [
        ("1", "1"),
        ("+1", "1"),
        ("-0", "0"),
        ("01.50", "1.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1000m", "1"),
        ("1500m", "1.5"),
        ("1u", "0.000001"),
        ("1n", "0.000000001"),
        ("0.1n", "0.000000001"),
        ("1.0000000001", "1.000000001"),
        ("1k", "1000"),
        ("1M", "1000000"),
        ("1G", "1000000000"),
        ("1T", "1000000000000"),
        ("1P", "1000000000000000"),
        ("1E", "1000000000000000000"),
        ("1Ki", "1024"),
        ("0.5Mi", "524288"),
        ("1Gi", "1073741824"),
        ("1Ti", "1099511627776"),
        ("1Pi", "1125899906842624"),
        ("1Ei", "1152921504606846976"),
        ("0.0000000001Ki", "0.000000103"),
        ("1e3", "1000"),
        ("1E3", "1000"),
        ("12e-1", "1.2"),
        ("1e+2", "100"),
        ("1e-999999999999999999999", "0.000000001"),
        ("0e999999999999999999999", "0"),
        ("9223372036854775807", "9223372036854775807"),
    ] {
        assert_eq!(text.parse::<Weight>().map(|weight| weight.to_string()), Ok(shown.to_owned()), "{text}");
    }
}

#[test]
fn what_is_no_weight_is_refused() {
    let syntax = |text: &str| WeightError::Syntax(text.to_owned());
    for text in [
        "", "-", ".", "m", "K", "1K", "1 ", " 1", "1mi", "1ki", "1e", "1e+", "1e3m", "1e1.5", "1..2", "0x10", "1_0",
        "½", "١",
    ] {
        assert_eq!(text.parse::<Weight>(), Err(syntax(text)), "{text:?}");
    }
    assert_eq!("-1m".parse::<Weight>(), Err(WeightError::Negative("-1m".to_owned())));
    for text in ["9223372036854775808", "1e999999999999999999999", "1e19", "8Ei", "10E"] {
        assert_eq!(text.parse::<Weight>(), Err(WeightError::TooLarge(text.to_owned())), "{text}");
    }
    let long = "1".repeat(500);
    let error = long.parse::<Weight>().unwrap_err().to_string();
    assert!(error.contains(&format!("`{}…`", "1".repeat(40))), "{error}");
}

#[test]
fn a_field_holds_a_weight_as_a_number_or_as_text() {
    use crate::tree::Value;
    let read = |value: Value<'static>| Weight::of(&Node::made(value)).map(|weight| weight.to_string());
    assert_eq!(read(Value::I64(3)), Ok("3".to_owned()));
    assert_eq!(read(Value::F64(1.5)), Ok("1.5".to_owned()));
    assert_eq!(read(Value::F64(1e-7)), Ok("0.0000001".to_owned()));
    assert_eq!(read(Value::String("3m".into())), Ok("0.003".to_owned()));
    assert_eq!(read(Value::Null), Err(WeightError::Missing));
    assert_eq!(read(Value::Bool(true)), Err(WeightError::Kind("a boolean")));
    assert_eq!(read(Value::I64(-1)), Err(WeightError::Negative("-1".to_owned())));
    assert!(matches!(read(Value::F64(1e300)), Err(WeightError::TooLarge(_))));
}

#[test]
fn shares_are_of_the_sum() {
    assert_eq!(percent(&weights(&["900m", "100m"])), [90.0, 10.0]);
    assert_eq!(percent(&weights(&["0", "0"])), [0.0, 0.0]);
}
