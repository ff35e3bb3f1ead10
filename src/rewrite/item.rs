//! The objects inside documents, with the way to each.

use std::collections::HashMap;
use std::sync::Arc;

use crate::config::Settings;
use crate::convert::{self, crd_v1beta1};
use crate::finding::rules::rewriting as rules;
use crate::finding::{Finding, Findings, Label};
use crate::load::list;
use crate::object::annotation::LOCAL_CONFIG;
use crate::object::gvk::split_api_version;
use crate::object::{Name, Object, ObjectId, ObjectSet, Origin};
use crate::source::{FileId, Place};
use crate::tree::{FieldPath, Node};

use super::document::Document;

/// An object of a kind that is converted.
#[derive(Debug)]
pub(super) struct Item<'s> {
    /// The document it stands in, by number.
    pub(super) document: usize,
    /// The numbers of the items that lead to it through lists; none for the document itself.
    pub(super) path: Vec<usize>,
    /// It as it is written.
    pub(super) object: Object<'s>,
    /// What it becomes; none where it stays.
    pub(super) becomes: Option<Vec<Object<'s>>>,
}

/// The namespace that the object at a place ends up in, as far as the load knows.
type Homes = HashMap<(FileId, usize), Option<Arc<str>>>;

fn start(place: Place) -> (FileId, usize) {
    (place.file, place.start)
}

/// The objects that may be converted, in the order of documents. Encrypted ones are left out, and said.
pub(super) fn items<'s>(
    documents: &[Document<'s>],
    objects: &ObjectSet<'s>,
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Item<'s>> {
    let homes: Homes = objects.iter().map(|(_, object)| (start(object.place()), object.id.namespace.clone())).collect();
    let mut items = Vec::new();
    for (nth, document) in documents.iter().enumerate() {
        let Some(root) = &document.root else { continue };
        for (path, tree) in flat(root) {
            let Some(object) = object(tree, document, &homes, settings) else { continue };
            if object.tree.get("sops").is_some_and(|sops| sops.mapping().is_some()) {
                found.push(encrypted(&object));
            } else if object.annotation(LOCAL_CONFIG) != Some("true") {
                items.push(Item { document: nth, path, object, becomes: None });
            }
        }
    }
    items
}

/// A document's objects: those of a list, and of lists inside lists, each with its way; else itself.
fn flat<'s>(root: &Node<'s>) -> Vec<(Vec<usize>, Node<'s>)> {
    let mut open = vec![(Vec::new(), root.clone())];
    let mut flat = Vec::new();
    while let Some((path, node)) = open.pop() {
        let Some(item_type) = list::item_type(&node) else {
            flat.push((path, node));
            continue;
        };
        let items = node.get("items").and_then(Node::items).unwrap_or_default();
        for (nth, item) in items.iter().enumerate().rev() {
            let path = path.iter().copied().chain([nth]).collect();
            open.push((path, list::with_type(item.clone(), item_type.as_ref())));
        }
    }
    flat
}

/// The object of a tree, if it is of a kind that is converted: with the namespace that it ends up in, as
/// far as the load knows it.
fn object<'s>(tree: Node<'s>, document: &Document<'_>, homes: &Homes, settings: &Settings) -> Option<Object<'s>> {
    let text = |path: &[&str]| tree.at(path).and_then(Node::as_str).filter(|text| !text.is_empty());
    let (group, version) = split_api_version(text(&["apiVersion"])?).ok()?;
    let kind = text(&["kind"])?;
    let is_definition = (group, kind) == (crd_v1beta1::GROUP, crd_v1beta1::KIND);
    let is_target = (group, kind) == ("access.smi-spec.io", "TrafficTarget");
    if !is_definition && !is_target && convert::kind(group, kind).is_none() {
        return None;
    }
    let name = match text(&["metadata", "name"]) {
        Some(name) => Name::Fixed(name.into()),
        None => Name::Generated { prefix: text(&["metadata", "generateName"])?.into(), nth: 0 },
    };
    let namespace = match homes.get(&start(document.at.place(tree.span))) {
        Some(namespace) => namespace.clone(),
        None if is_definition => None,
        None => text(&["metadata", "namespace"]).or(settings.namespace.as_deref()).map(Into::into),
    };
    let id = ObjectId { group: group.into(), kind: kind.into(), namespace, name };
    let version = version.into();
    Some(Object { id, version, tree, origin: Origin { document: document.at }, patched: Default::default() })
}

fn encrypted(object: &Object<'_>) -> Finding {
    let path = FieldPath::keys(["apiVersion"]);
    Finding::new(&rules::ENCRYPTED, format!("{} is encrypted by SOPS and stays as it is", object.id))
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_remedy("decrypt it, convert it, and encrypt it again")
}
