//! JSON against `serde_json`, which reads and writes the same language.

use proptest::prelude::*;
use serde_json::Value as Json;

use super::{from_value, is_stream, parse_stream, to_value, write, write_pretty};
use crate::finding::{Findings, Reported};
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use crate::tree::{Node, Value};

type Read<'s> = Vec<Result<(DocumentStart, Node<'s>), Reported>>;

/// What a text gives: the values, and per finding its rule, line:column, path and message, with
/// related places behind.
fn read(text: &str) -> (Read<'_>, Vec<String>) {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("a.json", text));
    let mut found = Findings::default();
    let at = DocumentStart { file, offset: 0 };
    let read = parse_stream(text, at, &Limits::default(), &mut found);
    let lines = found.sorted().into_iter().map(|finding| {
        let (first, others) = finding.labels.split_first().unwrap();
        let path = first.path.as_ref().unwrap();
        let place = map.line_column(first.place);
        let mut line = format!("{} {place} {path}: {}", finding.rule.id, finding.message);
        for other in others {
            line += &format!("; {} {}", map.line_column(other.place), other.text);
        }
        line.replace(" :", ":")
    });
    let lines = lines.collect();
    (read, lines)
}

/// The only value of a text, if it can be read.
fn one(text: &str) -> Option<Node<'_>> {
    match read(text).0.as_slice() {
        [Ok((_, node))] => Some(node.clone()),
        _ => None,
    }
}

fn compact(node: &Node<'_>) -> String {
    let mut out = String::new();
    write(node, &mut out);
    out
}

#[test]
fn values_follow_each_other_with_their_places() {
    let text = " {\"a\": 1}\n{}null [\"x\", {\"b\" :2}]\n";
    let (values, found) = read(text);
    assert_eq!(found, [""; 0]);
    let at: Vec<_> = values.iter().map(|value| value.as_ref().unwrap().0.offset).collect();
    assert_eq!(at, [1, 10, 17]);
    let (start, node) = values[2].as_ref().unwrap();
    let slice = |span| {
        let place = start.place(span);
        &text[place.start..place.end]
    };
    assert_eq!(slice(node.span), "[\"x\", {\"b\" :2}]");
    let items = node.items().unwrap();
    assert_eq!(slice(items[0].span), "\"x\"");
    let (key, value) = items[1].mapping().unwrap().entry("b").unwrap();
    assert_eq!((slice(key.span), slice(value.span)), ("\"b\"", "2"));
}

#[test]
fn numbers_are_those_of_kubernetes() {
    for (text, value) in [
        ("1.0", Value::I64(1)),
        ("-0", Value::I64(0)),
        ("1e2", Value::I64(100)),
        ("1.5", Value::F64(1.5)),
        ("1e21", Value::F64(1e21)),
        ("9223372036854775808", Value::U64(1 << 63)),
        ("-9223372036854775809", Value::Number("-9223372036854775809".into())),
        ("123456789012345678901234", Value::Number("123456789012345678901234".into())),
    ] {
        assert_eq!(one(text).unwrap().value, value, "{text}");
    }
    assert_eq!(
        read("{\"a\": [1, 18446744073709551615]}").1,
        ["TG007 1:11 a[1]: a cluster does not keep all digits of this number"]
    );
    assert_eq!(read("[1e400]").1, ["TG006 1:2 [0]: this number is larger than any float"]);
    assert_eq!(one(&format!("[{}]", "9".repeat(400))), None);
}

#[test]
fn errors_have_words_and_places() {
    for (text, expected) in [
        ("{\"a\":1,\"b\":{\"c\":1,\n\"c\":2}}", "TG002 2:1 b.c: duplicate key \"c\"; 1:13 first set here"),
        ("{\"a\":1,\"\\u0061\":1}", "TG002 1:8 a: duplicate key \"a\"; 1:2 first set here"),
        ("{\"a\" 1}", "TG001 1:6: a colon is missing behind a key"),
        ("{\"a\":1 \"b\"}", "TG001 1:8: a , or } is missing here"),
        ("[[1 2]]", "TG001 1:5 [0][1]: a , or ] is missing here"),
        ("{a: 1}", "TG001 1:2: a key in double quotes is expected here"),
        ("{\"a\":1,}", "TG001 1:8: a key in double quotes is expected here"),
        ("[1,]", "TG001 1:4 [1]: a value is expected here"),
        ("{\"a\":[{\"b\":1}", "TG001 1:6 a[1]: [ is never closed"),
        ("{\"a\":\"x", "TG001 1:6 a: a quote is never closed"),
        (
            "[\"x\ny\"]",
            "TG001 1:4 [0]: a line break or another control character stands in a string; write it as an escape",
        ),
        ("[\"é\\q\"]", "TG001 1:4 [0]: a backslash begins no escape that JSON knows"),
        ("[\"\\ud800x\"]", "TG001 1:3 [0]: an escape names half a character (a surrogate without its other half)"),
        (
            "[\"\\ud83d\\ud83d\"]",
            "TG001 1:3 [0]: an escape names half a character (a surrogate without its other half)",
        ),
        ("[-]", "TG001 1:2 [0]: this is no number that JSON knows"),
        ("[nul]", "TG001 1:2 [0]: a value is expected here"),
        ("{}\n---\n{}", "TG001 2:1: --- stands in a file that begins with {, which kubectl reads as JSON"),
    ] {
        let (values, found) = read(text);
        assert_eq!(found, [expected], "{text}");
        assert_eq!(values.last(), Some(&Err(Reported)), "{text}");
    }
}

