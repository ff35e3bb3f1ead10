//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod check;
pub mod config;
pub mod emit;
pub mod finding;
pub mod flow;
pub mod json;
pub mod load;
pub mod object;
pub mod refs;
pub mod render;
pub mod report;
pub mod schedule;
#[allow(clippy::disallowed_methods, reason = "the only room that reads files")]
pub mod source;
pub mod tree;
pub mod yaml;
