//! tidegate renders Kubernetes manifests for GitOps, offline.

pub mod config;
pub mod finding;
pub mod json;
pub mod object;
pub mod schedule;
pub mod source;
pub mod tree;
pub mod yaml;
