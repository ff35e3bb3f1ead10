use super::*;
use crate::finding::{Label, Rule, ignore};
use crate::source::{SourceFile, SourceMap};

static PLAIN: Rule = rule("TG901", Refusal::Never, false);
static GUARD: Rule = rule("TG902", Refusal::Never, true);
static PARSE: Rule = rule("TG903", Refusal::Input, false);

const fn rule(id: &'static str, refuses: Refusal, operator: bool) -> Rule {
    Rule { id, severity: Severity::Error, refuses, operator, summary: "", explanation: "" }
}

fn file() -> FileId {
    SourceMap::default().add(SourceFile::new("a.yaml", ""))
}

fn place(start: usize, end: usize) -> Place {
    Place { file: file(), start, end }
}

fn everywhere(id: &str, operator: bool) -> Ignore {
    Ignore { id: id.to_owned(), reason: "why".to_owned(), scope: Scope::Everything, operator, label: None }
}

fn ids(found: &Findings) -> Vec<&'static str> {
    found.sorted().iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn an_object_suppresses_by_name_and_by_place_and_no_more() {
    let mut found = Findings::default();
    let at = |start, end| Finding::new(&PLAIN, "m").with_label(Label::new(place(start, end)));
    found.push(at(10, 20).with_object("Deployment web"));
    found.push(at(500, 501).with_object("Deployment shop/web"));
    found.push(Finding::new(&PLAIN, "m").with_object("Deployment shop/web"));
    found.push(at(20, 31));
    found.push(Finding::new(&PLAIN, "m").with_object("Deployment shop/other"));
    let label = Label::new(place(12, 14));
    let object = Some(place(10, 30));
    ignore::read("TG901 why", "Deployment shop/web", object, &label, &mut found);
    found.report_ignores();
    let left: Vec<_> = found.sorted();
    assert_eq!(left.len(), 2);
    assert_eq!(left[0].place(), Some(place(20, 31)));
    assert_eq!(left[1].object.as_deref(), Some("Deployment shop/other"));
}

#[test]
fn what_refuses_cannot_be_suppressed_by_anybody() {
    let mut found = Findings::default();
    found.push(Finding::new(&PARSE, "m"));
    found.ignore(everywhere("TG903", false));
    found.ignore(everywhere("TG903", true));
    found.report_ignores();
    assert_eq!(ids(&found), ["TG031", "TG903"]);
    assert_eq!(found.exit_code(Threshold::Never), 3);
}

#[test]
fn operator_rules_yield_to_the_operator_alone() {
    let mut found = Findings::default();
    found.push(Finding::new(&GUARD, "m"));
    found.ignore(everywhere("TG902", false));
    found.report_ignores();
    assert_eq!(ids(&found), ["TG031", "TG902"]);
    assert_eq!(found.exit_code(Threshold::Error), 1);

    let mut found = Findings::default();
    found.push(Finding::new(&GUARD, "m"));
    found.ignore(everywhere("TG902", true));
    found.report_ignores();
    assert_eq!(ids(&found), [""; 0]);
    assert_eq!(found.exit_code(Threshold::Warning), 0);
}

#[test]
fn a_suppression_without_reason_or_use_is_a_finding() {
    let mut found = Findings::default();
    found.push(Finding::new(&PLAIN, "m").with_object("Job a"));
    let label = Label::new(place(1, 2));
    ignore::read("TG901\nTG902 why\nwhy", "Job a", None, &label, &mut found);
    found.ignore(everywhere("TG904", true));
    found.report_ignores();
    let said: Vec<_> = found.sorted();
    let said: Vec<_> = said.iter().map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect();
    assert_eq!(
        said,
        [
            "TG030 the suppression of TG901 says no reason and has no effect",
            "TG031 a suppression begins with \"why\", which is no rule's id",
            "TG032 the suppression of TG902 matches no finding",
            "TG901 m",
        ]
    );
}

#[test]
fn equal_findings_are_one_whatever_stands_between_them() {
    let mut found = Findings::default();
    for related in [7, 3, 7, 3] {
        let finding = Finding::new(&PLAIN, "m").with_label(Label::new(place(1, 2)));
        found.push(finding.with_label(Label::new(place(related, related))));
    }
    let related: Vec<_> = found.sorted().iter().map(|f| f.labels[1].place.start).collect();
    assert_eq!(related, [3, 7]);
}

#[test]
fn only_places_inside_a_shown_document_are_shown() {
    let mut found = Findings::default();
    found.show_source(place(10, 20));
    assert_eq!(found.shown_document(place(10, 20)), Some(place(10, 20)));
    assert!(found.may_show(place(20, 20)));
    for hidden in [place(9, 12), place(19, 21), place(21, 21), place(0, 0)] {
        assert!(!found.may_show(hidden), "{hidden:?}");
    }
}

#[test]
fn findings_beyond_what_is_kept_are_counted() {
    let mut found = Findings::default();
    let at = |nth| Finding::new(&PLAIN, "m").with_label(Label::new(place(nth, nth + 1)));
    (0..MOST).for_each(|nth| found.push(at(nth)));
    found.push(at(MOST).with_severity(Severity::Info));
    assert_eq!(found.sorted().len(), MOST + 1);
    (0..5).for_each(|nth| found.push(at(MOST + nth)));
    let mut other = Findings::default();
    (0..MOST + 2).for_each(|nth| other.push(at(nth)));
    found.append(other);
    let left = found.sorted();
    assert_eq!(left.len(), MOST + 2);
    let more = left[MOST + 1];
    assert_eq!((more.rule.id, more.severity, more.count), ("TG901", Severity::Error, 10_007));
    assert_eq!(more.message, "10007 more findings of TG901, too many to name each");
}

#[test]
fn findings_that_are_not_kept_stop_a_run_as_well() {
    let mut found = Findings::default();
    let of = |object: &str| Finding::new(&PLAIN, "m").with_object(object);
    (0..MOST).for_each(|_| found.push(of("Deployment web")));
    found.push(of("Deployment other"));
    ignore::read("TG901 why", "Deployment web", None, &Label::new(place(0, 1)), &mut found);
    assert_eq!(found.exit_code(Threshold::Error), 1);
    found.ignore(everywhere("TG901", true));
    assert_eq!(found.exit_code(Threshold::Error), 0);
}
