//! What pictures of a plan are drawn from: the waves as columns, and what is waited for between them.

use std::collections::BTreeSet;

use super::{Wave, show, waves};
use crate::flow::{Edge, Planned};
use crate::object::ObjRef;
use crate::source::SourceMap;

/// A plan, ready to be drawn.
pub(super) struct Drawing<'p> {
    planned: &'p Planned<'p>,
    sources: &'p SourceMap,
    /// The waves in order.
    pub(super) waves: Vec<Wave<'p>>,
    /// The edges at which the engine waits, one for two objects.
    pub(super) gates: Vec<&'p Edge>,
}

impl<'p> Drawing<'p> {
    /// Draws nothing yet.
    pub(super) fn new(planned: &'p Planned<'p>, sources: &'p SourceMap) -> Self {
        let waves = waves(planned);
        let mut seen = BTreeSet::new();
        let all = waves.iter().flat_map(|wave| wave.gates.iter().copied());
        let gates = all.filter(|edge| seen.insert((edge.from, edge.to))).collect();
        Drawing { planned, sources, waves, gates }
    }

    /// The objects of a wave, in the order of the stream.
    pub(super) fn objects(&self, wave: &Wave<'_>) -> Vec<ObjRef> {
        wave.slots.iter().map(|slot| slot.object).collect()
    }

    /// What an object is called; not escaped.
    pub(super) fn name(&self, object: ObjRef) -> String {
        self.planned.objects().get(object).id.to_string()
    }

    /// Where an edge was read from; not escaped.
    pub(super) fn place(&self, edge: &Edge) -> String {
        show(edge.place, self.sources)
    }

    /// What a wave is called.
    pub(super) fn title(wave: &Wave<'_>) -> String {
        format!("{}, wave {}", wave.stage, wave.wave)
    }
}
