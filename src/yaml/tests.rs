//! What [`parse`] gives: places, words, and calm under hostile input.

#![allow(clippy::disallowed_methods, reason = "hostile input must not take long")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::parse;
use crate::finding::{Finding, Findings, Reported, Severity};
use crate::source::{DocumentStart, Limits, Place, SourceFile, SourceMap};
use crate::tree::{Node, Value};

fn start() -> DocumentStart {
    let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
    DocumentStart { file, offset: 0 }
}

fn read(text: &str) -> (Result<Option<Node<'_>>, Reported>, Findings) {
    let mut found = Findings::default();
    let node = parse(text, start(), &Limits::default(), &mut found);
    (node, found)
}

fn tree(text: &str) -> Node<'_> {
    read(text).0.unwrap().unwrap()
}

/// The findings of a text: rule, line:column, message; related places below.
fn findings(text: &str) -> String {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let at = DocumentStart { file, offset: 0 };
    let _ = parse(text, at, &Limits::default(), &mut found);
    let place = |place: Place| map.line_column(place);
    let line = |finding: &&Finding| {
        let mut labels = finding.labels.iter();
        let first = labels.next().unwrap();
        let path = first.path.as_ref().unwrap_or(&Default::default()).to_string();
        let mut out = format!("{} {} {path}: {}", finding.rule.id, place(first.place), finding.message);
        for label in labels {
            write!(out, "; {} {}", place(label.place), label.text).unwrap();
        }
        out.replace(" :", ":")
    };
    let lines: Vec<_> = found.sorted().iter().map(line).collect();
    lines.join("\n")
}

/// Every key and value with the bytes it covers.
fn spans(text: &str) -> String {
    fn walk(text: &str, node: &Node<'_>, name: &str, out: &mut String) {
        let bytes = &text[node.span.start as usize..node.span.end() as usize];
        writeln!(out, "{name}{bytes:?}").unwrap();
        for item in node.items().unwrap_or_default() {
            walk(text, item, "- ", out);
        }
        for (key, value) in node.mapping().iter().flat_map(|mapping| mapping.entries()) {
            let key = &text[key.span.start as usize..key.span.end() as usize];
            walk(text, value, &format!("{key:?}: "), out);
        }
    }
    let mut out = String::new();
    walk(text, &tree(text), "", &mut out);
    out
}

#[test]
fn spans_cover_quotes_headers_and_brackets() {
    let text = "a: 'x'\n\"b\": |- # c\n  y\n  z\n\nc: [1, {d: e}]\nf:\n# -\n- g:\n- - &x h i\n    j\n- *x\nk: # none\n";
    let expected = r#""a: 'x'\n\"b\": |- # c\n  y\n  z\n\nc: [1, {d: e}]\nf:\n# -\n- g:\n- - &x h i\n    j\n- *x\nk:"
"a": "'x'"
"\"b\"": "|- # c\n  y\n  z"
"c": "[1, {d: e}]"
- "1"
- "{d: e}"
"d": "e"
"f": "- g:\n- - &x h i\n    j\n- *x"
- "g:"
"g": ""
- "- &x h i\n    j"
- "h i\n    j"
- "*x"
"k": ""
"#;
    assert_eq!(spans(text), expected);
}

#[test]
fn spans_of_pairs_in_brackets() {
    let text = "[a: b , ? c : d, e:\n]";
    let expected = r#""[a: b , ? c : d, e:\n]"
- "a: b"
"a": "b"
- "? c : d"
"c": "d"
- "e:"
"e": ""
"#;
    assert_eq!(spans(text), expected);
}

#[test]
fn a_tree_of_crlf_is_the_tree_of_lf() {
    let text = "a: |\n  x\n\n  y\nb: >-\n  x\n  y\n\n  z\nc: \"q\n  r\\\n  s\"\nd: p\n  q\n\n  r\ne: 'x\n\n  y'\n";
    assert_eq!(tree(text), tree(&text.replace('\n', "\r\n")));
    let slices = |text: &str| spans(text).replace("\\r", "");
    assert_eq!(slices(text), slices(&text.replace('\n', "\r\n")));
}

