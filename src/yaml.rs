//! YAML: text to trees.

mod scalar;
