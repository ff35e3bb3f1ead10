//! Names of other objects inside a tree: written anew where an object is renamed.

use crate::tree::{FieldPath, Node, Step, Value};

/// Writes a new name where the field at a path holds an old one, alone or behind a namespace
/// (`NAMESPACE/NAME`); says whether it did. The field keeps its place in the text it came from.
pub fn rename_at(tree: &mut Node<'_>, path: &FieldPath, old: &str, new: &str) -> bool {
    let mut node = tree;
    for step in path.steps() {
        let next = match (step, &mut node.value) {
            (Step::Key(key), Value::Mapping(mapping)) => mapping.get_mut(key),
            (Step::Index(nth), Value::Sequence(items)) => items.get_mut(*nth),
            _ => None,
        };
        let Some(next) = next else { return false };
        node = next;
    }
    let Some(before) = node.as_str().and_then(|text| text.strip_suffix(old)) else { return false };
    if !before.is_empty() && !before.ends_with('/') {
        return false;
    }
    node.value = Value::String(format!("{before}{new}").into());
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::from_value;

    #[test]
    fn a_name_is_written_alone_or_behind_a_namespace() {
        let mut tree = from_value(json!({"a": [{"name": "conf"}, {"name": "shop/conf"}, {"name": "myconf"}]}));
        let path = |nth: usize| FieldPath::keys(["a"]).index(nth).key("name");
        let done: Vec<bool> = (0..4).map(|nth| rename_at(&mut tree, &path(nth), "conf", "conf-1")).collect();
        assert_eq!(done, [true, true, false, false]);
        let names: Vec<_> = tree.get("a").and_then(Node::items).unwrap().iter().map(|item| item.get("name")).collect();
        let names: Vec<_> = names.into_iter().flatten().filter_map(Node::as_str).collect();
        assert_eq!(names, ["conf-1", "shop/conf-1", "myconf"]);
    }
}
