//! Laws that hold for every input.

mod checksum;
mod emit;
mod render;
mod routes;
