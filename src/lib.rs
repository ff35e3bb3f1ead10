//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod finding;
pub mod report;
pub mod source;
pub mod tree;
