//! What an older version cannot hold travels in one annotation, and comes back out of it.
//!
//! The annotation holds a JSON object, whose fields count only as long as what they belong to stands:
//!
//! | field | holds | comes back if |
//! |---|---|---|
//! | `matches` | of a TrafficSplit: `{service, matches}`, the list as it was | `spec.service` is still the same |
//! | `headers` | of an HTTPRouteGroup: a list of `{index, match, headers}`, the match without them | that match is there, or the only one of its name |
//! | `weights` | of a TrafficSplit: the Quantities as they were written | the whole numbers that came of them stand |
//!
//! An object may be written in an older version by someone who keeps the annotation and does not know it,
//! and stay so in the store: that is why it is judged when it comes back, and not when it is written. What
//! an object of a version that can hold a field carries for it is old: the object itself has the word.

use serde_json::{Map, Value as Json};

use super::error::Problem;
use super::options::{Lossy, Version};
use super::spoke::Work;
use crate::json::{from_value, to_value};
use crate::tree::{FieldPath, Mapping, Node, Value};

/// The annotation: JSON of what the version of the object cannot hold.
pub const ANNOTATION: &str = "tidegate.dev/conversion";

/// Brings back what an object carries, as far as the target can hold it and its own version could not.
pub(super) fn restore(work: &mut Work<'_, '_>, target: Version) {
    let Some(mut carried) = read(&work.tree) else { return };
    let before = carried.len();
    carried.retain(|field, _| !holds(field, work.from));
    let kind = work.tree.get("kind").and_then(Node::as_str).unwrap_or_default().to_owned();
    if kind == super::traffic_split::KIND.kind {
        super::traffic_split::restore(work, &mut carried, target);
    } else {
        super::http_route_group::restore(work, &mut carried, target);
    }
    if carried.len() != before {
        write(&mut work.tree, &carried);
    }
}

/// Says that an object has no room for the annotation, where losses are to travel in it: without it they would be lost
/// without a word.
pub(super) fn judge(work: &mut Work<'_, '_>) {
    if work.options.lossy != Lossy::Carry {
        return;
    }
    let metadata = work.tree.get("metadata");
    let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
    let (path, kind) = match (metadata.map(|node| (node, node.mapping())), annotations) {
        (None, _) => (vec!["metadata"], "absent"),
        (Some((node, None)), _) => (vec!["metadata"], node.kind()),
        (_, Some(node)) if !node.is_null() && node.mapping().is_none() => {
            (vec!["metadata", "annotations"], node.kind())
        }
        _ => return,
    };
    let path = FieldPath::keys(path);
    let what = format!("`{path}` is {kind}, not a mapping");
    work.refuse(Problem::Shape, None, path, what, "write it as every object has it");
}

/// Whether objects of a version hold a field themselves.
fn holds(field: &str, version: Version) -> bool {
    match field {
        "matches" => version >= Version::V1alpha3,
        "headers" => version >= Version::V1alpha2,
        "weights" => version == Version::V1alpha1,
        _ => false,
    }
}

/// Puts a value into the annotation of an object, where the options say that losses travel. Gives
/// whether it does.
pub(super) fn carry(work: &mut Work<'_, '_>, field: &str, value: Json) -> bool {
    if work.options.lossy != Lossy::Carry {
        return false;
    }
    let mut carried = read(&work.tree).unwrap_or_default();
    carried.insert(field.to_owned(), value);
    write(&mut work.tree, &carried);
    true
}

/// The JSON of a node, for [`carry`].
pub(super) fn json(node: &Node<'_>) -> Json {
    to_value(node)
}

/// The node of a value that was carried.
pub(super) fn node(value: Json) -> Node<'static> {
    from_value(value)
}

/// What an object carries; nothing where it carries none, or text that is not tidegate's.
fn read(tree: &Node<'_>) -> Option<Map<String, Json>> {
    let text = tree.at(&["metadata", "annotations"])?.get(ANNOTATION)?.as_str()?;
    serde_json::from_str(text).ok()
}

/// Writes what an object carries; with nothing to carry the annotation goes, and annotations that are
/// left empty with it.
fn write(tree: &mut Node<'_>, carried: &Map<String, Json>) {
    let Some(root) = tree.mapping_mut() else { return };
    let Some(metadata) = root.mapping_at("metadata") else { return };
    if carried.is_empty() {
        if let Some(annotations) = metadata.get_mut("annotations").and_then(Node::mapping_mut) {
            annotations.remove(ANNOTATION);
        }
        let is_empty = |node: &Node<'_>| matches!(&node.value, Value::Mapping(mapping) if Mapping::is_empty(mapping));
        if metadata.get("annotations").is_some_and(is_empty) {
            metadata.remove("annotations");
        }
        return;
    }
    if let Some(annotations) = metadata.mapping_at("annotations") {
        annotations.set(ANNOTATION, Node::text(Json::Object(carried.clone()).to_string()));
    }
}
