//! Who makes the definition of a kind at run time → the objects of that kind.

mod packages;
mod table;

use std::collections::{BTreeMap, HashMap, HashSet};

use table::{GROUPS, KINDS};

use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::{ObjRef, Object, scope};
use crate::tree::{FieldPath, Node};

/// What an object makes known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Made {
    /// A kind: group and kind.
    Kind(String, String),
    /// All kinds of a group.
    Group(String),
    /// All kinds of a group and of the groups below it.
    GroupsBelow(String),
}

/// Puts what makes a definition before the objects of its kind, and gives every custom resource whose
/// definition is not in the input, with the first object of the input that makes it.
pub(super) fn link(loaded: &Loaded<'_>, edges: &mut Vec<Edge>) -> BTreeMap<ObjRef, Option<ObjRef>> {
    let objects = &loaded.objects;
    let mut makers: HashMap<Made, Vec<ObjRef>> = HashMap::new();
    for (at, object) in objects.iter() {
        for made in made(object) {
            makers.entry(made).or_default().push(at);
        }
    }
    let mut defined: HashSet<(&str, &str)> = HashSet::new();
    for (_, definition) in objects.of_kind("apiextensions.k8s.io", "CustomResourceDefinition") {
        let text = |path: &[&str]| definition.tree.at(path).and_then(Node::as_str);
        defined.extend(text(&["spec", "group"]).zip(text(&["spec", "names", "kind"])));
    }
    let mut undefined = BTreeMap::new();
    for (to, object) in objects.iter() {
        let kind = (&*object.id.group, &*object.id.kind);
        if scope::is_kubernetes(kind.0, kind.1) || defined.contains(&kind) {
            continue;
        }
        let from = if makers.is_empty() {
            Vec::new()
        } else {
            makers_of(kind, &makers, |at| !objects.get(at).is(kind.0, kind.1))
        };
        undefined.insert(to, from.first().copied());
        let place = object.place_of(&FieldPath::keys(["kind"]));
        let (need, strength, reason) = (Need::Ready, Strength::Weak, Reason::DefinitionProducer);
        edges.extend(from.into_iter().map(|from| Edge { from, to, need, strength, reason, place }));
    }
    undefined
}

/// Who makes a kind known, by object. What is itself of the kind makes it not.
fn makers_of(
    (group, kind): (&str, &str),
    makers: &HashMap<Made, Vec<ObjRef>>,
    is_other: impl Fn(ObjRef) -> bool,
) -> Vec<ObjRef> {
    let mut wanted = vec![Made::Kind(group.to_owned(), kind.to_owned()), Made::Group(group.to_owned())];
    let mut above = Some(group);
    while let Some(group) = above {
        wanted.push(Made::GroupsBelow(group.to_owned()));
        above = group.split_once('.').map(|(_, rest)| rest);
    }
    let mut found: Vec<ObjRef> =
        wanted.iter().filter_map(|made| makers.get(made)).flatten().copied().filter(|at| is_other(*at)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What an object makes known, by the tables.
fn made(object: &Object<'_>) -> Vec<Made> {
    let rows = GROUPS.iter().filter(|(group, kind, _)| object.is(group, kind));
    let mut found: Vec<Made> = rows.flat_map(|(_, _, made)| *made).map(|made| group(made)).collect();
    for (_, _, makes) in KINDS.iter().filter(|(group, kind, _)| object.is(group, kind)) {
        makes(object, &mut found);
    }
    found
}

/// A group of the tables: `*.` stands for it and the groups below.
fn group(text: &str) -> Made {
    match text.strip_prefix("*.") {
        Some(group) => Made::GroupsBelow(group.to_owned()),
        None => Made::Group(text.to_owned()),
    }
}

#[cfg(test)]
mod tests;
