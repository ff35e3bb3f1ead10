//! YAML: text to trees.

mod emit;
mod scalar;

pub use emit::emit;
