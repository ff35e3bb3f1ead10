//! What objects need, near and far.

use std::collections::HashSet;

use crate::flow::Edge;
use crate::object::ObjRef;

/// Edges by the object that needs.
pub(super) struct Needs {
    of: Vec<Vec<ObjRef>>,
}

impl Needs {
    /// Takes the edges among so many objects.
    pub(super) fn new(count: usize, edges: &[Edge]) -> Self {
        let mut of = vec![Vec::new(); count];
        for edge in edges {
            of[edge.to.index()].push(edge.from);
        }
        Needs { of }
    }

    /// Some objects, all they need, all that needs in turn, and so on.
    pub(super) fn closure(&self, objects: impl Iterator<Item = ObjRef>) -> HashSet<ObjRef> {
        let mut open: Vec<ObjRef> = objects.collect();
        let mut seen: HashSet<ObjRef> = open.iter().copied().collect();
        while let Some(object) = open.pop() {
            for needed in &self.of[object.index()] {
                if seen.insert(*needed) {
                    open.push(*needed);
                }
            }
        }
        seen
    }
}
