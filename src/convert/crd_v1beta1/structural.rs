//! Schemas that v1 accepts: structural ones, in which every field has its type.
//!
//! Source: `ValidateStructural` (k8s.io/apiextensions-apiserver, pkg/apiserver/schema/validation.go),
//! what `NewStructural` refuses (convert.go beside it), and how unknown fields are kept
//! (pruning/algorithm.go: below a field that has a schema they are dropped again).

use super::Note;
use crate::tree::{FieldPath, Mapping, Node, Value};

/// Keeps unknown fields of the object it stands on.
pub(super) const KEEPS: &str = "x-kubernetes-preserve-unknown-fields";
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
const EMBEDDED: &str = "x-kubernetes-embedded-resource";

/// Keywords that no schema of a v1 definition may hold, and what to do instead.
const REFUSED: [(&str, &str); 7] = [
    ("$ref", "write the schema out in its place"),
    ("$schema", "remove it"),
    ("id", "remove it"),
    ("additionalItems", "give all items one schema"),
    ("definitions", "write each schema out where it is used"),
    ("dependencies", "say it in `oneOf`, or in `x-kubernetes-validations`"),
    ("patternProperties", "use `additionalProperties`, or keep unknown fields"),
];

/// Keywords of OpenAPI and JSON Schema that API servers never read, of either version. kubectl refuses a
/// v1 definition that holds one.
const UNREAD: [&str; 7] = ["const", "deprecated", "discriminator", "examples", "readOnly", "writeOnly", "xml"];

/// Keywords that must stand outside of `allOf`, `anyOf`, `oneOf` and `not`.
const OUTSIDE: [&str; 5] = ["description", "type", "default", "additionalProperties", "nullable"];

/// Where in a schema a node stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Field,
    Item,
}

/// A walk through one schema, which mends what can be mended without a change of meaning.
pub(super) struct Walk<'n> {
    keeps: bool,
    notes: &'n mut Vec<Note>,
    /// How many objects were made to keep unknown fields.
    kept: usize,
}

impl<'n> Walk<'n> {
    /// A walk; `keeps` says that unknown fields are kept wherever the schema does not say it.
    pub(super) fn new(keeps: bool, notes: &'n mut Vec<Note>) -> Self {
        Walk { keeps, notes, kept: 0 }
    }

    /// Goes through the schema whose root stands at `path`.
    pub(super) fn root(&mut self, node: &mut Node<'_>, path: FieldPath) {
        self.node(node, &path, Level::Root);
        if self.kept > 0 {
            let message = format!(
                "v1beta1 kept fields that the schema does not name, so `{KEEPS}` is written on {} of it",
                match self.kept {
                    1 => "1 object".to_owned(),
                    n => format!("{n} objects"),
                }
            );
            let remedy = "once the schema names every field, set `preserveUnknownFields: false` and convert again";
            self.notes.push(Note::told(&path, message, Some(remedy)));
        }
    }

    fn node(&mut self, node: &mut Node<'_>, path: &FieldPath, level: Level) {
        let kind = node.kind();
        let Some(schema) = node.mapping_mut() else {
            let message = format!("a schema must be a mapping; it is {kind}");
            return self.refuse(path, message, "write `type` and what belongs to it");
        };
        self.unread(schema, path);
        self.keywords(schema, path);
        take_int_or_string(schema);
        if level == Level::Root && text(schema, "type").is_none() {
            schema.put_first("type", Node::text("object"));
        }
        self.keep(schema);
        self.types(schema, path, level);
        self.junctors(schema, path);
        self.children(schema, path, level);
    }

    fn refuse(&mut self, path: &FieldPath, message: impl Into<String>, remedy: &'static str) {
        self.notes.push(Note::refused(path, message, remedy));
    }

    fn keywords(&mut self, schema: &Mapping<'_>, path: &FieldPath) {
        for (keyword, remedy) in REFUSED {
            if schema.get(keyword).is_some_and(|value| !value.is_null()) {
                self.refuse(&path.key(keyword), format!("v1 refuses `{keyword}` in a schema"), remedy);
            }
        }
        if flag(schema, "uniqueItems") {
            let remedy = "use `x-kubernetes-list-type: set`";
            self.refuse(&path.key("uniqueItems"), "v1 refuses `uniqueItems: true`", remedy);
        }
        let lists = |name: &str| schema.get(name).and_then(Node::mapping).is_some_and(|mapping| !mapping.is_empty());
        match schema.get("additionalProperties").map(Node::as_bool) {
            Some(Some(false)) if lists("properties") => {
                let remedy = "remove it: unknown fields are dropped anyway";
                let message = "v1 refuses `additionalProperties: false` beside `properties`";
                self.refuse(&path.key("additionalProperties"), message, remedy);
            }
            Some(None) if lists("properties") => {
                let remedy = "keep the one that is meant";
                self.refuse(path, "a schema has both `properties` and `additionalProperties`", remedy);
            }
            _ => {}
        }
    }

