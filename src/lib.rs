//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod finding;
#[allow(clippy::disallowed_methods, reason = "the only room that reads files")]
pub mod source;
pub mod tree;
