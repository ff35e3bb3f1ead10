//! In which order to go from splits to routes on a cluster.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Routes;
use crate::object::{Object, ObjectId};
use crate::tree::Node;

/// The way from splits to their routes, as numbered steps with a command each: no step may be taken
/// before the one above it holds. Plain text that ends with a line break; empty where there are none.
///
/// In a repository that is applied by an engine, each step that changes something is a commit: an engine
/// that deletes the split before the routes are there sends all requests to the root Service meanwhile.
pub fn steps(done: &[(&Object<'_>, &Routes<'_>)]) -> String {
    let mut out = String::new();
    if done.is_empty() {
        return out;
    }
    let mut nth = 0;
    let mut step = |title: &str, commands: &BTreeSet<String>| {
        nth += 1;
        // writing to a string cannot fail
        let _ = writeln!(out, "{nth}. {title}");
        for command in commands {
            let _ = writeln!(out, "     {command}");
        }
    };
    let one = |command: &str| BTreeSet::from([command.to_owned()]);
    step("The API server serves HTTPRoute.", &one("kubectl get crd httproutes.gateway.networking.k8s.io"));
    step("The backends are there.", &done.iter().map(|(split, routes)| backends(split, routes)).collect());
    let routes = || done.iter().flat_map(|(_, routes)| &routes.routes);
    step(
        "Apply the routes, beside the splits. Nothing changes yet: the ServiceProfile that the SMI extension keeps \
         for a split wins over them.",
        &routes().map(|route| get(&route.id, "httproute")).collect(),
    );
    step(
        "Delete the splits, in a change of its own that comes after the routes: the extension empties its profile, \
         and the routes take over.",
        &done.iter().map(|(split, _)| format!("kubectl delete trafficsplit {}", named(&split.id))).collect(),
    );
    step(
        "No ServiceProfile of the Services has `dstOverrides` or `routes` any more; delete it, or take them out.",
        &done.iter().map(|(split, routes)| profile(split, routes)).collect(),
    );
    step(
        "When no split is left in the cluster, remove the SMI extension. Without it a profile that still has \
         `dstOverrides` would stay in force.",
        &one("kubectl get trafficsplits --all-namespaces"),
    );
    out
}

/// `-n shop NAME`.
fn named(id: &ObjectId) -> String {
    match &id.namespace {
        Some(namespace) => format!("-n {namespace} {}", id.name.text()),
        None => id.name.text().to_owned(),
    }
}

fn get(id: &ObjectId, kind: &str) -> String {
    format!("kubectl get {kind} {}", named(id))
}

fn backends(split: &Object<'_>, routes: &Routes<'_>) -> String {
    let names = routes.routes.iter().flat_map(|route| {
        let rules = route.tree.at(&["spec", "rules"]).and_then(Node::items).unwrap_or_default();
        rules.iter().flat_map(|rule| rule.get("backendRefs").and_then(Node::items).unwrap_or_default())
    });
    let names: BTreeSet<&str> = names.filter_map(|name| name.get("name")?.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    match &split.id.namespace {
        Some(namespace) => format!("kubectl get services -n {namespace} {}", names.join(" ")),
        None => format!("kubectl get services {}", names.join(" ")),
    }
}

fn profile(split: &Object<'_>, routes: &Routes<'_>) -> String {
    let namespace = split.id.namespace.as_deref().unwrap_or("default");
    format!("kubectl get serviceprofile -n {namespace} {}.{namespace}.svc.cluster.local -o yaml", routes.root)
}