#[test]
fn strings_borrow_and_collections_are_exact() {
    let text = "a: x\n'b': \"y z\"\nc: [p, q, r]\n";
    let tree = tree(text);
    let inside = |part: &str| text.as_bytes().as_ptr_range().contains(&part.as_ptr());
    let mapping = tree.mapping().unwrap();
    for (key, value) in mapping.entries() {
        assert!(inside(&key.name));
        assert!(value.as_str().is_none_or(inside));
    }
    let Some(Node { value: Value::Sequence(items), .. }) = mapping.get("c") else {
        panic!("c is a list");
    };
    assert_eq!(items.capacity(), 3);
    assert_eq!(tree.mapping().unwrap().clone().into_entries().capacity(), 3);
}

#[test]
fn no_document_is_nothing() {
    for text in ["", "\n\n", "# a\n", "---\n", "null", "~\n", "--- # a\n"] {
        let (node, found) = read(text);
        assert_eq!((node, found.sorted().len()), (Ok(None), 0), "{text:?}");
    }
}

const ERRORS: &[(&str, &str)] = &[
    ("a:\n\tb: 1\n", "TG001 2:1 a: a tab cannot indent YAML; use spaces"),
    ("a: \"x\nb: 1\n", "TG001 1:4 a: a quote is never closed"),
    ("a: b: c\n", "TG001 1:5: a mapping cannot begin here"),
    ("a: 1\nb\nc: 2\n", "TG001 2:1: a colon is missing behind a key"),
    ("a:\n    b: 1\n  c: 2\n", "TG001 3:3: a key is expected here, in the column of the keys before it"),
    ("a: [1, 2\nb: 3\n", "TG001 2:2 a[1]: a colon cannot stand here; 1:4 this bracket is open"),
    ("a: {b: 1]\n", "TG001 1:4 a: { is closed by ]"),
    ("a: *nope\n", "TG001 1:4 a: no anchor of this name is set before this alias"),
    ("a: &x [*x]\n", "TG001 1:8 a[0]: the value of the anchor \"x\" holds itself"),
    ("a: \"\\q\"\n", "TG001 1:4 a: a backslash begins no escape that YAML knows"),
    ("a: @b\n", "TG001 1:4 a: a value cannot begin with @; put it in quotes"),
    ("a: 'x' y\n", "TG001 1:8 a: text follows a closing quote"),
    ("a: - b\n", "TG001 1:4 a: a list item cannot begin here"),
    ("a: x\u{1}y\n", "TG001 1:5 a: the control character U+0001 is not allowed; write it as an escape in \"…\""),
    ("a: 1\n...\nb: 2\n", "TG003 3:1: text stands behind the end of the document"),
    ("- a\nb: 1\n", "TG001 2:1 [1]: an item that begins with - is expected here"),
    ("%YAML 1.1\n", "TG001 2:1: the document has ended, or its directives have no document"),
    ("a: |x\n  y\n", "TG001 1:4 a: text cannot stand behind | or > on the same line"),
    ("a: &\n", "TG001 1:4 a: a name is missing behind & or *"),
    ("a: |\n    x\n  y\n", "TG001 3:3: a key is expected here, in the column of the keys before it"),
    ("a: }\n", "TG001 1:4 a: a bracket is closed that was not opened"),
    ("a: [1\n\tb]\n", "TG001 2:1 a[0]: a tab cannot indent YAML; use spaces; 1:4 this bracket is open"),
    ("é: 1\néé: {é: 1, é: 2}\n", "TG002 2:12 [\"éé\"][\"é\"]: duplicate key \"é\"; 2:6 first set here"),
];

#[test]
fn errors_have_words_and_places() {
    for (text, expected) in ERRORS {
        assert_eq!(findings(text), *expected, "{text:?}");
    }
}

