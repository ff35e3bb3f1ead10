//! The table of fillers: sources whose content is not final in the input.

use std::collections::BTreeMap;

use crate::object::{ObjRef, ObjectSet};

/// The sources that somebody fills, or fills up, at run time, and who.
pub(super) fn filled(_objects: &ObjectSet<'_>) -> BTreeMap<ObjRef, &'static str> {
    BTreeMap::new()
}
