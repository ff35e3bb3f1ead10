//! The types between the steps, in order.

use std::collections::BTreeMap;

use super::{Graph, Product, Reference, Selection};
use crate::object::{ObjRef, ObjectSet};
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
    /// What names what, by naming object.
    pub references: Vec<Reference>,
    /// Whom selectors select, by selecting object.
    pub selections: Vec<Selection>,
    /// What objects make at run time, by maker.
    pub products: Vec<Product>,
    /// Sources that somebody fills at run time, and who.
    pub filled: BTreeMap<ObjRef, &'static str>,
    /// What needs what.
    pub graph: Graph,
}
