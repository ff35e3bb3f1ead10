mod safety;

use super::*;
use crate::finding::{Finding, Refusal, Rule};
use crate::source::{FileId, SourceFile};
use crate::tree::FieldPath;

static DUPLICATE: Rule = rule("TG901", Severity::Error);
static MAYBE: Rule = rule("TG902", Severity::Warning);
static SKIPPED: Rule = rule("TG903", Severity::Info);

const fn rule(id: &'static str, severity: Severity) -> Rule {
    Rule { id, severity, refuses: Refusal::Never, operator: false, summary: "", explanation: "" }
}

/// Files with a run's findings about them.
#[derive(Default)]
struct Run {
    sources: SourceMap,
    found: Findings,
}

impl Run {
    /// Adds a file; `shown` says that its whole text may be shown.
    fn file(&mut self, path: &str, text: &str, shown: bool) -> FileId {
        let file = self.sources.add(SourceFile::new(path, text));
        if shown {
            self.found.show_source(Place { file, start: 0, end: text.len() });
        }
        file
    }

    /// A label at the last occurrence of a text in a file.
    fn at(&self, file: FileId, text: &str) -> Label {
        let start = self.sources.file(file).text().rfind(text).unwrap();
        Label::new(Place { file, start, end: start + text.len() })
    }

