//! Patches whose target is no object.

use crate::config::PatchRow;
use crate::finding::{Finding, Label, rules::templates as rules};

/// What to say about a patch that matches no object.
pub(super) fn matches_nothing(row: &PatchRow) -> Finding {
    Finding::new(&rules::PATCH_OF_NOTHING, "the patch matches no object of the input")
        .with_label(Label::new(row.place))
        .with_remedy("correct its target (kinds and names with case, `*` for any characters), or remove it")
}
