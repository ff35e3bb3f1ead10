//! What a ConfigMap or Secret holds.

use std::borrow::Cow;

use crate::object::Object;
use crate::tree::Node;

/// The fields that hold keys of a source, and whether variables of a container see them.
const FIELDS: [(&str, bool); 3] = [("data", true), ("stringData", true), ("binaryData", false)];

/// Whether an object is a ConfigMap or a Secret.
pub fn is_source(object: &Object<'_>) -> bool {
    object.id.group.is_empty() && matches!(&*object.id.kind, "ConfigMap" | "Secret")
}

/// Whether an object is a ConfigMap or Secret without any key.
pub fn is_empty(object: &Object<'_>) -> bool {
    is_source(object) && keys(object).next().is_none()
}

/// The keys of a ConfigMap or Secret, as written; one that stands in `data` and in `stringData` comes
/// twice. With each, whether a variable can read it (the kubelet reads none of `binaryData`).
pub fn keys<'o, 's>(object: &'o Object<'s>) -> impl Iterator<Item = (&'o Cow<'s, str>, bool)> {
    let fields = FIELDS.iter().filter(|(field, _)| *field != "stringData" || &*object.id.kind == "Secret");
    fields.flat_map(|(field, env)| {
        let entries = object.tree.get(field).and_then(Node::mapping).map(|mapping| mapping.entries());
        entries.unwrap_or_default().iter().map(move |(key, _)| (&key.name, *env))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Name, ObjectId, Origin};
    use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

    #[test]
    fn keys_come_from_every_field_that_holds_some() {
        let keys_of = |kind: &str, text: &str| -> Vec<String> {
            let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
            let document = DocumentStart { file, offset: 0 };
            let tree = crate::yaml::parse(text, document, &Limits::default(), &mut Default::default());
            let id = ObjectId { group: "".into(), kind: kind.into(), namespace: None, name: Name::Fixed("a".into()) };
            let tree = tree.unwrap().unwrap();
            let object =
                Object { id, version: "v1".into(), tree, origin: Origin { document }, patched: Default::default() };
            assert_eq!(is_empty(&object), keys(&object).next().is_none());
            keys(&object).map(|(key, env)| format!("{key}{}", if env { "" } else { " (file)" })).collect()
        };
        assert_eq!(keys_of("Secret", "data: {a: x}\nstringData: {b: y}\n"), ["a", "b"]);
        assert_eq!(keys_of("ConfigMap", "data: {a: x}\nstringData: {b: y}\nbinaryData: {c: z}"), ["a", "c (file)"]);
        assert_eq!(keys_of("ConfigMap", "data:\nbinaryData: {}\n"), [""; 0]);
        assert_eq!(keys_of("Secret", "data: text\n"), [""; 0]);
    }
}
