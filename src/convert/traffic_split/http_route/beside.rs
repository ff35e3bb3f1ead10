//! What else in the input speaks of the root Service of a split.

use super::{GROUP, KIND, Work, rules, shared_roots};
use crate::finding::{Finding, Label};
use crate::object::Object;
use crate::tree::{FieldPath, Node};

/// Says what gets in the way of the routes of a root Service, or of which they get in the way.
pub(super) fn look(work: &mut Work<'_, '_, '_>, root: &str, ports: &[u16]) {
    let said = other_splits(work, root).into_iter();
    let said: Vec<_> = said.chain(profiles(work, root)).chain(routes(work, root, ports)).collect();
    said.into_iter().for_each(|finding| work.push(finding));
}

fn path() -> FieldPath {
    FieldPath::keys(["spec", "service"])
}

fn other_splits(work: &Work<'_, '_, '_>, root: &str) -> Option<Finding> {
    let roots = shared_roots(work.context.objects);
    let splits = roots.get(&(work.namespace(), root))?;
    let others: Vec<_> = splits.iter().filter(|split| split.id != work.split.id).collect();
    let names: Vec<String> = others.iter().map(|split| split.id.to_string()).collect();
    let message = format!("{} splits the Service {root} as well", names.join(", "));
    let finding = work.finding(&rules::SPLITS_MEET, &message, &path());
    let label = |split: &Object<'_>| Label::new(split.place_of(&path())).path(path()).text("the other one");
    let finding = others.iter().fold(finding, |finding, split| finding.with_label(label(split)));
    Some(finding.with_remedy("keep one of them, or make one that says what all of them mean"))
}

/// Profiles that proxies take before any route: they are named for the host of the Service.
fn profiles(work: &Work<'_, '_, '_>, root: &str) -> Vec<Finding> {
    let host = match work.namespace() {
        Some(namespace) => format!("{root}.{namespace}.svc."),
        None => format!("{root}."),
    };
    let filled = |profile: &Object<'_>, field: &str| {
        let items = profile.tree.at(&["spec", field]).and_then(Node::items);
        items.is_some_and(|items| !items.is_empty())
    };
    let profiles = work.context.objects.of_kind("linkerd.io", "ServiceProfile").map(|(_, profile)| profile);
    let profiles = profiles.filter(|profile| profile.id.name.text().starts_with(&host));
    let hides = profiles.filter_map(|profile| {
        let fields: Vec<_> = ["routes", "dstOverrides"].into_iter().filter(|field| filled(profile, field)).collect();
        let first = FieldPath::keys(["spec", *fields.first()?]);
        let message = format!("{} has {}, which hide the routes", profile.id, fields.join(" and "));
        let finding = work.finding(&rules::PROFILE_WINS, &message, &path());
        let label = Label::new(profile.place_of(&first)).path(first).text("these win");
        let remedy = format!("once the routes are there, take {} out of it, or delete it", fields.join(" and "));
        Some(finding.with_label(label).with_remedy(remedy))
    });
    hides.collect()
}

/// Routes that are attached to the Service already, at one of the ports or at all of them.
fn routes(work: &Work<'_, '_, '_>, root: &str, ports: &[u16]) -> Vec<Finding> {
    let meets = |route: &Object<'_>| {
        let parents = route.tree.at(&["spec", "parentRefs"]).and_then(Node::items).unwrap_or_default();
        parents.iter().position(|parent| {
            let text = |field| parent.get(field).and_then(Node::as_str);
            let namespace = text("namespace").or(route.id.namespace.as_deref());
            let port = parent.get("port").and_then(Node::as_i64);
            let is_service = text("kind") == Some("Service") && text("name") == Some(root);
            is_service
                && namespace == work.namespace()
                && port.is_none_or(|port| ports.iter().any(|ours| i64::from(*ours) == port))
        })
    };
    let mut said = Vec::new();
    for (group, kind) in [(GROUP, "GRPCRoute"), (GROUP, KIND), ("policy.linkerd.io", KIND)] {
        for (_, route) in work.context.objects.of_kind(group, kind) {
            let Some(nth) = meets(route) else { continue };
            let path_there = FieldPath::keys(["spec", "parentRefs"]).index(nth);
            let (what, remedy) = match kind {
                "GRPCRoute" => {
                    ("takes its HTTP/2 traffic from the new routes", "say in one kind of route what is meant")
                }
                _ => ("is merged with the new routes, and the oldest wins", "make one route of them"),
            };
            let message = format!("{} is attached to the Service {root} and {what}", route.id);
            let label = Label::new(route.place_of(&path_there)).path(path_there).text("here");
            let finding = work.finding(&rules::OTHER_ROUTE, &message, &path());
            said.push(finding.with_label(label).with_remedy(remedy));
        }
    }
    said
}
