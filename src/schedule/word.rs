//! What users say about the order of an object.

use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::Stage;
use crate::object::Object;
use crate::object::annotation::{ARGOCD_HOOK, HELM_HOOK, HELM_HOOK_WEIGHT, SYNC_WAVE};
use crate::object::order::{Order, OrderStage};
use crate::tree::FieldPath;

/// Who decides an object's wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The formula.
    Formula,
    /// A user, by a number.
    Fixed(i64),
    /// Nobody: hooks run in phases. It stands at the base of its table stage and moves nothing.
    Hook,
}

/// What is said about the order of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Who decides the wave.
    pub who: Who,
    /// The stage that a user puts it in.
    pub stage: Option<Stage>,
}

impl Word {
    /// Whether the formula decides its wave.
    pub(super) fn is_free(&self) -> bool {
        self.who == Who::Formula
    }

    /// Whether a user says where it goes: by a wave or by a stage.
    pub(super) fn is_moved(&self) -> bool {
        matches!(self.who, Who::Fixed(_)) || self.stage.is_some()
    }
}

/// Reads what is said about an object. To an engine that reads no waves, those of users and hooks say nothing.
pub(super) fn word(object: &Object<'_>, reads_waves: bool, found: &mut Findings) -> Word {
    let who = if reads_waves { who(object, found) } else { Who::Formula };
    let stage = Order::of(object).stage.filter(|_| who == Who::Formula);
    let stage = stage.map(|stage| match stage {
        OrderStage::Config => Stage::Config,
        OrderStage::Crd => Stage::Crd,
        OrderStage::Workload => Stage::Workload,
    });
    Word { who, stage }
}

/// Who decides. A wave that is no number is read as Argo CD reads it: the hook weight, or 0.
fn who(object: &Object<'_>, found: &mut Findings) -> Who {
    if object.annotation(ARGOCD_HOOK).is_some() || object.annotation(HELM_HOOK).is_some() {
        return Who::Hook;
    }
    let weight = || object.annotation(HELM_HOOK_WEIGHT).and_then(atoi);
    match object.annotation(SYNC_WAVE) {
        // no string, and so an error of its own; but a user's word all the same
        None if has_odd_wave(object) => Who::Fixed(0),
        None => weight().map_or(Who::Formula, Who::Fixed),
        Some(text) => Who::Fixed(atoi(text).unwrap_or_else(|| {
            let instead = weight().unwrap_or(0);
            let path = FieldPath::keys(["metadata", "annotations", SYNC_WAVE]);
            let message =
                format!("the sync wave of {} is not a whole number: Argo CD takes it for {instead}", object.id);
            found.push(
                Finding::new(&order::INVALID_WAVE, message)
                    .with_object(&object.id)
                    .with_label(Label::new(object.place_of(&path)).path(path))
                    .with_remedy("write a whole number in quotes, such as \"5\", or remove the annotation"),
            );
            instead
        })),
    }
}

/// Whether the wave is written as something else than a string.
fn has_odd_wave(object: &Object<'_>) -> bool {
    let wave = object.tree.at(&["metadata", "annotations", SYNC_WAVE]);
    wave.is_some_and(|wave| !wave.is_null() && wave.as_str().is_none())
}

/// The wave that an object's own annotations say, as Argo CD reads them.
pub(super) fn written_wave(object: &Object<'_>) -> i64 {
    let number = |name| object.annotation(name).and_then(atoi);
    number(SYNC_WAVE).or_else(|| number(HELM_HOOK_WEIGHT)).unwrap_or(0)
}

/// The annotation that fixes the wave of an object, for messages.
pub(super) fn wave_path(object: &Object<'_>) -> FieldPath {
    let weighs = object.annotation(SYNC_WAVE).is_none() && object.annotation(HELM_HOOK_WEIGHT).is_some();
    FieldPath::keys(["metadata", "annotations", if weighs { HELM_HOOK_WEIGHT } else { SYNC_WAVE }])
}

/// Go's `strconv.Atoi`: a sign and digits.
pub(super) fn atoi(text: &str) -> Option<i64> {
    text.parse().ok()
}