    /// Takes out what no API server reads.
    fn unread(&mut self, schema: &mut Mapping<'_>, path: &FieldPath) {
        for keyword in UNREAD {
            if schema.remove(keyword).is_some() {
                let message = format!("`{keyword}` was taken out of the schema: no API server reads it");
                self.notes.push(Note::told(&path.key(keyword), message, None));
            }
        }
    }

    /// Lets an object keep what its schema does not name, where v1beta1 did.
    fn keep(&mut self, schema: &mut Mapping<'_>) {
        let is_open = matches!(text(schema, "type"), None | Some("object")) && !flag(schema, INT_OR_STRING);
        if self.keeps && is_open && schema.get("additionalProperties").is_none() && schema.get("items").is_none() {
            if !flag(schema, KEEPS) {
                self.kept += 1;
            }
            schema.set(KEEPS, Node::made(Value::Bool(true)));
        }
    }

    fn types(&mut self, schema: &Mapping<'_>, path: &FieldPath, level: Level) {
        let kind = text(schema, "type");
        match kind {
            Some("object") => {}
            Some(other) if level == Level::Root || flag(schema, EMBEDDED) => {
                let message = format!("the type of a whole object is {other}, and has to be `object`");
                self.refuse(&path.key("type"), message, "write `type: object`");
            }
            Some("array") if schema.get("items").is_none() => {
                self.refuse(path, "a list has no `items`", "write the schema of its items");
            }
            None if !flag(schema, INT_OR_STRING) && !flag(schema, KEEPS) => {
                let what = if level == Level::Item { "an item" } else { "a field" };
                self.refuse(path, format!("{what} has no `type`"), missing_type(schema));
            }
            _ => {}
        }
        if flag(schema, INT_OR_STRING) && flag(schema, KEEPS) {
            let message = format!("a schema has both `{INT_OR_STRING}` and `{KEEPS}`");
            self.refuse(path, message, "keep the one that is meant");
        }
        if flag(schema, EMBEDDED) {
            self.embedded(schema, path);
        }
        if schema.get("items").is_some_and(|items| items.items().is_some()) {
            self.refuse(&path.key("items"), "`items` is a list of schemas", "give all items one schema");
        }
    }

    /// A whole object inside of another one.
    fn embedded(&mut self, schema: &Mapping<'_>, path: &FieldPath) {
        let fields = schema.get("properties").and_then(Node::mapping).is_some_and(|fields| !fields.is_empty());
        if !fields && !flag(schema, KEEPS) {
            let message = format!("a schema with `{EMBEDDED}` names no field and keeps none");
            self.refuse(path, message, "write its `properties`, or keep unknown fields");
        }
        if schema.get("additionalProperties").is_some() {
            let message = format!("a schema with `{EMBEDDED}` has `additionalProperties`");
            self.refuse(&path.key("additionalProperties"), message, "remove it");
        }
    }

    /// `allOf` and the like narrow what stands outside of them, and add nothing.
    fn junctors(&mut self, schema: &Mapping<'_>, path: &FieldPath) {
        let is_either = flag(schema, INT_OR_STRING);
        for name in ["allOf", "anyOf", "oneOf"] {
            let Some(items) = schema.get(name).and_then(Node::items) else { continue };
            if is_either && name == "anyOf" && is_int_or_string(items) {
                continue;
            }
            for (nth, item) in items.iter().enumerate() {
                let exempt = is_either && name == "allOf" && nth == 0;
                self.narrowing(item, schema, &path.key(name).index(nth), exempt);
            }
        }
        if let Some(not) = schema.get("not").filter(|not| !not.is_null()) {
            self.narrowing(not, schema, &path.key("not"), false);
        }
    }

    /// A schema inside of a junctor; `outside` is what it narrows. With `exempt` its `anyOf` may be
    /// that of an integer or string.
    fn narrowing(&mut self, node: &Node<'_>, outside: &Mapping<'_>, path: &FieldPath, exempt: bool) {
        let Some(schema) = node.mapping() else { return };
        self.keywords(schema, path);
        for (key, _) in schema.entries().iter().filter(|(_, value)| !value.is_null()) {
            if OUTSIDE.contains(&&*key.name) || key.name.starts_with("x-kubernetes-") {
                let message = format!("`{}` stands inside of `allOf`, `anyOf`, `oneOf` or `not`", key.name);
                self.refuse(&path.key(&key.name), message, "write it on the schema around them");
            }
        }
        for name in ["allOf", "anyOf", "oneOf"] {
            let Some(items) = schema.get(name).and_then(Node::items) else { continue };
            if exempt && name == "anyOf" && is_int_or_string(items) {
                continue;
            }
            for (nth, item) in items.iter().enumerate() {
                self.narrowing(item, outside, &path.key(name).index(nth), false);
            }
        }
        if let Some(not) = schema.get("not").filter(|not| !not.is_null()) {
            self.narrowing(not, outside, &path.key("not"), false);
        }
        let fields = schema.get("properties").and_then(Node::mapping);
        let known = outside.get("properties").and_then(Node::mapping);
        for (key, field) in fields.into_iter().flat_map(Mapping::entries) {
            let path = path.key("properties").key(&key.name);
            match known.and_then(|known| known.get(&key.name)).and_then(Node::mapping) {
                Some(known) => self.narrowing(field, known, &path, false),
                None => self.unknown(&path),
            }
        }
        if let Some(items) = schema.get("items").filter(|items| items.mapping().is_some()) {
            match outside.get("items").and_then(Node::mapping) {
                Some(known) => self.narrowing(items, known, &path.key("items"), false),
                None => self.unknown(&path.key("items")),
            }
        }
    }

