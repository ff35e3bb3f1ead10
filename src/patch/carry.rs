//! Differences of values, carried back into the tree that they came from.

use serde_json::Value as Json;

use crate::json;
use crate::tree::{FieldPath, Key, Mapping, Node, Value};

/// What was carried back, by path.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Values that are new, or others than they were.
    pub(super) written: Vec<FieldPath>,
    /// Lists whose items have other numbers than before.
    pub(super) moved: Vec<FieldPath>,
    at: FieldPath,
}

/// Makes `node` say `after`, where `before` is what it says now. Equal parts stay as they are, with
/// their places and digits.
///
/// Keys keep the order of the tree, and new ones follow; items of lists are compared from both ends, so
/// that one put in or taken out moves the others and changes none.
pub(super) fn carry(node: &mut Node<'_>, before: &Json, after: Json, carried: &mut Carried) {
    if *before == after {
        return;
    }
    match (&mut node.value, before, after) {
        (Value::Mapping(mapping), Json::Object(before), Json::Object(mut after)) => {
            let mut entries = Vec::with_capacity(after.len());
            for (key, mut value) in std::mem::take(mapping).into_entries() {
                // shift_remove: what is left keeps its order
                if let (Some(before), Some(after)) = (before.get(&*key.name), after.shift_remove(&*key.name)) {
                    carried.at.push_key(&key.name);
                    carry(&mut value, before, after, carried);
                    carried.at.pop();
                    entries.push((key, value));
                }
            }
            carried.written.extend(after.keys().map(|name| carried.at.key(name)));
            entries.extend(after.into_iter().map(|(name, value)| (Key::made(name), json::from_value(value))));
            *mapping = Mapping::new(entries);
        }
        (Value::Sequence(items), Json::Array(before), Json::Array(after)) => {
            *items = list(std::mem::take(items), before, after, carried);
        }
        (_, _, after) => {
            carried.written.push(carried.at.clone());
            *node = Node { span: node.span, ..json::from_value(after) };
        }
    }
}

/// The items of a list after a change.
fn list<'s>(items: Vec<Node<'s>>, before: &[Json], after: Vec<Json>, carried: &mut Carried) -> Vec<Node<'s>> {
    let same = |(one, other): &(&Json, &Json)| one == other;
    let head = before.iter().zip(&after).take_while(same).count();
    let (rest_before, rest_after) = (&before[head..], &after[head..]);
    let tail = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(same).count();
    let middle = items.len().saturating_sub(head + tail);
    // as many as before: each is what it was, but for what changed in it
    let pairs = middle == after.len() - head - tail;
    if !pairs {
        carried.moved.push(carried.at.clone());
    }
    let keeps_tail = after.len() - tail;
    let mut items = items.into_iter().enumerate();
    let mut made = Vec::with_capacity(after.len());
    let mut after = after.into_iter().enumerate();
    made.extend(items.by_ref().take(head).map(|(_, item)| item));
    after.by_ref().take(head).for_each(drop);
    let mut old = items.by_ref().take(middle).collect::<Vec<_>>().into_iter();
    for (at, value) in after.by_ref().take(keeps_tail - head) {
        match old.next().filter(|_| pairs) {
            Some((nth, mut item)) => {
                carried.at.push_index(at);
                carry(&mut item, &before[nth], value, carried);
                carried.at.pop();
                made.push(item);
            }
            None => {
                carried.written.push(carried.at.index(at));
                made.push(json::from_value(value));
            }
        }
    }
    made.extend(items.map(|(_, item)| item));
    made
}
