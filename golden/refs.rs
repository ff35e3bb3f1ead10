//! The reference table, row by row: referrers are made from the rows themselves.

mod counts;
pub(crate) mod form;
#[cfg(feature = "kube")]
mod pod_spec;
mod rows;
