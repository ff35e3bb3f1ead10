//! What one step of the chain hands to the next; no algorithms.

mod graph;
mod plan;
mod product;
mod reference;
mod selection;
mod steps;

pub use graph::{Edge, Graph, Need, Reason, Strength};
pub use plan::{Plan, Planned, Slot, Stage};
pub use product::{Product, ProductKeys};
pub use reference::{Mount, Read, Reference, Resolution, Target, VolumeRead};
pub use selection::Selection;
pub use steps::{Linked, Loaded};
