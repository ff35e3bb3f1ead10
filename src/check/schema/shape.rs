//! What a schema says, whatever its dialect.

use std::collections::BTreeMap;

use crate::tree::{Mapping, Node, Value};

/// Fields that every object has, and that no schema of a definition speaks of.
pub(super) const HEAD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// References that are followed one behind the other.
const HOPS: usize = 32;

/// Whose schemas they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Those of definitions: structural, without references.
    Definition,
    /// Those that an API server publishes of what it has built in.
    OpenApi,
}

/// Schemas that may refer to each other.
#[derive(Clone, Copy)]
pub(super) struct Shapes<'n, 'd> {
    pub(super) dialect: Dialect,
    /// What `$ref` leads to, by the last part of the reference.
    pub(super) named: &'n BTreeMap<String, Node<'d>>,
}

/// What the items of a mapping or list are held to.
#[derive(Clone, Copy)]
pub(super) enum Inner<'n, 'd> {
    /// A schema.
    Schema(&'n Node<'d>),
    /// Nothing: anything may stand there.
    Anything,
    /// They are not known.
    Nothing,
}

impl<'n, 'd> Shapes<'n, 'd> {
    /// The schema itself, behind references and behind an `allOf` that only wraps one.
    pub(super) fn resolve(&self, schema: &'n Node<'d>) -> &'n Node<'d> {
        let mut schema = schema;
        if self.dialect == Dialect::Definition {
            return schema;
        }
        for _ in 0..HOPS {
            let wrapped = match schema.get("allOf").and_then(Node::items) {
                Some([only]) if schema.get("properties").is_none() => Some(only),
                _ => None,
            };
            let name = schema.get("$ref").and_then(Node::as_str).and_then(|text| text.rsplit('/').next());
            let Some(next) = name.and_then(|name| self.named.get(name)).or(wrapped) else { break };
            schema = next;
        }
        schema
    }

    /// Whether a reference leads to a type that is written as text or as a number.
    pub(super) fn is_quantity(&self, schema: &Node<'_>) -> bool {
        let refers = |node: &Node<'_>| {
            node.get("$ref").and_then(Node::as_str).is_some_and(|text| text.ends_with(".resource.Quantity"))
        };
        self.dialect == Dialect::OpenApi
            && (refers(schema) || schema.get("allOf").and_then(Node::items).is_some_and(|all| all.iter().any(refers)))
    }

    /// What the field of a mapping is held to by a schema that is resolved.
    pub(super) fn field(&self, schema: &'n Node<'d>, name: &str) -> Inner<'n, 'd> {
        if let Some(property) = properties(schema).and_then(|properties| properties.get(name)) {
            return Inner::Schema(property);
        }
        match schema.get("additionalProperties").map(|inner| (inner, &inner.value)) {
            Some((inner, Value::Mapping(_))) => Inner::Schema(inner),
            Some((_, Value::Bool(true))) => Inner::Anything,
            _ if flag(schema, "x-kubernetes-preserve-unknown-fields") => Inner::Anything,
            _ if self.dialect == Dialect::OpenApi && properties(schema).is_none() => Inner::Anything,
            _ => Inner::Nothing,
        }
    }
}

/// The fields that a schema knows by name.
pub(super) fn properties<'n, 'd>(schema: &'n Node<'d>) -> Option<&'n Mapping<'d>> {
    schema.get("properties").and_then(Node::mapping).filter(|mapping| !mapping.is_empty())
}

/// Whether a keyword is set.
pub(super) fn flag(schema: &Node<'_>, keyword: &str) -> bool {
    schema.get(keyword).and_then(Node::as_bool) == Some(true)
}

/// The text of a keyword.
pub(super) fn text<'n>(schema: &'n Node<'_>, keyword: &str) -> Option<&'n str> {
    schema.get(keyword).and_then(Node::as_str)
}

/// The texts of a list under a keyword.
pub(super) fn texts<'n>(schema: &'n Node<'_>, keyword: &str) -> impl Iterator<Item = &'n str> {
    schema.get(keyword).and_then(Node::items).unwrap_or_default().iter().filter_map(Node::as_str)
}

/// The number of a keyword or a value.
pub(super) fn number(node: &Node<'_>) -> Option<f64> {
    match &node.value {
        // what is lost of a large integer does not matter beside a bound
        Value::I64(value) => Some(*value as f64),
        Value::U64(value) => Some(*value as f64),
        Value::F64(value) => Some(*value),
        Value::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// Whether a text is replaced before it is applied, by Flux, a vault plugin, kustomize or a template: nothing is
/// known of what it will be.
pub(super) fn is_filled_later(text: &str) -> bool {
    ["${", "$(", "{{", "<path:"].iter().any(|mark| text.contains(mark))
}
