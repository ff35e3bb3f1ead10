//! Laws that hold for every input.

mod emit;
mod render;
