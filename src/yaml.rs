//! YAML: text to trees.

mod chunk;
mod scalar;

pub use chunk::{Chunk, chunks};
