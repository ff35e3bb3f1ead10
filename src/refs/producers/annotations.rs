//! Annotations that make somebody copy a ConfigMap or Secret into other namespaces, and kinds that
//! describe what is to be in every namespace.

use super::Special;
use super::makes::{Maker, everywhere, keys_of, text};
use crate::flow::{Product, ProductKeys, Reach, Target};
use crate::object::gvk::split_api_version;
use crate::tree::Node;

pub(super) static SPECIAL: &[Special] = &[
    ("", "ConfigMap", copied),
    ("", "Secret", copied),
    ("clustersecret.io", "ClusterSecret", cluster_secret),
    ("kyverno.io", "ClusterPolicy", generated),
    ("kyverno.io", "Policy", generated),
];

/// Annotations by which a source is copied elsewhere, and the only value that says so, if any does
/// not: Emberstack's reflector, mittwald's replicator, AppsCode's config-syncer.
static COPIED: &[(&str, Option<&str>)] = &[
    ("reflector.v1.k8s.emberstack.com/reflection-auto-enabled", Some("true")),
    ("replicator.v1.mittwald.de/replicate-to", None),
    ("replicator.v1.mittwald.de/replicate-to-matching", None),
    ("kubed.appscode.com/sync", None),
];

/// The copies of a source that has, or will have, these annotations.
pub(super) fn copies(annotations: Option<&Node<'_>>, source: &Product) -> Option<Product> {
    let is_copied = |(name, wanted): &(&str, Option<&str>)| {
        let value = annotations.and_then(|node| node.get(name)).and_then(Node::as_str);
        value.is_some_and(|value| wanted.is_none_or(|wanted| value == wanted))
    };
    COPIED.iter().any(is_copied).then(|| Product { keys: ProductKeys::Unknown, ..everywhere(source) })
}

fn copied(maker: &Maker<'_>) -> Vec<Product> {
    let id = &maker.object.id;
    let source = maker.product((&id.group, &id.kind), &maker.name_by("*"), ProductKeys::Unknown);
    copies(maker.node(&["metadata", "annotations"]), &source).into_iter().collect()
}

/// A Secret in every namespace that matches; its keys stand in `data`, unless that says `valueFrom`.
fn cluster_secret(maker: &Maker<'_>) -> Vec<Product> {
    let keys = match maker.node(&["data", "valueFrom"]) {
        Some(_) => ProductKeys::Unknown,
        None => ProductKeys::AtLeast(keys_of(maker.node(&["data"]))),
    };
    vec![everywhere(&maker.secret(&maker.name_by("*"), keys))]
}

/// What the rules of a Kyverno policy generate; a namespace that a variable tells may be any.
fn generated(maker: &Maker<'_>) -> Vec<Product> {
    let rules = maker.items(&["spec", "rules"]).iter().filter_map(|rule| rule.get("generate"));
    let product = |generate: &Node<'_>| {
        let (group, _) = split_api_version(text(generate, "apiVersion")?).ok()?;
        let namespace = text(generate, "namespace");
        let reach = match namespace {
            Some(namespace) if namespace.contains("{{") => Reach::Everywhere,
            _ => Reach::Namespace,
        };
        let target = Target {
            group: group.into(),
            kind: text(generate, "kind")?.into(),
            namespace: namespace.filter(|_| reach == Reach::Namespace).map(Into::into),
            name: text(generate, "name")?.into(),
        };
        let keys = ProductKeys::AtLeast(keys_of(generate.at(&["data", "data"])));
        Some(Product { target, reach, maker: maker.at, keys, creates: true })
    };
    rules.filter_map(product).collect()
}
