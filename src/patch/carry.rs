//! Differences of values, carried back into the tree that they came from.

use serde_json::Value as Json;

use crate::json;
use crate::tree::{Key, Mapping, Node, Value};

/// Makes `node` say `after`, where `before` is what it says now. Equal parts stay as they are, with
/// their places and digits.
///
/// Keys keep the order of the tree, and new ones follow; items of lists are compared from both ends, so
/// that one put in or taken out moves the others and changes none.
pub(super) fn carry(node: &mut Node<'_>, before: &Json, after: Json) {
    if *before == after {
        return;
    }
    match (&mut node.value, before, after) {
        (Value::Mapping(mapping), Json::Object(before), Json::Object(mut after)) => {
            let mut entries = Vec::with_capacity(after.len());
            for (key, mut value) in std::mem::take(mapping).into_entries() {
                // shift_remove: what is left keeps its order
                if let (Some(before), Some(after)) = (before.get(&*key.name), after.shift_remove(&*key.name)) {
                    carry(&mut value, before, after);
                    entries.push((key, value));
                }
            }
            entries.extend(after.into_iter().map(|(name, value)| (Key::made(name), json::from_value(value))));
            *mapping = Mapping::new(entries);
        }
        (Value::Sequence(items), Json::Array(before), Json::Array(after)) => {
            *items = list(std::mem::take(items), before, after);
        }
        (_, _, after) => *node = Node { span: node.span, ..json::from_value(after) },
    }
}

/// The items of a list after a change.
fn list<'s>(items: Vec<Node<'s>>, before: &[Json], after: Vec<Json>) -> Vec<Node<'s>> {
    let same = |(one, other): &(&Json, &Json)| one == other;
    let head = before.iter().zip(&after).take_while(same).count();
    let (rest_before, rest_after) = (&before[head..], &after[head..]);
    let tail = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(same).count();
    let middle = items.len().saturating_sub(head + tail);
    // as many as before: each is what it was, but for what changed in it
    let pairs = middle == after.len() - head - tail;
    let keeps_tail = after.len() - tail;
    let mut items = items.into_iter().enumerate();
    let mut made = Vec::with_capacity(after.len());
    let mut after = after.into_iter().enumerate();
    made.extend(items.by_ref().take(head).map(|(_, item)| item));
    after.by_ref().take(head).for_each(drop);
    let mut old = items.by_ref().take(middle).collect::<Vec<_>>().into_iter();
    for (_, value) in after.by_ref().take(keeps_tail - head) {
        match old.next().filter(|_| pairs) {
            Some((nth, mut item)) => {
                carry(&mut item, &before[nth], value);
                made.push(item);
            }
            None => made.push(json::from_value(value)),
        }
    }
    made.extend(items.map(|(_, item)| item));
    made
}