#[test]
fn keys_and_merges_say_both_places() {
    for (text, expected) in [
        ("a:\n- b: 1\n  c: 2\n  b: 3\n", "TG002 4:3 a[0].b: duplicate key \"b\"; 2:3 first set here"),
        (
            "1: a\n\"1\": b\n0x1: c\n",
            "TG002 2:1 1: duplicate key \"1\"; 1:1 first set here\nTG002 3:1 1: duplicate key \"1\"; 1:1 first set here",
        ),
        (
            "x: &x {a: 1}\ny:\n  a: 5\n  <<: *x\n  a: 6\n",
            "TG008 4:3 true.a: the merge overrides the key \"a\"; 3:3 set here\nTG002 5:3 true.a: duplicate key \"a\"; 3:3 first set here",
        ),
        (
            "x: &x {a: 1}\ny:\n  <<: *x\n  a: 6\n",
            "TG008 4:3 true.a: the key \"a\" overrides a merged one; 1:8 merged from here",
        ),
        ("x: &x {a: 1}\ny:\n  a: 6\n  <<: *x\n", "TG008 4:3 true.a: the merge overrides the key \"a\"; 3:3 set here"),
        ("y:\n  <<: 3\n", "TG006 2:7 true: << merges a mapping or a list of mappings, nothing else"),
        ("x: &x [{a: 1}]\ny: {<<: *x}\n", "TG006 2:9 true: << merges a mapping or a list of mappings, nothing else"),
        ("a: {{ .Values.x }}\n", "TG006 1:5 a: a template {{ … }} stands where a value is expected"),
        ("? [a]\n: b\n", "TG006 1:3: a key is a list; JSON has only strings"),
        (
            "~: a\n18446744073709551615: b\n",
            "TG006 1:1: this key is null, or a number too large for a key\nTG006 2:1: this key is null, or a number too large for a key",
        ),
        (
            "a: .inf\nb: !!int x\nc: !!binary '?'\n!!int d: 1\n",
            "TG006 1:4 a: JSON has no infinity and no NaN\nTG006 2:10 b: the text does not fit its tag !!int\nTG006 3:13 c: !!binary stands before text that is not base64\nTG006 4:7: the text does not fit its tag !!int",
        ),
        (
            "a: 18446744073709551616\nb: [1, 9223372036854775808]\n",
            "TG007 1:4 a: a cluster does not keep all digits of this number\nTG007 2:8 b[1]: a cluster does not keep all digits of this number",
        ),
        (
            "a:\n-\tb\n \t\n- c:\tx\t# y\n-\t \td\n",
            "TG009 2:2: kubectl refuses a tab here\nTG009 3:2: kubectl refuses a tab here\nTG009 5:2: kubectl refuses a tab here",
        ),
    ] {
        assert_eq!(findings(text), expected, "{text:?}");
    }
}

/// Reads hostile text in little time; the ids of what was found.
fn hostile(text: &str) -> Vec<&'static str> {
    let begun = Instant::now();
    let (node, found) = read(text);
    drop(node.clone());
    let spent = begun.elapsed();
    assert!(spent < Duration::from_secs(20), "{spent:?} for {:?}", &text[..20]);
    found.sorted().iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn depth_is_bounded() {
    let deep = 50_000;
    for opener in ["[", "{a: ", "- ", "? ", "[{a: ", "- ? "] {
        assert_eq!(hostile(&opener.repeat(deep)), ["TG005"], "{opener}");
    }
    let stairs: String = (0..1_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    assert_eq!(hostile(&stairs), ["TG005"]);
    let fits = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(hostile(&fits), [""; 0]);
    assert_eq!(hostile(&format!("[{fits}]")), ["TG005"]);
}

#[test]
fn no_limit_lets_a_tree_overflow_the_stack() {
    let limits = Limits { nesting: usize::MAX, ..Limits::default() };
    let mut found = Findings::default();
    let fits = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
    let node = parse(&fits, start(), &limits, &mut found).unwrap();
    drop(node.clone());
    assert!(parse(&format!("[{fits}]"), start(), &limits, &mut found).is_err());
}

#[test]
fn copies_are_counted_before_they_are_made() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for n in 1..10 {
        let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
        writeln!(bomb, "a{n}: &a{n} [{aliases}]").unwrap();
    }
    assert_eq!(hostile(&bomb), ["TG005"]);

    let items = vec!["x"; 2_000].join(", ");
    let aliases = vec!["*a"; 2_000].join(", ");
    assert_eq!(hostile(&format!("a: &a [{items}]\nb: [{aliases}]\n")), ["TG005"]);

    let keys: String = (0..500).map(|n| format!("k{n}: v, ")).collect();
    let merges = "- <<: *a\n".repeat(2_000);
    assert_eq!(hostile(&format!("a: &a {{{keys}}}\nb:\n{merges}")), ["TG005"]);

    let block = format!("a: &a |\n{}", "  0123456789012345678901234567890123456789\n".repeat(20_000));
    let many = "- *a\n".repeat(20_000);
    assert_eq!(hostile(&format!("{block}b:\n{many}")), ["TG005"]);

    // text that the copies share with the source is written out once for each
    let long = format!("a: &a \"{}\"\n", "x".repeat(20_000));
    assert_eq!(hostile(&format!("{long}l: [{}]\n", vec!["*a"; 9_000].join(","))), ["TG005"]);
    assert_eq!(hostile(&format!("{long}l: [{}]\n", vec!["*a"; 300].join(","))), [""; 0]);

    let nested = format!("{}[{}]{}", "[&a ".repeat(150), vec!["x"; 50_000].join(","), ", *a]".repeat(150));
    assert_eq!(hostile(&nested), ["TG005"]);
}

