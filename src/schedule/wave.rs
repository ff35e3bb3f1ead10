//! The wave of every object.
//!
//! wave(v) is the highest wave(u) + b over what v needs, and at least the base of its stage; b is 0
//! where presence is enough, and 1 where the engine would not wait or would turn the order round. A
//! wave that a user wrote is a fixed number; what a fixed object needs is pulled down to it, whatever
//! its band.

use super::stage::table_stage;
use super::word::Word;
use crate::config::{Bands, EngineName, Settings, WaveMode};
use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::{Edge, Linked, Need, Reason, Stage};
use crate::object::ObjRef;
use crate::object::annotation::SYNC_WAVE;
use crate::tree::FieldPath;

/// What the formula says of one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    pub stage: Stage,
    pub wave: i64,
    /// Whether the wave is tidegate's to write.
    pub is_ours: bool,
}

/// Computes stage and wave of every object, by its number.
pub(super) fn assign(linked: &Linked<'_>, words: &[Word], settings: &Settings, found: &mut Findings) -> Vec<Assigned> {
    let objects = &linked.loaded.objects;
    let bands = &settings.waves.bands;
    let table: Vec<Stage> = objects.iter().map(|(_, object)| table_stage(&object.id.group, &object.id.kind)).collect();
    let order = topological(linked);
    let count = |base: &dyn Fn(Stage) -> i64| {
        let bases: Vec<i64> = table.iter().map(|stage| base(*stage)).collect();
        waves(linked, settings.engine, words, &bases, &order)
    };
    let staged = count(&|stage| base(stage, bands));
    report_contradictions(linked, settings.engine, words, &staged, found);
    let waves = match settings.waves.mode {
        WaveMode::Staged => staged.clone(),
        WaveMode::Minimal => {
            let bases = minimal_bases(linked, settings, &staged);
            count(&|stage| bases[stage as usize])
        }
    };
    let assigned = waves.iter().zip(&staged).zip(words).zip(&table).map(|(((wave, staged), word), table)| {
        let stage = if *word == Word::Hook { *table } else { stage_of(*staged, bands) };
        Assigned { stage, wave: *wave, is_ours: *word == Word::Formula }
    });
    assigned.collect()
}

fn base(stage: Stage, bands: &Bands) -> i64 {
    match stage {
        Stage::Config => bands.config,
        Stage::Crd => bands.crd,
        Stage::Workload => bands.workload,
    }
}

/// The stage whose band holds a wave; what lies below every band belongs to the first.
fn stage_of(wave: i64, bands: &Bands) -> Stage {
    let holds = |stage: &&Stage| wave >= base(**stage, bands);
    *Stage::ALL.iter().rev().find(holds).unwrap_or(&Stage::Config)
}

/// The boundary that an edge needs on an engine: 1 or 0 waves.
fn boundary(edge: &Edge, engine: EngineName) -> i64 {
    let kubectl_maps_kinds_first = engine == EngineName::Kubectl && edge.reason == Reason::Definition;
    i64::from(edge.need == Need::Ready || kubectl_maps_kinds_first)
}

/// Objects so that what is needed comes first; in a circle, by number.
fn topological(linked: &Linked<'_>) -> Vec<ObjRef> {
    let count = linked.loaded.objects.len();
    let mut open = vec![0_u32; count];
    let mut followers: Vec<Vec<ObjRef>> = vec![Vec::new(); count];
    for edge in linked.graph.edges() {
        open[edge.to.index()] += 1;
        followers[edge.from.index()].push(edge.to);
    }
    let mut order: Vec<ObjRef> = (0..count).map(ObjRef::new).filter(|object| open[object.index()] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        for follower in &followers[order[next].index()] {
            open[follower.index()] -= 1;
            if open[follower.index()] == 0 {
                order.push(*follower);
            }
        }
        next += 1;
    }
    let circular = (0..count).map(ObjRef::new).filter(|object| open[object.index()] > 0);
    order.extend(circular.collect::<Vec<_>>());
    order
}

/// The formula: down from fixed objects to what they need, then up from the bases.
fn waves(linked: &Linked<'_>, engine: EngineName, words: &[Word], bases: &[i64], order: &[ObjRef]) -> Vec<i64> {
    let mut ceiling = vec![i64::MAX; words.len()];
    for object in order.iter().rev() {
        let at = object.index();
        let limit = match words[at] {
            Word::Fixed(wave) => wave,
            Word::Formula => ceiling[at],
            Word::Hook => continue,
        };
        for edge in linked.graph.needs(*object) {
            let needed = &mut ceiling[edge.from.index()];
            *needed = (*needed).min(limit.saturating_sub(boundary(edge, engine)));
        }
    }
    let mut waves = bases.to_vec();
    for object in order {
        let at = object.index();
        waves[at] = match words[at] {
            Word::Hook => continue,
            Word::Fixed(wave) => wave,
            Word::Formula => {
                let needs = linked.graph.needs(*object).iter().filter(|edge| words[edge.from.index()] != Word::Hook);
                let needed = needs.map(|edge| waves[edge.from.index()].saturating_add(boundary(edge, engine)));
                needed.fold(bases[at], i64::max).min(ceiling[at])
            }
        };
    }
    waves
}

/// Says where a wave that a user wrote contradicts an edge.
fn report_contradictions(linked: &Linked<'_>, engine: EngineName, words: &[Word], waves: &[i64], found: &mut Findings) {
    let is_hook = |object: ObjRef| words[object.index()] == Word::Hook;
    for edge in linked.graph.edges().iter().filter(|edge| !is_hook(edge.from) && !is_hook(edge.to)) {
        let (before, after) = (waves[edge.from.index()], waves[edge.to.index()]);
        if before.saturating_add(boundary(edge, engine)) <= after {
            continue;
        }
        let (needed, needing) = (linked.loaded.objects.get(edge.from), linked.loaded.objects.get(edge.to));
        let path = FieldPath::keys(["metadata", "annotations", SYNC_WAVE]);
        let message = format!(
            "{needing} (wave {after}) comes before {needed} (wave {before}), which it needs: {reason}",
            needing = needing.id,
            needed = needed.id,
            reason = edge.reason
        );
        found.push(
            Finding::new(&order::WAVE_AGAINST_EDGE, message)
                .with_object(&needing.id)
                .with_label(Label::new(needing.place_of(&path)).path(path.clone()))
                .with_label(Label::new(needed.place_of(&path)).path(path).text("what it needs"))
                .with_remedy("correct one of the two waves, or remove both and let tidegate number them"),
        );
    }
}

/// The bases of the mode that saves waves, by stage: a stage that nobody waits for joins the next one.
fn minimal_bases(linked: &Linked<'_>, settings: &Settings, staged: &[i64]) -> [i64; 3] {
    let bands = &settings.waves.bands;
    let stages: Vec<Stage> = staged.iter().map(|wave| stage_of(*wave, bands)).collect();
    let occupied = |stage: Stage| stages.contains(&stage);
    let inside = |edge: &&Edge| boundary(edge, settings.engine) == 1;
    let bound: Vec<Stage> = linked.graph.edges().iter().filter(inside).map(|edge| stages[edge.from.index()]).collect();
    let mut bases = Stage::ALL.map(|stage| base(stage, bands));
    for at in (0..2).rev() {
        let stage = Stage::ALL[at];
        let next = (at + 1..3).find(|next| occupied(Stage::ALL[*next]));
        // a definition has a health check; nothing of the config stage has one
        let waits = stage == Stage::Crd || bound.contains(&stage);
        if let (Some(next), false) = (next, waits) {
            bases[at] = bases[next];
        }
    }
    bases
}
