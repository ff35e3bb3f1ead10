//! Which edges count.

use std::collections::BTreeMap;

use super::cycle;
use super::stage::table_stage;
use super::word::Word;
use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::{Edge, Graph, Linked, Reason, Stage, Strength};
use crate::object::ObjRef;

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
        found.push(match edge.strength {
            Strength::Hard => explicit_circle(&edge, &way, &edges, linked, &names),
            Strength::Weak => left_out(&edge, linked, &format!("it needs that object in turn ({names})")),
        });
    }
    linked.graph = Graph::new(edges);
}

/// The objects that somebody stronger than the table puts elsewhere, by number: a user by a wave or a
/// stage, an explicit dependency, the backend of a conversion, what makes the namespace.
fn moved(graph: &Graph, linked: &Linked<'_>, words: &[Word]) -> Vec<bool> {
    let mut moved: Vec<bool> = words.iter().map(Word::is_moved).collect();
    linked.moved.iter().for_each(|object| moved[object.index()] = true);
    for edge in graph.edges().iter().filter(|edge| makes_its_namespace(edge, linked)) {
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

/// Whether an edge leads from what makes a namespace to an object that lives there.
fn makes_its_namespace(edge: &Edge, linked: &Linked<'_>) -> bool {
    edge.reason == Reason::Producer && stage(edge.from, linked) > stage(edge.to, linked)
}

fn stage(object: ObjRef, linked: &Linked<'_>) -> Stage {
    let id = &linked.loaded.objects.get(object).id;
    table_stage(&id.group, &id.kind)
}

/// Whether an inferred edge leads from a later to an earlier stage by the table, and nobody moved
/// one of its ends.
fn is_against_stages(edge: &Edge, linked: &Linked<'_>, moved: &[bool]) -> bool {
    let is_backwards = stage(edge.from, linked) > stage(edge.to, linked);
    edge.strength == Strength::Weak && is_backwards && !moved[edge.from.index()] && !moved[edge.to.index()]
}

/// The finding about an explicit dependency that closes a circle of explicit ones, with all of them.
fn explicit_circle(edge: &Edge, way: &[ObjRef], taken: &[Edge], linked: &Linked<'_>, names: &str) -> Finding {
    let (first, last) = (linked.loaded.objects.get(edge.to), linked.loaded.objects.get(edge.from));
    let message = format!("explicit dependencies go round in a circle: {names} → {}", first.id);
    let mut finding = Finding::new(&order::EXPLICIT_CIRCLE, message)
        .with_object(&first.id)
        .with_label(Label::new(edge.place).text(format!("{} needs {}", first.id, last.id)));
    for pair in way.windows(2) {
        let hard = |other: &&Edge| (other.from, other.to, other.strength) == (pair[0], pair[1], Strength::Hard);
        if let Some(step) = taken.iter().find(hard) {
            let [needed, needing] = [pair[0], pair[1]].map(|object| &linked.loaded.objects.get(object).id);
            finding = finding.with_label(Label::new(step.place).text(format!("{needing} needs {needed}")));
        }
    }
    finding.with_remedy("take one of these dependencies out")
}

fn left_out(edge: &Edge, linked: &Linked<'_>, why: &str) -> Finding {
    let (needed, needing) = (linked.loaded.objects.get(edge.from), linked.loaded.objects.get(edge.to));
    let message = format!("{} is not put before {}, though {}: {why}", needed.id, needing.id, edge.reason);
    Finding::new(&order::EDGE_LEFT_OUT, message).with_object(&needing.id).with_label(Label::new(edge.place))
}
