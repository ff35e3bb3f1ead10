//! YAML: text to trees.

mod chunk;
mod fast;
mod scalar;

pub use chunk::{Chunk, chunks};
