//! The reference table: one file an API group, listed once.

mod pod;

use super::row::Row;

/// Rows whose path begins at the pod spec; they hold for every kind that has a pod template.
pub(super) static POD: &[Row] = pod::ROWS;

/// Rows whose path begins at the object.
pub(super) static OBJECTS: &[&[Row]] = &[];
