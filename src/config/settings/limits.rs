//! Limits that flags and the operator's environment change.

use crate::source::Limits;

/// Other [`Limits`] than the default ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitOverrides {
    /// For [`Limits::nesting`].
    pub nesting: Option<usize>,
    /// For [`Limits::alias_free`].
    pub alias_free: Option<u64>,
    /// For [`Limits::alias_ratio`].
    pub alias_ratio: Option<u64>,
    /// For [`Limits::document_bytes`].
    pub document_bytes: Option<usize>,
    /// For [`Limits::file_bytes`].
    pub file_bytes: Option<u64>,
    /// For [`Limits::total_bytes`].
    pub total_bytes: Option<u64>,
    /// For [`Limits::objects`].
    pub objects: Option<usize>,
    /// For [`Limits::template_bytes`].
    pub template_bytes: Option<u64>,
    /// For [`Limits::template_items`].
    pub template_items: Option<u64>,
    /// For [`Limits::template_seconds`].
    pub template_seconds: Option<u64>,
}

impl LimitOverrides {
    /// Limits with those that are given here, the others as they are in `below`.
    pub(super) fn over(&self, below: &Limits) -> Limits {
        Limits {
            nesting: self.nesting.unwrap_or(below.nesting),
            alias_free: self.alias_free.unwrap_or(below.alias_free),
            alias_ratio: self.alias_ratio.unwrap_or(below.alias_ratio),
            document_bytes: self.document_bytes.unwrap_or(below.document_bytes),
            file_bytes: self.file_bytes.unwrap_or(below.file_bytes),
            total_bytes: self.total_bytes.unwrap_or(below.total_bytes),
            objects: self.objects.unwrap_or(below.objects),
            template_bytes: self.template_bytes.unwrap_or(below.template_bytes),
            template_items: self.template_items.unwrap_or(below.template_items),
            template_seconds: self.template_seconds.unwrap_or(below.template_seconds),
        }
    }
}
