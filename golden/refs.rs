//! The reference table, row by row: referrers are made from the rows themselves.

mod counts;
pub(crate) mod form;
mod rows;
#[cfg(feature = "kube")]
mod types;
