//! What must never be shown, or never as it is.

use proptest::prelude::*;

use super::*;
use crate::report::escape::is_hidden;

#[test]
fn hidden_source_shows_place_and_path_only() {
    let mut run = Run::default();
    let secret = "kind: Secret\nstringData:\n  password: hunter2\n";
    let file = run.file("secret.yaml", secret, false);
    let path = FieldPath::keys(["stringData", "password"]);
    let label = run.at(file, "hunter2").path(path);
    let finding = Finding::new(&DUPLICATE, "value is not a string").with_object("Secret shop/db");
    let related = run.at(file, "stringData").text("in here");
    run.found.push(finding.with_label(label).with_label(related));
    let text = run.text();
    insta::assert_snapshot!(text, @r#"
    error[TG901]: value is not a string
      --> secret.yaml:3:13  Secret shop/db  stringData.password
      ::: secret.yaml:2:1  in here

    1 error
    "#);
    assert!(!text.contains("hunter2"));
}

/// A place at the very end of a shown document lies on the first line of the next one.
#[test]
fn a_line_is_shown_only_as_far_as_its_document_may_be() {
    let mut run = Run::default();
    let text = "{\"kind\":\"ConfigMap\"} {\"kind\":\"Secret\",\"data\":{\"a\":\"aHVudGVy\"}}\n";
    let file = run.file("all.json", text, false);
    let place = |start, end| Place { file, start, end };
    run.found.show_source(place(0, 20));
    for (start, end) in [(8, 19), (20, 20)] {
        run.found.push(Finding::new(&MAYBE, "m").with_label(Label::new(place(start, end))));
    }
    let lines = run.file("all.yaml", "kind: ConfigMap\n---\nkind: Secret # hunter\n", false);
    let boundary = Place { file: lines, start: 20, end: 20 };
    run.found.show_source(Place { start: 0, ..boundary });
    run.found.push(Finding::new(&MAYBE, "m").with_label(Label::new(boundary)));
    let text = run.text();
    insta::assert_snapshot!(text, @r#"
    warning[TG902]: m
      --> all.json:1:9
       |
     1 | {"kind":"ConfigMap"}
       |         ^^^^^^^^^^^

    warning[TG902]: m
      --> all.json:1:21
       |
     1 | {"kind":"ConfigMap"}
       |                     ^

    warning[TG902]: m
      --> all.yaml:3:1

    3 warnings
    "#);
    assert!(!text.contains("Secret"));
}

#[test]
fn nothing_from_the_input_reaches_a_terminal_raw() {
    let mut run = Run::default();
    let text = "\u{feff}a\u{1b}[2J: \u{202e}x\u{200b}y # \u{7}\r\nb:\tc\r\n";
    let file = run.file("evil\u{1b}]0;\n.yaml", text, true);
    let label = run.at(file, "x\u{200b}y").path(FieldPath::keys(["a\u{1b}[2J", "k\u{202e}"]));
    run.found.push(
        Finding::new(&DUPLICATE, "bad \u{9b}31m value\r\nerror[TG000]: made up")
            .with_object("Job a\u{2066}b")
            .with_label(label.text("\u{8}here"))
            .with_label(run.at(file, "c").text("and\there"))
            .with_remedy("do \u{1b}[0m this"),
    );
    insta::assert_snapshot!(run.text(), @r#"
    error[TG901]: bad \u{9b}31m value\r\nerror[TG000]: made up
      --> evil\u{1b}]0;\n.yaml:1:10  Job a\u{2066}b  ["a\u{1b}[2J"]["k\u{202e}"]
       |
     1 | \u{feff}a\u{1b}[2J: \u{202e}x\u{200b}y # \u{7}
       |                             ^^^^^^^^^^ \u{8}here
      ::: evil\u{1b}]0;\n.yaml:2:4
       |
     2 | b:  c
       |     - and\there
       = help: do \u{1b}[0m this

    1 error
    "#);
}

/// Text with a good share of characters that must not get through.
fn odd() -> impl Strategy<Value = String> {
    let odd = prop_oneof![
        Just('\n'),
        Just('\r'),
        Just('\t'),
        Just('\u{1b}'),
        Just('\u{9b}'),
        Just('\u{202e}'),
        Just('\u{200b}'),
        Just('\u{301}'),
        Just('漢'),
        Just('a'),
        any::<char>(),
    ];
    proptest::collection::vec(odd, 0..60).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn any_input_gives_visible_text_and_no_panic(
        (path, source, message, said, key) in (odd(), odd(), odd(), odd(), odd()),
        (start, len, open, closed) in (0..250_usize, 0..250_usize, 0..250_usize, 0..250_usize),
        (width, verbose) in (0..100_usize, any::<bool>()),
        severity in prop_oneof![Just(&DUPLICATE), Just(&MAYBE), Just(&SKIPPED)],
    ) {
        let mut run = Run::default();
        let file = run.file(&path, &source, false);
        run.found.show_source(Place { file, start: open, end: closed });
        let place = Place { file, start, end: start + len };
        let label = Label::new(place).path(FieldPath::keys([key.as_str()])).text(said);
        let object = format!("Job {key}");
        let finding = Finding::new(severity, message.clone()).with_object(object);
        run.found.push(finding.with_label(label.clone()).with_label(label).with_remedy(message));
        let style = Style { width, verbose, ..Style::default() };
        let text = run.written(&style);
        prop_assert!(!text.contains(|c| c != '\n' && is_hidden(c)), "{text:?}");
        let (head, position) = (severity.id, format!("{}:", escape(&path)));
        prop_assert!(text.lines().filter(|line| line.contains(head)).count() >= 1);
        prop_assert!(text.contains(&position));
        // a line that begins like a finding is one
        let heads = text.lines().filter(|line| line.contains("[TG9") && !line.starts_with(' '));
        prop_assert_eq!(heads.count(), 1);
    }
}
