//! Objects: what a manifest document describes, by group, kind, namespace and name.

pub mod gvk;
pub mod scope;

pub use gvk::GroupKind;
pub use scope::Scope;
