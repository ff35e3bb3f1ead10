//! An object as the API server validates it: defaults filled in, nulls that nobody wants left out.
//!
//! Source: apiextensions-apiserver, `pkg/apiserver/schema/defaulting` (`prunenulls.go`, `algorithm.go`).

use super::shape::{HEAD, flag, properties};
use crate::tree::{Key, Mapping, Node, Value};

/// How many values defaults may add to one object.
const MOST_ADDED: usize = 200_000;

/// The object with what its definition adds. None where that would be too much.
pub(super) fn complete<'s>(schema: &Node<'s>, object: &Node<'s>) -> Option<Node<'s>> {
    let mut completing = Completing { left: MOST_ADDED };
    completing.node(Some(schema), object, true)
}

struct Completing {
    left: usize,
}

impl Completing {
    fn node<'s>(&mut self, schema: Option<&Node<'s>>, node: &Node<'s>, is_root: bool) -> Option<Node<'s>> {
        let Some(schema) = schema else { return Some(node.clone()) };
        let value = match &node.value {
            Value::Mapping(mapping) => Value::Mapping(self.mapping(schema, mapping, is_root)?),
            Value::Sequence(items) => {
                let inner = schema.get("items");
                let item = |item: &Node<'s>| match inner.and_then(|inner| inner.get("default")) {
                    Some(default) if item.is_null() && inner.is_some_and(|inner| !flag(inner, "nullable")) => {
                        self.default(inner, default)
                    }
                    _ => self.node(inner, item, false),
                };
                Value::Sequence(items.iter().map(item).collect::<Option<_>>()?)
            }
            other => other.clone(),
        };
        Some(Node { span: node.span, value })
    }

    fn mapping<'s>(&mut self, schema: &Node<'s>, mapping: &Mapping<'s>, is_root: bool) -> Option<Mapping<'s>> {
        let known = properties(schema);
        let others = schema.get("additionalProperties").filter(|inner| inner.mapping().is_some());
        let mut entries = Vec::with_capacity(mapping.len());
        for (key, value) in mapping.entries() {
            if is_root && HEAD.contains(&&*key.name) {
                entries.push((key.clone(), value.clone()));
                continue;
            }
            let inner = known.and_then(|known| known.get(&key.name)).or(others);
            let unwanted = value.is_null() && inner.is_some_and(|inner| !flag(inner, "nullable"));
            let value = match (unwanted, inner.and_then(|inner| inner.get("default"))) {
                (true, None) => continue,
                (true, Some(default)) => self.default(inner, default)?,
                (false, _) => self.node(inner, value, false)?,
            };
            entries.push((key.clone(), value));
        }
        for (key, inner) in known.map(Mapping::entries).unwrap_or_default() {
            if let Some(default) = inner.get("default").filter(|_| mapping.get(&key.name).is_none()) {
                entries.push((Key::made(key.name.clone()), self.default(Some(inner), default)?));
            }
        }
        Some(Mapping::new(entries))
    }

    /// A default, which has defaults of its own.
    fn default<'s>(&mut self, schema: Option<&Node<'s>>, default: &Node<'s>) -> Option<Node<'s>> {
        self.left = self.left.checked_sub(size(default))?;
        self.node(schema, default, false)
    }
}

fn size(node: &Node<'_>) -> usize {
    1 + match &node.value {
        Value::Sequence(items) => items.iter().map(size).sum(),
        Value::Mapping(mapping) => mapping.entries().iter().map(|(_, value)| size(value)).sum(),
        _ => 0,
    }
}
