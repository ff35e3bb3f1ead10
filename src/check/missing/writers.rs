//! Signs in the input that somebody writes into a source at run time.

use std::collections::BTreeSet;

use crate::object::{Object, ObjectSet};
use crate::tree::Node;

const RBAC: &str = "rbac.authorization.k8s.io";

/// Sources that a Role or ClusterRole names and lets somebody update or patch.
pub(super) struct Writers<'o> {
    /// Resource, namespace (none for a ClusterRole), name.
    named: BTreeSet<(&'o str, Option<&'o str>, &'o str)>,
}

impl<'o> Writers<'o> {
    pub(super) fn new(objects: &'o ObjectSet<'_>) -> Self {
        let mut named = BTreeSet::new();
        for kind in ["ClusterRole", "Role"] {
            for (_, role) in objects.of_kind(RBAC, kind) {
                let rules = role.tree.get("rules").and_then(Node::items).unwrap_or_default();
                for rule in rules.iter().filter(|rule| has(rule, "verbs", &["update", "patch", "*"])) {
                    for resource in ["configmaps", "secrets"] {
                        if has(rule, "resources", &[resource, "*"]) {
                            let names = texts(rule, "resourceNames");
                            named.extend(names.map(|name| (resource, role.id.namespace.as_deref(), name)));
                        }
                    }
                }
            }
        }
        Writers { named }
    }

    /// Whether somebody may write into a source.
    pub(super) fn write(&self, source: &Object<'_>) -> bool {
        let resource = if &*source.id.kind == "Secret" { "secrets" } else { "configmaps" };
        let at = |namespace| self.named.contains(&(resource, namespace, source.id.name.text()));
        at(None) || at(source.id.namespace.as_deref())
    }
}

fn texts<'n>(rule: &'n Node<'_>, field: &str) -> impl Iterator<Item = &'n str> {
    rule.get(field).and_then(Node::items).unwrap_or_default().iter().filter_map(Node::as_str)
}

fn has(rule: &Node<'_>, field: &str, wanted: &[&str]) -> bool {
    texts(rule, field).any(|text| wanted.contains(&text))
}
