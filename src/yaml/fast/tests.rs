mod differential;

use super::parse;
use crate::source::{Limits, Span};
use crate::tree::{Node, Value};

/// The tree of a document that the fast path takes, as one line.
fn tree(text: &str) -> String {
    match parse(text, &Limits::default()) {
        Some(Some(node)) => shown(&node),
        Some(None) => "nothing".into(),
        None => "gave up".into(),
    }
}

fn shown(node: &Node<'_>) -> String {
    match &node.value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::U64(value) => value.to_string(),
        Value::F64(value) => value.to_string(),
        Value::Number(digits) => digits.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Sequence(items) => {
            let items: Vec<_> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Mapping(mapping) => {
            let entry = |(key, value): &(_, _)| {
                let key: &crate::tree::Key<'_> = key;
                format!("{}: {}", key.name, shown(value))
            };
            let entries: Vec<_> = mapping.entries().iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// The source of each node and key, in order: what the spans cover.
fn spans(text: &str) -> Vec<&str> {
    fn walk(node: &Node<'_>, all: &mut Vec<Span>) {
        all.push(node.span);
        match &node.value {
            Value::Sequence(items) => items.iter().for_each(|item| walk(item, all)),
            Value::Mapping(mapping) => {
                for (key, value) in mapping.entries() {
                    all.push(key.span);
                    walk(value, all);
                }
            }
            _ => {}
        }
    }
    let root = parse(text, &Limits::default()).unwrap().unwrap();
    let mut all = Vec::new();
    walk(&root, &mut all);
    all.iter().map(|span| &text[span.start as usize..span.end() as usize]).collect()
}

#[track_caller]
fn all_are(expected: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

#[test]
fn documents_without_content() {
    all_are("nothing", &["", "\n", "  ", " \n\n", "# a\n", "\n  # a"]);
}

#[test]
fn blocks() {
    for (text, expected) in [
        ("a: 1", "{a: 1}"),
        ("\n# c\n\na: 1 # c\n  # c\nb: x", r#"{a: 1, b: "x"}"#),
        ("a:\n  b: c\n\n  d:\n    e: f\ng: h\n", r#"{a: {b: "c", d: {e: "f"}}, g: "h"}"#),
        ("a:\n- b\n- c\nd:\n  - e\n", r#"{a: ["b", "c"], d: ["e"]}"#),
        ("a: # c\n  b", r#"{a: "b"}"#),
        ("- a: 1\n  b: 2\n-  c: 3\n   d: 4\n", "[{a: 1, b: 2}, {c: 3, d: 4}]"),
        ("- - a\n  - b\n-\n  - c\n- # c\n  d: e", r#"[["a", "b"], ["c"], {d: "e"}]"#),
        ("- a:\n  - b\n  c: d\n", r#"[{a: ["b"], c: "d"}]"#),
        ("a:\nb:\n  -\n  -\n-\n", "gave up"),
        ("a:\nb:\n  -\n  -\n", "{a: null, b: [null, null]}"),
        ("a b: c\n\"d\" : e\n'f''g': h\n-i: j", r#"{a b: "c", d: "e", f'g: "h", -i: "j"}"#),
        ("0644: a\nyes: b\n1.5: c\n", r#"{420: "a", true: "b", 1.5: "c"}"#),
    ] {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

#[test]
fn plain_scalars() {
    for (text, expected) in [
        ("a: b:c#d  # e", r#"{a: "b:c#d"}"#),
        ("a: yes\nb: 0644\nc: 1.5\nd: ~\ne: -x", r#"{a: true, b: 420, c: 1.5, d: null, e: "-x"}"#),
        ("a: b\n  c\n\n\n   - d\n  1\ne: f", r#"{a: "b c\n\n- d 1", e: "f"}"#),
        ("a:\n  b\n  c\nd: e", r#"{a: "b c", d: "e"}"#),
        ("- b\n c\n- d", r#"["b c", "d"]"#),
        ("a: 1\n  2", r#"{a: "1 2"}"#),
        ("a: :b\nc: ?d\n:e: f\n?g: h\n", r#"{a: ":b", c: "?d", :e: "f", ?g: "h"}"#),
        ("a: é\u{a0}ü\n", "{a: \"é\\u{a0}ü\"}"),
    ] {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

#[test]
fn quoted_scalars() {
    for (text, expected) in [
        ("a: 'b'\nc: \"d\" # e", r#"{a: "b", c: "d"}"#),
        ("a: 'it''s'\nb: ''\nc: \"\"", r#"{a: "it's", b: "", c: ""}"#),
        (r#"a: "\n\t\"\\\/\x41\u00e9\ x""#, r#"{a: "\n\t\"\\/Aé x"}"#),
        ("a: 'b  \n\n\n  c\n  d'\ne: f", r#"{a: "b\n\nc d", e: "f"}"#),
        ("a: \"b \\\n   \\  c\n  d\n  \"", r#"{a: "b   c d "}"#),
        ("a:\n  \"b: c\"\n", r#"{a: "b: c"}"#),
        ("a:\n  b: 'c\nd'", r#"{a: {b: "c d"}}"#),
    ] {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

#[test]
fn block_scalars() {
    for (text, expected) in [
        ("a: |\n  b\n   c\n\n  d\n\ne: f", r#"{a: "b\n c\n\nd\n", e: "f"}"#),
        ("a: |-\n  b\n\n", r#"{a: "b"}"#),
        ("a: |+\n  b\n\n\nc: d", r#"{a: "b\n\n\n", c: "d"}"#),
        ("a: |2-\n    b\n   c", r#"{a: "  b\n c"}"#),
        ("- |1\n   b\n", r#"["  b\n"]"#),
        ("a: |\n\n\n  b\n", r#"{a: "\n\nb\n"}"#),
        ("a: | # c\n  b\n # c\nd: e", r#"{a: "b\n", d: "e"}"#),
        ("a: |\n  # b\n  c:\td", "{a: \"# b\\nc:\\td\\n\"}"),
        ("a: >\n  b\n  c\n\n  d\n   e\n   f\n  g\n", r#"{a: "b c\nd\n e\n f\ng\n"}"#),
        ("a: >-\n  b\n  c", r#"{a: "b c"}"#),
        ("a: >-\n\n  b\n\n\n  c\n\n", r#"{a: "\nb\n\nc"}"#),
        ("a: |", r#"{a: ""}"#),
        ("a: >-\nb: |\n\nc: |-\n", r#"{a: "", b: "", c: ""}"#),
        ("a:\n  |\n  b\n", r#"{a: "b\n"}"#),
    ] {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

#[test]
fn flow_collections() {
    for (text, expected) in [
        ("a: []\nb: {} # c\nc: [ ]", "{a: [], b: {}, c: []}"),
        ("a: [b, 'c', \"d\" , 1, -2, e f, ]", r#"{a: ["b", "c", "d", 1, -2, "e f"]}"#),
        ("a: {b: c, \"d\": [e], f : 1}", r#"{a: {b: "c", d: ["e"], f: 1}}"#),
        ("a: [http://b, 1:2, c#d]", r#"{a: ["http://b", "1:2", "c#d"]}"#),
        ("a: [\n  b,\n\n  c\n]\nd: {\n  e: f\n  }", r#"{a: ["b", "c"], d: {e: "f"}}"#),
        ("a:\n  b: [\nc\n]", r#"{a: {b: ["c"]}}"#),
        ("- [[a], {b: {c: 1}}]\n", r#"[[["a"], {b: {c: 1}}]]"#),
    ] {
        assert_eq!(tree(text), expected, "{text:?}");
    }
}

#[test]
fn spans_cover_the_source_with_its_style() {
    assert_eq!(
        spans("a:\n  'b': \"c\" # d\n  e: f\n   g\nh:\n- |-  # i\n  j\n  k\n\n- [l, {m: n}]\no:\n"),
        [
            "a:\n  'b': \"c\" # d\n  e: f\n   g\nh:\n- |-  # i\n  j\n  k\n\n- [l, {m: n}]\no:",
            "a",
            "'b': \"c\" # d\n  e: f\n   g",
            "'b'",
            "\"c\"",
            "e",
            "f\n   g",
            "h",
            "- |-  # i\n  j\n  k\n\n- [l, {m: n}]",
            "|-  # i\n  j\n  k",
            "[l, {m: n}]",
            "l",
            "{m: n}",
            "m",
            "n",
            "o",
            "",
        ]
    );
}

/// What is a slice of the source is not copied, and collections hold no more room than they use.
#[test]
fn trees_are_tight() {
    let text = "a: b\n'c': \"d\"\ne: |\n  f\ng: |-\n  h\ni: >-\n  j\nk: [l, m, n, o, p]\n";
    let root = parse(text, &Limits::default()).unwrap().unwrap();
    let mapping = root.mapping().unwrap();
    for (key, value) in mapping.entries() {
        assert!(matches!(key.name, std::borrow::Cow::Borrowed(_)));
        if let Value::String(text) = &value.value {
            assert!(matches!(text, std::borrow::Cow::Borrowed(_)), "{text}");
        }
    }
    let Some(Value::Sequence(items)) = mapping.get("k").map(|node| &node.value) else {
        panic!("k is no list");
    };
    assert_eq!(items.capacity(), items.len());
    let Value::Mapping(mapping) = root.value else {
        panic!("the root is no mapping");
    };
    let entries = mapping.into_entries();
    assert_eq!(entries.capacity(), entries.len());
}

#[test]
fn gives_up_at_roots_that_are_no_blocks() {
    all_are("gave up", &["a", "~", "'a'", "|\n  a", "[a]", "{a: 1}", "{}", "null # a", "a\nb"]);
}

#[test]
fn gives_up_at_what_only_the_full_parser_knows() {
    all_are(
        "gave up",
        &[
            "a: &b c",
            "a: *b",
            "a: !!str b",
            "&a b: c",
            "*a : b",
            "!a b: c",
            "? a\n: b",
            "a: @b",
            "a: `b",
            "a: %b",
            "%YAML 1.1\na: b",
            "a: 1\n%b: 2",
            "<<: {a: b}",
            "a: {<<: {b: c}}",
            "~: a",
            "null: a",
            "9223372036854775808: a",
        ],
    );
}

#[test]
fn a_marked_end_is_an_end() {
    all_are("nothing", &["...", "# a\n...\n"]);
    all_are(r#"{a: "b"}"#, &["a: b\n...", "a: b\n...\n \n", "a: |-\n  b\n...\n"]);
}

#[test]
fn gives_up_at_markers() {
    all_are(
        "gave up",
        &[
            "---\na: b",
            "a: b\n---\n",
            "a: b\n...\nc",
            "a: b\n--- # c\n",
            "--- a",
            "---a: b",
            "a: b\n....\n",
            "a: b\n... # c\n",
            "a: |\n  b\n...\nc",
        ],
    );
}

#[test]
fn gives_up_at_unusual_characters() {
    for character in [
        '\u{0}', '\u{1}', '\u{b}', '\r', '\u{1b}', '\u{7f}', '\u{80}', '\u{85}', '\u{9f}', '\u{2028}', '\u{2029}',
        '\u{feff}', '\u{fffe}', '\u{ffff}',
    ] {
        for text in [
            format!("a: b{character}c"),
            format!("a: 'b{character}c'"),
            format!("# {character}\na: b"),
            format!("a: |\n  b{character}"),
        ] {
            assert_eq!(tree(&text), "gave up", "{text:?}");
        }
    }
    for character in ['\u{a0}', '\u{2027}', '\u{202a}', '\u{ff08}', '\u{fffd}', '\u{1f600}'] {
        let text = format!("a: b{character}c");
        assert_eq!(tree(&text), format!("{{a: {:?}}}", &text[3..]));
    }
}

#[test]
fn gives_up_at_tabs_where_they_could_matter() {
    all_are(
        "gave up",
        &[
            "\ta: b",
            "a:\tb",
            "a: b\t",
            "a: b\t# c",
            "a: \tb",
            "-\ta",
            "- \ta",
            "a:\n\tb: c",
            "a: b\n\t\nc: d",
            "a: b\n \t\nc: d",
            "a: 'b'\t",
            "a: 'b\n\tc'",
            "a: 'b\t\n  c'",
            "a: [b,\tc]",
            "a: [\n\tb]",
            "a: |\n\tb",
            "a: |\n  b\n\tc",
            "a: |\t\n  b",
            "a: b\n  \tc",
            "a: |\n  b\n \t\n",
        ],
    );
    all_are(r#"{a: "b\tc"}"#, &["a: 'b\tc'", "a: |-\n  b\tc", "# \t\na: \"b\tc\""]);
}

#[test]
fn gives_up_at_numbers_that_a_finding_belongs_to() {
    all_are(
        "gave up",
        &[
            "a: 9223372036854775808",
            "a: 18446744073709551616",
            "a: .inf",
            "a: .nan",
            "a: -9223372036854775809",
            "a: [9223372036854775808]",
            "- -.Inf",
        ],
    );
    all_are("{a: 9223372036854775807}", &["a: 9223372036854775807"]);
}

#[test]
fn gives_up_at_duplicate_keys() {
    let many: String = (0..40).map(|nth| format!("k{nth}: {nth}\n")).collect();
    assert_ne!(tree(&many), "gave up");
    all_are(
        "gave up",
        &[
            "a: 1\nb: 2\na: 3",
            "a: {b: 1, b: 2}",
            "a: 1\n'a': 2",
            "1: a\n0x1: b",
            "y: a\nyes: b",
            &format!("{many}k7: 1\n"),
        ],
    );
}

#[test]
fn gives_up_at_errors_of_indentation_and_order() {
    all_are(
        "gave up",
        &[
            "a: b: c",
            "a: b\n c: d",
            "a\n  b: c",
            "- a\nb: c",
            "a: b\n- c",
            "a:\n  - b\n  c: d",
            "- - a\n  b: c",
            "a:\n  b: c\n d: e",
            "a: - b",
            "a: # c\n  # d\n b: c\n  d: e",
            "a: b # c\n  d",
            "a: b\n  # c\n  d",
            "a: b\n  c: d",
            ": a",
            "a: b\n  c:",
        ],
    );
}

#[test]
fn gives_up_at_errors_of_quotes() {
    all_are(
        "gave up",
        &[
            "a: 'b' c",
            "a: 'b",
            "a: \"b",
            "a: \"\\q\"",
            "a: \"\\ud800\"",
            "a: 'b\n---\nc'",
            "a: 'b'\n  c",
            "a: \"b\n c\": d",
            "'a\n b': c",
        ],
    );
}

#[test]
fn gives_up_at_errors_of_flow_collections() {
    all_are(
        "gave up",
        &[
            "a: [b",
            "a: [b}",
            "a: {b}",
            "a: {&b c: d}",
            "a: {*b : c}",
            "a: {!b c: d}",
            "a: {? b: c}",
            "a: {- b: c}",
            "a: [\n---\n]",
            "a: [\n%b]",
            "a: {b:}",
            "a: [b] c",
            "a: [b: c]",
            "a: [b, # c\n d]",
            "a: {b: , c: d}",
            "a: [b\n  c]",
            "a: {b\n: c}",
            "a: [b]\n  c",
            "a: [,b]",
            "a: [-]",
            "a: [- b]",
            "a: {b: [c}",
            "a: ,b",
            "a: ]",
            "a: }",
            "a: [b#, #c]",
        ],
    );
}

#[test]
fn gives_up_at_errors_of_block_scalars() {
    all_are("gave up", &["a: |\n  b\n c", "a: |\n   \n  b", "a: |0\n  b", "a: |x\n  b", "a: |-#\n  b", "a: |12\n  b"]);
}

#[test]
fn gives_up_at_limits() {
    let limits = Limits { nesting: 3, document_bytes: 40, ..Limits::default() };
    let taken = |text: &str| parse(text, &limits).is_some();
    assert!(taken("a:\n  - [b]"));
    assert!(!taken("a:\n  - [[b]]"));
    assert!(!taken("- - - - a"));
    assert!(taken("a: {}\nb: {}\nc: {}\nd: {}\n"));
    assert!(!taken(&format!("a: {}", "b".repeat(38))));
    let deep = format!("a: {}{}", "[".repeat(199), "]".repeat(199));
    assert_ne!(tree(&deep), "gave up");
    assert_eq!(tree(&format!("- {}", "- ".repeat(100_000))), "gave up");
    let key = "k".repeat(1000);
    assert_ne!(tree(&format!("{key}: a")), "gave up");
    all_are("gave up", &[&format!("{key}k: a"), &format!("a: {{\"{key}\": b}}")]);
}
