//! CustomResourceDefinition → custom resource, and → admission policy whose parameters it defines.

use std::collections::HashMap;

use super::params;
use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::ObjRef;
use crate::tree::{FieldPath, Node};

/// Every custom resource needs the definition of its kind, and every policy that of its parameters, if
/// that is in the input.
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
    let edge = |to, from, place, reason| {
        let (need, strength) = (Need::Before, Strength::Weak);
        Edge { from, to, need, strength, reason, place }
    };
    for (to, object) in loaded.objects.iter() {
        if let Some(from) = definitions.get(&(&*object.id.group, &*object.id.kind)) {
            edges.push(edge(to, *from, object.place_of(&FieldPath::keys(["kind"])), Reason::Definition));
        }
        let Some((group, kind)) = params::kind(object) else { continue };
        if let Some(from) = definitions.get(&(group, kind)) {
            let place = object.place_of(&FieldPath::keys(["spec", "paramKind", "kind"]));
            edges.push(edge(to, *from, place, Reason::Reference("spec.paramKind.kind")));
        }
    }
}
