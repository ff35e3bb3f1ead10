//! What one step of the chain hands to the next; no algorithms.

mod graph;
mod inputs;
mod interception;
mod plan;
mod product;
mod reference;
mod selection;
mod steps;

pub use crate::object::reload::Reload;
pub use graph::{Edge, Graph, Need, Reason, Strength};
pub use inputs::{How, Input, Reading, SourceKind, Stamp, Standing, Unstamped, Word, WorkloadInputs};
pub use interception::Interception;
pub use plan::{Plan, Planned, Slot, Stage};
pub use product::{Product, ProductKeys, Products, Reach};
pub use reference::{FieldKey, Mount, Read, Reference, Resolution, Target, VolumeRead};
pub use selection::Selection;
pub use steps::{Linked, Loaded, Stamped, Unread};
