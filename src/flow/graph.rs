//! What needs what.

use std::fmt;

use crate::object::ObjRef;
use crate::source::Place;

/// How far the needed object must have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// Present is enough.
    Before,
    /// It must be ready (healthy).
    Ready,
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// A user, in so many words: a contradiction is an error.
    Hard,
    /// tidegate infers it: a contradiction drops the edge.
    Weak,
}

/// Why there is an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A namespace holds the object.
    Namespace,
    /// A definition makes the object's kind known.
    Definition,
    /// It serves a registration: a webhook configuration, an APIService, a conversion.
    Backend,
    /// It is the registration of a controller that does not run before that exists.
    OwnRegistration,
    /// A mesh starts its parts in this order.
    Mesh,
    /// The object names it, by this row of the reference table.
    Reference(&'static str),
    /// It is a registration that acts on the object.
    Registration,
    /// It converts the object to the version that is stored.
    Conversion,
    /// It makes something that the object reads.
    Producer,
    /// It makes the object's kind known at run time.
    DefinitionProducer,
    /// The object reads it through the API, in a version that a conversion changes.
    Reader,
    /// It defines a kind that the object reads through the API.
    DefinitionReader,
    /// It is the controller that reports the object's status.
    Controller,
    /// A user says so.
    Explicit,
}

impl Reason {
    /// The class by which inferred edges are added: of those that go round in a circle, one of a later
    /// class gives way.
    pub fn class(self) -> u8 {
        match self {
            Reason::Namespace | Reason::Definition => 0,
            Reason::Backend | Reason::OwnRegistration | Reason::Mesh => 1,
            Reason::Reference(_) => 2,
            Reason::Registration | Reason::Conversion => 3,
            Reason::Producer | Reason::DefinitionProducer => 4,
            Reason::Reader | Reason::DefinitionReader | Reason::Controller | Reason::Explicit => 5,
        }
    }

    /// The word by which settings and reports name it.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Namespace => "namespace",
            Reason::Definition => "definition",
            Reason::Backend => "backend",
            Reason::OwnRegistration => "own-registration",
            Reason::Mesh => "mesh",
            Reason::Reference(_) => "reference",
            Reason::Registration => "registration",
            Reason::Conversion => "conversion",
            Reason::Producer => "producer",
            Reason::DefinitionProducer => "definition-producer",
            Reason::Reader => "reader",
            Reason::DefinitionReader => "definition-reader",
            Reason::Controller => "controller",
            Reason::Explicit => "explicit",
        }
    }
}

/// A clause about the needed object.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Namespace => "it is the namespace that holds the object",
            Reason::Definition => "it defines the object's kind",
            Reason::Backend => "it serves what the object registers",
            Reason::OwnRegistration => "it is a registration without which the object does not run",
            Reason::Mesh => "the mesh starts in this order",
            Reason::Reference(row) => return write!(f, "the object names it in `{row}`"),
            Reason::Registration => "it is registered to act on the object",
            Reason::Conversion => "it converts the object to the version that is stored",
            Reason::Producer => "it makes what the object reads",
            Reason::DefinitionProducer => "it makes the object's kind known",
            Reason::Reader => "the object reads it through the API",
            Reason::DefinitionReader => "it defines what the object reads through the API",
            Reason::Controller => "it reports the object's status",
            Reason::Explicit => "an explicit dependency says so",
        })
    }
}

/// One object needs another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The needed object: it comes first.
    pub from: ObjRef,
    /// The object that needs it.
    pub to: ObjRef,
    /// How far the needed object must have come.
    pub need: Need,
    /// Who says so.
    pub strength: Strength,
    /// Why.
    pub reason: Reason,
    /// Where it was read from.
    pub place: Place,
}

/// All edges of a set of objects, in the order of their needing objects.
#[derive(Debug, Default)]
pub struct Graph {
    edges: Vec<Edge>,
}

impl Graph {
    /// A graph of these edges.
    pub fn new(mut edges: Vec<Edge>) -> Self {
        edges.sort_by_key(|edge| (edge.to, edge.from, edge.reason, edge.need, edge.strength, edge.place));
        edges.dedup_by_key(|edge| (edge.to, edge.from, edge.reason, edge.need, edge.strength));
        Graph { edges }
    }

    /// All edges, by needing object, then needed object.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What an object needs.
    pub fn needs(&self, object: ObjRef) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.to < object);
        let end = self.edges.partition_point(|edge| edge.to <= object);
        &self.edges[start..end]
    }
}
