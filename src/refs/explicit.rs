//! What users say in so many words: hard edges, and inferred ones that do not hold.

mod change_rules;
mod circles;
mod configured;
mod depends_on;

pub(super) use configured::Ignored;

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, nearest, rules::order, shown};
use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::annotation::ORDER;
use crate::object::order::{unknown_words, words};
use crate::object::{ObjRef, Object};
use crate::source::Place;
use crate::tree::FieldPath;

/// More pairs of objects than anybody means: beyond it explicit dependencies are left out.
const MOST_EDGES: usize = 1_000_000;

/// Adds the edges that annotations and the configuration demand. A circle among them is an error; so
/// is what cannot be read.
pub(super) fn link(loaded: &Loaded<'_>, settings: &Settings, edges: &mut Vec<Edge>, found: &mut Findings) {
    let mut said = Said { edges: Vec::new(), is_full: false };
    depends_on::read(loaded, &mut said, found);
    change_rules::read(loaded, &mut said, found);
    configured::read(loaded, &settings.edges, &mut said, found);
    order_words(loaded, found);
    edges.extend(circles::without(said.edges, loaded, found));
}

/// The edges that users demand.
struct Said {
    edges: Vec<Edge>,
    is_full: bool,
}

impl Said {
    /// Puts one object before another; says once that there are too many of these.
    fn add(&mut self, from: ObjRef, to: ObjRef, place: Place, found: &mut Findings) {
        let (need, strength, reason) = (Need::Ready, Strength::Hard, Reason::Explicit);
        if self.edges.len() < MOST_EDGES {
            return self.edges.push(Edge { from, to, need, strength, reason, place });
        }
        if !std::mem::replace(&mut self.is_full, true) {
            let message = format!("explicit dependencies are between more than {MOST_EDGES} pairs of objects");
            found.push(
                Finding::new(&order::TOO_MANY_DEPENDENCIES, message)
                    .with_label(Label::new(place))
                    .with_remedy("name fewer objects: one that stands for the others is enough"),
            );
        }
    }
}

/// Where an annotation of an object stands, as a label.
fn label(object: &Object<'_>, annotation: &str) -> Label {
    let path = FieldPath::keys(["metadata", "annotations", annotation]);
    Label::new(object.place_of(&path)).path(path)
}

/// Says which words of `tidegate.dev/order` mean nothing.
fn order_words(loaded: &Loaded<'_>, found: &mut Findings) {
    for (_, object) in loaded.objects.iter() {
        for word in unknown_words(object.annotation(ORDER).unwrap_or("")) {
            let message = format!("`{ORDER}` of {} says {}, which means nothing", object.id, shown(word));
            let all: Vec<_> = words().map(|word| format!("`{word}`")).collect();
            let remedy = match nearest(word, words()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its words are {}, with commas between them", all.join(", ")),
            };
            found.push(
                Finding::new(&order::UNKNOWN_ORDER_WORD, message)
                    .with_object(&object.id)
                    .with_label(label(object, ORDER))
                    .with_remedy(remedy),
            );
        }
    }
}

#[cfg(test)]
mod tests;