#[test]
fn a_duplicate_key_spoils_one_value_only() {
    let (values, _) = read("{\"a\":1,\"a\":2} {\"b\":1}");
    assert!(matches!(values.as_slice(), [Err(Reported), Ok(_)]));
    let (values, _) = read("{\"a\":1} {\"b\"} {\"c\":1}");
    assert!(matches!(values.as_slice(), [Ok(_), Err(Reported)]));
}

#[test]
fn depth_is_bounded() {
    for opener in ["[", "{\"a\":", "[{\"a\":"] {
        let text = opener.repeat(50_000);
        let (values, found) = read(&text);
        assert_eq!(values.len(), 1);
        assert!(found[0].starts_with("TG005 1:"), "{found:?}");
    }
    let fits = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert!(one(&fits).is_some());
    assert!(one(&format!("[{fits}]")).is_none());
}

#[test]
fn streams_of_json_begin_with_a_brace() {
    assert!(is_stream(" \n\t{"));
    assert!(!is_stream("# {\n{"));
    assert!(!is_stream("[1]"));
    assert!(!is_stream(""));
    assert!(!is_stream(&format!("{}{{", " ".repeat(4096))));
}

#[test]
fn pretty_is_what_kubectl_prints() {
    let node = one(r#"{"a":[],"b":{},"c":[1,{"d":"x"}],"e":null}"#).unwrap();
    let mut out = String::new();
    write_pretty(&node, 4, &mut out);
    let expected = "{\n    \"a\": [],\n    \"b\": {},\n    \"c\": [\n        1,\n        {\n            \"d\": \"x\"\n        }\n    ],\n    \"e\": null\n}";
    assert_eq!(out, expected);
}

#[test]
fn every_digit_survives_writing() {
    for text in
        ["18446744073709551615", "-123456789012345678901234567890", "0.1", "1e+21", "1e-7", "9.3e+18", "0.000001"]
    {
        let node = one(text).unwrap();
        assert_eq!(compact(&node), text);
        assert_eq!(one(&compact(&node)), Some(node));
    }
    let big = one("123456789012345678901234567890").unwrap();
    assert_eq!(to_value(&big), serde_json::json!(123456789012345678901234567890f64));
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_filter("finite", |float| float.is_finite()).prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
}

fn is_scalar(node: &Node<'_>) -> bool {
    node.items().is_none() && node.mapping().is_none()
}

/// Text that is nearly JSON.
fn scrap() -> impl Strategy<Value = String> {
    let pieces = vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\\",
        "\\u",
        "\"\\ud83d\"",
        "1",
        "-",
        "0",
        ".5",
        "e+1",
        "true",
        "null",
        " ",
        "\n",
        "é",
        "\u{1}",
        "\"\\n\\/\"",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|pieces| format!("[{}]", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What `serde_json` writes is read as the same value; what is written here, too.
    #[test]
    fn values_come_back(value in json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let node = one(&text).unwrap_or_default();
            prop_assert_eq!(&node, &from_value(value.clone()));
            let written = compact(&node);
            prop_assert_eq!(one(&written).unwrap_or_default(), node.clone());
            let again: Json = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(from_value(again), node.clone());
            prop_assert_eq!(from_value(to_value(&node)), node);
        }
    }

    /// Both readers accept the same texts, but for what is an error here on purpose.
    #[test]
    fn both_readers_agree(text in scrap()) {
        let (values, found) = read(&text);
        let theirs: Result<Vec<Json>, _> =
            serde_json::Deserializer::from_str(&text).into_iter().collect();
        let stricter = found.iter().any(|line| !line.starts_with("TG001"));
        let ours: Result<Vec<_>, _> = values.into_iter().collect();
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                let ours: Vec<_> = ours.into_iter().map(|(_, node)| node).collect();
                let theirs: Vec<_> = theirs.into_iter().filter(|json| !json.is_null()).map(from_value).collect();
                prop_assert_eq!(ours, theirs);
            }
            (Err(_), Err(_)) => {}
            // `true1` and `01` are two values each, as in Go's decoder
            (Ok(ours), Err(_)) if ours.iter().any(|(_, node)| is_scalar(node)) => {}
            (ours, theirs) => prop_assert!(stricter, "{:?} {:?} {:?}", text, ours, theirs),
        }
    }
}
