//! Where two trees differ.

use std::collections::BTreeSet;

use crate::tree::{FieldPath, Mapping, Node, Value};

/// The fields in which two nodes differ, in order, each below `at`: the deepest ones whose parents both
/// sides have. The order of keys has no meaning, and null and what holds nothing are absent.
pub(super) fn differing(old: &Node<'_>, new: &Node<'_>, at: &FieldPath) -> Vec<FieldPath> {
    let mut found = Vec::new();
    differ(Some(old), Some(new), &mut at.clone(), &mut found);
    found
}

fn differ(old: Option<&Node<'_>>, new: Option<&Node<'_>>, at: &mut FieldPath, found: &mut Vec<FieldPath>) {
    let (old, new) = (old.filter(|node| !is_nothing(node)), new.filter(|node| !is_nothing(node)));
    match (old.map(|node| &node.value), new.map(|node| &node.value)) {
        (None, None) => {}
        (Some(Value::Mapping(old)), Some(Value::Mapping(new))) => mappings(old, new, at, found),
        // one side may be there only for what is inside
        (Some(Value::Mapping(old)), None) => mappings(old, &Mapping::default(), at, found),
        (None, Some(Value::Mapping(new))) => mappings(&Mapping::default(), new, at, found),
        (Some(Value::Sequence(old)), Some(Value::Sequence(new))) if old.len() == new.len() => {
            for (nth, (old, new)) in old.iter().zip(new).enumerate() {
                at.push_index(nth);
                differ(Some(old), Some(new), at, found);
                at.pop();
            }
        }
        (old, new) if old != new => found.push(at.clone()),
        _ => {}
    }
}

fn mappings(old: &Mapping<'_>, new: &Mapping<'_>, at: &mut FieldPath, found: &mut Vec<FieldPath>) {
    let keys: BTreeSet<&str> = old.entries().iter().chain(new.entries()).map(|(key, _)| &*key.name).collect();
    for key in keys {
        at.push_key(key);
        differ(old.get(key), new.get(key), at, found);
        at.pop();
    }
}

fn is_nothing(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null => true,
        Value::Mapping(mapping) => mapping.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::json::from_value;

    fn paths(old: Json, new: Json) -> Vec<String> {
        let (old, new) = (from_value(old), from_value(new));
        differing(&old, &new, &FieldPath::keys(["spec"])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_deepest_fields_count() {
        assert_eq!(paths(json!({"a": 1, "b": {"c": "x"}}), json!({"b": {"c": "y"}, "a": 1})), ["spec.b.c"]);
        assert_eq!(paths(json!({"a": [1, 2]}), json!({"a": [1, 3]})), ["spec.a[1]"]);
        assert_eq!(paths(json!({"a": [1, 2]}), json!({"a": [1]})), ["spec.a"]);
        assert_eq!(paths(json!({}), json!({"a": {"b": 1}})), ["spec.a.b"]);
        assert_eq!(paths(json!({"a": null, "b": {}}), json!({})), [""; 0]);
        assert_eq!(paths(json!({"a": "1"}), json!({"a": 1})), ["spec.a"]);
    }
}
