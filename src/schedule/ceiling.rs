//! How late an object may come: what a fixed object needs is pulled to it.

use super::links::Links;
use super::word::{Who, Word};
use crate::flow::Strength;
use crate::object::ObjRef;

/// How late each object may come, by its number.
#[derive(Debug)]
pub(super) struct Ceilings {
    limits: Vec<i64>,
    /// How early each may come by explicit dependencies on fixed objects; the lowest number for none.
    floors: Vec<i64>,
    pullers: Vec<Option<ObjRef>>,
}

impl Ceilings {
    /// An unfixed object that a fixed one needs comes no later than that, whatever its band: in that
    /// wave, or one before it across a boundary. Where an explicit dependency on a fixed object
    /// contradicts an inferred one, the explicit one holds.
    pub(super) fn new(links: &Links, words: &[Word]) -> Self {
        let least = explicit_floors(links, words);
        let most = explicit_ceilings(links, words);
        let mut limits = vec![i64::MAX; words.len()];
        let mut pullers = vec![None; words.len()];
        for object in links.order.iter().rev() {
            let at = object.index();
            let (limit, puller) = match words[at].who {
                Who::Fixed(wave) => (wave, Some(*object)),
                _ => {
                    limits[at] = limits[at].max(least[at].min(most[at]));
                    (limits[at], pullers[at])
                }
            };
            for link in links.needs(*object).iter().filter(|_| puller.is_some()) {
                let (needed, limit) = (link.from.index(), limit.saturating_sub(link.boundary));
                if limit < limits[needed] {
                    (limits[needed], pullers[needed]) = (limit, puller);
                }
            }
        }
        Ceilings { limits, floors: least, pullers }
    }

    /// The latest wave of an object that is not fixed.
    pub(super) fn of(&self, object: ObjRef) -> i64 {
        self.limits[object.index()]
    }

    /// The earliest wave that explicit dependencies on fixed objects allow, if there are any.
    pub(super) fn floor(&self, object: ObjRef) -> Option<i64> {
        Some(self.floors[object.index()]).filter(|floor| *floor > i64::MIN)
    }

    /// The fixed object whose wave decides how late an object may come.
    pub(super) fn puller(&self, object: ObjRef) -> Option<ObjRef> {
        self.pullers[object.index()]
    }
}

/// The earliest wave that explicit dependencies on fixed objects allow.
fn explicit_floors(links: &Links, words: &[Word]) -> Vec<i64> {
    let mut floors = vec![i64::MIN; words.len()];
    for object in &links.order {
        let hard = links.needs(*object).iter().filter(|link| link.strength == Strength::Hard);
        floors[object.index()] = match words[object.index()].who {
            Who::Fixed(wave) => wave,
            _ => hard
                .filter(|link| floors[link.from.index()] > i64::MIN)
                .map(|link| floors[link.from.index()].saturating_add(link.boundary))
                .fold(i64::MIN, i64::max),
        };
    }
    floors
}

/// The latest wave that explicit dependencies of fixed objects allow.
fn explicit_ceilings(links: &Links, words: &[Word]) -> Vec<i64> {
    let mut ceilings = vec![i64::MAX; words.len()];
    for object in links.order.iter().rev() {
        let at = object.index();
        if let Who::Fixed(wave) = words[at].who {
            ceilings[at] = wave;
        }
        let own = ceilings[at];
        let hard = links.needs(*object).iter().filter(|link| link.strength == Strength::Hard);
        for link in hard.filter(|_| own < i64::MAX) {
            let needed = link.from.index();
            ceilings[needed] = ceilings[needed].min(own.saturating_sub(link.boundary));
        }
    }
    ceilings
}
