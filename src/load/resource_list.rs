//! Lists of a KRM function: a `ResourceList`, or plain documents, whose items go back to whoever sent
//! them.
//!
//! What no cluster gets (`config.kubernetes.io/local-config`, a Kptfile, a kustomization, tidegate's own
//! configuration) is an item too: it comes back as it is, and serves no reference.

use std::collections::{HashMap, HashSet};

use super::documents::{Document, Documents};
use super::{finish, judge};
use crate::config::Settings;
use crate::finding::rules::functions as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::Loaded;
use crate::object::annotation::{ITEM_INDEX, ITEM_PATH};
use crate::object::gvk::split_api_version;
use crate::source::{DocumentStart, FileId, Place, SourceMap};
use crate::tree::{FieldPath, Node, Value};

const KIND: &str = "ResourceList";
const GROUP: &str = "config.kubernetes.io";
/// The versions of a ResourceList (KRM functions specification, and what kustomize sent before it).
const VERSIONS: [&str; 3] = ["v1", "v1beta1", "v1alpha1"];
/// Groups of documents that are for the tools of a package alone.
const PACKAGE_GROUPS: [&str; 1] = ["kpt.dev"];

/// A list of items, and what it came in.
#[derive(Debug)]
pub struct ResourceList<'s> {
    /// The ResourceList without its items and results; none where the input is plain documents.
    envelope: Option<Document<'s>>,
    items: Vec<Item<'s>>,
    names: Vec<ItemName>,
}

#[derive(Debug)]
enum Item<'s> {
    /// It goes through the chain.
    Object(Document<'s>),
    /// It is in the chain: the object that stands at this place.
    Taken(Place),
    /// It comes back as it is.
    Kept(Node<'s>),
}

/// What a result calls an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemName {
    /// Where it stands in the list.
    pub place: Option<Place>,
    /// `apiVersion`, as written.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.namespace`, if it has one.
    pub namespace: Option<String>,
    /// `metadata.name`.
    pub name: String,
    /// The file that the host read it from.
    pub path: Option<String>,
    /// Which object of that file it is, from 0.
    pub index: Option<i64>,
}

/// Whether a document is a ResourceList, of whatever version.
pub fn is_resource_list(root: &Node<'_>) -> bool {
    let text = |name| root.get(name).and_then(Node::as_str).unwrap_or_default();
    text("kind") == KIND && text("apiVersion").starts_with(GROUP)
}

impl<'s> ResourceList<'s> {
    /// Reads the text of a file: one ResourceList, or documents of any number.
    ///
    /// Nothing comes back where the text cannot be read, or the ResourceList is of a version that
    /// nobody defined or has something else than a list as `items`; `found` says why.
    pub fn read(file: FileId, sources: &'s SourceMap, settings: &Settings, found: &mut Findings) -> Option<Self> {
        let mut documents = Documents::default();
        documents.add(file, sources.file(file).text(), settings, found);
        let Documents { mut read, unread } = documents;
        if !unread.is_empty() {
            return None;
        }
        let (envelope, items) = match read.len() {
            1 if is_resource_list(&read[0].root) => {
                let mut list = read.remove(0);
                let items = take_items(&mut list, found)?;
                (Some(list), items)
            }
            _ => (None, read),
        };
        let names = items.iter().map(|item| item_name(&item.root, item.at)).collect();
        let items = items.into_iter().map(sort_out).collect();
        Some(ResourceList { envelope, items, names })
    }

    /// The configuration of the function, if there is one.
    pub fn function_config(&self) -> Option<(&Node<'s>, DocumentStart)> {
        let envelope = self.envelope.as_ref()?;
        let config = envelope.root.get("functionConfig").filter(|config| !config.is_null())?;
        Some((config, envelope.at))
    }

    /// What results call the items, in their order.
    pub fn names(&self) -> &[ItemName] {
        &self.names
    }

    /// Whether the input is a ResourceList, whose answer holds results.
    pub fn has_results(&self) -> bool {
        self.envelope.is_some()
    }

