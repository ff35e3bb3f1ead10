//! What Argo CD reads on an object.

use crate::flow::Slot;
use crate::json;
use crate::object::Object;
use crate::object::wrote::Wrote;

/// Client-side apply keeps the whole object in one annotation, and all annotations together may not
/// be longer than this (`TotalAnnotationSizeLimitB` in apimachinery), in bytes.
const LAST_APPLIED_LIMIT: usize = 262_144;

/// What other annotations and the escaping of the text may need, in bytes.
const MARGIN: usize = 1024;

/// The wave, and server-side apply for what is too big for the other way.
pub(super) fn wrote(object: &Object<'_>, slot: &Slot) -> Wrote {
    let too_big = object.tree.span.len as usize >= LAST_APPLIED_LIMIT / 8 && is_too_big(object);
    Wrote {
        wave: slot.writes_wave.then_some(slot.wave),
        options: if too_big { vec!["ServerSideApply=true".to_owned()] } else { Vec::new() },
    }
}

fn is_too_big(object: &Object<'_>) -> bool {
    let mut text = String::new();
    json::write(&object.tree, &mut text);
    text.len() + MARGIN > LAST_APPLIED_LIMIT
}
