//! The types between the steps, in order.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Product, Reference, WorkloadInputs};
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
    /// Objects that an inferred edge takes out of the stage of their kind: definitions whose
    /// conversion is served by a backend that comes first.
    pub moved: BTreeSet<ObjRef>,
    /// What needs what.
    pub graph: Graph,
}

/// Linked objects, with the checksums of their configuration on the pod templates.
#[derive(Debug, Default)]
pub struct Stamped<'s> {
    /// Objects and edges.
    pub linked: Linked<'s>,
    /// What workloads read and what came of it, by workload; those that read nothing are left out.
    pub inputs: Vec<WorkloadInputs>,
}
