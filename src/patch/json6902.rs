//! JSON patches (RFC 6902).

use json_patch::{Patch, PatchErrorKind, PatchOperation};
use serde_json::Value as Json;

use super::size;
use crate::source::Limits;

/// Operations that a patch may have.
const MOST: usize = 1_000;

/// Applies a patch, a list of operations, to a value.
///
/// # Errors
/// Why it cannot be, in words without a value; `value` may then be anything.
pub(super) fn apply(value: &mut Json, patch: &Json, limits: &Limits) -> Result<(), String> {
    let Patch(operations) = operations(patch)?;
    for (nth, operation) in operations.iter().enumerate() {
        // copies may double the object: after each it is looked at anew
        let done = json_patch::patch(value, std::slice::from_ref(operation)).map_err(|error| why(&error.kind));
        let done = done.and_then(|()| match operation {
            PatchOperation::Copy(_) => size::check(value, limits),
            _ => Ok(()),
        });
        done.map_err(|why| {
            let word = serde_json::to_value(operation).ok();
            let word = word.as_ref().and_then(|word| word["op"].as_str()).unwrap_or_default().to_owned();
            let path = operation.path().to_string();
            let path = if path.is_empty() { "\"\"".to_owned() } else { path };
            format!("operation {} ({word} {path}): {why}", nth + 1)
        })?;
    }
    Ok(())
}

fn why(kind: &PatchErrorKind) -> &'static str {
    match kind {
        PatchErrorKind::TestFailed => "the test does not hold",
        PatchErrorKind::InvalidFromPointer => "the object has nothing at its `from`",
        PatchErrorKind::InvalidPointer => "the object has no such place",
        PatchErrorKind::CannotMoveInsideItself => "a value cannot be moved into itself",
        _ => "it does not fit",
    }
}

/// The operations of a patch.
///
/// # Errors
/// What is wrong with the list.
pub(super) fn operations(patch: &Json) -> Result<Patch, String> {
    let items = patch.as_array().map(Vec::as_slice).unwrap_or_default();
    if items.len() > MOST {
        return Err(format!("a patch of {} operations; {MOST} are the most", items.len()));
    }
    let mut operations = Vec::with_capacity(items.len());
    for (nth, item) in items.iter().enumerate() {
        let number = nth + 1;
        let word = item["op"].as_str().unwrap_or_default();
        if !["add", "remove", "replace", "move", "copy", "test"].contains(&word) {
            return Err(format!(
                "operation {number} must have an `op` that is add, remove, replace, move, copy or test"
            ));
        }
        let needs = match word {
            "remove" => ["path", "path"],
            "move" | "copy" => ["path", "from"],
            _ => ["path", "value"],
        };
        if let Some(missing) = needs.iter().find(|name| item.get(**name).is_none()) {
            return Err(format!("operation {number} ({word}) has no `{missing}`"));
        }
        let operation = serde_json::from_value(item.clone()).map_err(|_| {
            format!("operation {number} ({word}): a path is `/` and names with `/` between them, as in /spec/replicas")
        })?;
        operations.push(operation);
    }
    Ok(Patch(operations))
}