    fn written(&self, style: &Style) -> String {
        let mut out = Vec::new();
        write(&self.found, &self.sources, style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn text(&self) -> String {
        self.written(&Style::default())
    }
}

const APP: &str = "\
kind: Deployment
spec:
  envFrom: []
  image: shop/web:1
  envFrom:
  - configMapRef:
      name: app
";

#[test]
fn one_place() {
    let mut run = Run::default();
    let file = run.file("deploy/app.yaml", APP, true);
    let label = run.at(file, "shop/web:1");
    run.found.push(
        Finding::new(&MAYBE, "image \"shop/web:1\" is not pinned")
            .with_object("Deployment shop/web")
            .with_label(label.path(FieldPath::keys(["spec", "image"])))
            .with_remedy("pin it by digest"),
    );
    insta::assert_snapshot!(run.text(), @r#"
    warning[TG902]: image "shop/web:1" is not pinned
      --> deploy/app.yaml:4:10  Deployment shop/web  spec.image
       |
     4 |   image: shop/web:1
       |          ^^^^^^^^^^
       = help: pin it by digest

    1 warning
    "#);
}

#[test]
fn two_places_in_one_file() {
    let mut run = Run::default();
    let file = run.file("app.yaml", APP, true);
    let path = FieldPath::keys(["spec", "envFrom"]);
    let first = Place { start: APP.find("envFrom").unwrap(), end: APP.find("envFrom").unwrap() + 7, file };
    let again = run.at(file, "envFrom").path(path.clone()).text("and again here");
    run.found.push(
        Finding::new(&DUPLICATE, "duplicate key \"envFrom\"")
            .with_label(again)
            .with_label(Label::new(first).path(path).text("first written here")),
    );
    insta::assert_snapshot!(run.text(), @r#"
    error[TG901]: duplicate key "envFrom"
      --> app.yaml:5:3  spec.envFrom
       |
     5 |   envFrom:
       |   ^^^^^^^ and again here
      ::: app.yaml:3:3
       |
     3 |   envFrom: []
       |   ------- first written here

    1 error
    "#);
}

#[test]
fn a_related_place_in_another_file_and_a_value_of_many_lines() {
    let mut run = Run::default();
    let padding = "# a\n".repeat(120);
    let app = run.file("app.yaml", APP, true);
    let config = run.file("config/app.yaml", &format!("{padding}data:\n  a: b\n"), true);
    let here = run.at(app, "- configMapRef:\n      name: app\n");
    let there = run.at(config, "data").path(FieldPath::keys(["data"]));
    run.found.push(
        Finding::new(&DUPLICATE, "key \"b\" is not in ConfigMap shop/app")
            .with_object("Deployment shop/web")
            .with_label(here.path(FieldPath::keys(["spec", "envFrom"]).index(0)))
            .with_label(there.text("it has these keys")),
    );
    insta::assert_snapshot!(run.text(), @r#"
    error[TG901]: key "b" is not in ConfigMap shop/app
       --> app.yaml:6:3  Deployment shop/web  spec.envFrom[0]
        |
      6 |   - configMapRef:
        |   ^^^^^^^^^^^^^^^
       ::: config/app.yaml:121:1  data
        |
    121 | data:
        | ---- it has these keys

    1 error
    "#);
}

#[test]
fn without_a_place() {
    let mut run = Run::default();
    let finding = Finding::new(&DUPLICATE, "no namespace is known");
    run.found.push(finding.with_object("Role reader").with_remedy("give -n NAMESPACE"));
    run.found.push(Finding::new(&DUPLICATE, "the input holds no object"));
    let file = run.file("app.yaml", APP, true);
    let whole = Label::new(Place::file(file));
    run.found.push(Finding::new(&DUPLICATE, "the file is too large").with_label(whole));
    insta::assert_snapshot!(run.text(), @r#"
    error[TG901]: the file is too large
      --> app.yaml:1:1

    error[TG901]: no namespace is known
       = object: Role reader
       = help: give -n NAMESPACE

    error[TG901]: the input holds no object

    3 errors
    "#);
}

#[test]
fn a_long_line_is_cut_to_the_width() {
    let mut run = Run::default();
    let pad = "{\"a\": \"漢\"}, ".repeat(1000);
    let text = format!("data: [{pad}{{\"key\": tru}}, {pad}]\n");
    let file = run.file("dashboard.yaml", &text, true);
    let label = run.at(file, "tru").text("a boolean is meant");
    run.found.push(Finding::new(&DUPLICATE, "unknown word").with_label(label));
    let style = Style { width: 60, ..Style::default() };
    let text = run.written(&style);
    insta::assert_snapshot!(text, @r#"
    error[TG901]: unknown word
      --> dashboard.yaml:1:12016
       |
     1 | …"}, {"a": "漢"}, {"key": tru}, {"a": "漢"}, {"a": "漢…
       |                           ^^^ a boolean is meant

    1 error
    "#);
}

#[test]
fn carriage_returns_and_wide_characters_keep_carets_in_place() {
    let mut run = Run::default();
    let text = "größe: 1\r\n名前: e\u{301}té 漢字 x\r\n";
    let file = run.file("ü.yaml", text, true);
    run.found.push(Finding::new(&MAYBE, "m").with_label(run.at(file, "漢字").text("wide")));
    run.found.push(Finding::new(&MAYBE, "m").with_label(run.at(file, "x\r\n").text("narrow")));
    run.found.push(Finding::new(&MAYBE, "m").with_label(run.at(file, "1")));
    insta::assert_snapshot!(run.text(), @r#"
    warning[TG902]: m
      --> ü.yaml:1:8
       |
     1 | größe: 1
       |        ^

    warning[TG902]: m
      --> ü.yaml:2:10
       |
     2 | 名前: été 漢字 x
       |           ^^^^ wide

    warning[TG902]: m
      --> ü.yaml:2:13
       |
     2 | 名前: été 漢字 x
       |                ^ narrow

    3 warnings
    "#);
}

#[test]
fn infos_of_one_rule_are_grouped() {
    let mut run = Run::default();
    for nth in 0..13 {
        let file = run.file(&format!("values-{nth:02}.yaml"), "a: 1\n", true);
        let finding = Finding::new(&SKIPPED, "not a manifest, skipped").with_remedy("none needed");
        run.found.push(finding.with_label(Label::new(Place::file(file))));
    }
    run.found.push(Finding::new(&DUPLICATE, "m"));
    insta::assert_snapshot!(run.text(), @r#"
    info[TG903]: values-00.yaml:1:1: not a manifest, skipped
    info[TG903]: values-01.yaml:1:1: not a manifest, skipped
    info[TG903]: values-02.yaml:1:1: not a manifest, skipped
    info[TG903]: values-03.yaml:1:1: not a manifest, skipped
    info[TG903]: values-04.yaml:1:1: not a manifest, skipped
    info[TG903]: values-05.yaml:1:1: not a manifest, skipped
    info[TG903]: values-06.yaml:1:1: not a manifest, skipped
    info[TG903]: values-07.yaml:1:1: not a manifest, skipped
    info[TG903]: values-08.yaml:1:1: not a manifest, skipped
    info[TG903]: values-09.yaml:1:1: not a manifest, skipped
    … and 3 more of TG903 (-v shows all)

    error[TG901]: m

    1 error
    "#);

    let all = run.written(&Style { verbose: true, ..Style::default() });
    assert_eq!(all.matches("info[TG903]").count(), 13);
    assert!(all.contains("values-12.yaml:1:1: not a manifest, skipped\n   = help: none needed\n"));
    assert!(all.contains("= more: tidegate explain TG901"));
    assert!(!all.contains("more of"));
}

#[test]
fn quiet_means_errors_alone() {
    let quiet = Style { quiet: true, ..Style::default() };
    let mut run = Run::default();
    run.found.push(Finding::new(&SKIPPED, "m"));
    assert_eq!(run.text(), "info[TG903]: m\n");
    run.found.push(Finding::new(&MAYBE, "m"));
    assert_eq!(run.written(&quiet), "");
    run.found.push(Finding::new(&DUPLICATE, "m"));
    run.found.push(Finding::new(&DUPLICATE, "n"));
    let expected = "error[TG901]: m\n\nerror[TG901]: n\n\n2 errors\n";
    assert_eq!(run.written(&quiet), expected);
    assert!(run.text().ends_with("\n\n2 errors, 1 warning\n"));
    assert_eq!(Run::default().text(), "");
}

#[test]
fn colours_are_reset_on_every_line() {
    let mut run = Run::default();
    let file = run.file("app.yaml", APP, true);
    let label = run.at(file, "shop/web:1").text("here");
    run.found.push(Finding::new(&DUPLICATE, "m").with_label(label).with_remedy("r"));
    let colored = run.written(&Style { color: true, ..Style::default() });
    assert!(colored.starts_with("\u{1b}[1;31merror[TG901]\u{1b}[0m"));
    for line in colored.lines() {
        let resets = line.matches("\u{1b}[0m").count();
        assert_eq!(line.matches("\u{1b}[").count(), 2 * resets, "{line:?}");
    }
    let plain = anstream::adapter::strip_str(&colored).to_string();
    assert_eq!(plain, run.text());
}
