//! The order in which things go.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Planned, Reason};
use crate::object::{ObjRef, Object, ObjectSet, plural};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&CONTROLLER_GOES_FIRST];

static CONTROLLER_GOES_FIRST: Rule = Rule {
    id: "TG557",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "on deletion a controller may go before the custom resources that it cleans up",
    explanation: "\
When an Application is deleted, Argo CD deletes the highest wave first and waits for it, then the next; all
of one wave goes at once. A custom resource with a finalizer stays until its controller has taken that away,
and in the same wave the controller may be gone before: the resource, its Namespace and the Application then
hang in deletion until somebody removes the finalizer by hand. Found where a resource is written with
a finalizer, or a role lets somebody update the `finalizers` of its kind.

Put the custom resources into a later wave than their controller, for example with
`config.kubernetes.io/depends-on` on them: what comes last goes first.
Source: argo-cd, controller/sort_delete.go.",
};

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    if settings.engine != EngineName::Argocd {
        return;
    }
    let objects = planned.objects();
    let mut waves = vec![0; objects.len()];
    planned.plan.slots.iter().for_each(|slot| waves[slot.object.index()] = slot.wave);
    let cleaned = cleaned(objects);
    let mut together: BTreeMap<ObjRef, Vec<ObjRef>> = BTreeMap::new();
    for (edge, _) in planned.edges().filter(|(edge, _)| edge.reason == Reason::Controller) {
        let resource = objects.get(edge.to);
        let is_held = has_finalizers(resource)
            || cleaned.contains(&(&*resource.id.group, plural::regular(&resource.id.kind).as_str()));
        if is_held && waves[edge.from.index()] >= waves[edge.to.index()] {
            together.entry(edge.from).or_default().push(edge.to);
        }
    }
    for (controller, resources) in together {
        found.push(finding(objects, controller, &resources));
    }
}

fn has_finalizers(object: &Object<'_>) -> bool {
    object.tree.at(&["metadata", "finalizers"]).and_then(Node::items).is_some_and(|list| !list.is_empty())
}

/// Groups and resources whose finalizers a role of the input lets somebody update.
fn cleaned<'o>(objects: &'o ObjectSet<'_>) -> BTreeSet<(&'o str, &'o str)> {
    let texts = |rule: &'o Node<'_>, field: &str| {
        let items = rule.get(field).and_then(Node::items).unwrap_or_default();
        items.iter().filter_map(Node::as_str).collect::<Vec<_>>()
    };
    let roles = ["ClusterRole", "Role"].into_iter();
    let roles = roles.flat_map(|kind| objects.of_kind("rbac.authorization.k8s.io", kind));
    let rules = roles.flat_map(|(_, role)| role.tree.get("rules").and_then(Node::items).unwrap_or_default());
    let pairs = rules.flat_map(|rule| {
        let resources = texts(rule, "resources").into_iter();
        let resources = resources.filter_map(|resource| resource.strip_suffix("/finalizers"));
        let groups = texts(rule, "apiGroups");
        resources.flat_map(move |resource| groups.clone().into_iter().map(move |group| (group, resource)))
    });
    pairs.collect()
}

fn finding(objects: &ObjectSet<'_>, controller: ObjRef, resources: &[ObjRef]) -> Finding {
    let (controller, first) = (objects.get(controller), objects.get(resources[0]));
    let more = if resources.len() > 1 { format!(" and {} more", resources.len() - 1) } else { String::new() };
    let message = format!(
        "when the Application is deleted, {} may go before {}{more}, whose finalizers it may have to take away",
        controller.id, first.id
    );
    let at = |object: &Object<'_>| {
        let path = FieldPath::keys(["metadata", "name"]);
        Label::new(object.place_of(&path)).path(path)
    };
    Finding::new(&CONTROLLER_GOES_FIRST, message)
        .with_object(&controller.id)
        .with_label(at(controller))
        .with_label(at(first).text("what it cleans up"))
        .with_remedy("put the custom resources into a later wave, for example by `config.kubernetes.io/depends-on`")
}
