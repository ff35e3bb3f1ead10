//! Custom resources of convertible kinds → the workloads that read them through the API.
//!
//! A conversion changes what such an object says while its reader runs on; a reader that starts after
//! it has only ever seen the new one. A second render must see the same edges, so the kind decides,
//! not whether an object was converted in this one.

use std::collections::BTreeMap;

use super::rbac::{Account, Ask, Rbac};
use super::workloads::Workloads;
use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::ObjRef;

/// The kinds that tidegate converts: group, kind, resource (SMI, `split.smi-spec.io` and
/// `specs.smi-spec.io`).
const CONVERTED: &[(&str, &str, &str)] = &[
    ("specs.smi-spec.io", "HTTPRouteGroup", "httproutegroups"),
    ("split.smi-spec.io", "TrafficSplit", "trafficsplits"),
];

/// Whether tidegate converts a kind.
pub(super) fn is_converted(group: &str, kind: &str) -> bool {
    CONVERTED.iter().any(|(of, converted, _)| (*of, *converted) == (group, kind))
}

/// Puts every object of a convertible kind before every workload whose ServiceAccount may list or
/// watch it by a rule that names the group and no objects.
pub(super) fn link(loaded: &Loaded<'_>, workloads: &Workloads<'_>, rbac: &Rbac<'_>, edges: &mut Vec<Edge>) {
    let mut accounts: BTreeMap<Account<'_>, Vec<ObjRef>> = BTreeMap::new();
    for workload in workloads.iter() {
        accounts.entry(rbac.account(workload)).or_default().push(workload.at);
    }
    for (group, kind, resource) in CONVERTED {
        for (from, object) in loaded.objects.of_kind(group, kind) {
            let ask = Ask { group, resource, namespace: object.id.namespace.as_deref() };
            for (account, readers) in &accounts {
                let Some(place) = rbac.reads(*account, ask) else { continue };
                let (need, strength, reason) = (Need::Before, Strength::Weak, Reason::Reader);
                edges.extend(readers.iter().map(|to| Edge { from, to: *to, need, strength, reason, place }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::refs::fixture::edges;

    const SPLIT: &str = "
apiVersion: split.smi-spec.io/v1alpha1
kind: TrafficSplit
metadata: {name: web, namespace: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: destination, namespace: mesh}
spec: {template: {spec: {serviceAccountName: destination, containers: []}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: other, namespace: mesh}
spec: {template: {spec: {containers: []}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: destination}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: destination}
subjects: [{kind: ServiceAccount, name: destination, namespace: mesh}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: destination}
rules:
- {apiGroups: [''], resources: [pods], verbs: [list]}
";

    #[test]
    fn a_split_comes_before_who_may_watch_it() {
        let rule = "- {apiGroups: [split.smi-spec.io], resources: [trafficsplits], verbs: [watch]}\n";
        let found = edges(&format!("{SPLIT}{rule}"), "reader");
        assert_eq!(found, ["TrafficSplit shop/web → Deployment mesh/destination (before, line 27)"]);
    }

    #[test]
    fn a_rule_that_says_less_or_more_makes_no_reader() {
        for rule in [
            "- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}\n",
            "- {apiGroups: [split.smi-spec.io], resources: [trafficsplits], verbs: [get]}\n",
            "- {apiGroups: [split.smi-spec.io], resources: [trafficsplits], verbs: [list], resourceNames: [web]}\n",
            "- {apiGroups: [specs.smi-spec.io], resources: ['*'], verbs: [list]}\n",
        ] {
            assert_eq!(edges(&format!("{SPLIT}{rule}"), "reader"), [""; 0], "{rule}");
        }
    }
}
