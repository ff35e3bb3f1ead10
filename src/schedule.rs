//! From edges to order: stages, waves, and the stream.

mod against;
mod blocking;
mod ceiling;
mod companions;
mod cycle;
mod edges;
mod engine;
mod formula;
mod health;
mod held_up;
mod hooks;
mod kind_order;
mod last;
mod links;
#[cfg(test)]
mod made;
mod misread;
mod order;
mod stage;
#[cfg(test)]
mod tests;
mod wave;
mod word;

use std::collections::BTreeSet;

use crate::config::{EngineName, Settings};
use crate::finding::Findings;
use crate::flow::{Plan, Planned, Slot, Stamped};
use crate::object::ObjRef;

/// Plans every object: its stage, its wave, and its place in the stream.
///
/// The stream is sorted by stage, then wave; inside a wave comes, again and again, the least object
/// (kind order, kind, group, namespace, name) of those whose needs in that wave are out. The order in
/// which objects were read has no say.
pub fn plan<'s>(stamped: Stamped<'s>, settings: &Settings, found: &mut Findings) -> Planned<'s> {
    let Stamped { mut linked, inputs } = stamped;
    let objects = &linked.loaded.objects;
    let reads_waves = settings.engine != EngineName::Flux;
    let words: Vec<_> = objects.iter().map(|(_, object)| word::word(object, reads_waves, found)).collect();
    edges::accept(&mut linked, &words, found);
    let waves = wave::Waves::new(&linked, &words, settings);
    let assigned = waves.assign();
    against::contradictions(&linked, &words, &waves, &assigned, found);
    let writes = settings.engine == EngineName::Argocd;
    if writes {
        held_up::report(&linked, &words, &assigned, found);
        hooks::report(&linked, &words, &assigned, found);
        misread::report(&linked, settings, found);
    }
    let slots: Vec<Slot> = (0..linked.loaded.objects.len())
        .map(|index| {
            let assigned = &assigned[index];
            let writes_wave = writes && assigned.is_ours && assigned.wave != 0;
            Slot { object: ObjRef::new(index), stage: assigned.stage, wave: assigned.wave, writes_wave }
        })
        .collect();
    let edges = linked.graph.edges().iter();
    let boundaries: Vec<bool> = edges.map(|edge| engine::has_boundary(edge, &linked, settings.engine)).collect();
    let unwatched = if writes { health::unwatched(&linked) } else { BTreeSet::new() };
    let plan = Plan { slots: order::stream(&linked, slots), boundaries, unwatched };
    Planned { linked, inputs, plan }
}
