//! Which edges count.

use std::collections::BTreeMap;

use super::cycle;
use super::stage::own_stage;
use super::word::Word;
use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::{Edge, Graph, Linked, Reason, Stage, Strength};
use crate::object::ObjRef;

const CRD: (&str, &str) = ("apiextensions.k8s.io", "CustomResourceDefinition");

/// Takes the edges of the graph that can all hold: without inferred ones that contradict the stages,
/// and without those that would go round in a circle. What is left out is said.
pub(super) fn accept(linked: &mut Linked<'_>, words: &[Word], found: &mut Findings) {
    let graph = std::mem::take(&mut linked.graph);
    let moved = moved(&graph, linked, words);
    let (mut edges, against): (Vec<Edge>, Vec<Edge>) =
        graph.edges().iter().copied().partition(|edge| !is_against_stages(edge, linked, &moved));
    for edge in against {
        found.push(left_out(&edge, linked, "its stage comes later"));
    }
    edges.sort_by_key(|edge| (edge.strength, edge.reason.class(), edge.from, edge.to, edge.reason));
    let (edges, circles) = cycle::without_circles(linked.loaded.objects.len(), edges);
    for (edge, way) in circles {
        let names: Vec<_> = way.iter().map(|object| linked.loaded.objects.get(*object).id.to_string()).collect();
        let names = names.join(" → ");
        // a circle of explicit dependencies was an error where they were read
        if edge.strength == Strength::Weak {
            found.push(left_out(&edge, linked, &format!("it needs that object in turn ({names})")));
        }
    }
    linked.graph = Graph::new(edges);
}

/// The objects that somebody stronger than the table puts elsewhere, by number: a user by a wave or a
/// stage, an explicit dependency, the backend of a conversion, what makes the namespace.
fn moved(graph: &Graph, linked: &Linked<'_>, words: &[Word]) -> Vec<bool> {
    let mut moved: Vec<bool> = words.iter().map(Word::is_moved).collect();
    for edge in graph.edges().iter().filter(|edge| moves(edge, linked)) {
        moved[edge.to.index()] = true;
    }
    let hard = || graph.edges().iter().filter(|edge| edge.strength == Strength::Hard);
    let mut followers: BTreeMap<ObjRef, Vec<ObjRef>> = BTreeMap::new();
    hard().for_each(|edge| followers.entry(edge.from).or_default().push(edge.to));
    let mut open: Vec<ObjRef> = hard().map(|edge| edge.from).filter(|from| moved[from.index()]).collect();
    open.extend(hard().filter(|edge| stage(edge.from, linked) > stage(edge.to, linked)).map(|edge| edge.to));
    open.iter().for_each(|object| moved[object.index()] = true);
    while let Some(here) = open.pop() {
        for follower in followers.get(&here).into_iter().flatten() {
            if !std::mem::replace(&mut moved[follower.index()], true) {
                open.push(*follower);
            }
        }
    }
    moved
}

/// Whether an inferred edge itself takes the needing object out of its stage.
fn moves(edge: &Edge, linked: &Linked<'_>) -> bool {
    match edge.reason {
        Reason::Backend => linked.loaded.objects.get(edge.to).is(CRD.0, CRD.1),
        Reason::Producer => stage(edge.from, linked) > stage(edge.to, linked),
        _ => false,
    }
}

fn stage(object: ObjRef, linked: &Linked<'_>) -> Stage {
    own_stage(&linked.loaded.objects.get(object).id, linked)
}

/// Whether an inferred edge leads from a later to an earlier stage by the table, and nobody moved
/// one of its ends.
fn is_against_stages(edge: &Edge, linked: &Linked<'_>, moved: &[bool]) -> bool {
    let is_backwards = stage(edge.from, linked) > stage(edge.to, linked);
    edge.strength == Strength::Weak && is_backwards && !moved[edge.from.index()] && !moved[edge.to.index()]
}

fn left_out(edge: &Edge, linked: &Linked<'_>, why: &str) -> Finding {
    let (needed, needing) = (linked.loaded.objects.get(edge.from), linked.loaded.objects.get(edge.to));
    let message = format!("{} is not put before {}, though {}: {why}", needed.id, needing.id, edge.reason);
    Finding::new(&order::EDGE_LEFT_OUT, message).with_object(&needing.id).with_label(Label::new(edge.place))
}
