//! Which edges count.

use super::cycle;
use super::stage::table_stage;
use super::word::Word;
use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::{Edge, Graph, Linked, Strength};
use crate::object::ObjRef;

/// Takes the edges of the graph that can all hold: without inferred ones that contradict the stages,
/// and without those that would go round in a circle. What is left out is said.
pub(super) fn accept(linked: &mut Linked<'_>, words: &[Word], found: &mut Findings) {
    let graph = std::mem::take(&mut linked.graph);
    let (mut edges, against): (Vec<Edge>, Vec<Edge>) =
        graph.edges().iter().copied().partition(|edge| !is_against_stages(edge, linked, words));
    for edge in against {
        found.push(left_out(&edge, linked, "its stage comes later"));
    }
    edges.sort_by_key(|edge| (edge.strength, edge.reason.class(), edge.from, edge.to, edge.reason));
    let (edges, circles) = cycle::without_circles(linked.loaded.objects.len(), edges);
    for (edge, way) in circles {
        let names: Vec<_> = way.iter().map(|object| linked.loaded.objects.get(*object).id.to_string()).collect();
        found.push(left_out(&edge, linked, &format!("it needs that object in turn ({})", names.join(" → "))));
    }
    linked.graph = Graph::new(edges);
}

/// Whether an inferred edge leads from a later to an earlier stage by the table, and nobody moved
/// one of its ends.
fn is_against_stages(edge: &Edge, linked: &Linked<'_>, words: &[Word]) -> bool {
    let stage = |object: ObjRef| {
        let id = &linked.loaded.objects.get(object).id;
        table_stage(&id.group, &id.kind)
    };
    let is_moved = |object: ObjRef| matches!(words[object.index()], Word::Fixed(_));
    edge.strength == Strength::Weak && stage(edge.from) > stage(edge.to) && !is_moved(edge.from) && !is_moved(edge.to)
}

fn left_out(edge: &Edge, linked: &Linked<'_>, why: &str) -> Finding {
    let (needed, needing) = (linked.loaded.objects.get(edge.from), linked.loaded.objects.get(edge.to));
    let message = format!("{} is not put before {}, though {}: {why}", needed.id, needing.id, edge.reason);
    Finding::new(&order::EDGE_LEFT_OUT, message).with_object(&needing.id).with_label(Label::new(edge.place))
}
