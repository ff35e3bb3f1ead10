//! References out of objects, by the table.

use std::sync::Arc;

use super::path::{self, Part};
use super::pod;
use super::row::{In, Optional, Reads, Row, To};
use super::table::{Compiled, Section, Table, is_cluster_scoped};
use crate::flow::{FieldKey, Read, Reference, Resolution, Target};
use crate::object::gvk::split_api_version;
use crate::object::view::pod_template::NamedTemplate;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::{Node, Value};

/// Every reference of every object, by object and row; what they lead to is still open. `named` are
/// the pod templates that the configuration adds; for a kind they stand instead of what the table
/// knows.
pub(super) fn extract(table: &'static Table, objects: &ObjectSet<'_>, named: &[NamedTemplate]) -> Vec<Reference> {
    let mut found = Vec::new();
    for (from, object) in objects.iter() {
        let (group, kind) = (&*object.id.group, &*object.id.kind);
        let own = named.iter().find(|row| *row.kind.group == *group && *row.kind.kind == *kind);
        let mut sink = Sink { from, object, found: &mut found };
        for section in table.sections(group, kind).filter(|section| own.is_none() || !section.pods) {
            path::follow(&object.tree, &section.at, &mut Vec::new(), &mut |node, way| sink.section(section, node, way));
        }
        if let Some(template) = own {
            named_template(table, template, &mut sink);
        }
    }
    found
}

/// The references of a pod spec whose place the configuration names.
fn named_template<'o>(table: &'static Table, template: &'o NamedTemplate, sink: &mut Sink<'o, '_>) {
    let keys: Vec<&str> = template.path.iter().map(String::as_str).chain(["spec"]).collect();
    let mut way: Vec<Part<'o>> = keys.iter().map(|key| Part::Key(key)).collect();
    if let (Some(spec), Some(section)) = (sink.object.tree.at(&keys), table.pods()) {
        sink.section(section, spec, &mut way);
    }
}

/// Where the references of one object go.
struct Sink<'o, 's> {
    from: ObjRef,
    object: &'o Object<'s>,
    found: &'o mut Vec<Reference>,
}

/// A name that a row found, and what stands around it.
struct Found<'f, 'o, 's> {
    compiled: &'static Compiled,
    /// The mapping that holds the last key of the path.
    holder: &'o Node<'s>,
    name: &'o Node<'s>,
    way: &'f [Part<'o>],
    /// How many parts of the way lead to the section.
    start: usize,
    /// The pod spec, in a kind whose pods come straight out of the object.
    pod: Option<&'f pod::Pod<'o>>,
}

impl<'o, 's> Sink<'o, 's> {
    fn section(&mut self, section: &'static Section, root: &'o Node<'s>, way: &mut Vec<Part<'o>>) {
        let pod = section.pods.then(|| pod::Pod::new(root, &self.object.tree));
        let start = way.len();
        for compiled in section.rows() {
            path::follow(root, &compiled.holder, way, &mut |holder, way| {
                path::follow(holder, &compiled.name, way, &mut |name, way| {
                    let reference = self.reference(&Found { compiled, holder, name, way, start, pod: pod.as_ref() });
                    self.found.extend(reference);
                });
            });
        }
    }

    /// The reference that a row found, if the name names somebody.
    fn reference(&self, found: &Found<'_, 'o, 's>) -> Option<Reference> {
        let row = found.compiled.row;
        let name = found.name.as_str().filter(|name| is_name(name) && !row.except.contains(name))?;
        if found.pod.is_some_and(|pod| pod.is_replaced(&found.way[found.start..])) {
            return None;
        }
        if row.only_if.is_some_and(|(field, text)| !says(found.holder, field, text)) {
            return None;
        }
        let (group, kind) = kind(row, found.holder)?;
        let (namespace, name) = self.place(row, found.holder, name)?;
        let cluster = found.compiled.cluster.unwrap_or_else(|| is_cluster_scoped(group, kind));
        let namespace = namespace.filter(|_| !cluster);
        let optional = match row.optional {
            Optional::Never => false,
            Optional::Always => true,
            Optional::Field(field) => found.holder.get(field).and_then(Node::as_bool) == Some(true),
            Optional::Text(path, text) => found.holder.at(path).and_then(Node::as_str) == Some(text),
        };
        let path = path::field_path(found.way);
        Some(Reference {
            from: self.from,
            target: Target { group: group.into(), kind: kind.into(), namespace, name: name.into() },
            row: found.compiled.path,
            place: self.object.place_at(found.name.span, &path),
            path,
            optional,
            read: read(found),
            orders: row.orders,
            leads_to: if row.must_exist { Resolution::Missing } else { Resolution::Outside },
        })
    }

