//! Stage and wave of every object.

use super::ceiling::Ceilings;
use super::companions::{self, Sitter};
use super::formula::Formula;
use super::health;
use super::last;
use super::links::{Link, Links};
use super::stage::own_stage;
use super::word::{Who, Word};
use crate::config::{Bands, EngineName, Settings, WaveMode};
use crate::flow::{Linked, Stage, Strength};
use crate::object::ObjRef;

/// What the formula says of one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    pub stage: Stage,
    pub wave: i64,
    /// Whether the wave is tidegate's to write.
    pub is_ours: bool,
}

/// What waves are computed from.
pub(super) struct Waves<'a> {
    linked: &'a Linked<'a>,
    words: &'a [Word],
    settings: &'a Settings,
    /// The edges that count for waves.
    pub links: Links,
    /// How late objects may come.
    pub ceilings: Ceilings,
    sitters: Vec<Sitter>,
    table: Vec<Stage>,
}

impl<'a> Waves<'a> {
    /// Reads the edges.
    pub(super) fn new(linked: &'a Linked<'a>, words: &'a [Word], settings: &'a Settings) -> Self {
        let links = Links::new(linked, words, settings.engine);
        let ceilings = Ceilings::new(&links, words);
        let sitters = companions::sitters(linked, &links, words);
        let stage = |object: &crate::object::Object<'_>| own_stage(&object.id, linked);
        let table = linked.loaded.objects.iter().map(|(_, object)| stage(object)).collect();
        Waves { linked, words, settings, links, ceilings, sitters, table }
    }

    /// Computes stage and wave of every object, by its number. The stage is the one whose band holds
    /// the wave that the object has with a band for each stage, whatever the mode.
    pub(super) fn assign(&self) -> Vec<Assigned> {
        let bands = &self.settings.waves.bands;
        let mut staged = self.count(Stage::ALL.map(|stage| base(stage, bands)));
        let stages: Vec<Stage> = match self.settings.engine {
            EngineName::Flux => self.folders(),
            EngineName::Argocd | EngineName::Kubectl => {
                (0..staged.len()).map(|at| self.stage(at, staged[at])).collect()
            }
        };
        let last = last::members(self.linked, &self.links, self.words, &self.sitters, (&stages, &staged));
        last::apply(&last, self.words, bands.workload, &mut staged);
        let waves = match self.settings.waves.mode {
            WaveMode::Staged => staged,
            WaveMode::Minimal => self.minimal(staged, &stages, &last),
        };
        let assigned = waves.iter().zip(&stages).zip(self.words);
        assigned.map(|((wave, stage), word)| Assigned { stage: *stage, wave: *wave, is_ours: word.is_free() }).collect()
    }

    /// The fixed object behind an object that is not: the one that its explicit dependencies lead to,
    /// and that holds it back as far as this wave.
    pub(super) fn pusher(&self, object: ObjRef, wave: i64) -> Option<ObjRef> {
        let (mut here, mut wave) = (object, wave);
        while !matches!(self.words[here.index()].who, Who::Fixed(_)) {
            let floor = wave;
            let pushes = |link: &&Link| match self.words[link.from.index()].who {
                Who::Fixed(wave) => wave.saturating_add(link.boundary) >= floor,
                _ => self.ceilings.floor(link.from).is_some_and(|least| least.saturating_add(link.boundary) >= floor),
            };
            let mut hard = self.links.needs(here).iter().filter(|link| link.strength == Strength::Hard);
            let link = hard.find(pushes)?;
            (here, wave) = (link.from, wave.saturating_sub(link.boundary));
        }
        Some(here)
    }

    fn stage(&self, at: usize, wave: i64) -> Stage {
        match self.words[at].who {
            Who::Hook => self.table[at],
            _ => stage_of(wave, &self.settings.waves.bands),
        }
    }

    /// The stage of every object by its kind, where no user puts it, or what needs it, into another: an object
    /// that moved from one Kustomization to another with a wave would be deleted by the first.
    fn folders(&self) -> Vec<Stage> {
        let stage = |nth: i64| Stage::ALL.into_iter().find(|stage| *stage as i64 == nth);
        self.bases([0, 1, 2]).into_iter().map(|nth| stage(nth).unwrap_or(Stage::Workload)).collect()
    }

    /// The waves by the formula, from the bases of the stages.
    fn count(&self, bases: [i64; 3]) -> Vec<i64> {
        let Waves { words, links, ceilings, sitters, .. } = self;
        Formula { links, words, ceilings, sitters }.waves(&self.bases(bases))
    }

    /// The lowest wave of every object: the base of its stage. What an object needs that a user puts
    /// in a stage follows it there.
    fn bases(&self, bases: [i64; 3]) -> Vec<i64> {
        let mut follow = vec![i64::MAX; self.words.len()];
        let mut lowest = vec![0; self.words.len()];
        for object in self.links.order.iter().rev() {
            let at = object.index();
            let own = self.words[at].stage.map(|stage| bases[stage as usize]);
            lowest[at] = own.unwrap_or_else(|| follow[at].min(bases[self.table[at] as usize]));
            for link in self.links.needs(*object) {
                let needed = link.from.index();
                follow[needed] = follow[needed].min(own.unwrap_or(follow[at]));
            }
        }
        lowest
    }

    /// The waves of the mode that saves some, if it does: a stage that nobody waits for joins the next.
    fn minimal(&self, staged: Vec<i64>, stages: &[Stage], last: &[bool]) -> Vec<i64> {
        let mut minimal = self.count(self.minimal_bases(stages));
        last::apply(last, self.words, self.settings.waves.bands.workload, &mut minimal);
        if self.distinct(&minimal) > self.distinct(&staged) { staged } else { minimal }
    }

    /// The bases of the mode that saves waves: a stage in which nothing has a health check, and inside
    /// which no edge has a boundary, takes the base of the next one that is not empty. What users fixed
    /// stays where it is and is waited for as before.
    fn minimal_bases(&self, stages: &[Stage]) -> [i64; 3] {
        let objects = self.linked.loaded.objects.iter().map(|(at, object)| (stages[at.index()], at, object));
        let (mut is_empty, mut waits) = ([true; 3], [false; 3]);
        for (stage, at, object) in objects.filter(|(_, at, _)| self.words[at.index()].who != Who::Hook) {
            let has_check = || health::has_check(&object.id.group, &object.id.kind);
            is_empty[stage as usize] = false;
            waits[stage as usize] |= self.words[at.index()].is_free() && has_check();
        }
        for link in self.links.all().iter().filter(|link| link.boundary == 1) {
            let (from, to) = (stages[link.from.index()], stages[link.to.index()]);
            waits[from as usize] |= from == to;
        }
        let mut bases = Stage::ALL.map(|stage| base(stage, &self.settings.waves.bands));
        for at in (0..2).rev() {
            let next = (at + 1..3).find(|next| !is_empty[*next]);
            if let (Some(next), false) = (next, waits[at]) {
                bases[at] = bases[next];
            }
        }
        bases
    }

    /// How many waves there are.
    fn distinct(&self, waves: &[i64]) -> usize {
        let waved = waves.iter().zip(self.words).filter(|(_, word)| word.who != Who::Hook);
        let mut numbers: Vec<i64> = waved.map(|(wave, _)| *wave).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    }
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
