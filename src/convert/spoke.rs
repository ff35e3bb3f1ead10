//! Hub and spokes: how a version is read and written, and the way of an object through both.

use super::error::{Problem, Refusal};
use super::options::{Options, Version};
use super::outcome::{Note, NoteKind, Report};
use super::weight::Weight;
use super::{carried, metadata};
use crate::object::gvk::split_api_version;
use crate::tree::{FieldPath, Node, Value};

/// A kind whose versions are converted.
#[derive(Debug)]
pub struct Kind {
    /// Its API group.
    pub group: &'static str,
    /// Its name.
    pub kind: &'static str,
    /// Its versions, from old to new, each listed once.
    pub spokes: &'static [&'static Spoke],
}

/// A version of a kind, between its own shape and that of the hub.
#[derive(Debug)]
pub struct Spoke {
    /// The version.
    pub version: Version,
    /// The fields of the hub that it cannot hold, in the words of the documentation.
    pub loses: &'static [&'static str],
    /// Brings an object of this version into the shape of the hub.
    pub(super) read: fn(&mut Work<'_, '_>),
    /// Brings an object out of the shape of the hub into this version.
    pub(super) write: fn(&mut Work<'_, '_>),
}

impl Kind {
    /// The spoke of a version; every kind has one for each.
    pub fn spoke(&self, version: Version) -> Option<&'static Spoke> {
        self.spokes.iter().copied().find(|spoke| spoke.version == version)
    }
}

/// An object on its way, and what is said of it.
pub(super) struct Work<'s, 'o> {
    /// The object; in the shape of the hub between reading and writing.
    pub(super) tree: Node<'s>,
    /// The version that it came in.
    pub(super) from: Version,
    /// What the conversion is told.
    pub(super) options: &'o Options,
    /// The weights of a TrafficSplit, exactly; none for other kinds.
    pub(super) weights: Vec<Weight>,
    /// What happened.
    pub(super) report: Report,
    /// What stands against it.
    pub(super) refusals: Vec<Refusal>,
    /// The object in messages.
    pub(super) object: String,
}

impl Work<'_, '_> {
    /// Takes down what stands against the conversion.
    pub(super) fn refuse(
        &mut self,
        problem: Problem,
        backend: Option<&str>,
        path: FieldPath,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let (object, backend) = (self.object.clone(), backend.map(str::to_owned));
        self.refusals.push(Refusal { problem, object, backend, path, what: what.into(), remedy: remedy.into() });
    }

    /// Takes down something to say.
    pub(super) fn note(&mut self, kind: NoteKind, path: FieldPath, what: impl Into<String>, remedy: impl Into<String>) {
        self.report.notes.push(Note { kind, path, what: what.into(), remedy: remedy.into() });
    }
}

/// The way of an object to a version.
pub(super) fn convert<'s>(
    tree: &Node<'s>,
    target: Version,
    options: &Options,
) -> Result<(Node<'s>, Report), Vec<Refusal>> {
    let (from, to, mut work) = begin(tree, target, options)?;
    (from.read)(&mut work);
    carried::judge(&mut work);
    if work.refusals.is_empty() {
        metadata::treat(&mut work);
        carried::restore(&mut work, target);
        (to.write)(&mut work);
    }
    if !work.refusals.is_empty() {
        return Err(work.refusals);
    }
    if from.version != to.version
        && let Some(root) = work.tree.mapping_mut()
        && let Some((group, _)) = root.get("apiVersion").and_then(Node::as_str).and_then(|text| text.split_once('/'))
    {
        let version = format!("{group}/{target}");
        root.set("apiVersion", Node::text(version));
    }
    Ok((work.tree, work.report))
}

/// Reads an object into its hub, and gives its exact weights with it.
pub(super) fn read<'s>(tree: &Node<'s>, options: &Options) -> Result<(Vec<Weight>, Node<'s>), Vec<Refusal>> {
    let (from, _, mut work) = begin(tree, Version::V1alpha4, options)?;
    (from.read)(&mut work);
    if work.refusals.is_empty() {
        carried::restore(&mut work, Version::V1alpha4);
        Ok((work.weights, work.tree))
    } else {
        Err(work.refusals)
    }
}

