//! The formula: wave(v) is the highest wave(u) + b over what v needs, and at least a base.
//!
//! b is 0 where presence is enough, and 1 where a boundary is needed. A wave that a user wrote is a
//! fixed number; what a fixed object needs is pulled to it. Some objects sit with others: they come no
//! earlier than the first of those, unless that one would rise in turn, without end.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::ceiling::Ceilings;
use super::companions::Sitter;
use super::cycle;
use super::links::Links;
use super::word::{Who, Word};
use crate::object::ObjRef;

/// What the waves of one input depend on, beside the bases.
pub(super) struct Formula<'a> {
    pub links: &'a Links,
    pub words: &'a [Word],
    pub ceilings: &'a Ceilings,
    pub sitters: &'a [Sitter],
}

/// The first companion of each object that sits with one.
type Companions = Vec<Option<ObjRef>>;

/// Who sits with an object.
type Seats = BTreeMap<ObjRef, Vec<ObjRef>>;

impl Formula<'_> {
    /// The wave of every object, from the lowest wave that each may have.
    pub(super) fn waves(&self, bases: &[i64]) -> Vec<i64> {
        let mut waves = bases.to_vec();
        for object in &self.links.order {
            let highest = self.needed(*object, &waves).fold(bases[object.index()], i64::max);
            waves[object.index()] = self.settle(*object, highest, bases);
        }
        if self.sitters.is_empty() { waves } else { self.seated(bases, &waves) }
    }

    /// The waves that what an object needs asks of it.
    fn needed(&self, object: ObjRef, waves: &[i64]) -> impl Iterator<Item = i64> {
        let needs = self.links.needs(object).iter();
        needs.map(|link| waves[link.from.index()].saturating_add(link.boundary))
    }

    /// The wave of an object that could be as early as `highest`.
    fn settle(&self, object: ObjRef, highest: i64, bases: &[i64]) -> i64 {
        match self.words[object.index()].who {
            Who::Hook => bases[object.index()],
            Who::Fixed(wave) => wave,
            Who::Formula => highest.min(self.ceilings.of(object)),
        }
    }

    /// The waves with everybody in the wave of their companions. Objects that hold each other in one
    /// wave are counted together.
    fn seated(&self, bases: &[i64], plain: &[i64]) -> Vec<i64> {
        let companions = self.companions(plain);
        let component = cycle::components(bases.len(), self.pairs(&companions));
        let mut members: Vec<ObjRef> = (0..bases.len()).map(ObjRef::new).collect();
        // a component that leads to another one has the higher number
        members.sort_by_key(|object| Reverse(component[object.index()]));
        let mut waves = bases.to_vec();
        for group in members.chunk_by(|a, b| component[a.index()] == component[b.index()]) {
            let mut highest = i64::MIN;
            for object in group {
                let companion = companions[object.index()].map(|with| waves[with.index()]);
                let asked = self.needed(*object, &waves).chain(companion);
                highest = asked.fold(highest.max(bases[object.index()]), i64::max);
            }
            group.iter().for_each(|object| waves[object.index()] = self.settle(*object, highest, bases));
        }
        waves
    }

    /// The first companion of each sitter, but for those to which a way holding a boundary leads from
    /// the sitter: they would rise as well.
    fn companions(&self, plain: &[i64]) -> Companions {
        let mut companions: Companions = vec![None; plain.len()];
        for sitter in self.sitters {
            companions[sitter.object.index()] =
                sitter.with.iter().copied().min_by_key(|with| (plain[with.index()], *with));
        }
        let component = cycle::components(plain.len(), self.pairs(&companions));
        let crossed =
            self.links.all().iter().filter(|link| link.boundary == 1 && self.words[link.to.index()].is_free());
        let crossed = crossed.filter(|link| component[link.from.index()] == component[link.to.index()]);
        let mut doubtful: Vec<u32> = crossed.map(|link| component[link.from.index()]).collect();
        doubtful.sort_unstable();
        let in_doubt = |sitter: &&Sitter| doubtful.binary_search(&component[sitter.object.index()]).is_ok();
        let doubted: Vec<_> = self.sitters.iter().filter(in_doubt).collect();
        let wanted: Vec<_> = doubted.iter().map(|sitter| companions[sitter.object.index()].take()).collect();
        let mut seats: Seats = BTreeMap::new();
        for (at, with) in companions.iter().enumerate() {
            with.iter().for_each(|with| seats.entry(*with).or_default().push(ObjRef::new(at)));
        }
        for (sitter, with) in doubted.iter().zip(wanted) {
            let Some(with) = with else { continue };
            if !self.crosses(sitter.object, with, &seats, &component) {
                companions[sitter.object.index()] = Some(with);
                seats.entry(with).or_default().push(sitter.object);
            }
        }
        companions
    }

    /// Everything that lifts an object: what it needs, and its companion.
    fn pairs(&self, companions: &Companions) -> impl Iterator<Item = (ObjRef, ObjRef)> {
        let links = self.links.all().iter().filter(|link| self.words[link.to.index()].is_free());
        let seats = companions.iter().enumerate().filter_map(|(at, with)| Some(((*with)?, ObjRef::new(at))));
        links.map(|link| (link.from, link.to)).chain(seats)
    }

    /// Whether a way that holds a boundary leads from one object to another of its component.
    fn crosses(&self, from: ObjRef, to: ObjRef, seats: &Seats, component: &[u32]) -> bool {
        let home = component[from.index()];
        let mut seen = BTreeSet::new();
        let mut open = vec![(from, false)];
        while let Some((here, crossed)) = open.pop() {
            if component[here.index()] != home || !seen.insert((here, crossed)) {
                continue;
            }
            if here == to && crossed {
                return true;
            }
            let links = self.links.needed_by(here).filter(|link| self.words[link.to.index()].is_free());
            open.extend(links.map(|link| (link.to, crossed || link.boundary == 1)));
            open.extend(seats.get(&here).into_iter().flatten().map(|sitter| (*sitter, crossed)));
        }
        false
    }
}
