//! The types between the steps, in order.

use super::Graph;
use crate::object::ObjectSet;
use crate::source::Place;

/// Objects as they were read.
#[derive(Debug, Default)]
pub struct Loaded<'s> {
    /// Every readable object.
    pub objects: ObjectSet<'s>,
    /// Documents that could not be read: what is missing may be in them.
    pub unread: Vec<Place>,
}

/// Objects and what needs what among them.
#[derive(Debug, Default)]
pub struct Linked<'s> {
    /// The objects.
    pub loaded: Loaded<'s>,
    /// The edges.
    pub graph: Graph,
}
