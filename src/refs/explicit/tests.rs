use super::*;
use crate::config::{EdgeReason, EdgeRow, EdgeSettings};
use crate::refs::fixture::{edges, edges_with, linked};
use crate::source::{SourceFile, SourceMap};

/// A ConfigMap with annotations, written as `key: value`, one a line.
fn map(name: &str, annotations: &[String]) -> String {
    let lines: String = annotations.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: shop\n  annotations:\n{lines}---\n"
    )
}

fn depends(on: &str) -> Vec<String> {
    vec![format!("config.kubernetes.io/depends-on: '{on}'")]
}

/// What is said about a text, as `rule severity line[,line…]: message (remedy)`.
fn said(text: &str) -> Vec<String> {
    said_with(text, &Settings::default())
}

fn said_with(text: &str, settings: &Settings) -> Vec<String> {
    let line = |place: Place| (text[..place.start].matches('\n').count() + 1).to_string();
    linked(text, settings, |_, found| {
        let shown = found.sorted().into_iter().map(|finding| {
            let lines: Vec<_> = finding.labels.iter().map(|label| line(label.place)).collect();
            let remedy = finding.remedy.as_deref().unwrap_or("-");
            format!("{} {} {}: {} ({remedy})", finding.rule.id, finding.severity, lines.join(","), finding.message)
        });
        shown.collect()
    })
}

#[test]
fn depends_on_names_objects_with_and_without_a_namespace() {
    let text = format!(
        "{}{}{}",
        map("a", &[]),
        map("b", &depends("/namespaces/shop/ConfigMap/a , rbac.authorization.k8s.io/ClusterRole/r")),
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\n"
    );
    assert_eq!(said(&text), [""; 0]);
    assert_eq!(
        edges(&text, "explicit"),
        ["ConfigMap shop/a → ConfigMap shop/b (ready, line 14)", "ClusterRole r → ConfigMap shop/b (ready, line 14)",]
    );
}

