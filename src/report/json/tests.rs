use super::*;
use crate::finding::{Severity, rules};
use crate::source::SourceFile;
use crate::tree::FieldPath;

fn written(found: &Findings, sources: &SourceMap) -> String {
    let mut out = Vec::new();
    write(found, sources, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A file, and the place of bytes in it.
fn sources() -> (SourceMap, impl Fn(usize, usize) -> Place) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("a.yaml", "ü: secret\nb: |\n  x\n"));
    (sources, move |start, end| Place { file, start, end })
}

#[test]
fn every_field_has_its_place() {
    let (sources, place) = sources();
    let mut found = Findings::default();
    found.show_source(place(0, 20));
    found.push(
        Finding::new(&rules::SYNTAX, "bad\u{1b}\u{202e} value")
            .with_object("Deployment shop/web")
            .with_label(Label::new(place(4, 10)).path(FieldPath::keys(["ü"])))
            .with_label(Label::new(place(14, 19)).text("and here"))
            .with_remedy("mend it"),
    );
    let text = written(&found, &sources);
    insta::assert_snapshot!(text, @r#"
    {
      "schemaVersion": 1,
      "findings": [
        {
          "id": "TG001",
          "severity": "error",
          "message": "bad\u001b\u202e value",
          "object": "Deployment shop/web",
          "file": "a.yaml",
          "line": 1,
          "column": 4,
          "endLine": 1,
          "endColumn": 10,
          "path": "[\"ü\"]",
          "remedy": "mend it",
          "related": [
            {
              "file": "a.yaml",
              "line": 2,
              "column": 4,
              "path": null,
              "text": "and here"
            }
          ],
          "docs": "docs/findings.md#tg001"
        }
      ],
      "summary": {
        "errors": 1,
        "warnings": 0,
        "infos": 0
      }
    }
    "#);
    assert!(!text.contains("secret"));
}

#[test]
fn what_a_finding_has_not_is_null() {
    let (sources, place) = sources();
    let mut found = Findings::default();
    found.push(Finding::new(&rules::suppression::NO_REASON, "no place").with_severity(Severity::Info));
    found.push(Finding::new(&rules::suppression::NO_REASON, "a file").with_label(Label::new(place(0, 0))));
    insta::assert_snapshot!(written(&found, &sources), @r#"
    {
      "schemaVersion": 1,
      "findings": [
        {
          "id": "TG030",
          "severity": "warning",
          "message": "a file",
          "object": null,
          "file": "a.yaml",
          "line": 1,
          "column": 1,
          "path": null,
          "remedy": null,
          "related": [],
          "docs": "docs/findings.md#tg030"
        },
        {
          "id": "TG030",
          "severity": "info",
          "message": "no place",
          "object": null,
          "file": null,
          "line": null,
          "column": null,
          "path": null,
          "remedy": null,
          "related": [],
          "docs": "docs/findings.md#tg030"
        }
      ],
      "summary": {
        "errors": 0,
        "warnings": 1,
        "infos": 1
      }
    }
    "#);
}

#[test]
fn no_findings_are_a_report_too() {
    insta::assert_snapshot!(written(&Findings::default(), &SourceMap::default()), @r#"
    {
      "schemaVersion": 1,
      "findings": [],
      "summary": {
        "errors": 0,
        "warnings": 0,
        "infos": 0
      }
    }
    "#);
}