    /// Takes the objects out, as [`super::objects`] does from files. An item that is nearly a manifest
    /// is an error.
    pub fn objects(&mut self, sources: &'s SourceMap, settings: &Settings, found: &mut Findings) -> Loaded<'s> {
        let mut skipped = judge::Skipped::default();
        let mut manifests = Vec::with_capacity(self.items.len());
        for item in &mut self.items {
            let Item::Object(Document { at, root }) = item else { continue };
            let at = *at;
            let document = Document { at, root: std::mem::take(root) };
            *item = Item::Taken(at.place(document.root.span));
            manifests.extend(judge::manifest(document, &mut skipped, found));
        }
        finish(manifests, skipped, Vec::new(), sources, settings, found)
    }

    /// The list with its items in the order they came in, each from the object that stands at its
    /// place; objects that came in with no item follow. `results` goes last, where there are any.
    pub fn answer(self, objects: Vec<(Option<Place>, Node<'s>)>, results: Option<Node<'s>>) -> Answer<'s> {
        let mut by_place = HashMap::new();
        let mut added = Vec::new();
        let known: HashSet<Place> = self.items.iter().filter_map(Item::place).collect();
        for (place, tree) in objects {
            match place.filter(|place| known.contains(place) && !by_place.contains_key(place)) {
                Some(place) => drop(by_place.insert(place, tree)),
                None => added.push(tree),
            }
        }
        let item = |item: Item<'s>| match item {
            Item::Object(document) => Some(document.root),
            Item::Kept(root) => Some(root),
            // one of two that are the same object with the same content
            Item::Taken(place) => by_place.remove(&place),
        };
        let mut items: Vec<Node<'s>> = self.items.into_iter().filter_map(item).collect();
        items.extend(added);
        match self.envelope {
            None => Answer::Documents(items),
            Some(envelope) => Answer::List(with_items(envelope.root, items, results)),
        }
    }
}

/// What goes back to the host.
#[derive(Debug)]
pub enum Answer<'s> {
    /// A ResourceList.
    List(Node<'s>),
    /// Plain documents.
    Documents(Vec<Node<'s>>),
}

impl Item<'_> {
    fn place(&self) -> Option<Place> {
        match self {
            Item::Taken(place) => Some(*place),
            Item::Object(_) | Item::Kept(_) => None,
        }
    }
}

/// The items of a ResourceList, which is left with null in their place, and no results.
fn take_items<'s>(list: &mut Document<'s>, found: &mut Findings) -> Option<Vec<Document<'s>>> {
    let at = list.at;
    let api_version = list.root.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
    let is_known =
        split_api_version(api_version).is_ok_and(|(group, version)| group == GROUP && VERSIONS.contains(&version));
    if !is_known {
        let span = list.root.get("apiVersion").map_or(list.root.span, |node| node.span);
        let message = format!("a ResourceList of `{api_version}`, which nobody defined");
        found.push(
            Finding::new(&rules::RESOURCE_LIST, message)
                .with_label(Label::new(at.place(span)).path(FieldPath::keys(["apiVersion"])))
                .with_remedy(format!("send one of {GROUP}/v1, {GROUP}/v1beta1 or {GROUP}/v1alpha1")),
        );
        return None;
    }
    let root = list.root.mapping_mut()?;
    root.remove("results");
    let items = root.get_mut("items").map(std::mem::take).unwrap_or_default();
    match items.value {
        Value::Null => Some(Vec::new()),
        Value::Sequence(items) => Some(items.into_iter().map(|root| Document { at, root }).collect()),
        _ => {
            let message = format!("`items` of a ResourceList is {}, not a list", items.kind());
            found.push(
                Finding::new(&rules::RESOURCE_LIST, message)
                    .with_label(Label::new(at.place(items.span)).path(FieldPath::keys(["items"])))
                    .with_remedy("write the objects as the items of a list"),
            );
            None
        }
    }
}

/// An item that is an object of a cluster, or one that comes back as it is.
fn sort_out(document: Document<'_>) -> Item<'_> {
    let api_version = document.root.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
    let group = split_api_version(api_version).map_or("", |(group, _)| group);
    match PACKAGE_GROUPS.contains(&group) || judge::is_for_tools(&document.root) {
        true => Item::Kept(document.root),
        false => Item::Object(document),
    }
}

fn item_name(root: &Node<'_>, at: DocumentStart) -> ItemName {
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(str::to_owned);
    let annotation = |name: &str| root.at(&["metadata", "annotations"])?.get(name)?.as_str();
    ItemName {
        place: Some(at.place(root.span)),
        api_version: text(&["apiVersion"]).unwrap_or_default(),
        kind: text(&["kind"]).unwrap_or_default(),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]).unwrap_or_default(),
        path: annotation(ITEM_PATH).map(str::to_owned),
        index: annotation(ITEM_INDEX).and_then(|index| index.parse().ok()),
    }
}

/// The envelope with items where they were, or last, and results behind all else.
fn with_items<'s>(mut envelope: Node<'s>, items: Vec<Node<'s>>, results: Option<Node<'s>>) -> Node<'s> {
    if let Value::Mapping(list) = &mut envelope.value {
        list.set("items", Node::made(Value::Sequence(items)));
        if let Some(results) = results {
            list.set("results", results);
        }
    }
    envelope
}
