//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod finding;
pub mod json;
pub mod source;
pub mod tree;
pub mod yaml;
