//! Schemas of what a cluster serves, out of the OpenAPI documents that it publishes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::tree::Node;

/// The schemas of OpenAPI documents: version 2 (`kubectl get --raw /openapi/v2`), or version 3
/// (`/openapi/v3/apis/apps/v1` and the like).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenApi {
    schemas: Arc<BTreeMap<String, Node<'static>>>,
    /// The schema's name, by group, version and kind.
    kinds: Arc<BTreeMap<(String, String, String), String>>,
}

/// JSON holds no number that is not equal to itself.
impl Eq for OpenApi {}

impl OpenApi {
    /// Reads documents, each JSON. The first schema of a name counts.
    ///
    /// # Errors
    /// In words, for text that is no such document; the number is that of the document, from 0.
    pub fn read<'t>(documents: impl IntoIterator<Item = &'t str>) -> Result<OpenApi, (usize, String)> {
        let (mut schemas, mut kinds) = (BTreeMap::new(), BTreeMap::new());
        for (nth, text) in documents.into_iter().enumerate() {
            let mut document: serde_json::Value = serde_json::from_str(text).map_err(|e| (nth, e.to_string()))?;
            let named = match document.get_mut("definitions") {
                Some(definitions) => definitions.take(),
                None => document.pointer_mut("/components/schemas").map(serde_json::Value::take).unwrap_or_default(),
            };
            let serde_json::Value::Object(named) = named else {
                return Err((nth, "it has neither `definitions` (v2) nor `components.schemas` (v3)".to_owned()));
            };
            for (name, schema) in named {
                let schema = crate::json::from_value(schema);
                for kind in kinds_of(&schema) {
                    kinds.entry(kind).or_insert_with(|| name.clone());
                }
                schemas.entry(name).or_insert(schema);
            }
        }
        Ok(OpenApi { schemas: Arc::new(schemas), kinds: Arc::new(kinds) })
    }

    /// All schemas, by name.
    pub fn schemas(&self) -> &BTreeMap<String, Node<'static>> {
        &self.schemas
    }

    /// The schema of a kind; the group is empty for the core group.
    pub fn schema(&self, group: &str, version: &str, kind: &str) -> Option<&Node<'static>> {
        let key = (group.to_owned(), version.to_owned(), kind.to_owned());
        self.schemas.get(self.kinds.get(&key)?)
    }
}

/// The kinds that a schema is of.
fn kinds_of(schema: &Node<'_>) -> Vec<(String, String, String)> {
    let listed = schema.get("x-kubernetes-group-version-kind").and_then(Node::items).unwrap_or_default();
    let text = |item: &Node<'_>, field| item.get(field).and_then(Node::as_str).map(str::to_owned);
    listed.iter().filter_map(|item| Some((text(item, "group")?, text(item, "version")?, text(item, "kind")?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_of_the_format_are_read() {
        let kind = r#""x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "A"}]"#;
        let v2 = format!(r#"{{"definitions": {{"x.A": {{"type": "object", {kind}}}}}}}"#);
        let v3 = format!(r#"{{"components": {{"schemas": {{"x.A": {{"type": "object", {kind}}}}}}}}}"#);
        for text in [&v2, &v3] {
            let read = OpenApi::read([text.as_str()]).unwrap();
            assert!(read.schema("apps", "v1", "A").is_some() && read.schema("apps", "v2", "A").is_none());
        }
        assert_eq!(OpenApi::read([v2.as_str(), "{}"]).unwrap_err().0, 1);
        assert!(OpenApi::read(["["]).is_err());
    }
}
