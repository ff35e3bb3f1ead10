//! The types between the steps, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Graph, Interception, Products, Reference, Selection, Stage, WorkloadInputs};
use crate::object::{GroupKind, ObjRef, ObjectSet, wrote};
use crate::source::Place;

/// Objects as they were read.
#[derive(Debug, Default)]
pub struct Loaded<'s> {
    /// Every readable object.
    pub objects: ObjectSet<'s>,
    /// Text that could not be read as objects: what is missing may be in it.
    pub unread: Vec<Unread<'s>>,
    /// Sources that an earlier render gave a name of their content, and that name: others may still
    /// call them by it.
    pub versions: BTreeMap<ObjRef, Arc<str>>,
    /// What holds pods back until a mesh answers, by the workload that it is written on, or by the object that
    /// was added.
    pub gates: BTreeMap<ObjRef, wrote::Gate>,
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
    /// Whom selectors select, by selecting object.
    pub selections: Vec<Selection>,
    /// What objects make at run time. A reference to a product leads to its maker
    /// ([`super::Resolution::Product`]), also where the input holds the product without data.
    pub products: Products,
    /// Sources that are not final in the input, and who fills them at run time.
    pub filled: BTreeMap<ObjRef, &'static str>,
    /// Makers of products that nothing waits for, though something reads what they make.
    pub no_wait: BTreeSet<ObjRef>,
    /// Custom resources whose definition is not in the input, and who of the input makes it.
    pub undefined: BTreeMap<ObjRef, Option<ObjRef>>,
    /// Objects that an inferred edge takes out of the stage of their kind: definitions whose
    /// conversion is served by a backend that comes first.
    pub moved: BTreeSet<ObjRef>,
    /// Sources that get a name of their content, and what they were before. Their ids, and references to
    /// them, stay those of the input.
    pub versioned: BTreeMap<ObjRef, wrote::Base>,
    /// Kinds in another stage than the table says.
    pub stages: BTreeMap<GroupKind, Stage>,
    /// What webhooks that fail closed refuse while nobody answers them, by webhook configuration. What
    /// is not known is not here: namespaces whose labels decide and are not in the input.
    pub interceptions: Vec<Interception>,
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
