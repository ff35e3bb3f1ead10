//! Findings as the results of a KRM function (KRM functions specification, `results`).
//!
//! A host prints a result as `[severity] apiVersion/kind/namespace/name field: message`, folds lines, and
//! takes a result without severity for an error; `severity` is always written.

use super::{docs, escape};
use crate::finding::{Finding, Findings, Label};
use crate::load::resource_list::ItemName;
use crate::source::{Place, SourceMap};
use crate::tree::{Mapping, Node, Step, Value};

/// The results of the findings that are left after suppression, in the order of places; none where there
/// is nothing to say.
pub fn results(found: &Findings, sources: &SourceMap, names: &[ItemName]) -> Option<Node<'static>> {
    let results: Vec<_> = found.sorted().into_iter().map(|finding| result(finding, sources, names)).collect();
    (!results.is_empty()).then(|| Node::made(Value::Sequence(results)))
}

fn result(finding: &Finding, sources: &SourceMap, names: &[ItemName]) -> Node<'static> {
    let mut result = Mapping::default();
    result.set("message", text(&message(finding)));
    result.set("severity", Node::text(finding.severity.word()));
    let label = finding.labels.first();
    let name =
        label.and_then(|label| names.iter().find(|name| name.place.is_some_and(|item| holds(item, label.place))));
    if let Some(name) = name {
        result.set("resourceRef", resource_ref(name));
        if let Some(field) = label.and_then(field) {
            result.set("field", field);
        }
        if let Some(file) = file(name) {
            result.set("file", file);
        }
    }
    let mut tags = Mapping::default();
    tags.set("id", Node::text(finding.rule.id));
    tags.set("docs", Node::text(docs(finding.rule)));
    if let Some(label) = label {
        let at = format!("{}:{}", sources.path(label.place.file), sources.line_column(label.place));
        tags.set("place", text(&at));
    }
    result.set("tags", Node::made(Value::Mapping(tags)));
    Node::made(Value::Mapping(result))
}

/// What is wrong and what to do about it, in one line.
fn message(finding: &Finding) -> String {
    match &finding.remedy {
        Some(remedy) => format!("{}; {remedy} [{}]", finding.message, finding.rule.id),
        None => format!("{} [{}]", finding.message, finding.rule.id),
    }
}

fn holds(item: Place, place: Place) -> bool {
    item.file == place.file && item.start <= place.start && place.start < item.end
}

fn resource_ref(name: &ItemName) -> Node<'static> {
    let mut reference = Mapping::default();
    reference.set("apiVersion", text(&name.api_version));
    reference.set("kind", text(&name.kind));
    if let Some(namespace) = &name.namespace {
        reference.set("namespace", text(namespace));
    }
    reference.set("name", text(&name.name));
    Node::made(Value::Mapping(reference))
}

/// The field, as the specification writes one: `spec.containers[3].image`. A key with a dot in it
/// stands in brackets and quotes.
fn field(label: &Label) -> Option<Node<'static>> {
    let mut path = String::new();
    for step in label.path.as_ref()?.steps() {
        match step {
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Key(key) if key.contains(['.', '[', ']']) => path.push_str(&format!("[\"{key}\"]")),
            Step::Key(key) if path.is_empty() => path.push_str(key),
            Step::Key(key) => path.push_str(&format!(".{key}")),
        }
    }
    let mut field = Mapping::default();
    field.set("path", text(&path));
    (!path.is_empty()).then(|| Node::made(Value::Mapping(field)))
}

fn file(name: &ItemName) -> Option<Node<'static>> {
    let mut file = Mapping::default();
    file.set("path", text(name.path.as_deref()?));
    if let Some(index) = name.index {
        file.set("index", Node::made(Value::I64(index)));
    }
    Some(Node::made(Value::Mapping(file)))
}

fn text(text: &str) -> Node<'static> {
    Node::text(escape::escape(text).into_owned())
}
