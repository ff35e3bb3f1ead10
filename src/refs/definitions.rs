//! CustomResourceDefinition → custom resource.

use std::collections::HashMap;

use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::ObjRef;
use crate::tree::{FieldPath, Node};

/// Every custom resource needs the definition of its kind, if that is in the input.
pub(super) fn link(loaded: &Loaded<'_>, edges: &mut Vec<Edge>) {
    let mut definitions: HashMap<(&str, &str), ObjRef> = HashMap::new();
    for (object, definition) in loaded.objects.of_kind("apiextensions.k8s.io", "CustomResourceDefinition") {
        let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
        if let (Some(group), Some(kind)) = (text(&["spec", "group"]), text(&["spec", "names", "kind"])) {
            definitions.insert((group, kind), object);
        }
    }
    if definitions.is_empty() {
        return;
    }
    for (to, object) in loaded.objects.iter() {
        let Some(from) = definitions.get(&(&*object.id.group, &*object.id.kind)) else { continue };
        let place = object.place_of(&FieldPath::keys(["kind"]));
        edges.push(Edge {
            from: *from,
            to,
            need: Need::Before,
            strength: Strength::Weak,
            reason: Reason::Definition,
            place,
        });
    }
}
