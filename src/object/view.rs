//! Typed reads of parts of an object. A view borrows the tree and keeps nothing.

pub mod config_data;
pub mod config_version;
pub mod cross_namespace;
pub mod label_selector;
pub mod mesh;
pub mod pod_template;
pub mod ports;
pub mod source;
pub mod stillness;
