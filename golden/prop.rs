//! Laws that hold for every input.

mod checksum;
mod convert;
mod emit;
mod render;
