use super::*;
use crate::config::Settings;
use crate::finding::Findings;
use crate::load;
use crate::source::{SourceFile, SourceMap};

/// Two roles and who is bound to them, in one text.
const ROLES: &str = "
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: splits, labels: {smi: reader}}
rules:
- {apiGroups: [split.smi-spec.io], resources: [trafficsplits], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: one, labels: {rbac.authorization.k8s.io/aggregate-to-edit: 'true'}}
rules:
- {apiGroups: [example.org], resources: [things, things/status], verbs: ['*'], resourceNames: [first]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: all}
rules:
- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: gathers}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {smi: reader}}]}
rules: [{apiGroups: [overwritten.example.org], resources: ['*'], verbs: ['*']}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: homeless}
";

fn binding(namespace: Option<&str>, role: &str, subject: &str) -> String {
    let (kind, namespace) = match namespace {
        Some(namespace) => ("RoleBinding", format!(", namespace: {namespace}")),
        None => ("ClusterRoleBinding", String::new()),
    };
    format!(
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {role}{namespace}}}\n\
         roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {role}}}\nsubjects: [{{{subject}}}]\n"
    )
}

/// Asks the RBAC of the roles and one binding.
fn ask<T>(namespace: Option<&str>, role: &str, subject: &str, question: impl FnOnce(&Rbac<'_>) -> T) -> T {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", format!("{ROLES}{}", binding(namespace, role, subject))));
    let mut found = Findings::default();
    let loaded = load::objects(&sources, &Settings::default(), &mut found);
    assert_eq!(loaded.objects.len(), 6);
    question(&Rbac::new(&loaded.objects))
}

const WEB: Account<'static> = (Some("shop"), "web");
const ACCOUNT: &str = "kind: ServiceAccount, name: web, namespace: shop";

fn splits(namespace: &str) -> Ask<'_> {
    Ask { group: "split.smi-spec.io", resource: "trafficsplits", namespace: Some(namespace) }
}

#[test]
fn a_binding_of_the_cluster_holds_everywhere() {
    for namespace in ["shop", "other"] {
        assert!(ask(None, "splits", ACCOUNT, |rbac| rbac.reads(WEB, splits(namespace)).is_some()));
    }
    let other = Ask { resource: "trafficsplits/status", ..splits("shop") };
    assert!(ask(None, "splits", ACCOUNT, |rbac| rbac.reads(WEB, other).is_none()));
}

#[test]
fn a_binding_in_a_namespace_holds_there() {
    assert!(ask(Some("shop"), "splits", ACCOUNT, |rbac| rbac.reads(WEB, splits("shop")).is_some()));
    assert!(ask(Some("other"), "splits", ACCOUNT, |rbac| rbac.reads(WEB, splits("shop")).is_none()));
    // an account is of the binding's namespace where the subject says none
    assert!(ask(Some("shop"), "splits", "kind: ServiceAccount, name: web", |rbac| {
        rbac.reads(WEB, splits("shop")).is_some()
    }));
}

#[test]
fn an_account_is_in_groups_and_is_a_user() {
    for (subject, is_web) in [
        ("kind: Group, name: 'system:authenticated'", true),
        ("kind: Group, name: 'system:serviceaccounts'", true),
        ("kind: Group, name: 'system:serviceaccounts:shop'", true),
        ("kind: User, name: 'system:serviceaccount:shop:web'", true),
        ("kind: Group, name: 'system:serviceaccounts:other'", false),
        ("kind: Group, name: 'system:unauthenticated'", false),
        ("kind: User, name: 'system:serviceaccount:shop:other'", false),
        ("kind: User, name: web", false),
        ("kind: ServiceAccount, name: web, namespace: other", false),
    ] {
        assert_eq!(ask(None, "splits", subject, |rbac| rbac.reads(WEB, splits("shop")).is_some()), is_web, "{subject}");
    }
}

#[test]
fn an_account_without_a_namespace_is_meant_by_whoever_names_one() {
    // two namespaces are named, so that none is assumed for it
    let subject = "kind: ServiceAccount, name: homeless, namespace: shop}, {kind: ServiceAccount, name: homeless, \
                   namespace: other";
    assert!(ask(None, "splits", subject, |rbac| rbac.reads((None, "homeless"), splits("shop")).is_some()));
}

#[test]
fn a_role_that_gathers_has_the_rules_of_those_it_takes() {
    assert!(ask(None, "gathers", ACCOUNT, |rbac| rbac.reads(WEB, splits("shop")).is_some()));
    assert!(ask(None, "gathers", ACCOUNT, |rbac| rbac.reads_group(WEB, "overwritten.example.org").is_none()));
    for (role, gathers) in [("admin", true), ("edit", true), ("view", false)] {
        let reads = ask(None, role, ACCOUNT, |rbac| rbac.reads_group(WEB, "example.org").is_some());
        assert_eq!(reads, gathers, "{role}");
    }
}

#[test]
fn a_star_names_no_group() {
    let crds = Ask { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", namespace: None };
    for role in ["all", "cluster-admin"] {
        ask(None, role, ACCOUNT, |rbac| {
            assert!(rbac.reads(WEB, splits("shop")).is_none());
            assert!(rbac.reads_group(WEB, "split.smi-spec.io").is_none());
            assert!(rbac.may_read_group(WEB, "split.smi-spec.io"));
            assert!(rbac.may_change(WEB, crds));
        });
        assert!(!ask(Some("shop"), role, ACCOUNT, |rbac| rbac.may_change(WEB, crds)), "{role}");
    }
    assert!(!ask(None, "splits", ACCOUNT, |rbac| rbac.may_change(WEB, crds)));
}

#[test]
fn a_rule_for_some_objects_is_told_apart() {
    let status = Ask { group: "example.org", resource: "things/status", namespace: Some("shop") };
    ask(None, "one", ACCOUNT, |rbac| {
        assert!(rbac.reads(WEB, status).is_none() && rbac.may_change(WEB, status));
        let grant = rbac.grants(WEB).next().unwrap();
        assert!(grant.rule.covers_name("first") && !grant.rule.covers_name("second"));
        assert_eq!(grant.rule.groups().collect::<Vec<_>>(), ["example.org"]);
    });
}

#[test]
fn subresources_are_named_whole_or_for_all() {
    let rule = |resources: &str| {
        let node = crate::json::from_value(serde_json::json!({"resources": [resources]}));
        ["things", "things/status", "others/status"].map(|resource| {
            Rule { node: &node, place: Place::file(SourceMap::default().add(SourceFile::new("", ""))) }
                .covers_resource(resource)
        })
    };
    assert_eq!(rule("things"), [true, false, false]);
    assert_eq!(rule("things/status"), [false, true, false]);
    assert_eq!(rule("*/status"), [false, true, true]);
    assert_eq!(rule("*"), [true, true, true]);
}
