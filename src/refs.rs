//! From references to edges: which object names which, and so needs it.
//!
//! The table of references (`rules/`, one file a group or project; [`rows`] lists it) says where
//! objects name others; every name that leads to an object of the input becomes an edge, unless its
//! row says that it orders nothing.

mod definitions;
mod extract;
mod fillers;
mod outside;
mod params;
mod path;
mod pod;
mod producers;
mod products;
mod resolve;
mod row;
mod rules;
mod selectors;
mod table;

use std::collections::HashMap;

use crate::flow::{Edge, Graph, Linked, Loaded, Need, Reason, Reference, Resolution, Strength};
use crate::object::ObjRef;
use crate::tree::FieldPath;

pub use row::{GroupKindName, In, Optional, Reads, Row, To};

/// A row of the reference table, for one kind and at one place in it.
#[derive(Clone, Copy, Debug)]
pub struct RowInfo {
    /// API group of the referrer; empty for the core group.
    pub group: &'static str,
    /// Kind of the referrer.
    pub kind: &'static str,
    /// The path from the root of the referrer to the name, in the notation of [`Row::path`]. A reference
    /// that the row finds has it as [`Reference::row`]; with group, kind and target it identifies the row.
    pub path: &'static str,
    /// What the row says.
    pub row: &'static Row,
}

/// The whole reference table, by referring kind.
pub fn rows() -> impl Iterator<Item = RowInfo> {
    let table = table::table();
    table.kinds().flat_map(move |(group, kind)| {
        let rows = table.sections(group, kind).flat_map(|section| &section.rows);
        rows.map(move |compiled| RowInfo { group, kind, path: compiled.path, row: compiled.row })
    })
}

/// Links the objects by what they name.
pub fn link(loaded: Loaded<'_>) -> Linked<'_> {
    let products = products::Products::new(&loaded.objects);
    let mut references = extract::extract(table::table(), &loaded.objects);
    params::extract(&loaded.objects, &mut references);
    resolve::resolve(&mut references, &loaded.objects, &products);
    let selections = selectors::select(&loaded.objects);
    let filled = fillers::filled(&loaded.objects);
    let mut edges: Vec<Edge> = references.iter().filter_map(edge).collect();
    namespaces(&loaded, &mut edges);
    definitions::link(&loaded, &mut edges);
    Linked { graph: Graph::new(edges), references, selections, products: products.into_all(), filled, loaded }
}

/// What a reference leads to comes first; nobody waits for himself.
fn edge(reference: &Reference) -> Option<Edge> {
    match reference.leads_to {
        Resolution::Object(from) if reference.orders && from != reference.from => Some(Edge {
            from,
            to: reference.from,
            need: Need::Before,
            strength: Strength::Weak,
            reason: Reason::Reference(reference.row),
            place: reference.place,
        }),
        _ => None,
    }
}

/// Every namespaced object needs its Namespace, if that is in the input.
fn namespaces(loaded: &Loaded<'_>, edges: &mut Vec<Edge>) {
    let namespaces = loaded.objects.of_kind("", "Namespace");
    let namespaces: HashMap<&str, ObjRef> = namespaces.map(|(object, held)| (held.id.name.text(), object)).collect();
    for (to, object) in loaded.objects.iter() {
        let Some(from) = object.id.namespace.as_deref().and_then(|name| namespaces.get(name)) else { continue };
        let place = object.place_of(&FieldPath::keys(["metadata", "namespace"]));
        let (need, strength, reason) = (Need::Before, Strength::Weak, Reason::Namespace);
        edges.push(Edge { from: *from, to, need, strength, reason, place });
    }
}
