//! From references to edges: which object needs which.

mod definitions;

use std::collections::HashMap;

use crate::flow::{Edge, Graph, Linked, Loaded, Need, Reason, Strength};
use crate::object::ObjRef;

/// Links the objects by what they refer to.
pub fn link(loaded: Loaded<'_>) -> Linked<'_> {
    let mut edges = Vec::new();
    namespaces(&loaded, &mut edges);
    definitions::link(&loaded, &mut edges);
    Linked { graph: Graph::new(edges), loaded }
}

/// Every namespaced object needs its Namespace, if that is in the input.
fn namespaces(loaded: &Loaded<'_>, edges: &mut Vec<Edge>) {
    let namespaces = loaded.objects.of_kind("", "Namespace");
    let namespaces: HashMap<&str, ObjRef> = namespaces.map(|(object, held)| (held.id.name.text(), object)).collect();
    for (to, object) in loaded.objects.iter() {
        let Some(from) = object.id.namespace.as_deref().and_then(|name| namespaces.get(name)) else { continue };
        let place = object.place_of(&crate::tree::FieldPath::keys(["metadata", "namespace"]));
        edges.push(Edge {
            from: *from,
            to,
            need: Need::Before,
            strength: Strength::Weak,
            reason: Reason::Namespace,
            place,
        });
    }
}
