//! The order of the stream inside a wave.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::kind_order;
use crate::flow::{Linked, Slot};
use crate::object::{ObjRef, Object, ObjectId};

/// Puts slots in the order of the stream. This is the one total order: stage, wave, then the least
/// object whose needs are out.
pub(super) fn stream(linked: &Linked<'_>, mut slots: Vec<Slot>) -> Vec<Slot> {
    let rank = ranks(linked);
    slots.sort_by_key(|slot| (slot.stage, slot.wave, rank[slot.object.index()]));
    let mut group = vec![0_u32; slots.len()];
    let mut current = 0;
    for at in 0..slots.len() {
        if at > 0 && (slots[at - 1].stage, slots[at - 1].wave) != (slots[at].stage, slots[at].wave) {
            current += 1;
        }
        group[slots[at].object.index()] = current;
    }
    let mut ordered = Vec::with_capacity(slots.len());
    for wave in slots.chunk_by(|a, b| (a.stage, a.wave) == (b.stage, b.wave)) {
        ordered.extend(by_needs(linked, wave, &rank, &group));
    }
    ordered
}

/// The slots of one wave so that what is needed comes first. Should needs go round in a circle, the
/// least object that is left breaks it: nothing is ever lost.
fn by_needs(linked: &Linked<'_>, wave: &[Slot], rank: &[u32], group: &[u32]) -> Vec<Slot> {
    let here = group[wave[0].object.index()];
    let position =
        |object: ObjRef| wave.binary_search_by_key(&rank[object.index()], |slot| rank[slot.object.index()]).ok();
    let mut open = vec![0_u32; wave.len()];
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); wave.len()];
    for (to, slot) in wave.iter().enumerate() {
        for edge in linked.graph.needs(slot.object).iter().filter(|edge| group[edge.from.index()] == here) {
            if let Some(from) = position(edge.from).filter(|from| *from != to) {
                open[to] += 1;
                followers[from].push(to);
            }
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> = (0..wave.len()).filter(|at| open[*at] == 0).map(Reverse).collect();
    let mut out = vec![false; wave.len()];
    let mut ordered = Vec::with_capacity(wave.len());
    let mut least = 0;
    while ordered.len() < wave.len() {
        let at = ready.pop().map_or_else(
            || {
                least = (least..wave.len()).find(|at| !out[*at]).unwrap_or(least);
                least
            },
            |Reverse(at)| at,
        );
        if std::mem::replace(&mut out[at], true) {
            continue;
        }
        ordered.push(wave[at]);
        for follower in &followers[at] {
            open[*follower] = open[*follower].saturating_sub(1);
            if open[*follower] == 0 && !out[*follower] {
                ready.push(Reverse(*follower));
            }
        }
    }
    ordered
}

/// The rank of every object in (kind order, kind, group, namespace, name, generated after fixed).
fn ranks(linked: &Linked<'_>) -> Vec<u32> {
    let objects = &linked.loaded.objects;
    let key = |object: &Object<'_>| kind_order::argocd(&object.id.kind);
    let mut order: Vec<(u8, ObjRef)> = objects.iter().map(|(at, object)| (key(object), at)).collect();
    order.sort_unstable_by(|(kind_a, a), (kind_b, b)| {
        let (a, b) = (&objects.get(*a).id, &objects.get(*b).id);
        kind_a.cmp(kind_b).then_with(|| by_name(a, b))
    });
    let mut rank = vec![0; objects.len()];
    for (n, (_, object)) in order.iter().enumerate() {
        rank[object.index()] = u32::try_from(n).unwrap_or(u32::MAX);
    }
    rank
}

fn by_name(a: &ObjectId, b: &ObjectId) -> std::cmp::Ordering {
    (&a.kind, &a.group, &a.namespace, &a.name).cmp(&(&b.kind, &b.group, &b.namespace, &b.name))
}
