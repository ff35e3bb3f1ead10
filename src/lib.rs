//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod finding;
pub mod load;
pub mod source;
pub mod tree;
