//! References out of objects, by the table.

use std::collections::HashMap;
use std::sync::Arc;

use super::path::{self, Part, Step};
use super::row::{In, Optional, Reads, Row, To};
use super::{pod, rules};
use crate::flow::{Read, Reference, Resolution, Target};
use crate::object::gvk::split_api_version;
use crate::object::view::pod_template::{self, Held, NamedTemplate};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::{FieldPath, Node};

/// A row and its path, taken apart.
struct Compiled {
    row: &'static Row,
    steps: Vec<Step>,
}

fn compile(row: &'static Row) -> Compiled {
    Compiled { row, steps: path::steps(row.path) }
}

/// The whole table, ready to use.
pub(super) struct Table {
    pod: Vec<Compiled>,
    objects: HashMap<(&'static str, &'static str), Vec<Compiled>>,
}

impl Table {
    /// Takes the table apart.
    pub(super) fn new() -> Self {
        let mut objects: HashMap<_, Vec<Compiled>> = HashMap::new();
        for row in rules::OBJECTS.iter().copied().flatten() {
            objects.entry((row.group, row.kind)).or_default().push(compile(row));
        }
        Table { pod: rules::POD.iter().map(compile).collect(), objects }
    }

    /// Every reference of every object, by object and row; what they lead to is still open. `named`
    /// are the pod templates that the configuration adds.
    pub(super) fn extract(&self, objects: &ObjectSet<'_>, named: &[NamedTemplate]) -> Vec<Reference> {
        let mut found = Vec::new();
        for (from, object) in objects.iter() {
            let mut sink = Sink { from, object, found: &mut found };
            for compiled in self.objects.get(&(&*object.id.group, &*object.id.kind)).into_iter().flatten() {
                sink.follow(compiled, &object.tree, &mut Vec::new(), None);
            }
            if let Some(template) = pod_template::held(&object.id.group, &object.id.kind, named) {
                self.pod(&template, &mut sink);
            }
        }
        found
    }

    fn pod<'o>(&self, template: &Held<'o>, sink: &mut Sink<'o, '_>) {
        let Some(spec) = sink.object.tree.at(&template.path).and_then(|template| template.get("spec")) else { return };
        let pod = pod::Pod::new(spec);
        let mut way: Vec<Part<'_>> = template.path.iter().chain(&["spec"]).map(|key| Part::Key(key)).collect();
        for compiled in &self.pod {
            sink.follow(compiled, spec, &mut way, Some(&pod));
        }
    }
}

/// Where the references of one object go.
struct Sink<'o, 's> {
    from: ObjRef,
    object: &'o Object<'s>,
    found: &'o mut Vec<Reference>,
}

impl<'o, 's> Sink<'o, 's> {
    fn follow(&mut self, compiled: &Compiled, root: &'o Node<'s>, way: &mut Vec<Part<'o>>, pod: Option<&pod::Pod<'o>>) {
        let start = way.len();
        path::follow(root, &compiled.steps, way, &mut |node, way| {
            if let Some(reference) = self.reference(compiled.row, node, way, start, pod) {
                self.found.push(reference);
            }
        });
    }

    /// The reference that a row finds at a node, if the node names somebody.
    fn reference(
        &self,
        row: &'static Row,
        node: &'o Node<'s>,
        way: &[Part<'o>],
        start: usize,
        pod: Option<&pod::Pod<'o>>,
    ) -> Option<Reference> {
        let text = |field: &str| node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
        if row.only_if.is_some_and(|(field, wanted)| text(field) != Some(wanted)) {
            return None;
        }
        let (name_node, mut path) = match row.name {
            "" => (node, path::field_path(way)),
            field => (node.get(field)?, path::field_path(way).key(field)),
        };
        let name = name_node.as_str().filter(|name| !name.is_empty())?;
        let (group, kind) = kind(row, node)?;
        let (namespace, name) = self.place(row, name, text);
        let optional = match row.optional {
            Optional::Never => false,
            Optional::Always => true,
            Optional::Field(field) => node.get(field).and_then(Node::as_bool) == Some(true),
        };
        let read = match row.reads {
            Reads::No => Read::No,
            Reads::EnvKey => Read::EnvKey(text("key")?.into()),
            Reads::EnvFrom => Read::EnvFrom,
            Reads::Volume | Reads::Projected => Read::Volume(pod?.read(node, &way[start..])),
            Reads::Field(field) => Read::Field(text(field).map(Into::into)),
        };
        let place = self.object.origin.document.place(name_node.span);
        if row.name.is_empty() && name_node.span.len == 0 {
            path = FieldPath::default();
        }
        let target = Target { group: group.into(), kind: kind.into(), namespace, name: name.into() };
        let orders = row.orders;
        let leads_to = if row.must_exist { Resolution::Missing } else { Resolution::Outside };
        Some(Reference { from: self.from, target, row: row.path, path, place, optional, read, orders, leads_to })
    }

    /// Namespace and name of the target.
    fn place<'t>(
        &self,
        row: &Row,
        name: &'t str,
        text: impl Fn(&str) -> Option<&'t str>,
    ) -> (Option<Arc<str>>, &'t str) {
        let own = || self.object.id.namespace.clone();
        match row.within {
            In::Own => (own(), name),
            In::Cluster => (None, name),
            In::Field(field) => (text(field).map(Into::into).or_else(own), name),
            In::Slash => match name.split_once('/') {
                Some((namespace, name)) => (Some(namespace.into()), name),
                None => (own(), name),
            },
        }
    }
}

/// Group and kind of what a row refers to from a node.
fn kind<'n>(row: &Row, node: &'n Node<'_>) -> Option<(&'n str, &'n str)> {
    let text = |field: &str| node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
    match row.to {
        To::Kind(kind) => Some(kind),
        To::ByField { field, kinds } => match text(field) {
            None => kinds.first().map(|(_, kind)| *kind),
            Some(wanted) => kinds.iter().find(|(word, _)| *word == wanted).map(|(_, kind)| *kind),
        },
        To::Named => {
            let group = text("apiGroup").or_else(|| text("group"));
            let from_version = || text("apiVersion").and_then(|v| split_api_version(v).ok()).map(|(group, _)| group);
            Some((group.or_else(from_version).unwrap_or(""), text("kind")?))
        }
    }
}
