//! Fields that no schema knows.
//!
//! Source: apiextensions-apiserver, `pkg/apiserver/schema/pruning` (`algorithm.go`); apimachinery, `ObjectMeta`.

use super::judge::known;
use super::shape::{Dialect, HEAD, Inner, Shapes, flag};
use crate::finding::nearest;
use crate::source::Span;
use crate::tree::{FieldPath, Mapping, Node, Value};

/// How many unknown fields of one object are told.
const MOST: usize = 100;

/// The fields of `metadata`.
const METADATA: &[&str] = &[
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// A field that is not known.
pub(super) struct Unknown {
    /// The field.
    pub(super) path: FieldPath,
    /// Its key.
    pub(super) key: Span,
    /// The field that was meant, where one of a near name is known and not given.
    pub(super) near: Option<String>,
}

/// The unknown fields of an object, `status` and the parts that every object has left out.
pub(super) fn unknown<'n, 'd>(shapes: Shapes<'n, 'd>, schema: &'n Node<'d>, object: &Node<'_>) -> Vec<Unknown> {
    let mut walk = Walk { shapes, path: FieldPath::default(), found: Vec::new() };
    walk.node(schema, object, true, false);
    walk.found
}

/// The unknown fields of an object's metadata.
pub(super) fn of_metadata(object: &Node<'_>) -> Vec<Unknown> {
    let Some(mapping) = object.get("metadata").and_then(Node::mapping) else { return Vec::new() };
    let path = FieldPath::keys(["metadata"]);
    let entries = mapping.entries().iter().filter(|(key, _)| !METADATA.contains(&&*key.name));
    entries
        .take(MOST)
        .map(|(key, _)| Unknown {
            path: path.key(&key.name),
            key: key.span,
            near: meant(&key.name, mapping, METADATA.iter().copied()),
        })
        .collect()
}

/// The known field that a key may have been meant as.
fn meant<'k>(key: &str, mapping: &Mapping<'_>, known: impl Iterator<Item = &'k str>) -> Option<String> {
    nearest(key, known.filter(|name| mapping.get(name).is_none())).map(str::to_owned)
}

struct Walk<'n, 'd> {
    shapes: Shapes<'n, 'd>,
    path: FieldPath,
    found: Vec<Unknown>,
}

impl<'n, 'd> Walk<'n, 'd> {
    /// `keeps` is true below a list that keeps what it does not know.
    fn node(&mut self, schema: &'n Node<'d>, value: &Node<'_>, is_root: bool, keeps: bool) {
        let schema = self.shapes.resolve(schema);
        let keeps = keeps || flag(schema, "x-kubernetes-preserve-unknown-fields");
        match &value.value {
            Value::Sequence(items) => {
                let Some(inner) = schema.get("items").filter(|inner| inner.mapping().is_some()) else { return };
                for (index, item) in items.iter().enumerate() {
                    self.path.push_index(index);
                    self.node(inner, item, false, keeps);
                    self.path.pop();
                }
            }
            Value::Mapping(mapping) => self.mapping(schema, mapping, is_root, keeps),
            _ => {}
        }
    }

    fn mapping(&mut self, schema: &'n Node<'d>, mapping: &Mapping<'_>, is_root: bool, keeps: bool) {
        let is_object = is_root || flag(schema, "x-kubernetes-embedded-resource");
        for (key, value) in mapping.entries() {
            let is_head = is_object && HEAD.contains(&&*key.name) || is_root && key.name == "status";
            if is_head || self.found.len() >= MOST {
                continue;
            }
            match self.shapes.field(schema, &key.name) {
                Inner::Schema(inner) => {
                    self.path.push_key(&key.name);
                    self.node(inner, value, false, false);
                    self.path.pop();
                }
                Inner::Nothing if !keeps && self.says_what_it_holds(schema) => self.found.push(Unknown {
                    path: self.path.key(&key.name),
                    key: key.span,
                    near: meant(&key.name, mapping, known(schema)),
                }),
                Inner::Nothing | Inner::Anything => {}
            }
        }
    }

    /// Whether a schema is one of a mapping: what has no type at all is nobody's to judge.
    fn says_what_it_holds(&self, schema: &Node<'_>) -> bool {
        self.shapes.dialect == Dialect::OpenApi || schema.get("type").is_some() || schema.get("properties").is_some()
    }
}
