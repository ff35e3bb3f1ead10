//! The config-management plugin of Argo CD: what its sidecar (`argocd-cmp-server`) hands in, what is rendered
//! with it, and how the sidecar is set up.
//!
//! The server unpacks the repository into a folder of its own, starts the command of `plugin.yaml` in the
//! folder of the application with the sidecar's environment and what it adds to it (`cmpserver/plugin/plugin.go`
//! and `reposerver/repository/repository.go` of Argo CD), reads standard output to its end, and kills the process
//! group at the deadline of the request. Nothing here reads the environment: [`Environment`] is handed in.

pub mod announce;
mod bounds;
mod child;
pub mod doctor;
mod environment;
mod kustomization;
mod parameters;
pub mod setup;
mod source;

pub use bounds::root;
pub use child::{Child, Failure, run};
pub use environment::{Environment, RECORDED};
pub use parameters::{Asked, asked};
pub use source::{SOURCES, Source, SourceKind, Tools, find};
