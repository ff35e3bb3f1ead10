//! Text to objects: what was read, and what there is to say about it.

pub mod notes;
