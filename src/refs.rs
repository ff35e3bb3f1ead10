//! From references to edges: which object names which, and so needs it.
//!
//! The table of references ([`rules`]) says where objects name others; [`extract`] reads them out,
//! [`resolve`] finds what they lead to, and every one that orders becomes an edge.

mod definitions;
mod extract;
mod fillers;
mod path;
mod pod;
mod producers;
mod resolve;
mod row;
mod rules;

use std::collections::HashMap;

use crate::flow::{Edge, Graph, Linked, Loaded, Need, Products, Reason, Reference, Resolution, Strength};
use crate::object::ObjRef;
use crate::tree::FieldPath;

/// Links the objects by what they name.
pub fn link(loaded: Loaded<'_>) -> Linked<'_> {
    let products = Products::new(producers::products(&loaded.objects));
    let mut references = extract::Table::new().extract(&loaded.objects);
    let placeholders = resolve::resolve(&mut references, &loaded.objects, &products);
    let filled = fillers::filled(&loaded.objects, &products);
    let mut edges: Vec<Edge> = references.iter().filter_map(edge).collect();
    edges.extend(placeholders.iter().filter_map(|(nth, from)| edge_from(*from, &references[*nth])));
    namespaces(&loaded, &mut edges);
    definitions::link(&loaded, &mut edges);
    Linked { graph: Graph::new(edges), references, products, filled, loaded }
}

/// What a reference leads to comes first; nobody waits for himself.
fn edge(reference: &Reference) -> Option<Edge> {
    match reference.leads_to {
        Resolution::Object(from) => edge_from(from, reference),
        _ => None,
    }
}

fn edge_from(from: ObjRef, reference: &Reference) -> Option<Edge> {
    (reference.orders && from != reference.from).then_some(Edge {
        from,
        to: reference.from,
        need: Need::Before,
        strength: Strength::Weak,
        reason: Reason::Reference(reference.row),
        place: reference.place,
    })
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
