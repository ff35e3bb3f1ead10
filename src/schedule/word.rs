//! Who decides the wave of an object.

use crate::finding::{Finding, Findings, Label, rules::order};
use crate::object::Object;
use crate::object::annotation::{ARGOCD_HOOK, HELM_HOOK, HELM_HOOK_WEIGHT, SYNC_WAVE};
use crate::tree::FieldPath;

/// Who decides an object's wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The formula.
    Formula,
    /// A user, by a number.
    Fixed(i64),
    /// Nobody: hooks run in phases. It stands at the base of its table stage and moves nothing.
    Hook,
}

/// Reads who decides. A wave that is no number is read as Argo CD reads it: the hook weight, or 0.
pub(super) fn word(object: &Object<'_>, found: &mut Findings) -> Word {
    if object.annotation(ARGOCD_HOOK).is_some() || object.annotation(HELM_HOOK).is_some() {
        return Word::Hook;
    }
    let weight = || object.annotation(HELM_HOOK_WEIGHT).and_then(atoi);
    match object.annotation(SYNC_WAVE) {
        None => weight().map_or(Word::Formula, Word::Fixed),
        Some(text) => Word::Fixed(atoi(text).unwrap_or_else(|| {
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

/// Go's `strconv.Atoi`: a sign and digits.
fn atoi(text: &str) -> Option<i64> {
    text.parse().ok()
}
