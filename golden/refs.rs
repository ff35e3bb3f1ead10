//! The reference table, row by row: referrers are made from the rows themselves.

#[cfg(feature = "kube")]
mod api;
mod counts;
pub(crate) mod form;
mod rows;
