//! Lists into their items.

use std::borrow::Cow;

use super::documents::Document;
use crate::object::gvk::split_api_version;
use crate::object::scope::is_kubernetes;
use crate::tree::{Key, Mapping, Node, Value};

/// The documents inside a document: the items of a `List`, of a typed list (`ConfigMapList`), and of
/// lists inside lists; any other document as it is.
///
/// A typed list is what kubectl takes for one: a `kind` that ends in `List` beside a top-level
/// `items` that is a list or null. Its items get their `apiVersion` and `kind` from it where they have
/// none, as in `UnstructuredList` of apimachinery.
pub(super) fn flatten<'s>(document: Document<'s>, out: &mut Vec<Document<'s>>) {
    let mut open = vec![document.root];
    while let Some(mut root) = open.pop() {
        let Some(item_type) = item_type(&root) else {
            out.push(Document { at: document.at, root });
            continue;
        };
        let items = root.mapping_mut().and_then(|mapping| mapping.remove("items"));
        if let Some(Node { value: Value::Sequence(items), .. }) = items {
            let typed = items.into_iter().map(|item| with_type(item, item_type.as_ref()));
            open.extend(typed.rev());
        }
    }
}

/// API version and kind that the items of a list have unless they say otherwise; nothing where the
/// document is no list. The inner option is none for a plain `List`.
pub(crate) fn item_type<'s>(root: &Node<'s>) -> Option<Option<(Cow<'s, str>, Cow<'s, str>)>> {
    let mapping = root.mapping()?;
    let text = |name| match mapping.get(name).map(|node| &node.value) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (api_version, kind) = (text("apiVersion")?, text("kind")?);
    let items = mapping.get("items")?;
    if !matches!(items.value, Value::Sequence(_) | Value::Null) {
        return None;
    }
    let item_kind = kind.strip_suffix("List")?;
    let is_named = root.at(&["metadata", "name"]).is_some_and(|name| !name.is_null());
    if is_named && !is_list_of_kubernetes(&api_version, item_kind) {
        return None; // a custom resource that is called a list
    }
    match item_kind {
        "" => Some(None),
        _ => Some(Some((api_version, Cow::Owned(item_kind.to_owned())))),
    }
}

/// Whether this is the plain `List`, or the list of a kind of Kubernetes' own, which no object is:
/// kubectl takes it apart even if it has a name.
fn is_list_of_kubernetes(api_version: &str, item_kind: &str) -> bool {
    match split_api_version(api_version) {
        Ok((group, _)) if item_kind.is_empty() => group.is_empty(),
        Ok((group, _)) => is_kubernetes(group, item_kind),
        Err(_) => false,
    }
}

/// An item with `apiVersion` and `kind` in front where it has neither.
pub(crate) fn with_type<'s>(mut item: Node<'s>, item_type: Option<&(Cow<'s, str>, Cow<'s, str>)>) -> Node<'s> {
    let (Some((api_version, kind)), Value::Mapping(mapping)) = (item_type, &mut item.value) else {
        return item;
    };
    let mut entries = std::mem::take(mapping).into_entries();
    let has =
        |entries: &[(Key<'_>, Node<'_>)], name| entries.iter().any(|(key, value)| key.name == name && !value.is_null());
    if !has(&entries, "kind") && !has(&entries, "apiVersion") {
        entries.retain(|(key, _)| key.name != "kind" && key.name != "apiVersion");
        entries.insert(0, (Key::made("apiVersion"), Node::text(api_version.clone())));
        entries.insert(1, (Key::made("kind"), Node::text(kind.clone())));
    }
    *mapping = Mapping::new(entries);
    item
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Findings;
    use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

    /// How many documents a document is.
    fn count(text: &str) -> usize {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
        let at = DocumentStart { file, offset: 0 };
        let root = crate::yaml::parse(text, at, &Limits::default(), &mut Findings::default()).unwrap().unwrap();
        let mut out = Vec::new();
        flatten(Document { at, root }, &mut out);
        out.len()
    }

    #[test]
    fn a_list_of_kubernetes_is_one_even_with_a_name() {
        for (api_version, kind, documents) in [
            ("v1", "List", 2),
            ("v1", "ConfigMapList", 2),
            ("apps/v1", "DeploymentList", 2),
            ("acl.example.org/v1", "AllowList", 1),
            ("acl.example.org/v1", "List", 1),
        ] {
            let text = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: x}}\nitems: [{{}}, {{}}]\n");
            assert_eq!(count(&text), documents, "{api_version} {kind}");
        }
    }
}
