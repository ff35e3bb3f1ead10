use super::*;
use crate::tree::Mapping;

fn emitted(node: &Node<'_>) -> String {
    let mut out = String::new();
    emit(node, &mut out);
    out
}

fn list<'s>(items: impl IntoIterator<Item = Node<'s>>) -> Node<'s> {
    Node::made(Value::Sequence(items.into_iter().collect()))
}

fn map<'s>(entries: impl IntoIterator<Item = (&'s str, Node<'s>)>) -> Node<'s> {
    let entries = entries.into_iter().map(|(name, node)| (Key::made(name), node));
    Node::made(Value::Mapping(Mapping::new(entries.collect())))
}

/// The text as the value of a key, without the key.
fn value(text: &str) -> String {
    let out = emitted(&map([("k", Node::text(text))]));
    out.strip_prefix("k: ").unwrap().to_owned()
}

fn number(value: Value<'static>) -> String {
    emitted(&Node::made(value)).trim_end().to_owned()
}

#[test]
fn lists_stand_at_the_column_of_their_key() {
    let container = map([
        ("name", Node::text("web")),
        ("args", list([Node::text("--port=80"), Node::text("-v")])),
        ("env", list([])),
        ("resources", map([])),
        ("ports", list([map([("port", Node::made(Value::I64(80)))])])),
    ]);
    let pod = map([("spec", map([("containers", list([container]))]))]);
    insta::assert_snapshot!(emitted(&pod), @r"
    spec:
      containers:
      - name: web
        args:
        - --port=80
        - -v
        env: []
        resources: {}
        ports:
        - port: 80
    ");
}

#[test]
fn lists_in_lists_are_compact() {
    let nested = list([
        list([list([Node::text("a")]), map([("k", list([list([]), Node::default()]))])]),
        map([("m", map([("o", map([]))]))]),
    ]);
    insta::assert_snapshot!(emitted(&nested), @r"
    - - - a
      - k:
        - []
        - null
    - m:
        o: {}
    ");
}

#[test]
fn roots_of_every_kind_are_one_document() {
    for (node, text) in [
        (Node::default(), "null\n"),
        (Node::made(Value::Bool(true)), "true\n"),
        (list([]), "[]\n"),
        (map([]), "{}\n"),
        (Node::text("word"), "word\n"),
        (Node::text(""), "\"\"\n"),
        (Node::text("two\nlines\n"), "\"two\\nlines\\n\"\n"),
        (Node::text(" two\nlines"), "\" two\\nlines\"\n"),
    ] {
        assert_eq!(emitted(&node), text);
    }
}

#[test]
fn appends_to_what_is_there() {
    let mut out = String::from("---\n");
    emit(&map([("a", Node::text("b"))]), &mut out);
    emit(&Node::text("c"), &mut out);
    assert_eq!(out, "---\na: b\nc\n");
}

#[test]
fn numbers_keep_digits_and_kind() {
    for (value, text) in [
        (Value::I64(i64::MIN), "-9223372036854775808"),
        (Value::U64(u64::MAX), "18446744073709551615"),
        (Value::Number("123456789012345678901234567890".into()), "123456789012345678901234567890"),
        (Value::F64(1.0), "1.0"),
        (Value::F64(-0.0), "-0.0"),
        (Value::F64(0.1), "0.1"),
        (Value::F64(2.5e-6), "0.0000025"),
        (Value::F64(2.5e-7), "2.5e-7"),
        (Value::F64(1e-7), "1.0e-7"),
        (Value::F64(9.3e18), "9300000000000000000.0"),
        (Value::F64(1e21), "1.0e+21"),
        (Value::F64(-1.5e300), "-1.5e+300"),
        (Value::F64(f64::MAX), "1.7976931348623157e+308"),
        (Value::F64(5e-324), "5.0e-324"),
        (Value::F64(f64::INFINITY), ".inf"),
        (Value::F64(f64::NEG_INFINITY), "-.inf"),
        (Value::F64(f64::NAN), ".nan"),
    ] {
        assert_eq!(number(value), text);
    }
}

#[test]
fn ordinary_text_is_plain() {
    for text in [
        "sync-wave=-20",
        "registry.example.com/web:1.4.2",
        "55d12da5876c02006579ec65304255092319bc4c583d87eef19a48291cc971ae",
        "1.2.3",
        "v1",
        "500m",
        "10.0.0.0/8",
        "-20m",
        "--flag",
        "-v",
        "/healthz",
        "a#b",
        "a:b",
        "it's \"so\" \\ far",
        "x {{ y }}, [z]",
        "a  b",
        "yesterday",
        "nope",
        "=b",
        "<<<",
        "~/x",
        "0xfg",
        "0b2",
        "é — 日本 😀\u{a0}",
        ".",
        "..",
        "+",
        "_1",
    ] {
        assert_eq!(style::of(text), Style::Plain, "{text:?}");
    }
}

#[test]
fn text_with_a_sign_of_yaml_is_quoted() {
    for text in [
        "", " ", " a", "a ", "a\tb", "\ta", "a\t", "-", "- a", "-,", "?", "? a", "?a", ":", ":80", "a:", "a: b",
        "a #b", "#a", "---", "--- a", "---a", "...", "...a", "&a", "*a", "!a", "|", ">", "'a'", "\"a\"", "%a", "@a",
        "`a`", "{a}", "{{ a }}", "[a]", ",a", "}", "]",
    ] {
        assert_eq!(style::of(text), Style::Quoted, "{text:?}");
    }
}

#[test]
fn words_and_numbers_of_any_reader_are_quoted() {
    const WORDS: &str = "y N yes No oN off TRUE fAlse null NULL ~ = <<";
    const INTEGERS: &str = "0 -20 +1 017 0o17 0O17 08 0x1F 0X1f 0b101 0B 0x 0x_ 1_000 1_ -_1 0_x1 \
        1,000 80,443 0xFFFFFFFFFFFFFFFFFFFF 99999999999999999999999";
    const FLOATS: &str = "1. .5 -.5 +.5 1.5 1e3 1E+3 1.e-3 1e400 1_0.5_0 .inf -.INF +.Inf .nan .NaN";
    const TIMES: &str = "12:30 190:20:30 -1:30.5 1:2_0 2001-12-14 2001-1-1 2001-12-14T21:59:43Z \
        -2001-12-14";
    for text in [WORDS, INTEGERS, FLOATS, TIMES].into_iter().flat_map(str::split_whitespace) {
        assert_eq!(style::of(text), Style::Quoted, "{text:?}");
    }
}

/// Nothing that Kubernetes reads as another value is ever plain: all texts of up to five of the
/// bytes that numbers are made of.
#[test]
fn plain_text_is_text_to_kubernetes() {
    const BYTES: &[u8] = b"019xXboeE+-._aF:";
    let mut texts = vec![String::new()];
    let mut resolved = 0;
    for _ in 0..5 {
        texts = texts
            .iter()
            .flat_map(|text| BYTES.iter().map(move |&byte| format!("{text}{}", char::from(byte))))
            .collect();
        for text in &texts {
            if crate::yaml::scalar::resolve_plain(text).is_some() {
                resolved += 1;
                assert_ne!(style::of(text), Style::Plain, "{text:?}");
            }
        }
    }
    assert!(resolved > 8_000, "{resolved}");
}

#[test]
fn lines_are_a_literal_that_says_how_it_ends() {
    for (text, block) in [
        ("a\nb", "|-\n  a\n  b\n"),
        ("a\n", "|\n  a\n"),
        ("a\n\n", "|+\n  a\n\n"),
        ("a\n\n\n", "|+\n  a\n\n\n"),
        ("a\n\n\tb: c #d\n", "|\n  a\n\n  \tb: c #d\n"),
        ("---\n...\n", "|\n  ---\n  ...\n"),
        (" a\nb\n", "|2\n   a\n  b\n"),
        ("  a\nb", "|2-\n    a\n  b\n"),
        (" a\n\n", "|2+\n   a\n\n"),
        ("# a\nb \n \nc\n", "|\n  # a\n  b \n   \n  c\n"),
        ("a\n  \n", "|\n  a\n    \n"),
    ] {
        assert_eq!(value(text), block);
    }
}

#[test]
fn lines_that_a_literal_cannot_hold_are_quoted() {
    for (text, quoted) in [
        ("\n", "\"\\n\"\n"),
        ("\na\n", "\"\\na\\n\"\n"),
        (" \na\n", "\" \\na\\n\"\n"),
        (" \t\na\n", "\" \\t\\na\\n\"\n"),
        ("\ta\nb\n", "\"\\ta\\nb\\n\"\n"),
        ("a\n ", "\"a\\n \"\n"),
        ("a\nb\t", "\"a\\nb\\t\"\n"),
        ("a\r\nb\r\n", "\"a\\r\\nb\\r\\n\"\n"),
        ("a\nb\u{2028}c\n", "\"a\\nb\\u2028c\\n\"\n"),
        (" \n\n", "\" \\n\\n\"\n"),
    ] {
        assert_eq!(value(text), quoted);
    }
}

#[test]
fn a_literal_goes_two_spaces_behind_its_key_or_dash() {
    let lines = || Node::text(" a\nb\n");
    let nested = map([("l", list([lines(), list([lines()]), map([("k", lines())])])), ("z", Node::text("end"))]);
    assert_eq!(emitted(&nested), "l:\n- |2\n   a\n  b\n- - |2\n     a\n    b\n- k: |2\n     a\n    b\nz: end\n");
}

#[test]
fn escapes_are_those_of_both_versions() {
    for (text, quoted) in [
        ("\0\u{7}\u{1b}\r", r#""\x00\x07\x1b\r""#),
        ("\u{7f}\u{80}\u{85}\u{9f}", r#""\x7f\x80\x85\x9f""#),
        ("a\u{2028}\u{2029}b", r#""a\u2028\u2029b""#),
        ("\u{feff}\u{fffe}\u{ffff}", r#""\ufeff\ufffe\uffff""#),
        ("\"\\\t", r#""\"\\\t""#),
        (" 😀—\u{a0}", "\" 😀—\u{a0}\""),
        ("{\"a\": \"\\n\"}", r#""{\"a\": \"\\n\"}""#),
    ] {
        assert_eq!(value(text), format!("{quoted}\n"));
    }
}

#[test]
fn keys_are_plain_or_quoted() {
    let node = map([
        ("app.kubernetes.io/name", Node::default()),
        ("y", Node::default()),
        ("0644", Node::default()),
        ("", Node::default()),
        ("<<", Node::default()),
        ("two\nlines", Node::default()),
        ("a: b", Node::default()),
    ]);
    insta::assert_snapshot!(emitted(&node), @r#"
    app.kubernetes.io/name: null
    "y": null
    "0644": null
    "": null
    "<<": null
    "two\nlines": null
    "a: b": null
    "#);
}

#[test]
fn long_keys_stand_behind_a_question_mark() {
    let fits = "k".repeat(500);
    let long = "k".repeat(501);
    // 250 characters of four bytes each once they are written
    let escaped = "\u{1}".repeat(250);
    let node = map([(
        "m",
        list([map([
            (&*fits, Node::text("a")),
            (&*long, list([Node::text("b")])),
            (&*escaped, map([("c", Node::text("d"))])),
        ])]),
    )]);
    let written = "\\x01".repeat(250);
    assert_eq!(
        emitted(&node),
        format!("m:\n- {fits}: a\n  ? \"{long}\"\n  :\n  - b\n  ? \"{written}\"\n  :\n    c: d\n")
    );
}

#[test]
fn deep_trees_are_indented_all_the_way() {
    let deep = (0..200).fold(Node::text("end"), |node, _| map([("k", node)]));
    let out = emitted(&deep);
    assert!(out.ends_with(&format!("\n{}k: end\n", " ".repeat(398))), "{out}");
    assert_eq!(out.lines().count(), 200);
}