#[test]
fn what_depends_on_cannot_mean_is_said_with_its_place() {
    let text = format!(
        "{}{}",
        map("a", &[]),
        map(
            "b",
            &depends(
                "v1/ConfigMap, /namespaces/shop/ConfigMap/a, /namespaces/shop/ConfigMap/a, /ConfigMap/a, apps/namespaces/shop/Deployment/x"
            )
        ),
    );
    insta::assert_snapshot!(said(&text).join("\n"), @r#"
    TG221 error 14: `config.kubernetes.io/depends-on` of ConfigMap shop/b names "/namespaces/shop/ConfigMap/a" twice (name it once)
    TG221 error 14: `config.kubernetes.io/depends-on` of ConfigMap shop/b names "v1/ConfigMap", which is no object (write `GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME` for an object without a namespace; nothing before the first `/` is the core group, and there is no version)
    TG222 warning 14: ConfigMap shop/b waits for "/ConfigMap/a", which is not in the input (did you mean `/namespaces/shop/ConfigMap/a`?)
    TG222 warning 14: ConfigMap shop/b waits for "apps/namespaces/shop/Deployment/x", which is not in the input (add the object to the input, or take it out of the annotation)
    "#);
    assert_eq!(edges(&text, "explicit").len(), 1);
}

#[test]
fn change_rules_put_groups_before_and_behind() {
    let group = |name: &str| format!("kapp.k14s.io/change-group.x: {name}");
    let rule = |text: &str| format!("kapp.k14s.io/change-rule: '{text}'");
    let text = [
        map("a", &[group("example.org/{namespace}-{kind}")]),
        map("b", &[group("late"), rule("upsert after upserting example.org/shop-ConfigMap")]),
        map("c", &[rule("upsert before upserting late"), group("late")]),
        map("d", &[rule("delete before deleting late")]),
        map("e", &[rule("upsert after upserting change-groups.kapp.k14s.io/crds")]),
    ];
    assert_eq!(said(&text.concat()), [""; 0]);
    assert_eq!(
        edges(&text.concat(), "explicit"),
        [
            "ConfigMap shop/a → ConfigMap shop/b (ready, line 16)",
            "ConfigMap shop/c → ConfigMap shop/b (ready, line 24)",
        ]
    );
    let wrong = [
        map("a", &[group("'not a name'")]),
        map("b", &[rule("upsert after upserting  late")]),
        map("c", &[rule("apply after applying late")]),
    ];
    insta::assert_snapshot!(said(&wrong.concat()).join("\n"), @r#"
    TG221 error 7: `kapp.k14s.io/change-group.x` of ConfigMap shop/a cannot be read: "not a name" (write a name such as `apps.example.org/database`: letters, digits, `-`, `_` and `.`, with a domain and `/` before it if you like)
    TG221 error 15: `kapp.k14s.io/change-rule` of ConfigMap shop/b cannot be read: "upsert after upserting  late" (write `upsert after upserting GROUP` or `upsert before upserting GROUP`, with one blank between)
    TG221 error 23: `kapp.k14s.io/change-rule` of ConfigMap shop/c cannot be read: "apply after applying late" (write `upsert after upserting GROUP` or `upsert before upserting GROUP`, with one blank between)
    "#);
}

#[test]
fn a_circle_is_an_error_that_shows_every_place() {
    let text = [
        map("a", &depends("/namespaces/shop/ConfigMap/c")),
        map("b", &depends("/namespaces/shop/ConfigMap/a")),
        map("c", &depends("/namespaces/shop/ConfigMap/b")),
        map("d", &depends("/namespaces/shop/ConfigMap/d")),
    ];
    insta::assert_snapshot!(said(&text.concat()).join("\n"), @r#"
    TG220 error 15,23,7: explicit dependencies go round in a circle: ConfigMap shop/a → ConfigMap shop/b → ConfigMap shop/c → ConfigMap shop/a (take one of them out)
    TG220 error 31: explicit dependencies go round in a circle: ConfigMap shop/d → ConfigMap shop/d (take one of them out)
    "#);
    // what is left can hold
    assert_eq!(edges(&text.concat(), "explicit").len(), 2);
}

#[test]
fn words_about_order_are_known_or_said() {
    let order = |words: &str| vec![format!("tidegate.dev/order: '{words}'")];
    assert_eq!(said(&map("a", &order("no-wait, stage=workload"))), [""; 0]);
    insta::assert_snapshot!(said(&map("a", &order("nowait,late"))).join("\n"), @r#"
    TG223 error 7: `tidegate.dev/order` of ConfigMap shop/a says "late", which means nothing (its words are `no-wait`, `stage=config`, `stage=crd`, `stage=workload`, with commas between them)
    TG223 error 7: `tidegate.dev/order` of ConfigMap shop/a says "nowait", which means nothing (did you mean `no-wait`?)
    "#);
}

fn row(from: &str, to: &str, reason: Option<&'static str>) -> EdgeRow {
    let place = Place::file(SourceMap::default().add(SourceFile::new("a.yaml", "")));
    EdgeRow { from: from.parse().unwrap(), to: to.parse().unwrap(), reason: reason.map(EdgeReason), place }
}

#[test]
fn the_configuration_adds_edges_and_takes_out_inferred_ones() {
    let text = format!(
        "{}{}apiVersion: v1\nkind: Namespace\nmetadata: {{name: shop}}\n",
        map("a", &[]),
        map("b", &depends("/Namespace/shop"))
    );
    let settings = |depends_on, ignore| Settings { edges: EdgeSettings { depends_on, ignore }, ..Settings::default() };
    let adds = settings(vec![row("ConfigMap/a", "ConfigMap/*", None)], Vec::new());
    assert_eq!(
        edges_with(&text, "explicit", &adds),
        ["ConfigMap shop/a → ConfigMap shop/b (ready, line 1)", "Namespace shop → ConfigMap shop/b (ready, line 14)",]
    );
    let ignores = settings(Vec::new(), vec![row("Namespace", "*", Some("namespace"))]);
    assert_eq!(edges(&text, "namespace").len(), 2);
    assert_eq!(edges_with(&text, "namespace", &ignores), [""; 0]);
    assert_eq!(edges_with(&text, "explicit", &ignores).len(), 1);
    assert_eq!(said_with(&text, &ignores), [""; 0]);
}

#[test]
fn rows_that_do_nothing_are_said() {
    let edges = EdgeSettings {
        depends_on: vec![row("Job/migrate", "ConfigMap", None), row("ConfigMap/a", "ConfigMap/a", None)],
        ignore: vec![row("Namespace", "*", Some("reader")), row("Job", "ConfigMap", None)],
    };
    let settings = Settings { edges, ..Settings::default() };
    insta::assert_snapshot!(said_with(&map("a", &[]), &settings).join("\n"), @r#"
    TG224 warning 1: `spec.edges.dependsOn` orders nothing: `ConfigMap/a` and `ConfigMap/a` are the same object (correct the patterns, or remove the row)
    TG224 warning 1: `spec.edges.dependsOn` orders nothing: no object is `Job/migrate` (correct the patterns, or remove the row)
    TG224 info 1: `spec.edges.ignore` takes out nothing: no inferred edge leads from `Job` to `ConfigMap` (correct the patterns, or remove the row)
    TG224 info 1: `spec.edges.ignore` takes out nothing: no inferred edge leads from `Namespace` to `*` by `reader` (correct the patterns, or remove the row)
    "#);
}

#[test]
fn too_many_edges_are_refused() {
    let text: String = (0..1100)
        .map(|nth| format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{nth}, namespace: shop}}\n"))
        .collect();
    let edges = EdgeSettings { depends_on: vec![row("*", "*", None)], ..EdgeSettings::default() };
    let said = said_with(&text, &Settings { edges, ..Settings::default() });
    assert!(said.iter().any(|line| line.starts_with("TG225 error")), "{:?}", said.first());
}

/// Every reason that is inferred can be named in the configuration.
#[test]
fn every_inferred_reason_has_a_word() {
    use crate::config::Word;
    let is_inferred = |reason: Reason| match reason {
        Reason::Explicit => false,
        Reason::Namespace
        | Reason::Definition
        | Reason::Backend
        | Reason::OwnRegistration
        | Reason::Mesh
        | Reason::Reference(_)
        | Reason::Registration
        | Reason::Conversion
        | Reason::Producer
        | Reason::DefinitionProducer
        | Reason::Reader
        | Reason::DefinitionReader
        | Reason::Controller => true,
    };
    let all = [
        Reason::Namespace,
        Reason::Definition,
        Reason::Backend,
        Reason::OwnRegistration,
        Reason::Mesh,
        Reason::Reference("spec.a"),
        Reason::Registration,
        Reason::Conversion,
        Reason::Producer,
        Reason::DefinitionProducer,
        Reason::Reader,
        Reason::DefinitionReader,
        Reason::Controller,
        Reason::Explicit,
    ];
    let words: Vec<_> = all.into_iter().filter(|reason| is_inferred(*reason)).map(Reason::word).collect();
    assert_eq!(EdgeReason::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>(), words);
}
