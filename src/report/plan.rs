//! The plan, for people and for machines: stages, waves, what each boundary waits for, and why an
//! object stands where it stands.

mod drawing;
mod graph;
mod json;
mod markdown;
mod object;
mod svg;
mod text;

use std::collections::BTreeSet;

pub use graph::{dot, mermaid};
pub use json::write as write_json;
pub use markdown::markdown;
pub use object::{write as write_object, write_json as write_object_json};
pub use svg::{html, svg};
pub use text::write as write_text;

use crate::flow::{Edge, Planned, Slot, Stage};
use crate::object::ObjRef;
use crate::source::{Place, SourceMap};

/// The objects of one wave, in the order of the stream, and what stands behind them.
pub(crate) struct Wave<'p> {
    pub stage: Stage,
    pub wave: i64,
    pub slots: &'p [Slot],
    /// The edges for which the engine must wait here: from this wave to a later one, each needing
    /// object once. Empty for the last wave, and where the boundary waits for nothing.
    pub gates: Vec<&'p Edge>,
}

/// The waves of a plan in order.
pub(crate) fn waves<'p>(planned: &'p Planned<'_>) -> Vec<Wave<'p>> {
    let wave_of = wave_of(planned);
    let mut gates: Vec<(i64, &Edge)> = Vec::new();
    for (edge, waits) in planned.edges() {
        let (from, to) = (wave_of[edge.from.index()], wave_of[edge.to.index()]);
        if waits && from < to {
            gates.push((from, edge));
        }
    }
    let chunks = planned.plan.slots.chunk_by(|a, b| (a.stage, a.wave) == (b.stage, b.wave));
    let wave = |slots: &'p [Slot]| {
        let here = gates.iter().filter(|(wave, _)| *wave == slots[0].wave).map(|(_, edge)| *edge);
        Wave { stage: slots[0].stage, wave: slots[0].wave, slots, gates: here.collect() }
    };
    chunks.map(wave).collect()
}

/// The wave of every object, by its number.
pub(crate) fn wave_of(planned: &Planned<'_>) -> Vec<i64> {
    let mut waves = vec![0; planned.objects().len()];
    for slot in &planned.plan.slots {
        waves[slot.object.index()] = slot.wave;
    }
    waves
}

/// What a boundary waits for: each object once, in the order of ids.
pub(crate) fn waited_for(gates: &[&Edge]) -> BTreeSet<ObjRef> {
    gates.iter().map(|edge| edge.from).collect()
}

/// `path:line:column` of a place.
pub(crate) fn show(place: Place, sources: &SourceMap) -> String {
    let place = sources.written(place);
    format!("{}:{}", sources.path(place.file), sources.line_column(place))
}