    /// Namespace and name of the target.
    fn place<'t>(&self, row: &Row, holder: &'t Node<'_>, name: &'t str) -> Option<(Option<Arc<str>>, &'t str)> {
        let own = || self.object.id.namespace.clone();
        Some(match row.within {
            In::Own => (own(), name),
            In::Field(field) => (text(holder, field).map(Into::into).or_else(own), name),
            In::Slash => match name.split_once('/') {
                Some((namespace, name)) => (Some(namespace.into()), name),
                None => (own(), name),
            },
            In::Host => {
                let (name, namespace) = service_of_host(name, self.object.id.namespace.as_deref())?;
                (namespace.map(Into::into).or_else(own), name)
            }
        })
    }
}

fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty())
}

/// A text, or a boolean as a word.
fn word<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    match node.get(field)?.as_bool() {
        Some(true) => Some("true"),
        Some(false) => Some("false"),
        None => text(node, field),
    }
}

/// Whether a text can be the name of an object: it is no placeholder that a driver, a shell or a
/// plugin fills in (`${pvc.name}`, `$(NAME)`, `<path:…>`, `{{…}}`).
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['$', '{', '}', '<', '>']) && !text.contains(char::is_whitespace)
}

/// Whether a field is a text, or a list that holds it.
fn says(node: &Node<'_>, field: &str, wanted: &str) -> bool {
    match node.get(field).map(|node| &node.value) {
        Some(Value::Sequence(items)) => items.iter().any(|item| item.as_str() == Some(wanted)),
        Some(_) => text(node, field) == Some(wanted),
        None => false,
    }
}

/// The Service behind a host name and its namespace, if the host says one: `web`, `web.shop.svc`,
/// `web.shop.svc.cluster.local`; `web.shop` only inside `shop`.
fn service_of_host<'h>(host: &'h str, own: Option<&str>) -> Option<(&'h str, Option<&'h str>)> {
    let (host, _port) = host.split_once(':').unwrap_or((host, ""));
    let mut labels = host.split('.');
    let name = labels.next().filter(|name| !name.is_empty() && !name.contains(['*', '/']))?;
    match (labels.next(), labels.next()) {
        (None, _) => Some((name, None)),
        (Some(namespace), Some("svc")) => Some((name, Some(namespace))),
        (Some(namespace), None) if Some(namespace) == own => Some((name, Some(namespace))),
        _ => None,
    }
}

/// Group and kind of what a row refers to.
fn kind<'n>(row: &Row, holder: &'n Node<'_>) -> Option<(&'n str, &'n str)> {
    match row.to {
        To::Kind(kind) => Some(kind),
        To::ByField { field, kinds } => match word(holder, field) {
            None => kinds.first().map(|(_, kind)| *kind),
            Some(wanted) => kinds.iter().find(|(word, _)| *word == wanted).map(|(_, kind)| *kind),
        },
        To::Named(default) => {
            let kind = text(holder, "kind").or(default.map(|(_, kind)| kind))?;
            let group = |field| holder.get(field).and_then(Node::as_str);
            let of_version = || text(holder, "apiVersion").and_then(|version| split_api_version(version).ok());
            let group = group("apiGroup").or_else(|| group("group")).or_else(|| of_version().map(|(group, _)| group));
            let group = group.or(default.map(|(group, _)| group)).unwrap_or("");
            // the way Gateway API's documents write the empty group
            Some((if group == "core" { "" } else { group }, kind))
        }
    }
}

/// How the target is read. What an operator's pods read is known by its keys only.
fn read(found: &Found<'_, '_, '_>) -> Read {
    let key = |field| text(found.holder, field).map(Into::into);
    let field_key = |field: &'static str| key(field).map(|key| FieldKey { field: field.into(), key });
    match (found.compiled.row.reads, found.pod) {
        (Reads::No, _) => Read::No,
        (Reads::EnvKey, Some(_)) => key("key").map_or(Read::No, Read::EnvKey),
        (Reads::EnvFrom, Some(_)) => Read::EnvFrom,
        (Reads::Volume | Reads::Projected, Some(pod)) => {
            Read::Volume(pod.read(found.holder, &found.way[found.start..]))
        }
        (Reads::Field(field), _) => Read::Field(field_key(field)),
        (Reads::EnvKey, None) => Read::Field(field_key("key")),
        (Reads::EnvFrom | Reads::Volume | Reads::Projected, None) | (Reads::All, _) => Read::Field(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_services_are_told_from_others() {
        for (host, service) in [
            ("web", Some(("web", None))),
            ("web.shop", Some(("web", Some("shop")))),
            ("web.other", None),
            ("web.other.svc", Some(("web", Some("other")))),
            ("web.other.svc.cluster.local", Some(("web", Some("other")))),
            ("example.com", None),
            ("www.example.com", None),
            ("*", None),
            ("*.shop.svc", None),
            ("web.other.svc.cluster.local:8080", Some(("web", Some("other")))),
            ("", None),
        ] {
            assert_eq!(service_of_host(host, Some("shop")), service, "{host}");
        }
    }
}