    fn unknown(&mut self, path: &FieldPath) {
        let message = "a field stands only inside of `allOf`, `anyOf`, `oneOf` or `not`";
        self.refuse(path, message, "write the field, with its type, under the `properties` around them as well");
    }

    fn children(&mut self, schema: &mut Mapping<'_>, path: &FieldPath, level: Level) {
        if let Some(fields) = schema.get_mut("properties").and_then(Node::mapping_mut) {
            let at = path.key("properties");
            for (key, field) in fields.entries_mut() {
                match (&*key.name, level) {
                    ("metadata", Level::Root) => self.metadata(field, &at.key("metadata")),
                    (name @ ("apiVersion" | "kind"), Level::Root) if field.get("type").is_some() => {
                        if field.get("type").and_then(Node::as_str) != Some("string") {
                            self.refuse(
                                &at.key(name).key("type"),
                                format!("`{name}` is no string"),
                                "write `type: string`",
                            );
                        }
                    }
                    _ => self.node(field, &at.key(&key.name), Level::Field),
                }
            }
        }
        for (name, level) in [("additionalProperties", Level::Field), ("items", Level::Item)] {
            if let Some(child) = schema.get_mut(name).filter(|child| child.mapping().is_some()) {
                self.node(child, &path.key(name), level);
            }
        }
    }

    /// `metadata` is known to the API server: a schema may bound the two names only.
    fn metadata(&mut self, node: &mut Node<'_>, path: &FieldPath) {
        let Some(schema) = node.mapping_mut() else { return };
        if text(schema, "type").is_none() {
            schema.put_first("type", Node::text("object"));
        }
        let names = schema.get("properties").and_then(Node::mapping).map(Mapping::entries).unwrap_or_default();
        let is_name = |name: &str| matches!(name, "name" | "generateName");
        let named =
            names.iter().find(|(key, _)| !is_name(&key.name)).map(|(key, _)| path.key("properties").key(&key.name));
        let other = schema.entries().iter().find(|(key, _)| !matches!(&*key.name, "type" | "properties"));
        if let Some(path) = other.map(|(key, _)| path.key(&key.name)).or(named) {
            let message = "a schema says more of `metadata` than `name` and `generateName`";
            self.refuse(&path, message, "remove it: the API server checks `metadata` itself");
        }
    }
}

fn text<'m>(schema: &'m Mapping<'_>, name: &str) -> Option<&'m str> {
    schema.get(name).and_then(Node::as_str).filter(|text| !text.is_empty())
}

fn flag(schema: &Mapping<'_>, name: &str) -> bool {
    schema.get(name).and_then(Node::as_bool) == Some(true)
}

/// Whether these are the two schemas `type: integer` and `type: string`, in this order.
fn is_int_or_string(items: &[Node<'_>]) -> bool {
    let is = |node: &Node<'_>, kind| {
        node.mapping().is_some_and(|schema| schema.len() == 1 && text(schema, "type") == Some(kind))
    };
    matches!(items, [a, b] if is(a, "integer") && is(b, "string"))
}

/// Writes a field that may be an integer or a string as v1 wants it said.
fn take_int_or_string(schema: &mut Mapping<'_>) {
    if text(schema, "type").is_some() || schema.get("anyOf").is_some() && schema.get("oneOf").is_some() {
        return;
    }
    for name in ["anyOf", "oneOf"] {
        let Some(items) = schema.get(name).and_then(Node::items) else { continue };
        let turned: Vec<_> = items.iter().rev().cloned().collect();
        let ordered = match (is_int_or_string(items), is_int_or_string(&turned)) {
            (true, _) => items.to_vec(),
            (_, true) => turned,
            _ => continue,
        };
        // no value is both, so `oneOf` says the same
        schema.remove(name);
        schema.set("anyOf", Node::made(Value::Sequence(ordered)));
        schema.set(INT_OR_STRING, Node::made(Value::Bool(true)));
        return;
    }
}

/// What the type of a schema without one has to be.
fn missing_type(schema: &Mapping<'_>) -> &'static str {
    let has = |names: &[&str]| names.iter().any(|name| schema.get(name).is_some());
    if has(&["properties", "additionalProperties", "required", "minProperties", "maxProperties"]) {
        "write `type: object`"
    } else if has(&["items", "minItems", "maxItems"]) {
        "write `type: array`"
    } else {
        "write its type, or `x-kubernetes-preserve-unknown-fields: true` for a field of any type"
    }
}
