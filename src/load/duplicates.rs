//! The same object twice.

use std::collections::HashMap;

use crate::finding::{Finding, Findings, Label, rules::objects};
use crate::object::Object;
use crate::source::{Place, SourceMap};
use crate::tree::{Node, Value};

/// Keeps one of several equal objects, with a warning, and makes an error of several different ones
/// (of which the first by content stays, so that references to it still resolve).
pub(super) fn merge<'s>(mut objects: Vec<Object<'s>>, sources: &SourceMap, found: &mut Findings) -> Vec<Object<'s>> {
    objects.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| a.place().cmp(&b.place())));
    let mut kept: Vec<Object<'s>> = Vec::with_capacity(objects.len());
    for object in objects {
        match kept.last_mut().filter(|last| last.id == object.id) {
            None => kept.push(object),
            Some(last) => {
                let equal = last.version == object.version && same(&last.tree, &object.tree);
                found.push(twice(last, &object, equal, sources));
                if text(&object) < text(last) {
                    *last = object;
                }
            }
        }
    }
    kept
}

fn twice(first: &Object<'_>, second: &Object<'_>, equal: bool, sources: &SourceMap) -> Finding {
    let at = |object: &Object<'_>| Place { end: object.place().start, ..object.place() };
    let show = |place: Place| {
        let place = sources.written(place);
        format!("{}:{}", sources.path(place.file), sources.line_column(place))
    };
    let (one, other) = (at(first), at(second));
    let (rule, how, remedy) = match equal {
        true => (&objects::SAME_OBJECT, "with the same content", "delete one of the two"),
        false => (
            &objects::DIFFERENT_OBJECT,
            "with different content",
            "delete or rename one: which of them wins in a cluster is chance",
        ),
    };
    Finding::new(rule, format!("{} stands in the input twice, {how}: {} and {}", first.id, show(one), show(other)))
        .with_object(&first.id)
        .with_label(Label::new(other))
        .with_label(Label::new(one).text("it stands here first"))
        .with_remedy(remedy)
}

fn text(object: &Object<'_>) -> String {
    let mut text = String::new();
    crate::json::write(&object.tree, &mut text);
    text
}

/// Equal as Kubernetes reads them: the order of keys has no meaning.
fn same(a: &Node<'_>, b: &Node<'_>) -> bool {
    match (&a.value, &b.value) {
        (Value::Mapping(a), Value::Mapping(b)) => {
            let others: HashMap<_, _> = b.entries().iter().map(|(key, value)| (&key.name, value)).collect();
            let equal = |key, value| others.get(key).is_some_and(|other| same(value, other));
            a.len() == b.len() && a.entries().iter().all(|(key, value)| equal(&key.name, value))
        }
        (Value::Sequence(a), Value::Sequence(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (a, b) => a == b,
    }
}
