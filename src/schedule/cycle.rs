//! Inferred edges that would go round in a circle.

use std::collections::HashMap;

use crate::flow::Edge;
use crate::object::ObjRef;

/// Takes edges in, in their order, and leaves out each that would close a circle with those already
/// taken. Gives those taken, and those left out with the way (from the needing object back to the
/// needed one) that they would have closed.
///
/// Only edges inside a strongly connected component can close a circle; all others are taken at once.
pub(super) fn without_circles(count: usize, edges: Vec<Edge>) -> (Vec<Edge>, Vec<(Edge, Vec<ObjRef>)>) {
    let component = components(count, edges.iter().map(|edge| (edge.from, edge.to)));
    let mut taken: HashMap<ObjRef, Vec<ObjRef>> = HashMap::new();
    let (mut kept, mut left_out) = (Vec::with_capacity(edges.len()), Vec::new());
    for edge in edges {
        if component[edge.from.index()] != component[edge.to.index()] {
            kept.push(edge);
            continue;
        }
        match way(&taken, edge.to, edge.from) {
            Some(way) => left_out.push((edge, way)),
            None => {
                taken.entry(edge.from).or_default().push(edge.to);
                kept.push(edge);
            }
        }
    }
    (kept, left_out)
}

/// A way along edges from one object to another, both included.
fn way(edges: &HashMap<ObjRef, Vec<ObjRef>>, from: ObjRef, to: ObjRef) -> Option<Vec<ObjRef>> {
    let mut came: HashMap<ObjRef, ObjRef> = HashMap::from([(from, from)]);
    let mut open = vec![from];
    while let Some(here) = open.pop() {
        if here == to {
            let mut way = vec![to];
            let mut at = to;
            while at != from {
                at = came[&at];
                way.push(at);
            }
            way.reverse();
            return Some(way);
        }
        for next in edges.get(&here).into_iter().flatten() {
            if !came.contains_key(next) {
                came.insert(*next, here);
                open.push(*next);
            }
        }
    }
    None
}

/// The strongly connected component of every object, by Tarjan's algorithm without recursion. A
/// component that leads to another one has the higher number.
pub(super) fn components(count: usize, pairs: impl Iterator<Item = (ObjRef, ObjRef)>) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (from, to) in pairs {
        next[from.index()].push(u32::try_from(to.index()).unwrap_or(NEW));
    }
    let mut state =
        Tarjan { index: vec![NEW; count], low: vec![0; count], component: vec![NEW; count], ..Tarjan::default() };
    for root in 0..count {
        if state.index[root] == NEW {
            state.visit(root, &next);
        }
    }
    state.component
}

#[derive(Default)]
struct Tarjan {
    index: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<usize>,
    counter: u32,
    components: u32,
}

impl Tarjan {
    fn open(&mut self, node: usize) {
        self.index[node] = self.counter;
        self.low[node] = self.counter;
        self.counter += 1;
        self.stack.push(node);
    }

    fn visit(&mut self, root: usize, next: &[Vec<u32>]) {
        self.open(root);
        let mut calls = vec![(root, 0)];
        while let Some((node, at)) = calls.pop() {
            let Some(child) = next[node].get(at).map(|child| *child as usize) else {
                self.close(node);
                if let Some((parent, _)) = calls.last() {
                    self.low[*parent] = self.low[*parent].min(self.low[node]);
                }
                continue;
            };
            calls.push((node, at + 1));
            if self.index[child] == u32::MAX {
                self.open(child);
                calls.push((child, 0));
            } else if self.component[child] == u32::MAX {
                self.low[node] = self.low[node].min(self.index[child]);
            }
        }
    }

    /// Ends a node; one whose low number is its own is the root of a component.
    fn close(&mut self, node: usize) {
        if self.low[node] != self.index[node] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.component[member] = self.components;
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Need, Reason, Strength};
    use crate::source::{Place, SourceFile, SourceMap};

    fn edges(pairs: &[(usize, usize)]) -> Vec<Edge> {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
        let edge = |(from, to): &(usize, usize)| Edge {
            from: ObjRef::new(*from),
            to: ObjRef::new(*to),
            need: Need::Before,
            strength: Strength::Weak,
            reason: Reason::Namespace,
            place: Place::file(file),
        };
        pairs.iter().map(edge).collect()
    }

    #[test]
    fn the_edge_that_closes_a_circle_is_left_out_with_the_way() {
        let (kept, left_out) = without_circles(4, edges(&[(0, 1), (1, 2), (2, 0), (3, 0), (2, 3)]));
        assert_eq!(kept.len(), 4 - 1 + 1 - 1);
        let left: Vec<_> = left_out
            .iter()
            .map(|(edge, way)| (edge.from.index(), edge.to.index(), way.iter().map(|o| o.index()).collect::<Vec<_>>()))
            .collect();
        assert_eq!(left, [(2, 0, vec![0, 1, 2]), (2, 3, vec![3, 0, 1, 2])]);
    }

    /// However edges are thrown together, what is kept has no circle, and nothing is left out that
    /// closes none.
    #[test]
    fn what_is_kept_has_no_circle() {
        let mut seed = 7_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap_or(0) % below
        };
        for _ in 0..200 {
            let pairs: Vec<_> = (0..30).map(|_| (random(12), random(12))).filter(|(a, b)| a != b).collect();
            let (kept, left_out) = without_circles(12, edges(&pairs));
            let components = components(12, kept.iter().map(|edge| (edge.from, edge.to)));
            assert!(kept.iter().all(|edge| components[edge.from.index()] != components[edge.to.index()]));
            for (edge, way) in &left_out {
                assert_eq!((way.first(), way.last()), (Some(&edge.to), Some(&edge.from)));
            }
            assert_eq!(kept.len() + left_out.len(), pairs.len());
        }
    }
}
