//! The edges as the formula walks them: with their boundaries, without hooks, what is needed first.

use super::engine;
use super::word::{Who, Word};
use crate::config::EngineName;
use crate::flow::{Edge, Linked, Reason, Strength};
use crate::object::ObjRef;

/// One edge between objects that have waves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The needed object.
    pub from: ObjRef,
    /// The object that needs it.
    pub to: ObjRef,
    /// 1 if the needing object must be in a later wave, else 0.
    pub boundary: i64,
    /// Who says so.
    pub strength: Strength,
    /// Why.
    pub reason: Reason,
    /// The number of the edge in the graph.
    pub edge: usize,
}

/// All of them. Hooks run in phases and move nothing, so edges from and to them are not here.
#[derive(Debug)]
pub(super) struct Links {
    /// By needing object.
    links: Vec<Link>,
    /// Where the links of each needing object begin.
    starts: Vec<usize>,
    /// The numbers of the links, by needed object.
    by_needed: Vec<usize>,
    /// Where the numbers of each needed object begin.
    followers: Vec<usize>,
    /// Every object, after all that it needs; should needs go round in a circle, by number.
    pub order: Vec<ObjRef>,
}

impl Links {
    /// Reads the edges of a graph.
    pub(super) fn new(linked: &Linked<'_>, words: &[Word], engine: EngineName) -> Self {
        let is_hook = |object: ObjRef| words[object.index()].who == Who::Hook;
        let edges = linked.graph.edges().iter().enumerate();
        let links: Vec<Link> = edges
            .filter(|(_, edge)| !is_hook(edge.from) && !is_hook(edge.to) && edge.from != edge.to)
            .map(|(nth, edge)| link(nth, edge, engine::has_boundary(edge, linked, engine)))
            .collect();
        let count = words.len();
        let mut by_needed: Vec<usize> = (0..links.len()).collect();
        by_needed.sort_by_key(|nth| links[*nth].from);
        let starts = starts(count, links.iter().map(|link| link.to));
        let followers = starts_of(count, &links, &by_needed);
        let mut all = Links { links, starts, by_needed, followers, order: Vec::new() };
        all.order = all.needs_first(count);
        all
    }

    /// All links, by needing object.
    pub(super) fn all(&self) -> &[Link] {
        &self.links
    }

    /// What an object needs.
    pub(super) fn needs(&self, object: ObjRef) -> &[Link] {
        &self.links[self.starts[object.index()]..self.starts[object.index() + 1]]
    }

    /// What needs an object.
    pub(super) fn needed_by(&self, object: ObjRef) -> impl Iterator<Item = &Link> {
        let numbers = &self.by_needed[self.followers[object.index()]..self.followers[object.index() + 1]];
        numbers.iter().map(|nth| &self.links[*nth])
    }

    fn needs_first(&self, count: usize) -> Vec<ObjRef> {
        let all = (0..count).map(ObjRef::new);
        let mut open: Vec<usize> = all.clone().map(|object| self.needs(object).len()).collect();
        let mut order: Vec<ObjRef> = all.clone().filter(|object| open[object.index()] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            for link in self.needed_by(order[next]) {
                open[link.to.index()] -= 1;
                if open[link.to.index()] == 0 {
                    order.push(link.to);
                }
            }
            next += 1;
        }
        let circular = all.filter(|object| open[object.index()] > 0);
        order.extend(circular);
        order
    }
}

fn link(nth: usize, edge: &Edge, has_boundary: bool) -> Link {
    let Edge { from, to, strength, reason, .. } = *edge;
    Link { from, to, boundary: i64::from(has_boundary), strength, reason, edge: nth }
}

/// Where each of `count` objects begins in a sorted list of them.
fn starts(count: usize, sorted: impl Iterator<Item = ObjRef>) -> Vec<usize> {
    let mut starts = vec![0; count + 1];
    sorted.for_each(|object| starts[object.index() + 1] += 1);
    (0..count).for_each(|at| starts[at + 1] += starts[at]);
    starts
}

fn starts_of(count: usize, links: &[Link], by_needed: &[usize]) -> Vec<usize> {
    starts(count, by_needed.iter().map(|nth| links[*nth].from))
}
