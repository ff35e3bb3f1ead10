//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod finding;
pub mod object;
pub mod report;
pub mod schedule;
pub mod source;
pub mod tree;
