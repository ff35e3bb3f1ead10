//! Where pods are written: the kinds that hold a pod template, and the template.

use crate::object::annotation::{
    ARGOCD_HOOK, ARGOCD_HOOK_DELETE_POLICY, HELM_HOOK, HELM_HOOK_DELETE_POLICY, SYNC_OPTIONS,
};
use crate::object::{GroupKind, Name, Object};
use crate::tree::{FieldPath, Node};

/// What becomes of pods when the template changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The controller replaces them.
    Rolls,
    /// Nothing now; pods that are made later follow the new template.
    Later,
    /// Nothing by itself: only pods that are made for another reason follow it.
    Never,
    /// The API server refuses the change.
    Immutable,
}

/// A kind that holds a pod template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodTemplate {
    /// API group.
    pub group: &'static str,
    /// Kind.
    pub kind: &'static str,
    /// Keys from the root of the object to the template (with `metadata` and `spec`); empty for a Pod.
    pub path: &'static [&'static str],
    /// What a change of the template does.
    pub restart: Restart,
}

const fn template(
    group: &'static str,
    kind: &'static str,
    path: &'static [&'static str],
    restart: Restart,
) -> PodTemplate {
    PodTemplate { group, kind, path, restart }
}

const SPEC_TEMPLATE: &[&str] = &["spec", "template"];

/// Every kind whose pod template is known, by group and kind.
pub static POD_TEMPLATES: &[PodTemplate] = &[
    template("", "Pod", &[], Restart::Immutable),
    template("", "PodTemplate", &["template"], Restart::Never),
    template("", "ReplicationController", SPEC_TEMPLATE, Restart::Never),
    template("apps", "DaemonSet", SPEC_TEMPLATE, Restart::Rolls),
    template("apps", "Deployment", SPEC_TEMPLATE, Restart::Rolls),
    template("apps", "ReplicaSet", SPEC_TEMPLATE, Restart::Never),
    template("apps", "StatefulSet", SPEC_TEMPLATE, Restart::Rolls),
    template("apps.kruise.io", "BroadcastJob", SPEC_TEMPLATE, Restart::Immutable),
    template("apps.kruise.io", "CloneSet", SPEC_TEMPLATE, Restart::Rolls),
    template("apps.kruise.io", "DaemonSet", SPEC_TEMPLATE, Restart::Rolls),
    template("apps.kruise.io", "StatefulSet", SPEC_TEMPLATE, Restart::Rolls),
    template("apps.openshift.io", "DeploymentConfig", SPEC_TEMPLATE, Restart::Rolls),
    template("argoproj.io", "Rollout", SPEC_TEMPLATE, Restart::Rolls),
    template("batch", "CronJob", &["spec", "jobTemplate", "spec", "template"], Restart::Later),
    template("batch", "Job", SPEC_TEMPLATE, Restart::Immutable),
    template("extensions", "DaemonSet", SPEC_TEMPLATE, Restart::Rolls),
    template("extensions", "Deployment", SPEC_TEMPLATE, Restart::Rolls),
    template("extensions", "ReplicaSet", SPEC_TEMPLATE, Restart::Never),
    template("serving.knative.dev", "Configuration", SPEC_TEMPLATE, Restart::Rolls),
    template("serving.knative.dev", "Service", SPEC_TEMPLATE, Restart::Rolls),
];

/// The row of a kind that holds a pod template.
pub fn of(object: &Object<'_>) -> Option<&'static PodTemplate> {
    row(&object.id.group, &object.id.kind)
}

fn row(group: &str, kind: &str) -> Option<&'static PodTemplate> {
    let at = POD_TEMPLATES.binary_search_by_key(&(group, kind), |row| (row.group, row.kind)).ok()?;
    Some(&POD_TEMPLATES[at])
}

/// A pod template that a configuration names, because no table can know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTemplate {
    /// The kind that holds it.
    pub kind: GroupKind,
    /// Keys from the root of the object to the template.
    pub path: Vec<String>,
}

/// Where a kind holds its pod template, by the table and by what a configuration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held<'t> {
    /// Keys from the root of the object to the template; empty for a Pod.
    pub path: Vec<&'t str>,
    /// What a change of the template does; kinds that only a configuration names roll.
    pub restart: Restart,
    /// Whether a configuration names the kind.
    pub is_named: bool,
}

