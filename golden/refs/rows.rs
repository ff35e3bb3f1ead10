//! Every row of the table finds what it says: a referrer and a target are made from it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tidegate::flow::{Reason, Reference, Resolution};
use tidegate::object::ObjRef;
use tidegate::object::view::pod_template::POD_TEMPLATES;
use tidegate::refs::{GroupKindName, Optional, RowInfo, rows};

use super::form::{Case, cases, is_cluster_scoped, plan, sources};
use crate::place::say;

/// Kinds, by their last word, and kinds of the core that nobody is expected to bring along.
const NEVER_MISSING: &[&str] = &["Class", "ClusterIssuer", "ClusterSecretStore", "ClusterTrustBundle"];

/// The cases of each kind that refers.
fn by_kind() -> BTreeMap<GroupKindName, Vec<Case>> {
    let mut kinds: BTreeMap<_, Vec<Case>> = BTreeMap::new();
    for info in rows() {
        kinds.entry((info.group, info.kind)).or_default().extend(cases(info));
    }
    kinds
}

/// A name that no other case has, and that needs no namespace to be found.
fn target(nth: usize) -> String {
    format!("target-{nth}")
}

/// The referrer is called like its target where the row reads its own name.
fn referrer(case: &Case, nth: usize) -> String {
    if case.info.path == "metadata.name" { target(nth) } else { format!("referrer-{nth}") }
}

/// Renders the cases of a kind at once and hands each the reference that its row found.
fn check(cases: &[Case], with_targets: bool, optional: bool, verdict: &mut dyn FnMut(&Case, &Found<'_>)) {
    let mut objects: Vec<Value> = Vec::new();
    for (nth, case) in cases.iter().enumerate() {
        objects.push(case.referrer(&referrer(case, nth), &target(nth), optional));
        if with_targets {
            objects.push(case.target(&target(nth)));
        }
    }
    let sources = sources(&objects);
    let planned = plan(&sources);
    let set = &planned.linked.loaded.objects;
    for (nth, case) in cases.iter().enumerate() {
        let own = (!case.is_from_cluster()).then_some(super::form::HOME);
        let name = match case.info.path {
            "metadata.name" if case.away => format!("{}.away.svc.cluster.local", target(nth)),
            _ => referrer(case, nth),
        };
        let from = set.find(case.info.group, case.info.kind, own, &name);
        let target = set.find(case.to.0, case.to.1, case.namespace(), &target(nth));
        let fits = |found: &&Reference| Some(found.from) == from && found.row == case.info.path;
        let is_kind = |found: &&Reference| (&*found.target.group, &*found.target.kind) == case.to;
        let reference = planned.linked.references.iter().filter(fits).find(is_kind);
        let edge = planned.linked.graph.edges().iter().any(|edge| {
            Some(edge.to) == from && Some(edge.from) == target && edge.reason == Reason::Reference(case.info.path)
        });
        verdict(case, &Found { from, target, reference, edge });
    }
}

struct Found<'f> {
    from: Option<ObjRef>,
    target: Option<ObjRef>,
    reference: Option<&'f Reference>,
    edge: bool,
}

fn fault(faults: &mut Vec<String>, case: &Case, what: &str) {
    let RowInfo { group, kind, path, .. } = case.info;
    faults.push(format!("{kind}.{group} {path} → {:?}{}: {what}", case.to, if case.away { " away" } else { "" }));
}

fn none(faults: &[String]) {
    let some: Vec<&str> = faults.iter().take(40).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), some.join("\n"));
}

#[test]
fn every_row_finds_its_target() {
    let (mut faults, mut count) = (Vec::new(), 0);
    let kinds = by_kind();
    for cases in kinds.values() {
        check(cases, true, false, &mut |case, found| {
            count += 1;
            match found.reference.map(|reference| reference.leads_to) {
                None => fault(&mut faults, case, &format!("no reference (referrer {:?})", found.from)),
                Some(Resolution::Object(object)) if Some(object) == found.target => {}
                Some(other) => fault(&mut faults, case, &format!("leads to {other:?}")),
            }
            if found.edge != case.info.row.orders {
                fault(&mut faults, case, &format!("edge {}, orders {}", found.edge, case.info.row.orders));
            }
        });
    }
    none(&faults);
    say(&format!("references: {count} cases of {} rows in {} kinds", rows().count(), kinds.len()));
}