#[test]
fn a_few_copies_are_free() {
    let items = vec!["x"; 1_000].join(", ");
    let aliases = vec!["*a"; 99].join(", ");
    assert_eq!(hostile(&format!("a: &a [{items}]\nb: [{aliases}]\n")), [""; 0]);
}

#[test]
fn big_and_dull_input_is_read_in_linear_time() {
    let mega = 1 << 20;
    for (text, ids) in [
        (":".repeat(mega), vec!["TG001"]), // a key that is too long
        (" ".repeat(mega), vec![]),
        ("#".repeat(mega), vec![]),
        ("-".repeat(mega), vec![]),
        ("a\n".repeat(mega / 2), vec![]),
        (format!("a: \"{}", "x".repeat(mega)), vec!["TG001"]),
        (format!("a: |\n{}", "  x\n".repeat(mega / 4)), vec![]),
        (format!("a: |\n  x{}", "\n".repeat(mega)), vec![]),
        ("- &a a\n".repeat(20_000), vec![]),
        (": ".repeat(mega / 2), vec!["TG006"; 100]),
        ("\t".repeat(mega), vec!["TG009"]),
        ("- \t\n".repeat(20_000), vec!["TG009"; 100]),
        ((0..50_000).map(|n| format!("k{n}: v\n")).collect(), vec![]),
        ("a: b\n".repeat(50_000), vec!["TG002"; 100]),
    ] {
        assert_eq!(hostile(&text), ids, "{:?}", &text[..10]);
    }
}

#[test]
fn a_document_has_a_size() {
    let limits = Limits { document_bytes: 8, ..Limits::default() };
    let mut found = Findings::default();
    assert!(parse("a: 12345", start(), &limits, &mut found).is_ok());
    assert!(parse("a: 123456", start(), &limits, &mut found).is_err());
    assert_eq!(found.sorted()[0].rule.id, "TG005");
}

/// A Secret may not parse; what is said about it must not hold its values.
#[test]
fn no_message_holds_a_value() {
    for text in [
        "a: hunter2: x\n",
        "a: \"hunter2\n",
        "a: hunter2\nhunter2\n",
        "a: !!int hunter2\n",
        "a: !!binary hunter2?\n",
        "a: [hunter2: : x\n",
        "a: 'x' hunter2\n",
        "a: hunter2\n...\nhunter2: [\n",
        "a: %hunter2\n",
        "- hunter2\nhunter2\n",
        "a: \"\\hunter2\"\n",
        "a: |hunter2\n",
        "a:\n\thunter2\n",
    ] {
        let (node, found) = read(text);
        assert!(node.is_err(), "{text:?}");
        for finding in found.sorted() {
            assert!(!format!("{} {:?}", finding.message, finding.remedy).contains("hunter2"), "{finding:?}");
        }
    }
}

const SEED: &str = "# c\nk: v\n'q': \"d\\n\"\nlist:\n- a\n-  - b\n- c: 1\n  d: [x, {y: z}, *n]\n\
    text: |-\n  one\n\n  two\nfold: >+\n  x\n\nanchor: &n !!str 1\nalias: *n\nbase: &b {m: 1}\n\
    merged:\n  <<: *b\n  n: 2\n? k\u{e9}y\n: -\u{1f600}\nnull:\n...\n";

/// Pieces to insert: each means something to a reader.
const PIECES: &[&str] = &[
    ":", ": ", "- ", "\n", "\n\n", " ", "  ", "\t", "#", "'", "\"", "[", "]", "{", "}", ",", "&n ", "*n", "!!int ",
    "|", ">", "|2", "<<: ", "? ", "\r", "\r\n", "---\n", "...\n", "\\", "\u{feff}", "\u{85}", "\0", "%", "\u{e9}", "~",
];

