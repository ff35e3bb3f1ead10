//! Patches whose target is no object.

use crate::config::PatchRow;
use crate::finding::{Finding, Label, rules::templates as rules};
use crate::object::ObjectSet;

/// What to say about a patch that matches none of the objects.
pub(super) fn matches_nothing(row: &PatchRow, objects: &ObjectSet<'_>) -> Finding {
    let message = format!("the patch matches none of the {} objects", objects.len());
    Finding::new(&rules::PATCH_OF_NOTHING, message)
        .with_label(Label::new(row.place))
        .with_remedy("correct its target (kinds and names with case, `*` for any characters), or remove it")
}
