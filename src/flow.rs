//! What one step of the chain hands to the next; no algorithms.

mod graph;
mod plan;
mod steps;

pub use graph::{Edge, Graph, Need, Reason, Strength};
pub use plan::{Plan, Planned, Slot, Stage};
pub use steps::{Linked, Loaded};
