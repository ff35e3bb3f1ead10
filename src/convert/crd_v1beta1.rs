//! `apiextensions.k8s.io/v1beta1` CustomResourceDefinitions as `v1`, which is all that Kubernetes has
//! served since 1.22.
//!
//! What stood once for all versions stands in each: schema, subresources, printer columns. What
//! v1beta1 took for granted is written: the scope, kinds of names, that unknown fields are kept.
//!
//! Source: conversion and defaults of k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/v1beta1
//! (`defaults.go`, `conversion.go`) and v1 (`conversion.go`); validation in pkg/apis/apiextensions.

mod structural;

use self::structural::Walk;
use crate::finding::rules::crds as rules;
use crate::finding::{Finding, Findings, Label, Reported};
use crate::object::Object;
use crate::tree::{FieldPath, Key, Mapping, Node, Value};

/// The group of definitions.
pub const GROUP: &str = "apiextensions.k8s.io";
/// Their kind.
pub const KIND: &str = "CustomResourceDefinition";

/// What is wrong with a definition, or was changed in it beyond its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The field of the text that was read, as near as it is written.
    pub path: FieldPath,
    /// Whether the API server would refuse the result.
    pub refused: bool,
    /// What it is, beginning with a lower case letter and without the object's name.
    pub message: String,
    /// What to do; nothing for a change that needs none.
    pub remedy: Option<&'static str>,
}

impl Note {
    fn refused(path: &FieldPath, message: impl Into<String>, remedy: &'static str) -> Self {
        Note { path: path.clone(), refused: true, message: message.into(), remedy: Some(remedy) }
    }

    fn told(path: &FieldPath, message: impl Into<String>, remedy: Option<&'static str>) -> Self {
        Note { path: path.clone(), refused: false, message: message.into(), remedy }
    }
}

/// Whether an object is a definition of the version that is no longer served.
pub fn is_v1beta1(object: &Object<'_>) -> bool {
    object.is(GROUP, KIND) && &*object.version == "v1beta1"
}

/// Makes a `v1` definition of a `v1beta1` one. What the API server would refuse in the result is an
/// error each, with its place; what was added beyond the form is said.
///
/// # Errors
/// When the API server would refuse the result: the object is to stay as it was.
pub fn convert<'s>(object: &Object<'s>, found: &mut Findings) -> Result<Object<'s>, Reported> {
    let (tree, notes) = to_v1(&object.tree);
    let mut refused = false;
    for note in notes {
        refused |= note.refused;
        let rule = if note.refused { &rules::REFUSED_DEFINITION } else { &rules::CHANGED_DEFINITION };
        let label = Label::new(object.place_of(&note.path)).path(note.path);
        let finding = Finding::new(rule, format!("{}: {}", object.id, note.message));
        let finding = finding.with_object(&object.id).with_label(label);
        found.push(match note.remedy {
            Some(remedy) => finding.with_remedy(remedy),
            None => finding,
        });
    }
    match refused {
        true => Err(Reported),
        false => Ok(Object { version: "v1".into(), tree, ..object.clone() }),
    }
}

/// The `v1` form of the tree of a `v1beta1` definition, and what there is to say of it.
///
/// Keys keep their order; `versions` stands where it stood, or in the place of the first field that
/// goes into it. A definition of another shape than a mapping with a mapping `spec` comes back as it
/// was, with a note.
pub fn to_v1<'s>(tree: &Node<'s>) -> (Node<'s>, Vec<Note>) {
    let mut notes = Vec::new();
    let mut tree = tree.clone();
    let path = FieldPath::keys(["spec"]);
    let spec = tree.get("spec").and_then(Node::mapping).cloned();
    let (Some(root), Some(spec)) = (tree.mapping_mut(), spec) else {
        notes.push(Note::refused(&path, "there is no `spec` to convert", "write the definition out"));
        return (tree, notes);
    };
    root.set("apiVersion", Node::text("apiextensions.k8s.io/v1"));
    let spec = Spec { old: &spec, path, notes: &mut notes }.convert();
    root.set("spec", Node::made(Value::Mapping(spec)));
    approve(&tree, &mut notes);
    (tree, notes)
}

