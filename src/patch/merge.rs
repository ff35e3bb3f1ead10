//! JSON merge patches (RFC 7386).

use serde_json::Value as Json;

/// Merges a patch, a mapping, into a value: fields replace fields at every depth, lists are replaced as
/// a whole, null takes a field out.
pub(super) fn apply(value: &mut Json, patch: &Json) {
    json_patch::merge(value, patch);
}
