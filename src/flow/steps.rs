//! The types between the steps, in order.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Product, Reference};
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
    /// What objects make at run time, by maker.
    pub products: Vec<Product>,
    /// Sources that somebody fills at run time, and who.
    pub filled: BTreeMap<ObjRef, &'static str>,
    /// Makers of products that nothing waits for, though something reads what they make.
    pub no_wait: BTreeSet<ObjRef>,
    /// Custom resources whose definition is not in the input, and who of the input makes it.
    pub undefined: BTreeMap<ObjRef, Option<ObjRef>>,
    /// What needs what.
    pub graph: Graph,
}