/// The pod template of a kind, where the table or a configuration knows one. What a configuration
/// names wins: a kind has one template.
pub fn held<'t>(group: &str, kind: &str, named: &'t [NamedTemplate]) -> Option<Held<'t>> {
    let known = row(group, kind);
    let restart = known.map_or(Restart::Rolls, |row| row.restart);
    match named.iter().find(|row| *row.kind.group == *group && *row.kind.kind == *kind) {
        Some(row) => Some(Held { path: row.path.iter().map(String::as_str).collect(), restart, is_named: true }),
        None => known.map(|row| Held { path: row.path.to_vec(), restart, is_named: false }),
    }
}

impl PodTemplate {
    /// The template in an object of this kind, if it is written out.
    pub fn find<'o, 's>(&self, object: &'o Object<'s>) -> Option<&'o Node<'s>> {
        object.tree.at(self.path)
    }

    /// The pod spec in an object of this kind.
    pub fn spec<'o, 's>(&self, object: &'o Object<'s>) -> Option<&'o Node<'s>> {
        self.find(object)?.get("spec")
    }

    /// The way to the pod spec.
    pub fn spec_path(&self) -> FieldPath {
        FieldPath::keys(self.path.iter().copied()).key("spec")
    }
}

/// Whether whoever applies the object makes it anew, so that its pod template may differ from the one
/// before: a hook that is deleted first, which is Argo CD's default (`gitops-engine`
/// `pkg/sync/hook/delete_policy.go`) and Helm's; forced replacement; a new name each time.
pub fn is_recreated(object: &Object<'_>) -> bool {
    let list = |name| object.annotation(name).unwrap_or("").split(',').map(str::trim).filter(|part| !part.is_empty());
    let hook = |hook, policy, before: &str| {
        let mut phases = list(hook).filter(|phase| *phase != "Skip");
        phases.next().is_some() && (list(policy).next().is_none() || list(policy).any(|policy| policy == before))
    };
    let option = |wanted: &str| list(SYNC_OPTIONS).any(|option| option == wanted);
    hook(ARGOCD_HOOK, ARGOCD_HOOK_DELETE_POLICY, "BeforeHookCreation")
        || hook(HELM_HOOK, HELM_HOOK_DELETE_POLICY, "before-hook-creation")
        || (option("Replace=true") && option("Force=true"))
        || matches!(object.id.name, Name::Generated { .. })
}

/// The lists of a pod spec that hold containers.
pub const CONTAINER_LISTS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

/// Every container of a pod spec with its list and number.
pub fn containers<'n, 's>(spec: &'n Node<'s>) -> impl Iterator<Item = (&'static str, usize, &'n Node<'s>)> {
    CONTAINER_LISTS.into_iter().flat_map(move |list| {
        let items = spec.get(list).and_then(Node::items).unwrap_or_default();
        items.iter().enumerate().map(move |(nth, container)| (list, nth, container))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_adds_kinds_and_moves_templates() {
        let named = |group: &str, kind: &str, path: &str| NamedTemplate {
            kind: GroupKind::new(group, kind),
            path: path.split('.').map(str::to_owned).collect(),
        };
        let rows = [named("a.example.org", "Fleet", "spec.pods"), named("apps", "ReplicaSet", "spec.template")];
        let fleet = held("a.example.org", "Fleet", &rows).unwrap();
        assert_eq!((fleet.path, fleet.restart, fleet.is_named), (vec!["spec", "pods"], Restart::Rolls, true));
        let set = held("apps", "ReplicaSet", &rows).unwrap();
        assert_eq!((set.restart, set.is_named), (Restart::Never, true));
        assert_eq!(held("", "Pod", &rows).map(|pod| pod.path), Some(Vec::new()));
        assert_eq!(held("a.example.org", "Other", &rows), None);
    }

    #[test]
    fn the_table_is_sorted_for_the_search() {
        assert!(POD_TEMPLATES.is_sorted_by_key(|row| (row.group, row.kind)));
    }
}
