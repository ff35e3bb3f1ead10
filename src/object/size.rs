//! How many bytes objects take.

use crate::json;
use crate::tree::{Node, Value};

/// All keys and values of the annotations of one object together, in bytes: no API server takes more
/// (`TotalAnnotationSizeLimitB` in apimachinery). Client-side apply keeps the whole object in one of them.
pub const ANNOTATIONS_LIMIT: usize = 262_144;

/// How many times as many bytes as keys and strings JSON has at the most: six of an escape, and less than two of what
/// stands around them.
const MOST_GROWTH: usize = 8;

/// The bytes of all keys and strings, and four more of each.
pub fn text_bytes(node: &Node<'_>) -> usize {
    match &node.value {
        Value::String(text) => text.len() + 4,
        Value::Sequence(items) => items.iter().map(text_bytes).sum(),
        Value::Mapping(mapping) => {
            mapping.entries().iter().map(|(key, value)| key.name.len() + 4 + text_bytes(value)).sum()
        }
        Value::Number(digits) => digits.len(),
        _ => 4,
    }
}

/// The bytes of a tree as compact JSON. Nothing where they are surely fewer than `least`: that is told without writing
/// it, and is so of nearly every object.
pub fn json_bytes(tree: &Node<'_>, least: usize) -> Option<usize> {
    if text_bytes(tree) < least / MOST_GROWTH {
        return None;
    }
    let mut text = String::new();
    json::write(tree, &mut text);
    Some(text.len())
}
