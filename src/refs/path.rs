//! Paths of rows, taken apart once.

use crate::tree::{FieldPath, Node, Value};

/// One step of a row's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The value under a key.
    Key(&'static str),
    /// Every item of a list.
    Items,
    /// Every value of a mapping.
    Values,
}

/// Takes a path apart: `spec.tls[].secretName`, `metadata.annotations.{a.b/c}`, `data.*`.
pub(crate) fn steps(path: &'static str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (key, behind) = match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((key, behind)) => (key, behind),
            None => {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                rest.split_at(end)
            }
        };
        match key {
            "" => {}
            "*" => steps.push(Step::Values),
            key => steps.push(Step::Key(key)),
        }
        let mut behind = behind;
        while let Some(after) = behind.strip_prefix("[]") {
            steps.push(Step::Items);
            behind = after;
        }
        rest = behind.strip_prefix('.').unwrap_or(behind);
    }
    steps
}

/// What leads to the mapping that holds the last key of a path, and what is left from there.
pub(crate) fn at_last_key(steps: &[Step]) -> (&[Step], &[Step]) {
    let last = steps.iter().rposition(|step| matches!(step, Step::Key(_)));
    steps.split_at(last.unwrap_or(0))
}

/// One part of the way to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'n> {
    Key(&'n str),
    Index(usize),
}

/// The way as a path that can be kept.
pub(crate) fn field_path(way: &[Part<'_>]) -> FieldPath {
    let mut path = FieldPath::default();
    for part in way {
        match part {
            Part::Key(key) => path.push_key(key),
            Part::Index(index) => path.push_index(*index),
        }
    }
    path
}

/// Calls `visit` with every node that steps lead to from a node, and the way there. `way` is where
/// the node itself is, and is left as it was; `visit` leaves it as it was, too.
pub(crate) fn follow<'n, 's>(
    node: &'n Node<'s>,
    steps: &[Step],
    way: &mut Vec<Part<'n>>,
    visit: &mut dyn FnMut(&'n Node<'s>, &mut Vec<Part<'n>>),
) {
    let Some((step, rest)) = steps.split_first() else { return visit(node, way) };
    let mut enter = |part, value: &'n Node<'s>| {
        way.push(part);
        follow(value, rest, way, visit);
        way.pop();
    };
    match (step, &node.value) {
        (Step::Key(key), Value::Mapping(mapping)) => {
            if let Some(value) = mapping.get(key).filter(|value| !value.is_null()) {
                enter(Part::Key(key), value);
            }
        }
        (Step::Items, Value::Sequence(items)) => {
            items.iter().enumerate().for_each(|(nth, item)| enter(Part::Index(nth), item));
        }
        (Step::Values, Value::Mapping(mapping)) => {
            mapping.entries().iter().for_each(|(key, value)| enter(Part::Key(&key.name), value));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        use Step::{Items, Key, Values};
        assert_eq!(steps("spec.tls[].secretName"), [Key("spec"), Key("tls"), Items, Key("secretName")]);
        assert_eq!(steps("metadata.annotations.{a.b/c}"), [Key("metadata"), Key("annotations"), Key("a.b/c")]);
        assert_eq!(steps("a.*.b[][]"), [Key("a"), Values, Key("b"), Items, Items]);
        assert_eq!(steps(""), []);
    }
}
