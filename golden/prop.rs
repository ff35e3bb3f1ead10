//! Laws that hold for every input.

mod checksum;
mod convert;
mod edit;
mod emit;
mod render;
mod routes;
