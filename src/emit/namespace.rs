//! The default namespace, written out.

use std::borrow::Cow;

use crate::object::Object;
use crate::tree::{Key, Mapping, Node};

/// Writes the namespace that an object ends up in into its metadata, behind the name, where the
/// metadata says none.
pub(super) fn write(object: &mut Object<'_>) {
    let Some(namespace) = object.id.namespace.clone() else { return };
    let Some(metadata) = object.tree.mapping_mut().and_then(|root| root.get_mut("metadata")?.mapping_mut()) else {
        return;
    };
    if metadata.get("namespace").and_then(Node::as_str).is_some_and(|written| !written.is_empty()) {
        return;
    }
    metadata.remove("namespace");
    let mut entries = std::mem::take(metadata).into_entries();
    let behind = entries.iter().position(|(key, _)| matches!(&*key.name, "name" | "generateName"));
    let at = behind.map_or(entries.len(), |name| name + 1);
    entries.insert(at, (Key::made("namespace"), Node::text(Cow::Owned(namespace.to_string()))));
    *metadata = Mapping::new(entries);
}
