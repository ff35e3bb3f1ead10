//! A row of the table of producers, and what the functions beside the rows build products with.

use std::sync::Arc;

use crate::flow::{Product, ProductKeys, Reach, Target};
use crate::object::{ObjRef, Object};
use crate::refs::path::{self, Step};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{CONFIG_MAP, SECRET};
use crate::tree::Node;

/// Where the name of what is made comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum NameOf {
    /// Made of the maker's own name, which stands for `*`.
    Pattern(&'static str),
    /// A field of everything that a path leads to; see [`crate::refs::row::Row`] for paths.
    Field { path: &'static str, name: &'static str },
}

/// Which keys the maker writes.
#[derive(Clone, Copy)]
pub(super) enum KeysOf {
    /// Nobody knows.
    Unknown,
    /// These and others.
    AtLeast(&'static [&'static str]),
    /// Read from what the path leads to (the whole object for a pattern).
    Of(fn(&Node<'_>) -> ProductKeys),
}

/// One row: what objects of a kind make.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// Group and kind of the maker.
    pub(super) maker: GroupKindName,
    what: GroupKindName,
    name: NameOf,
    /// The name where the field is not there.
    default: Option<&'static str>,
    /// The field beside the name that says the namespace; the maker's own where it does not.
    namespace: Option<&'static str>,
    keys: KeysOf,
    /// Only if this holds for what the path leads to.
    when: Option<fn(&Node<'_>) -> bool>,
    /// Only if this holds the maker makes it; else it writes into what is there.
    creates: Option<fn(&Node<'_>) -> bool>,
}

/// A row: objects of a kind make one that is named as they are, of unknown keys.
pub(super) const fn makes(maker: GroupKindName, what: GroupKindName) -> Row {
    let name = NameOf::Pattern("*");
    Row { maker, what, name, default: None, namespace: None, keys: KeysOf::Unknown, when: None, creates: None }
}

impl Row {
    /// The name is made of the maker's own, which stands for `*`.
    pub(super) const fn named(mut self, pattern: &'static str) -> Self {
        self.name = NameOf::Pattern(pattern);
        self
    }

    /// The name is a field of what a path leads to.
    pub(super) const fn at(mut self, path: &'static str, name: &'static str) -> Self {
        self.name = NameOf::Field { path, name };
        self
    }

    /// The name where the field does not say it; `*` stands for the maker's own.
    pub(super) const fn or(mut self, pattern: &'static str) -> Self {
        self.default = Some(pattern);
        self
    }

    /// The namespace is in this field beside the name.
    pub(super) const fn namespace(mut self, field: &'static str) -> Self {
        self.namespace = Some(field);
        self
    }

    /// Which keys it has.
    pub(super) const fn keys(mut self, keys: KeysOf) -> Self {
        self.keys = keys;
        self
    }

    /// Only if this holds.
    pub(super) const fn when(mut self, when: fn(&Node<'_>) -> bool) -> Self {
        self.when = Some(when);
        self
    }

    /// Written into what is there unless this holds.
    pub(super) const fn creates_if(mut self, creates: fn(&Node<'_>) -> bool) -> Self {
        self.creates = Some(creates);
        self
    }
}

/// A row and its path, taken apart.
pub(super) struct Compiled {
    row: &'static Row,
    steps: Vec<Step>,
}

/// Takes the path of a row apart.
pub(super) fn compile(row: &'static Row) -> Compiled {
    let path = match row.name {
        NameOf::Pattern(_) => "",
        NameOf::Field { path, .. } => path,
    };
    Compiled { row, steps: path::steps(path) }
}

impl Compiled {
    /// Adds what an object makes by this row.
    pub(super) fn follow(&self, maker: &Maker<'_>, found: &mut Vec<Product>) {
        let row = self.row;
        path::follow(&maker.object.tree, &self.steps, &mut Vec::new(), &mut |node, _| {
            if row.when.is_some_and(|when| !when(node)) {
                return;
            }
            let default = || row.default.map(|pattern| maker.name_by(pattern));
            let name = match row.name {
                NameOf::Pattern(pattern) => Some(maker.name_by(pattern)),
                NameOf::Field { name, .. } => text(node, name).map(str::to_owned).or_else(default),
            };
            let Some(name) = name else { return };
            let mut product = maker.product(row.what, &name, keys(row.keys, node));
            product.creates = row.creates.is_none_or(|creates| creates(node));
            if let Some(namespace) = row.namespace.and_then(|field| text(node, field)) {
                product.target.namespace = Some(namespace.into());
            }
            found.push(product);
        });
    }
}

fn keys(keys: KeysOf, node: &Node<'_>) -> ProductKeys {
    match keys {
        KeysOf::Unknown => ProductKeys::Unknown,
        KeysOf::AtLeast(keys) => ProductKeys::AtLeast(keys.iter().map(|key| (*key).into()).collect()),
        KeysOf::Of(read) => read(node),
    }
}

/// An object that makes others.
#[derive(Clone, Copy)]
pub(super) struct Maker<'o> {
    pub(super) at: ObjRef,
    pub(super) object: &'o Object<'o>,
}

impl<'o> Maker<'o> {
    /// The node at keys from the root.
    pub(super) fn node(&self, path: &[&str]) -> Option<&'o Node<'o>> {
        self.object.tree.at(path)
    }

    /// The text at keys from the root, if there is some.
    pub(super) fn text(&self, path: &[&str]) -> Option<&'o str> {
        self.node(path).and_then(Node::as_str).filter(|text| !text.is_empty())
    }

    /// The items of the list at keys from the root.
    pub(super) fn items(&self, path: &[&str]) -> &'o [Node<'o>] {
        self.node(path).and_then(Node::items).unwrap_or_default()
    }

    /// A pattern with the maker's own name for `*`; empty for a name that nobody knows yet.
    pub(super) fn name_by(&self, pattern: &str) -> String {
        if !self.object.id.is_fixed() {
            return String::new();
        }
        pattern.replace('*', self.object.id.name.text())
    }

    /// An object that is made in the maker's own namespace.
    pub(super) fn product(&self, (group, kind): (&str, &str), name: &str, keys: ProductKeys) -> Product {
        let namespace = self.object.id.namespace.clone();
        let target = Target { group: group.into(), kind: kind.into(), namespace, name: name.into() };
        Product { target, reach: Reach::Namespace, maker: self.at, keys, creates: true }
    }

    /// A Secret in the maker's own namespace.
    pub(super) fn secret(&self, name: &str, keys: ProductKeys) -> Product {
        self.product(SECRET, name, keys)
    }

    /// A ConfigMap in the maker's own namespace.
    pub(super) fn config_map(&self, name: &str, keys: ProductKeys) -> Product {
        self.product(CONFIG_MAP, name, keys)
    }
}

/// The same product in every namespace, or in those that labels select.
pub(super) fn everywhere(product: &Product) -> Product {
    let target = Target { namespace: None, ..product.target.clone() };
    Product { target, reach: Reach::Everywhere, ..product.clone() }
}

/// The text of a field, if there is some.
pub(super) fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty())
}

/// The keys of a mapping.
pub(super) fn keys_of(node: Option<&Node<'_>>) -> Vec<Arc<str>> {
    let entries = node.and_then(Node::mapping).map(|mapping| mapping.entries()).unwrap_or_default();
    entries.iter().map(|(key, _)| (&*key.name).into()).collect()
}

/// The texts of a field of every item of a list.
pub(super) fn texts(list: Option<&Node<'_>>, field: &str) -> Vec<Arc<str>> {
    let items = list.and_then(Node::items).unwrap_or_default();
    items.iter().filter_map(|item| text(item, field)).map(Into::into).collect()
}
