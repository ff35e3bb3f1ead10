//! What Argo CD reads on an object.

use crate::config::{Settings, SkipDryRun};
use crate::flow::Slot;
use crate::object::Object;
use crate::object::size::{self, ANNOTATIONS_LIMIT};
use crate::object::wrote::Wrote;

/// What other annotations and the escaping of the text may need, in bytes.
const MARGIN: usize = 1024;

/// The wave; server-side apply for what is too big for the other way; and for a custom resource whose
/// definition is not in the input, that its absence is no reason to refuse the whole sync. `undefined`
/// says whether the object is one, and then whether an object of the input makes the definition. A
/// versioned source is pruned after its last readers, or never. `ours` is what other steps wrote on it.
pub(super) fn wrote(
    object: &Object<'_>,
    slot: &Slot,
    undefined: Option<bool>,
    ours: Wrote,
    settings: &Settings,
) -> Wrote {
    let bytes = size::json_bytes(&object.tree, ANNOTATIONS_LIMIT);
    let too_big = bytes.is_some_and(|bytes| bytes + MARGIN > ANNOTATIONS_LIMIT);
    let skips = undefined.is_some_and(|is_made| is_made || settings.argocd.skip_dry_run == SkipDryRun::All);
    let (is_versioned, keep) = (ours.base.is_some(), settings.versioned.keep);
    let options = [
        (too_big, "ServerSideApply=true"),
        (skips, "SkipDryRunOnMissingResource=true"),
        (is_versioned && !keep, "PruneLast=true"),
        (is_versioned && keep, "Prune=false"),
    ];
    Wrote {
        wave: slot.writes_wave.then_some(slot.wave),
        options: options.iter().filter(|(is_set, _)| *is_set).map(|(_, option)| (*option).to_owned()).collect(),
        ..ours
    }
}
