//! YAML: text to trees.

mod fast;
mod scalar;
