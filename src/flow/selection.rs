//! Selections: whom an object means by labels instead of names.

use crate::object::ObjRef;
use crate::source::Place;
use crate::tree::FieldPath;

/// One selector of an object and whom it selects. It orders nothing: either side does without the
/// other when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Who selects.
    pub from: ObjRef,
    /// The row of the table of selectors that found it, by its path.
    pub row: &'static str,
    /// The field that holds the selector.
    pub path: FieldPath,
    /// Where the selector stands.
    pub place: Place,
    /// The objects that it selects, in order; of pods, the objects that hold their template.
    pub selected: Vec<ObjRef>,
}