#[test]
fn a_target_that_is_not_there_is_missing_unless_the_row_says_otherwise() {
    let mut faults = Vec::new();
    for cases in by_kind().values() {
        check(cases, false, false, &mut |case, found| {
            let kind = case.to.1;
            let told = case.is_from_cluster() && case.namespace().is_some() && !case.away;
            // a SecretProviderClass is a class by name only: it says what a volume of its namespace holds
            let is_outside = kind != "SecretProviderClass" && NEVER_MISSING.iter().any(|end| kind.ends_with(end));
            let expected = case.info.row.must_exist && !told && !is_outside;
            let wanted = if expected { Resolution::Missing } else { Resolution::Outside };
            match found.reference.map(|reference| reference.leads_to) {
                Some(leads_to) if leads_to == wanted => {}
                other => fault(&mut faults, case, &format!("leads to {other:?}, not {wanted:?}")),
            }
        });
    }
    none(&faults);
}

#[test]
fn a_referrer_does_without_where_the_row_says_so() {
    let mut faults = Vec::new();
    for cases in by_kind().values() {
        for written in [false, true] {
            check(cases, false, written, &mut |case, found| {
                let wanted = match case.info.row.optional {
                    Optional::Never => false,
                    Optional::Always => true,
                    Optional::Field(_) | Optional::Text(..) => written,
                };
                if found.reference.map(|reference| reference.optional) != Some(wanted) {
                    fault(&mut faults, case, &format!("optional is not {wanted}"));
                }
            });
        }
    }
    none(&faults);
}

/// A row is known by the kind that refers, its path and the kind it refers to.
#[test]
fn every_row_is_there_once() {
    let mut seen = BTreeSet::new();
    for info in rows() {
        let row = (info.group, info.kind, info.path, format!("{:?}", info.row.to));
        assert!(seen.insert(row.clone()), "twice: {row:?}");
    }
    assert!(seen.len() > 5_000, "{} rows", seen.len());
}

