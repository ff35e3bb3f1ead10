//! Which versions of a kind are served.

use std::collections::BTreeSet;

use crate::config::Settings;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::Node;

const GROUP: &str = "apiextensions.k8s.io";
const KIND: &str = "CustomResourceDefinition";

/// What is known of the served versions of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// The versions; empty where nothing is known.
    pub versions: BTreeSet<String>,
    /// The definition that says so; none where `--api-versions` does.
    pub definition: Option<ObjRef>,
}

/// The served versions of a kind: those of its definition in the input, which will be what is served, else those of
/// `--api-versions`.
pub fn served(objects: &ObjectSet<'_>, settings: &Settings, group: &str, kind: &str) -> Served {
    if let Some((at, definition)) = definition(objects, group, kind) {
        return Served { versions: served_by(definition), definition: Some(at) };
    }
    let named = settings.convert.api_versions.iter().filter(|named| named.names(group, kind));
    Served { versions: named.map(|named| named.version.clone()).collect(), definition: None }
}

/// Every definition of the input.
pub(super) fn definitions<'o, 's>(objects: &'o ObjectSet<'s>) -> impl Iterator<Item = (ObjRef, &'o Object<'s>)> {
    objects.of_kind(GROUP, KIND)
}

/// The definition of a kind.
pub(super) fn definition<'o, 's>(
    objects: &'o ObjectSet<'s>,
    group: &str,
    kind: &str,
) -> Option<(ObjRef, &'o Object<'s>)> {
    definitions(objects).find(|(_, object)| defines(object) == Some((group, kind)))
}

/// The schema that a definition has for a version: its own, or that of all versions
/// (apiextensions.k8s.io/v1beta1).
pub(super) fn schema<'o, 's>(definition: &'o Object<'s>, version: &str) -> Option<&'o Node<'s>> {
    let list = definition.tree.at(&["spec", "versions"]).and_then(Node::items).unwrap_or_default();
    let own = list.iter().find(|item| item.get("name").and_then(Node::as_str) == Some(version));
    let own = own.and_then(|item| item.at(&["schema", "openAPIV3Schema"]));
    own.or_else(|| definition.tree.at(&["spec", "validation", "openAPIV3Schema"]))
}

/// The group and kind that a definition defines.
pub(super) fn defines<'o>(definition: &'o Object<'_>) -> Option<(&'o str, &'o str)> {
    let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
    Some((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?))
}

/// The versions that a definition serves: those of `spec.versions` with `served: true`, and `spec.version` of
/// apiextensions.k8s.io/v1beta1 where there is no list.
pub(super) fn served_by(definition: &Object<'_>) -> BTreeSet<String> {
    let list = definition.tree.at(&["spec", "versions"]).and_then(Node::items).unwrap_or_default();
    if list.is_empty() {
        let single = definition.tree.at(&["spec", "version"]).and_then(Node::as_str);
        return single.map(str::to_owned).into_iter().collect();
    }
    let is_served = |item: &&Node<'_>| item.get("served").and_then(Node::as_bool) == Some(true);
    let name = |item: &Node<'_>| item.get("name").and_then(Node::as_str).map(str::to_owned);
    list.iter().filter(is_served).filter_map(name).collect()
}