/// The spokes of an object and a target, and the object at the start of its way.
fn begin<'s, 'o>(
    tree: &Node<'s>,
    target: Version,
    options: &'o Options,
) -> Result<(&'static Spoke, &'static Spoke, Work<'s, 'o>), Vec<Refusal>> {
    let text = |field: &str| tree.get(field).and_then(Node::as_str).unwrap_or_default();
    let refusal = |field: &'static str, what: String, remedy: &str| {
        let (object, path, remedy) = (name(tree), FieldPath::keys([field]), remedy.to_owned());
        vec![Refusal { problem: Problem::Shape, object, backend: None, path, what, remedy }]
    };
    let api_version = text("apiVersion");
    let Ok((group, version)) = split_api_version(api_version) else {
        let what = format!("`{api_version}` is no apiVersion");
        return Err(refusal("apiVersion", what, "write GROUP/VERSION"));
    };
    let Some(kind) = super::kind(group, text("kind")) else {
        let what = format!("objects of kind {} of the group {group:?} are not converted", text("kind"));
        return Err(refusal("kind", what, "leave it out of what is to be converted"));
    };
    let spoke = |version: Version| kind.spoke(version);
    let (Some(from), Some(to)) = (Version::parse(version).and_then(spoke), spoke(target)) else {
        let known = kind.spokes.iter().map(|spoke| spoke.version.word()).collect::<Vec<_>>().join(", ");
        let what = format!("version `{version}` of {} is not known", kind.kind);
        return Err(refusal("apiVersion", what, &format!("known are {known}")));
    };
    let (weights, report, refusals) = (Vec::new(), Report::default(), Vec::new());
    let (tree, object) = (tree.clone(), name(tree));
    Ok((from, to, Work { tree, from: from.version, options, weights, report, refusals, object }))
}

/// An object in messages: `Kind namespace/name`.
fn name(tree: &Node<'_>) -> String {
    let text = |path: &[&str]| tree.at(path).and_then(Node::as_str).filter(|text| !text.is_empty());
    let kind = text(&["kind"]).unwrap_or("object");
    let generated = || text(&["metadata", "generateName"]).map(|prefix| format!("{prefix}*"));
    let name = text(&["metadata", "name"]).map(str::to_owned).or_else(generated);
    match (text(&["metadata", "namespace"]), name) {
        (Some(namespace), Some(name)) => format!("{kind} {namespace}/{name}"),
        (None, Some(name)) => format!("{kind} {name}"),
        (_, None) => format!("{kind} without a name"),
    }
}

/// Reports the keys of a mapping that its version does not know; they stay.
pub(super) fn unknown(work: &mut Work<'_, '_>, path: &FieldPath, known: &[&str]) {
    let mut node = Some(&work.tree);
    for step in path.steps() {
        node = node.and_then(|node| match step {
            crate::tree::Step::Key(key) => node.get(key),
            crate::tree::Step::Index(index) => node.items().and_then(|items| items.get(*index)),
        });
    }
    let Some(Value::Mapping(mapping)) = node.map(|node| &node.value) else { return };
    let keys = mapping.entries().iter().map(|(key, _)| key.name.to_string());
    let strange: Vec<_> = keys.filter(|key| !known.contains(&key.as_str())).collect();
    for key in strange {
        let path = path.key(&key);
        let near = crate::finding::nearest(&key, known.iter().copied());
        let remedy = match near {
            Some(near) => format!("`{near}` may be meant"),
            None => format!("{} knows {}", work.from, known.join(", ")),
        };
        let what = format!("{} has no field `{path}`; it was kept", work.from);
        work.note(NoteKind::UnknownField, path, what, remedy);
    }
}
