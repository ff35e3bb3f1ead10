//! Circles among hard edges.

use std::collections::HashMap;

use crate::finding::{Finding, Findings, Label, rules::order};
use crate::flow::{Edge, Loaded};
use crate::object::ObjRef;

/// Circles that are said in one run, and edges that are shown of one: an input must not be able to
/// fill the memory with them.
const MOST_CIRCLES: usize = 100;
const MOST_SHOWN: usize = 50;

/// Leaves out each edge that closes a circle, and says the circle.
pub(super) fn without(mut edges: Vec<Edge>, loaded: &Loaded<'_>, found: &mut Findings) -> Vec<Edge> {
    edges.sort_unstable_by_key(|edge| (edge.from, edge.to, edge.place));
    edges.dedup_by_key(|edge| (edge.from, edge.to));
    let mut search = Search { edges: &edges, way: Vec::new(), on_way: HashMap::new(), closing: Vec::new() };
    let mut circles = Vec::new();
    search.run(&mut circles);
    let closing = search.closing;
    circles.iter().for_each(|circle| found.push(finding(circle, loaded)));
    let mut nth = 0;
    edges.retain(|_| {
        nth += 1;
        !closing[nth - 1]
    });
    edges
}

/// A search into the depth: an edge to an object on the way to it closes a circle.
struct Search<'e> {
    /// By needed object.
    edges: &'e [Edge],
    /// The objects on the way, the edges still to follow from each, and the edge that led to it.
    way: Vec<(ObjRef, std::ops::Range<usize>, Option<usize>)>,
    /// Where on the way an object is; none for one that the search is done with.
    on_way: HashMap<ObjRef, Option<usize>>,
    closing: Vec<bool>,
}

impl Search<'_> {
    fn run(&mut self, circles: &mut Vec<Vec<Edge>>) {
        self.closing = vec![false; self.edges.len()];
        for nth in 0..self.edges.len() {
            if !self.on_way.contains_key(&self.edges[nth].from) {
                self.enter(self.edges[nth].from, None);
                self.walk(circles);
            }
        }
    }

    fn enter(&mut self, object: ObjRef, by: Option<usize>) {
        let start = self.edges.partition_point(|edge| edge.from < object);
        let end = self.edges.partition_point(|edge| edge.from <= object);
        self.on_way.insert(object, Some(self.way.len()));
        self.way.push((object, start..end, by));
    }

    fn walk(&mut self, circles: &mut Vec<Vec<Edge>>) {
        while let Some((object, rest, _)) = self.way.last_mut() {
            let Some(nth) = rest.next() else {
                self.on_way.insert(*object, None);
                self.way.pop();
                continue;
            };
            let edge = self.edges[nth];
            match self.on_way.get(&edge.to) {
                None => self.enter(edge.to, Some(nth)),
                Some(None) => {}
                Some(Some(at)) => {
                    self.closing[nth] = true;
                    if circles.len() < MOST_CIRCLES {
                        let way = self.way[at + 1..].iter().filter_map(|(_, _, by)| *by);
                        circles.push(way.chain([nth]).map(|nth| self.edges[nth]).collect());
                    }
                }
            }
        }
    }
}

/// Says a circle, with the place of each of its edges.
fn finding(circle: &[Edge], loaded: &Loaded<'_>) -> Finding {
    let name = |at: ObjRef| &loaded.objects.get(at).id;
    let mut names: Vec<String> = circle.iter().take(MOST_SHOWN).map(|edge| name(edge.from).to_string()).collect();
    if circle.len() > MOST_SHOWN {
        names.push(format!("… ({} more)", circle.len() - MOST_SHOWN));
    }
    names.extend(circle.first().map(|edge| name(edge.from).to_string()));
    let message = format!("explicit dependencies go round in a circle: {}", names.join(" → "));
    let mut finding = Finding::new(&order::HARD_CIRCLE, message);
    if let Some(edge) = circle.first() {
        finding = finding.with_object(name(edge.to));
    }
    for edge in circle.iter().take(MOST_SHOWN) {
        let text = format!("{} waits for {}", name(edge.to), name(edge.from));
        finding = finding.with_label(Label::new(edge.place).text(text));
    }
    finding.with_remedy("take one of them out")
}