/// Fields of `spec` that both versions have in the same form.
const KEPT: [&str; 2] = ["group", "names"];
/// Fields of `spec` that become part of each version.
const INTO_VERSIONS: [&str; 5] = ["versions", "version", "validation", "subresources", "additionalPrinterColumns"];

/// The `spec` that is read.
struct Spec<'a, 's> {
    old: &'a Mapping<'s>,
    path: FieldPath,
    notes: &'a mut Vec<Note>,
}

impl<'s> Spec<'_, 's> {
    fn convert(mut self) -> Mapping<'s> {
        let mut new = Mapping::default();
        for (key, value) in self.old.entries() {
            match &*key.name {
                name if KEPT.contains(&name) => new.set(key.name.clone(), value.clone()),
                "scope" => {
                    if let Some(text) = value.as_str().filter(|text| !["", "Namespaced", "Cluster"].contains(text)) {
                        let message = format!("`spec.scope` is `{text}`");
                        let remedy = "write `Namespaced` or `Cluster`";
                        self.notes.push(Note::refused(&self.path.key("scope"), message, remedy));
                    }
                    new.set("scope", scope(value));
                }
                name if INTO_VERSIONS.contains(&name) => {
                    if new.get("versions").is_none() {
                        new.set("versions", self.versions());
                    }
                }
                "conversion" => {
                    if let Some(conversion) = self.conversion(value) {
                        new.set("conversion", conversion);
                    }
                }
                // said by each schema; true is refused, false is what v1 takes for granted
                "preserveUnknownFields" => {}
                name => {
                    let message = format!("`spec.{name}` is no field of a definition; it is kept");
                    self.notes.push(Note::told(&self.path.key(name), message, Some("remove it")));
                    new.set(key.name.clone(), value.clone());
                }
            }
        }
        if new.get("scope").is_none() {
            new.set("scope", Node::text("Namespaced"));
        }
        if new.get("versions").is_none() {
            new.set("versions", self.versions());
        }
        new
    }

    /// A field of `spec` that is there and not null.
    fn get(&self, name: &str) -> Option<&Node<'s>> {
        self.old.get(name).filter(|node| !node.is_null())
    }

    /// Whether unknown fields of objects are kept: they are unless somebody says no.
    fn keeps_unknown(&self) -> bool {
        self.get("preserveUnknownFields").and_then(Node::as_bool).unwrap_or(true)
    }

    /// `spec.versions`, each with what stood once for all of them.
    fn versions(&mut self) -> Node<'s> {
        let path = self.path.key("versions");
        let named = self.get("version").and_then(Node::as_str).map(str::to_owned);
        let listed = self.get("versions").and_then(Node::items).unwrap_or_default().to_vec();
        let first = listed.first().and_then(|version| version.get("name")).and_then(Node::as_str);
        if let (Some(named), Some(first)) = (&named, first)
            && named != first
        {
            let message = format!("`spec.version` is {named}, and the first of `spec.versions` {first}");
            self.notes.push(Note::refused(&self.path.key("version"), message, "make them the same, or leave one out"));
        }
        let (listed, paths): (Vec<_>, Vec<_>) = match (listed.is_empty(), named) {
            (true, Some(name)) => (vec![only(name)], vec![None]),
            _ => {
                let paths = (0..listed.len()).map(|nth| Some(path.index(nth))).collect();
                (listed, paths)
            }
        };
        let stored = listed.iter().filter(|version| version.get("storage").and_then(Node::as_bool) == Some(true));
        let stored = stored.count();
        if stored != 1 {
            let message = format!("{stored} of its versions are the storage version, and exactly one has to be");
            self.notes.push(Note::refused(
                &path,
                message,
                "set `storage: true` on the version that objects are stored in",
            ));
        }
        self.names(&listed, &path);
        let versions = listed.into_iter().zip(paths).map(|(version, path)| self.version(version, path));
        Node::made(Value::Sequence(versions.collect()))
    }

    /// Each version has a name of its own (`validateCustomResourceDefinitionSpec`).
    fn names(&mut self, listed: &[Node<'s>], path: &FieldPath) {
        let mut seen = Vec::with_capacity(listed.len());
        for (nth, version) in listed.iter().enumerate().filter(|(_, version)| version.mapping().is_some()) {
            let path = path.index(nth).key("name");
            match version.get("name").and_then(Node::as_str).filter(|name| !name.is_empty()) {
                None => self.notes.push(Note::refused(&path, "a version has no name", "name it: v1")),
                Some(name) if seen.contains(&name) => {
                    let message = format!("two of its versions are named {name}");
                    self.notes.push(Note::refused(&path, message, "keep one of them"));
                }
                Some(name) => seen.push(name),
            }
        }
    }

    /// One version; its path, where it is written out.
    fn version(&mut self, mut version: Node<'s>, path: Option<FieldPath>) -> Node<'s> {
        let at = path.clone().unwrap_or_else(|| self.path.key("version"));
        let Some(mapping) = version.mapping_mut() else {
            self.notes.push(Note::refused(&at, "a version is no mapping", "write its name, served and storage"));
            return version;
        };
        let own = |field: &str| mapping.get(field).filter(|node| !node.is_null()).is_some();
        let columns = match (own("additionalPrinterColumns"), self.get("additionalPrinterColumns")) {
            (false, Some(shared)) => Some(shared.clone()),
            _ => mapping.get("additionalPrinterColumns").cloned(),
        };
        let subresources = (!own("subresources")).then(|| self.get("subresources").cloned()).flatten();
        let (schema, schema_path) = match (own("schema"), self.get("validation")) {
            (false, Some(shared)) => (Some(shared.clone()), self.path.key("validation")),
            _ => (mapping.get("schema").cloned(), at.key("schema")),
        };
        mapping.set("schema", self.schema(schema, &schema_path, &at));
        if let Some(subresources) = subresources {
            mapping.set("subresources", subresources);
        }
        if let Some(columns) = columns {
            mapping.set("additionalPrinterColumns", renamed_columns(columns));
        }
        version
    }

    /// The schema of one version: every version has one in v1, and says itself what it keeps.
    fn schema(&mut self, schema: Option<Node<'s>>, path: &FieldPath, version: &FieldPath) -> Node<'s> {
        let keeps = self.keeps_unknown();
        let root = schema.and_then(|schema| schema.get("openAPIV3Schema").cloned()).filter(|root| !root.is_null());
        let root = match root {
            Some(mut root) => {
                let mut walk = Walk::new(keeps, self.notes);
                walk.root(&mut root, path.key("openAPIV3Schema"));
                root
            }
            None => {
                let message = "there is no schema, so one that lets everything through is written: v1 demands one";
                self.notes.push(Note::told(version, message, Some("write a schema, so that mistakes in objects show")));
                mapping([("type", Node::text("object")), (structural::KEEPS, Node::made(Value::Bool(true)))])
            }
        };
        mapping([("openAPIV3Schema", root)])
    }

    /// `spec.conversion`; nothing where none is meant.
    fn conversion(&mut self, old: &Node<'s>) -> Option<Node<'s>> {
        let path = self.path.key("conversion");
        let old = old.mapping()?;
        let strategy = old.get("strategy").and_then(Node::as_str).unwrap_or("None").to_owned();
        let mut webhook = old.get("webhook").and_then(Node::mapping).cloned().unwrap_or_default();
        let mut new = Mapping::default();
        new.set("strategy", Node::text(strategy.clone()));
        for (key, value) in old.entries().iter().filter(|(_, value)| !value.is_null()) {
            match &*key.name {
                "strategy" | "webhook" => {}
                "webhookClientConfig" => webhook.set("clientConfig", value.clone()),
                "conversionReviewVersions" => webhook.set("conversionReviewVersions", value.clone()),
                name => {
                    let message = format!("`spec.conversion.{name}` is no field of a definition; it is kept");
                    self.notes.push(Note::told(&path.key(name), message, Some("remove it")));
                    new.set(key.name.clone(), value.clone());
                }
            }
        }
        if strategy != "Webhook" {
            return Some(Node::made(Value::Mapping(new)));
        }
        if webhook.get("clientConfig").is_none() {
            self.notes.push(Note::refused(
                &path,
                "the webhook has no `webhookClientConfig`",
                "name its Service or URL",
            ));
        }
        // a webhook that says nothing speaks v1beta1 (`SetDefaults_CustomResourceDefinitionSpec`)
        if webhook.get("conversionReviewVersions").is_none() {
            let spoken = Node::made(Value::Sequence(vec![Node::text("v1beta1")]));
            webhook.set("conversionReviewVersions", spoken);
            let message = "the webhook says no `conversionReviewVersions`: `v1beta1` is written, which was the default";
            self.notes.push(Note::told(&path, message, Some("write `[v1, v1beta1]` once it answers both")));
        }
        new.set("webhook", Node::made(Value::Mapping(webhook)));
        Some(Node::made(Value::Mapping(new)))
    }
}

/// The scope, which v1beta1 took for `Namespaced` where nobody said.
fn scope<'s>(old: &Node<'s>) -> Node<'s> {
    match old.as_str() {
        None | Some("") => Node::text("Namespaced"),
        Some(_) => old.clone(),
    }
}

/// The only version of a definition that says `version: NAME`.
fn only<'s>(name: String) -> Node<'s> {
    let yes = || Node::made(Value::Bool(true));
    mapping([("name", Node::text(name)), ("served", yes()), ("storage", yes())])
}

/// Printer columns with `JSONPath` spelled `jsonPath`.
fn renamed_columns(mut columns: Node<'_>) -> Node<'_> {
    let Value::Sequence(items) = &mut columns.value else { return columns };
    for column in items.iter_mut().filter_map(Node::mapping_mut) {
        for (key, _) in column.entries_mut().iter_mut().filter(|(key, _)| key.name == "JSONPath") {
            *key = Key { span: key.span, name: "jsonPath".into() };
        }
    }
    columns
}

/// v1 refuses definitions in the groups of Kubernetes that nobody approved (`validateAPIApproval`).
fn approve(tree: &Node<'_>, notes: &mut Vec<Note>) {
    const APPROVED: &str = "api-approved.kubernetes.io";
    let group = tree.at(&["spec", "group"]).and_then(Node::as_str).unwrap_or_default();
    let is_protected = |suffix: &str| group == suffix || group.strip_suffix(suffix).is_some_and(|g| g.ends_with('.'));
    let is_protected = is_protected("k8s.io") || is_protected("kubernetes.io");
    if is_protected && tree.at(&["metadata", "annotations", APPROVED]).is_none() {
        let message = format!("v1 refuses definitions in the group {group} without the annotation {APPROVED}");
        let remedy = "set it to the URL of the review, or to `unapproved, …` and why";
        notes.push(Note::refused(&FieldPath::keys(["spec", "group"]), message, remedy));
    }
}

fn mapping<'s, const N: usize>(entries: [(&'static str, Node<'s>); N]) -> Node<'s> {
    let entries = entries.into_iter().map(|(name, value)| (Key::made(name), value));
    Node::made(Value::Mapping(Mapping::new(entries.collect())))
}

#[cfg(test)]
mod tests;
