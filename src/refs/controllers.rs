//! Controllers → the custom resources whose status they report.
//!
//! An engine that checks the health of a custom resource waits for ever if the only one who could
//! report it comes in a later wave.

use std::borrow::Cow;
use std::collections::HashMap;

use super::rbac::{Account, Rbac};
use super::readers::is_converted;
use super::workloads::{Workload, Workloads};
use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::{ObjRef, Object, ObjectSet, plural, scope};
use crate::source::Place;
use crate::tree::Node;

/// Workloads that end by themselves, and what starts none: no controllers.
const NO_CONTROLLERS: &[(&str, &str)] =
    &[("", "Pod"), ("", "PodTemplate"), ("apps.kruise.io", "BroadcastJob"), ("batch", "CronJob"), ("batch", "Job")];

/// The objects of one custom kind.
struct Kind<'o> {
    /// The status of the resource, as RBAC names it: `issuers/status`.
    status: String,
    objects: Vec<(ObjRef, &'o Object<'o>)>,
}

/// Puts every controller before the custom resources whose status its ServiceAccount may update or
/// patch by a rule that names the group; not before those that tidegate converts, which come before
/// their readers.
pub(super) fn link(loaded: &Loaded<'_>, workloads: &Workloads<'_>, rbac: &Rbac<'_>, edges: &mut Vec<Edge>) {
    let kinds = custom_kinds(&loaded.objects);
    if kinds.is_empty() {
        return;
    }
    let mut reports: HashMap<Account<'_>, Vec<(ObjRef, Place)>> = HashMap::new();
    for workload in workloads.iter().filter(|workload| may_control(workload)) {
        let account = rbac.account(workload);
        let reported = reports.entry(account).or_insert_with(|| reported(account, rbac, &kinds));
        edges.extend(reported.iter().filter(|(to, _)| *to != workload.at).map(|(to, place)| Edge {
            from: workload.at,
            to: *to,
            need: Need::Before,
            strength: Strength::Weak,
            reason: Reason::Controller,
            place: *place,
        }));
    }
}

fn may_control(workload: &Workload<'_>) -> bool {
    let id = &workload.object.id;
    !NO_CONTROLLERS.contains(&(&*id.group, &*id.kind))
}

/// Custom kinds with objects in the input, by group.
fn custom_kinds<'o>(objects: &'o ObjectSet<'_>) -> HashMap<&'o str, Vec<Kind<'o>>> {
    let mut plurals: HashMap<(&str, &str), &str> = HashMap::new();
    for (_, definition) in objects.of_kind("apiextensions.k8s.io", "CustomResourceDefinition") {
        let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
        let names = (text(&["spec", "group"]), text(&["spec", "names", "kind"]), text(&["spec", "names", "plural"]));
        if let (Some(group), Some(kind), Some(plural)) = names {
            plurals.insert((group, kind), plural);
        }
    }
    let mut kinds: HashMap<&str, Vec<Kind<'_>>> = HashMap::new();
    let mut last = None;
    for (at, object) in objects.iter() {
        let (group, kind) = (&*object.id.group, &*object.id.kind);
        if scope::is_kubernetes(group, kind) || is_converted(group, kind) {
            continue;
        }
        let of_group = kinds.entry(group).or_default();
        // objects of a kind stand together
        if last.replace((group, kind)) != Some((group, kind)) {
            let known = plurals.get(&(group, kind)).copied();
            let plural = known.map_or_else(|| Cow::Owned(plural::regular(kind)), Cow::Borrowed);
            of_group.push(Kind { status: format!("{plural}/status"), objects: Vec::new() });
        }
        if let Some(kind) = of_group.last_mut() {
            kind.objects.push((at, object));
        }
    }
    kinds
}

/// The custom resources whose status an account may change, with the first rule that says so.
fn reported(account: Account<'_>, rbac: &Rbac<'_>, kinds: &HashMap<&str, Vec<Kind<'_>>>) -> Vec<(ObjRef, Place)> {
    let mut reported: HashMap<ObjRef, Place> = HashMap::new();
    for grant in rbac.grants(account).filter(|grant| grant.rule.allows(&["update", "patch"])) {
        let named = grant.rule.groups().filter_map(|group| kinds.get(group)).flatten();
        for kind in named.filter(|kind| grant.rule.covers_resource(&kind.status)) {
            for (at, object) in &kind.objects {
                let id = &object.id;
                let is_named = !grant.rule.has_names() || id.is_fixed() && grant.rule.covers_name(id.name.text());
                if is_named && grant.reaches(id.namespace.as_deref()) {
                    reported.entry(*at).or_insert(grant.rule.place);
                }
            }
        }
    }
    let mut reported: Vec<_> = reported.into_iter().collect();
    reported.sort_unstable_by_key(|(at, _)| *at);
    reported
}

#[cfg(test)]
mod tests {
    use crate::refs::fixture::edges;

    fn found(kind: &str, rule: &str) -> Vec<String> {
        let text = format!(
            "
apiVersion: example.org/v1
kind: Thing
metadata: {{name: first, namespace: shop}}
---
apiVersion: example.org/v1
kind: Thing
metadata: {{name: second, namespace: shop}}
---
apiVersion: split.smi-spec.io/v1alpha2
kind: TrafficSplit
metadata: {{name: web, namespace: shop}}
---
apiVersion: apps/v1
kind: {kind}
metadata: {{name: operator, namespace: shop}}
spec: {{template: {{spec: {{serviceAccountName: operator, containers: []}}}}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {{name: operator, namespace: shop}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: Role, name: operator}}
subjects: [{{kind: ServiceAccount, name: operator}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {{name: operator, namespace: shop}}
rules: [{{{rule}}}]
"
        );
        edges(&text.replace("apps/v1\nkind: Job", "batch/v1\nkind: Job"), "controller")
    }

    #[test]
    fn a_controller_comes_before_what_it_reports_on() {
        let (first, second) = (
            "Deployment shop/operator → Thing shop/first (before, line 28)",
            "Deployment shop/operator → Thing shop/second (before, line 28)",
        );
        let rule = "apiGroups: [example.org], resources: [things/status], verbs: [update]";
        assert_eq!(found("Deployment", rule), [first, second]);
        let rule = "apiGroups: [example.org], resources: ['*'], verbs: ['*'], resourceNames: [second]";
        assert_eq!(found("Deployment", rule), [second]);
    }

    #[test]
    fn who_only_reads_or_changes_no_status_is_no_controller() {
        for rule in [
            "apiGroups: [example.org], resources: [things], verbs: [update]",
            "apiGroups: [example.org], resources: [things/status], verbs: [get]",
            "apiGroups: ['*'], resources: ['*'], verbs: ['*']",
            "apiGroups: [split.smi-spec.io], resources: ['*'], verbs: ['*']",
        ] {
            assert_eq!(found("Deployment", rule), [""; 0], "{rule}");
        }
        let rule = "apiGroups: [example.org], resources: [things/status], verbs: [update]";
        assert_eq!(found("Job", rule), [""; 0]);
    }
}
