//! The last wave: what can hold up a wave for good goes where nobody waits for it.

use super::blocking::can_block;
use super::companions::{Sitter, is_claim};
use super::links::Links;
use super::word::{Who, Word};
use crate::flow::{Linked, Stage};
use crate::object::ObjRef;

/// How far behind the first wave of the workload stage the last one is, unless others come later
/// still: far enough that it stays the same while an installation grows.
const DISTANCE: i64 = 90;

/// Which objects go to the last wave, by number: those that can hold up a wave for good and gate
/// nothing, if the other objects of the workload stage have more than one wave.
pub(super) fn members(
    linked: &Linked<'_>,
    links: &Links,
    words: &[Word],
    sitters: &[Sitter],
    (stages, waves): (&[Stage], &[i64]),
) -> Vec<bool> {
    let mut members: Vec<bool> = vec![false; words.len()];
    for (at, object) in linked.loaded.objects.iter() {
        let word = &words[at.index()];
        let is_placed = !word.is_free() || word.stage.is_some_and(|stage| stage != Stage::Workload);
        let has_no_consumer = || is_claim(object) && sitters.binary_search_by_key(&at, |sitter| sitter.object).is_err();
        members[at.index()] =
            !is_placed && stages[at.index()] == Stage::Workload && (can_block(object) || has_no_consumer());
    }
    drop_gates(linked, links, words, &mut members);
    let others = (0..words.len()).filter(|at| !members[*at] && words[*at].who != Who::Hook);
    let mut others = others.filter(|at| stages[*at] == Stage::Workload).map(|at| waves[at]);
    let first = others.next();
    if others.all(|wave| Some(wave) == first) {
        members.fill(false);
    }
    members
}

/// Takes out whatever somebody else waits for: an object that stays, or one in a later wave.
fn drop_gates(linked: &Linked<'_>, links: &Links, words: &[Word], members: &mut [bool]) {
    // hooks stay where they are, and no link leads to one
    for edge in linked.graph.edges().iter().filter(|edge| words[edge.to.index()].who == Who::Hook) {
        members[edge.from.index()] = false;
    }
    let gates =
        |at: &usize| links.needed_by(ObjRef::new(*at)).any(|link| link.boundary == 1 || !members[link.to.index()]);
    let mut open: Vec<usize> = (0..members.len()).filter(|at| members[*at]).filter(gates).collect();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut members[at], false) {
            let needs = links.needs(ObjRef::new(at)).iter().map(|link| link.from.index());
            open.extend(needs.filter(|needed| members[*needed]));
        }
    }
}

/// Moves the members to the last wave.
pub(super) fn apply(members: &[bool], words: &[Word], base: i64, waves: &mut [i64]) {
    let others = (0..words.len()).filter(|at| !members[*at] && words[*at].who != Who::Hook).map(|at| waves[at]);
    let last = others.max().map_or(i64::MIN, |highest| highest.saturating_add(1)).max(base.saturating_add(DISTANCE));
    for (wave, _) in waves.iter_mut().zip(members).filter(|(_, is_member)| **is_member) {
        *wave = last;
    }
}
