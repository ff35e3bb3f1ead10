//! A definition and its objects in one stream for kubectl.

use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::{Planned, Reason};
use crate::tree::FieldPath;

/// kubectl maps every kind before it applies the first object.
pub(super) fn run(planned: &Planned<'_>, found: &mut Findings) {
    let objects = &planned.linked.loaded.objects;
    let edges = planned.linked.graph.edges().iter().filter(|edge| edge.reason == Reason::Definition);
    let Some(first) = edges.min_by_key(|edge| (edge.from, edge.to)) else { return };
    let (definition, object) = (objects.get(first.from), objects.get(first.to));
    let name = FieldPath::keys(["metadata", "name"]);
    found.push(
        Finding::new(
            &order::ONE_STREAM,
            format!("{} and {} are in one stream: a first `kubectl apply` of it fails", definition.id, object.id),
        )
        .with_object(&definition.id)
        .with_label(Label::new(definition.place_of(&name)).path(name))
        .with_remedy("apply stage by stage: `--stage config`, `--stage crd`, `--stage workload`"),
    );
}