/// Whether a target has a namespace decides where it is looked for.
#[test]
fn the_scope_of_every_target_is_known() {
    let mut unknown = BTreeSet::new();
    for info in rows() {
        for case in cases(info) {
            if case.to != ("example.com", "Thing") && tidegate::object::scope::builtin(case.to.0, case.to.1).is_none() {
                unknown.insert(case.to);
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(is_cluster_scoped(("storage.k8s.io", "StorageClass")));
}

/// The rows of pod specs hold for every kind that has a pod template.
#[test]
fn every_kind_with_a_pod_template_has_the_rows_of_pods() {
    let all: BTreeSet<_> = rows().map(|info| (info.group, info.kind, info.path.to_owned())).collect();
    let pods: Vec<&str> = rows()
        .filter(|info| (info.group, info.kind) == ("", "Pod"))
        .filter_map(|info| info.path.strip_prefix("spec."))
        .collect();
    assert!(pods.len() >= 40, "{} rows of pods", pods.len());
    for template in POD_TEMPLATES {
        let spec = template.spec_path().to_string();
        for path in &pods {
            let path = format!("{spec}.{path}");
            assert!(all.contains(&(template.group, template.kind, path.clone())), "{} {path}", template.kind);
        }
    }
}

/// A StatefulSet's claim template takes the place of the volume of its name.
#[test]
fn a_volume_that_a_claim_template_replaces_names_nobody() {
    let volume = |name: &str| serde_json::json!({"name": name, "persistentVolumeClaim": {"claimName": name}});
    let mut set = super::form::object(("apps", "StatefulSet"), "db", Some("shop"));
    set["spec"] = serde_json::json!({
        "template": {"spec": {"volumes": [volume("data"), volume("shared")]}},
        "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {}}],
    });
    let sources = sources(&[set]);
    let planned = plan(&sources);
    let names: Vec<&str> = planned.linked.references.iter().map(|found| &*found.target.name).collect();
    assert_eq!(names, ["shared"]);
}

/// A placeholder that somebody fills in later is no name.
#[test]
fn a_placeholder_names_nobody() {
    for name in ["${pvc.name}", "$(NAME)", "<path:secret/data#key>", "{{ name }}", "a name", ""] {
        let mut pod = super::form::object(("", "Pod"), "web", Some("shop"));
        pod["spec"] = serde_json::json!({"serviceAccountName": name});
        let sources = sources(&[pod]);
        assert_eq!(plan(&sources).linked.references, [], "{name}");
    }
}

/// A cluster-scoped referrer that names no namespace finds the only object of the name.
#[test]
fn a_cluster_scoped_referrer_finds_the_only_one() {
    let issuer = |name: &str| {
        let mut issuer = super::form::object(("cert-manager.io", "ClusterIssuer"), "ca", None);
        issuer["spec"] = serde_json::json!({"ca": {"secretName": name}});
        issuer
    };
    let secret = |namespace: &str, name: &str| super::form::object(("", "Secret"), name, Some(namespace));
    let secrets = [secret("a", "one"), secret("a", "two"), secret("b", "two")];
    for (name, found) in [("one", true), ("two", false), ("three", false)] {
        let mut objects = vec![issuer(name)];
        objects.extend(secrets.iter().cloned());
        let sources = sources(&objects);
        let planned = plan(&sources);
        let [reference] = &planned.linked.references[..] else { panic!("one reference") };
        assert_eq!(matches!(reference.leads_to, Resolution::Object(_)), found, "{name}");
        assert!(found || reference.leads_to == Resolution::Outside, "{name}");
    }
}

/// Old groups and new ones serve the same objects.
#[test]
fn a_reference_to_an_old_group_finds_the_object_of_the_new_one() {
    let mut scaler = super::form::object(("autoscaling", "HorizontalPodAutoscaler"), "web", Some("shop"));
    scaler["spec"] = serde_json::json!({
        "scaleTargetRef": {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "name": "web"},
    });
    let sources = sources(&[scaler, super::form::object(("apps", "Deployment"), "web", Some("shop"))]);
    let planned = plan(&sources);
    let [reference] = &planned.linked.references[..] else { panic!("one reference") };
    assert!(matches!(reference.leads_to, Resolution::Object(_)), "{reference:?}");
}

/// A binding's parameters are of the kind that its policy says.
#[test]
fn a_binding_of_a_policy_finds_its_parameters() {
    let group = "admissionregistration.k8s.io";
    let mut policy = super::form::object((group, "ValidatingAdmissionPolicy"), "limits", None);
    policy["spec"] = serde_json::json!({"paramKind": {"apiVersion": "rules.example.com/v1", "kind": "Limit"}});
    let mut binding = super::form::object((group, "ValidatingAdmissionPolicyBinding"), "limits", None);
    binding["spec"] = serde_json::json!({
        "policyName": "limits",
        "paramRef": {"name": "ten", "namespace": "shop", "parameterNotFoundAction": "Deny"},
    });
    let mut definition =
        super::form::object(("apiextensions.k8s.io", "CustomResourceDefinition"), "limits.rules.example.com", None);
    definition["spec"] = serde_json::json!({
        "group": "rules.example.com", "scope": "Namespaced", "versions": [],
        "names": {"kind": "Limit", "plural": "limits"},
    });
    let limit = super::form::object(("rules.example.com", "Limit"), "ten", Some("shop"));
    let sources = sources(&[policy, binding, definition, limit]);
    let planned = plan(&sources);
    let said = |at: ObjRef| planned.linked.loaded.objects.get(at).id.to_string();
    let edges = planned.linked.graph.edges().iter().map(|edge| format!("{} → {}", said(edge.from), said(edge.to)));
    let edges: BTreeSet<String> = edges.collect();
    for edge in [
        "Limit shop/ten → ValidatingAdmissionPolicyBinding limits",
        "CustomResourceDefinition limits.rules.example.com → ValidatingAdmissionPolicy limits",
        "ValidatingAdmissionPolicy limits → ValidatingAdmissionPolicyBinding limits",
    ] {
        assert!(edges.contains(edge), "{edge}: {edges:#?}");
    }
}
