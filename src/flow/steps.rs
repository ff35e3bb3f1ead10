//! The types between the steps, in order.

use std::collections::BTreeMap;

use super::{Graph, Products, Reference};
use crate::object::{ObjRef, ObjectSet};
use crate::source::Place;

/// Objects as they were read.
#[derive(Debug, Default)]
pub struct Loaded<'s> {
    /// Every readable object.
    pub objects: ObjectSet<'s>,
    /// Text that could not be read as objects: what is missing may be in it.
    pub unread: Vec<Unread<'s>>,
}

/// Text that somebody meant to be objects, and that is none.
#[derive(Clone, Copy, Debug)]
pub struct Unread<'s> {
    /// Where it stands.
    pub place: Place,
    /// The text; none where nothing is known of what would come out of it.
    pub text: Option<&'s str>,
}

/// Objects and what needs what among them.
#[derive(Debug, Default)]
pub struct Linked<'s> {
    /// The objects.
    pub loaded: Loaded<'s>,
    /// What names what, by naming object.
    pub references: Vec<Reference>,
    /// What objects make at run time. A reference to a product leads to its maker
    /// ([`super::Resolution::Product`]), also where the input holds the product without data.
    pub products: Products,
    /// Sources that are not final in the input, and who fills them at run time.
    pub filled: BTreeMap<ObjRef, &'static str>,
    /// What needs what.
    pub graph: Graph,
}
