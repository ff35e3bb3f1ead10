//! Between trees and `serde_json::Value`, which other crates work on.

use serde_json::Value as Json;

use crate::tree::{Key, Mapping, Node, Value};

/// The value of a tree. Keys keep their order; places are lost.
///
/// An integer of more than 64 bits becomes the nearest float, which is what a cluster makes of it:
/// `serde_json` has no other form for it here. Whoever needs its digits takes them from the tree,
/// and carries back only what was changed.
pub fn to_value(node: &Node<'_>) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        Value::I64(value) => Json::from(*value),
        Value::U64(value) => Json::from(*value),
        Value::F64(value) => Json::from(*value),
        Value::Number(digits) => Json::from(digits.parse().unwrap_or(f64::MAX)),
        Value::String(text) => Json::from(text.as_ref()),
        Value::Sequence(items) => Json::Array(items.iter().map(to_value).collect()),
        Value::Mapping(mapping) => {
            let entry = |(key, value): &(Key<'_>, Node<'_>)| (key.name.to_string(), to_value(value));
            Json::Object(mapping.entries().iter().map(entry).collect())
        }
    }
}

/// The tree of a value, standing nowhere in a source. Floats without a fraction become integers,
/// as in every tree.
pub fn from_value(value: Json) -> Node<'static> {
    Node::made(match value {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => from_number(&number),
        Json::String(text) => Value::String(text.into()),
        Json::Array(items) => Value::Sequence(items.into_iter().map(from_value).collect()),
        Json::Object(entries) => {
            let entry = |(name, value)| (Key::made(name), from_value(value));
            Value::Mapping(Mapping::new(entries.into_iter().map(entry).collect()))
        }
    })
}

fn from_number(number: &serde_json::Number) -> Value<'static> {
    if let Some(value) = number.as_i64() {
        Value::I64(value)
    } else if let Some(value) = number.as_u64() {
        Value::U64(value)
    } else {
        Value::float(number.as_f64().unwrap_or(f64::MAX))
    }
}
