//! Two versions of an object, without what may be secret.

use std::borrow::Cow;

use crate::finding::Findings;
use crate::object::Object;
use crate::object::annotation::{RELOAD, SYNC_OPTIONS, SYNC_WAVE, VERSIONED, WROTE};
use crate::tree::{Mapping, Node, Value};

/// What stands for a value that is not shown.
const HIDDEN: &str = "(hidden)";
/// What stands for one that differs from the one before.
const CHANGED: &str = "(hidden, another value)";

/// Fields of an object whose document may not be shown that hold nothing secret.
const OPEN: &[&[&str]] = &[
    &["apiVersion"],
    &["kind"],
    &["immutable"],
    &["metadata", "name"],
    &["metadata", "namespace"],
    &["metadata", "annotations", SYNC_OPTIONS],
    &["metadata", "annotations", SYNC_WAVE],
    &["metadata", "annotations", RELOAD],
    &["metadata", "annotations", VERSIONED],
    &["metadata", "annotations", WROTE],
];

/// Both versions, in which what may be secret is hidden; a hidden value of the new one says whether it
/// is another.
pub(super) fn hidden<'s>(
    (old, old_found): (&Object<'s>, &Findings),
    (new, new_found): (&Object<'s>, &Findings),
) -> (Node<'s>, Node<'s>) {
    let (before, after) = (Judge::new(old, old_found), Judge::new(new, new_found));
    let shown_old = hide(&old.tree, None, &mut Vec::new(), &|node, path| before.hides(node, path));
    let shown_new = hide(&new.tree, Some(&old.tree), &mut Vec::new(), &|node, path| after.hides(node, path));
    (shown_old, shown_new)
}

/// Decides what of one object is shown.
struct Judge<'o, 's> {
    object: &'o Object<'s>,
    found: &'o Findings,
    is_open: bool,
}

impl<'o, 's> Judge<'o, 's> {
    fn new(object: &'o Object<'s>, found: &'o Findings) -> Self {
        let mark = object.tree.get("apiVersion").map(|node| object.origin.document.place(node.span));
        let is_open = !object.is("", "Secret") && mark.is_some_and(|mark| found.may_show(mark));
        Judge { object, found, is_open }
    }

    fn hides(&self, node: &Node<'_>, path: &[&str]) -> bool {
        if OPEN.contains(&path) {
            return false;
        }
        let is_made = node.span.len == 0;
        !self.is_open || !(is_made || self.found.may_show(self.object.origin.document.place(node.span)))
    }
}

/// A copy in which the scalars that `hides` names are hidden. Keys are always shown.
fn hide<'s, 'p>(
    node: &'p Node<'s>,
    other: Option<&Node<'_>>,
    path: &mut Vec<&'p str>,
    hides: &dyn Fn(&Node<'_>, &[&str]) -> bool,
) -> Node<'s> {
    let value = match &node.value {
        Value::Mapping(mapping) => {
            let mut entries = Vec::with_capacity(mapping.len());
            for (key, value) in mapping.entries() {
                path.push(&key.name);
                let beside = other.and_then(|other| other.get(&key.name));
                entries.push((key.clone(), hide(value, beside, path, hides)));
                path.pop();
            }
            Value::Mapping(Mapping::new(entries))
        }
        Value::Sequence(items) => {
            let others = other.and_then(Node::items).unwrap_or_default();
            let item = |(nth, item)| {
                path.push("[]");
                let item = hide(item, others.get::<usize>(nth), path, hides);
                path.pop();
                item
            };
            Value::Sequence(items.iter().enumerate().map(item).collect())
        }
        Value::Null => Value::Null,
        _ if hides(node, path) => {
            let is_other = other.is_some_and(|other| other.value != node.value);
            Value::String(Cow::Borrowed(if is_other { CHANGED } else { HIDDEN }))
        }
        value => value.clone(),
    };
    Node { span: node.span, value }
}
