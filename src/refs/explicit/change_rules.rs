//! kapp's `change-group` and `change-rule` annotations, read as edges (pkg/kapp/diffgraph of kapp).

use std::collections::HashMap;

use super::{Said, label};
use crate::finding::{Finding, Findings, rules::order, shown};
use crate::flow::Loaded;
use crate::object::annotation::{CHANGE_GROUP, CHANGE_RULE};
use crate::object::gvk::is_dns_subdomain;
use crate::object::{ObjRef, Object};
use crate::tree::Node;

/// A rule that orders what is applied.
struct Rule {
    /// Whether its object comes behind the group.
    is_after: bool,
    group: String,
}

/// Reads the annotations of every object. Rules about what is deleted order nothing here, and a group
/// without members is no mistake: kapp has groups of its own.
pub(super) fn read(loaded: &Loaded<'_>, said: &mut Said, found: &mut Findings) {
    let mut members: HashMap<String, Vec<ObjRef>> = HashMap::new();
    for (at, object) in loaded.objects.iter() {
        for (key, text) in annotations(object, CHANGE_GROUP) {
            match group(&expanded(text, object)) {
                Some(group) => members.entry(group).or_default().push(at),
                None => found.push(unreadable(object, key, text, GROUP_FORM)),
            }
        }
    }
    for (at, object) in loaded.objects.iter() {
        for (key, text) in annotations(object, CHANGE_RULE) {
            let rule = match rule(&expanded(text, object)) {
                Some(Some(rule)) => rule,
                Some(None) => continue,
                None => {
                    found.push(unreadable(object, key, text, RULE_FORM));
                    continue;
                }
            };
            let place = label(object, key).place;
            for member in members.get(&rule.group).into_iter().flatten().filter(|member| **member != at) {
                let (from, to) = if rule.is_after { (*member, at) } else { (at, *member) };
                said.add(from, to, place, found);
            }
        }
    }
}

/// The annotations of a name, and of that name with a `.` and more behind it.
fn annotations<'o>(object: &'o Object<'_>, name: &'o str) -> impl Iterator<Item = (&'o str, &'o str)> {
    let all = object.tree.at(&["metadata", "annotations"]).and_then(Node::mapping);
    let entries = all.map(|mapping| mapping.entries()).unwrap_or_default().iter();
    entries.filter_map(move |(key, value)| {
        let rest = key.name.strip_prefix(name)?;
        let is_one = rest.is_empty() || rest.starts_with('.');
        Some((&*key.name, value.as_str()?)).filter(|_| is_one)
    })
}

/// A text with kapp's placeholders filled in.
fn expanded(text: &str, object: &Object<'_>) -> String {
    let id = &object.id;
    let of_crd = |path: &[&str]| match object.is("apiextensions.k8s.io", "CustomResourceDefinition") {
        true => object.tree.at(path).and_then(Node::as_str).unwrap_or(""),
        false => "",
    };
    let values = [
        ("{api-group}", &*id.group),
        ("{kind}", &id.kind),
        ("{name}", id.name.text()),
        ("{namespace}", id.namespace.as_deref().unwrap_or("")),
        ("{crd-kind}", of_crd(&["spec", "names", "kind"])),
        ("{crd-group}", of_crd(&["spec", "group"])),
    ];
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        expanded.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = values.iter().find(|(name, _)| rest.starts_with(name));
        let (length, value) = known.map_or((1, "{"), |(name, value)| (name.len(), value));
        expanded.push_str(value);
        rest = &rest[length..];
    }
    expanded + rest
}

/// A group's name: a qualified name (`IsQualifiedName` of k8s.io/apimachinery, pkg/util/validation).
fn group(text: &str) -> Option<String> {
    let (prefix, name) = text.split_once('/').map_or((None, text), |(prefix, name)| (Some(prefix), name));
    let is_end = |c: char| c.is_ascii_alphanumeric();
    let is_inner = |c: char| is_end(c) || matches!(c, '-' | '_' | '.');
    let is_name = name.len() <= 63 && name.starts_with(is_end) && name.ends_with(is_end) && name.chars().all(is_inner);
    (is_name && prefix.is_none_or(is_dns_subdomain)).then(|| text.to_owned())
}

/// A rule; nothing inside for one about what is deleted, nothing at all for one that cannot be read.
fn rule(text: &str) -> Option<Option<Rule>> {
    let [action, when, target, name] = text.split(' ').collect::<Vec<_>>()[..] else { return None };
    let is_after = match when {
        "after" => true,
        "before" => false,
        _ => return None,
    };
    let group = group(name)?;
    match (action, target) {
        ("upsert", "upserting") => Some(Some(Rule { is_after, group })),
        ("upsert" | "delete", "upserting" | "deleting") => Some(None),
        _ => None,
    }
}

const GROUP_FORM: &str = "write a name such as `apps.example.org/database`: letters, digits, `-`, `_` and `.`, with a \
                          domain and `/` before it if you like";
const RULE_FORM: &str =
    "write `upsert after upserting GROUP` or `upsert before upserting GROUP`, with one blank between";

fn unreadable(object: &Object<'_>, key: &str, text: &str, form: &str) -> Finding {
    let message = format!("`{key}` of {} cannot be read: {}", object.id, shown(text));
    let finding = Finding::new(&order::UNREADABLE_DEPENDENCY, message).with_object(&object.id);
    finding.with_label(label(object, key)).with_remedy(form)
}
