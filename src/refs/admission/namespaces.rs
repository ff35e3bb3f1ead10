//! What is known of namespaces.

use std::collections::HashMap;

use crate::object::view::label_selector::{self, Label};
use crate::object::{Object, ObjectSet};
use crate::tree::Node;

/// The label that every Namespace has: its name.
const NAME: &str = "kubernetes.io/metadata.name";

/// The Namespaces of the input by name.
pub(super) struct Namespaces<'o> {
    by_name: HashMap<&'o str, &'o Object<'o>>,
}

impl<'o> Namespaces<'o> {
    /// Gathers the Namespaces of a set.
    pub(super) fn new(objects: &'o ObjectSet<'_>) -> Self {
        let all = objects.of_kind("", "Namespace");
        Namespaces { by_name: all.map(|(_, object)| (object.id.name.text(), object)).collect() }
    }

    /// Whether a selector takes a namespace; none is one that nobody names. Nothing where it asks for
    /// labels that are not known, as those of a Namespace that is not in the input.
    pub(super) fn takes(&self, selector: &Node<'_>, namespace: Option<&str>) -> Option<bool> {
        let held = namespace.and_then(|name| self.by_name.get(name));
        label_selector::takes(selector, |key| match (namespace, held) {
            (Some(name), _) if key == NAME => Label::Is(name),
            (_, Some(held)) => Label::of(held.tree.at(&["metadata", "labels"]), key),
            _ => Label::Unknown,
        })
    }

    /// Whether a Namespace is in the input.
    pub(super) fn holds(&self, namespace: Option<&str>) -> bool {
        namespace.is_some_and(|name| self.by_name.contains_key(name))
    }

    /// An annotation of a Namespace of the input.
    pub(super) fn annotation(&self, namespace: Option<&str>, name: &str) -> Option<&'o str> {
        self.by_name.get(namespace?)?.tree.at(&["metadata", "annotations"])?.get(name)?.as_str()
    }
}
