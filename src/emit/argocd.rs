//! What Argo CD reads on an object.

use crate::config::{Settings, SkipDryRun};
use crate::flow::Slot;
use crate::json;
use crate::object::Object;
use crate::object::wrote::Wrote;
use crate::tree::{Node, Value};

/// Client-side apply keeps the whole object in one annotation, and all annotations together may not
/// be longer than this (`TotalAnnotationSizeLimitB` in apimachinery), in bytes.
const LAST_APPLIED_LIMIT: usize = 262_144;

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
    let too_big = text_bytes(&object.tree) >= LAST_APPLIED_LIMIT / 8 && is_too_big(object);
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

/// The bytes of all keys and strings. As JSON they take at most six times as many, and what stands
/// around them less than another two.
fn text_bytes(node: &Node<'_>) -> usize {
    match &node.value {
        Value::String(text) => text.len() + 4,
        Value::Sequence(items) => items.iter().map(text_bytes).sum(),
        Value::Mapping(mapping) => {
            mapping.entries().iter().map(|(key, value)| key.name.len() + 4 + text_bytes(value)).sum()
        }
        Value::Number(digits) => digits.len(),
        _ => 4,
    }
}

fn is_too_big(object: &Object<'_>) -> bool {
    let mut text = String::new();
    json::write(&object.tree, &mut text);
    text.len() + MARGIN > LAST_APPLIED_LIMIT
}
