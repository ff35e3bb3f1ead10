//! How large an object may become by patches.

use serde_json::Value as Json;

use crate::source::Limits;

/// Bytes that an object may have in memory, roughly. A cluster stores objects of 1.5 MiB.
const LARGEST: usize = 16 << 20;

/// What a value takes, roughly, in bytes.
pub(super) fn of(value: &Json) -> usize {
    const NODE: usize = 32;
    NODE + match value {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(of).sum(),
        Json::Object(entries) => entries.iter().map(|(key, value)| NODE + key.len() + of(value)).sum(),
        _ => 0,
    }
}

/// Whether a value has become too deep or too large.
///
/// # Errors
/// What it has become.
pub(super) fn check(value: &Json, limits: &Limits) -> Result<(), &'static str> {
    if is_deeper(value, limits.nesting) {
        Err("the object becomes too deep")
    } else if of(value) > LARGEST {
        Err("the object becomes too large")
    } else {
        Ok(())
    }
}

/// Whether a value has more than so many levels of lists and mappings.
fn is_deeper(value: &Json, levels: usize) -> bool {
    let deeper = |value: &Json| is_deeper(value, levels - 1);
    match value {
        Json::Array(_) | Json::Object(_) if levels == 0 => true,
        Json::Array(items) => items.iter().any(deeper),
        Json::Object(entries) => entries.values().any(deeper),
        _ => false,
    }
}
