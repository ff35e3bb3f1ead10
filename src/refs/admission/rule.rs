//! What a webhook is for: its rules.

use super::registration::ADMISSION;
use super::resources::Resource;
use crate::object::{Object, Scope};
use crate::source::Place;
use crate::tree::{FieldPath, Node};

/// A rule that can match an object which is created or changed.
pub(super) struct Rule<'o> {
    groups: Vec<&'o str>,
    versions: Vec<&'o str>,
    resources: Vec<&'o str>,
    scope: Option<Scope>,
    /// Whether it matches what is created.
    pub creates: bool,
    /// Where it stands.
    pub place: Place,
    /// The field.
    pub path: FieldPath,
}

impl<'o> Rule<'o> {
    /// Reads the rule at a path; nothing for one that matches nothing that is applied: only DELETE
    /// or CONNECT, only subresources, or nothing at all.
    ///
    /// `pods/*` is a rule on pods and all below them, `*/*` one on everything
    /// (apiserver/pkg/admission/plugin/webhook/predicates/rules of Kubernetes).
    pub(super) fn read(object: &Object<'_>, node: &'o Node<'_>, path: FieldPath) -> Option<Self> {
        let list = |field: &str| {
            let items = node.get(field).and_then(Node::items).unwrap_or_default();
            items.iter().filter_map(Node::as_str).collect::<Vec<_>>()
        };
        let main = |resource: &'o str| match resource.split_once('/') {
            Some((main, "*")) => Some(main),
            Some(_) => None,
            None => Some(resource),
        };
        let operations = list("operations");
        let has = |wanted: &str| operations.iter().any(|operation| *operation == wanted || *operation == "*");
        let rule = Rule {
            groups: list("apiGroups"),
            versions: list("apiVersions"),
            resources: list("resources").into_iter().filter_map(main).collect(),
            scope: match node.get("scope").and_then(Node::as_str) {
                Some("Cluster") => Some(Scope::Cluster),
                Some("Namespaced") => Some(Scope::Namespaced),
                _ => None,
            },
            creates: has("CREATE"),
            place: object.place_of(&path),
            path,
        };
        let is_empty = rule.groups.is_empty() || rule.versions.is_empty() || rule.resources.is_empty();
        (!is_empty && (rule.creates || has("UPDATE"))).then_some(rule)
    }

    /// Whether it names everything as group or resource, as policy engines do.
    pub(super) fn is_open(&self) -> bool {
        self.groups.contains(&"*") || self.resources.contains(&"*")
    }

    /// Whether it can match pods.
    pub(super) fn takes_pods(&self) -> bool {
        self.covers("", "pods") && self.scope != Some(Scope::Cluster)
    }

    fn covers(&self, group: &str, resource: &str) -> bool {
        let has = |list: &[&str], wanted: &str| list.iter().any(|named| *named == wanted || *named == "*");
        has(&self.groups, group) && has(&self.resources, resource)
    }

    /// Whether it matches a resource, in whatever version. Webhooks are never asked about what
    /// configures admission (`IsExemptAdmissionConfigurationResource`, same package).
    pub(super) fn takes(&self, resource: &Resource<'_>) -> bool {
        self.covers(resource.group, &resource.name)
            && resource.group != ADMISSION
            && self.scope.is_none_or(|scope| resource.scope.is_none_or(|known| known == scope))
    }

    /// Whether it names a version.
    pub(super) fn names_version(&self, version: &str) -> bool {
        self.versions.iter().any(|named| *named == version || *named == "*")
    }

    /// Every group and resource that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = (&'o str, &'o str)> {
        self.groups.iter().flat_map(|group| self.resources.iter().map(|resource| (*group, *resource)))
    }
}