/// Every span lies inside of the text and between characters, children inside of their parents
/// unless they were copied, block scalars at their header.
fn check_spans(text: &str, node: &Node<'_>) {
    let bytes = text.get(node.span.start as usize..node.span.end() as usize);
    let bytes = bytes.unwrap_or_else(|| panic!("{:?} of {text:?}", node.span));
    let opener = match &node.value {
        Value::String(value) if value.contains('\n') && !bytes.contains("\n\n") => {
            bytes.starts_with(['|', '>', '"', '\'', '*']) || bytes.contains('\r')
        }
        Value::Sequence(_) => bytes.starts_with(['[', '-', '*', '{']) || bytes.contains(':'),
        _ => true,
    };
    assert!(opener, "{bytes:?} in {text:?}");
    for item in node.items().unwrap_or_default() {
        check_spans(text, item);
    }
    for (key, value) in node.mapping().iter().flat_map(|mapping| mapping.entries()) {
        assert!(text.get(key.span.start as usize..key.span.end() as usize).is_some(), "{text:?}");
        check_spans(text, value);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Broken text breaks nothing: no panic, no place outside of the text.
    #[test]
    fn mutations_do_no_harm(
        edits in proptest::collection::vec((0..SEED.len(), 0..8usize, proptest::sample::select(PIECES)), 1..5)
    ) {
        let mut text = SEED.to_owned();
        for (at, cut, piece) in edits {
            let at = text.floor_char_boundary(at.min(text.len()));
            let end = text.floor_char_boundary((at + cut).min(text.len()));
            text.replace_range(at..end.max(at), piece);
        }
        let (node, found) = read(&text);
        if let Ok(Some(node)) = &node {
            check_spans(&text, node);
        }
        assert_eq!(node.is_err(), found.sorted().iter().any(|finding| finding.severity == Severity::Error));
        for label in found.sorted().iter().flat_map(|finding| &finding.labels) {
            assert!(text.get(label.place.start..label.place.end).is_some(), "{label:?} of {text:?}");
        }
    }
}

/// Texts with tabs, and the places at which kubectl 1.32 refuses them; it reads those without.
#[test]
fn tabs_that_kubectl_refuses_are_found() {
    for (text, expected) in [
        ("v: \"1\"\n\t\nb: 1\n", "2:1"),
        ("v: 1\n   \t\nb: 1\n", ""),
        ("v: 1\n\t\n", "2:1"),
        ("v: 1\n\t# x\nb: 1\n", "2:1"),
        ("v:\n  w: x\n  \t\nb: 1\n", "3:3"),
        ("v:\n  w: x\n   \t\nb: 1\n", ""),
        ("?\ta\n: b\n", "1:2"),
        ("? a\n:\tb\n", "2:2"),
        ("v:\n- a\n- \tb\n", "3:3"),
        ("v: # c\n\t\n  a\n", "2:1"),
        ("v:\n  - x\n \t\n  - y\n", "3:2"),
        ("v:\n  - x\n   \t\n  - y\n", ""),
        ("v:\n- x\n\t\n- y\n", "3:1"),
        ("v:\n- x\n \t\n- y\n", ""),
        ("v:\n  \tx\n", "2:3"),
        ("v: |\n  x\n\t\nb: 1\n", "3:1"),
        ("v: |\n  x\n \t\nb: 1\n", "3:2"),
        ("v: |\n  x\n  \t\nb: 1\n", ""),
        ("v: |\t\n  x\n", ""),
        ("v:\n- x\n#c\n \t\n- y\n", "4:2"),
        ("v: &a\tx\n", ""),
        ("v:\n- a:\tx\n", ""),
        ("v: {\ta: 1}\n\t\n", "2:1"),
        ("v: \"a\"\t\nb: \"c\" \t#x\n", ""),
        ("v: \"a\n\tb\"\n", ""),
    ] {
        let expected = match expected {
            "" => String::new(),
            place => format!("TG009 {place}: kubectl refuses a tab here"),
        };
        let found = findings(text);
        assert_eq!(found.replace(" v", "").replace("[1]", ""), expected, "{text:?}");
    }
}
