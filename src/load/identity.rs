//! Who each object is: its scope, its namespace, its name.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::config::{Settings, Writing};
use crate::finding::{Finding, Findings, Label, rules::objects};
use crate::object::scope::{self, Scope};
use crate::object::view::pod_template;
use crate::object::wrote::TakenBack;
use crate::object::{Name, Object, ObjectId, Origin, wrote};
use crate::tree::{FieldPath, Node};

use super::judge::Manifest;

/// Scopes of custom kinds by (group, kind), from the CustomResourceDefinitions of the input.
type CustomScopes = HashMap<(String, String), Scope>;

/// An object, and whether the default namespace may still become its own.
#[derive(Debug)]
pub(super) struct Identified<'s> {
    pub object: Object<'s>,
    /// It is namespaced and neither its text nor a default says where it goes.
    pub homeless: bool,
    /// The name of its content, under which the input holds it.
    pub version: Option<Arc<str>>,
}

/// Names every object. What an earlier render wrote is taken back here, before anything is compared.
pub(super) fn identify<'s>(
    manifests: Vec<Manifest<'s>>,
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Identified<'s>> {
    let scopes = custom_scopes(&manifests, settings);
    let mut names = Interner::default();
    // what an earlier render added is not the user's
    let is_ours = |manifest: &Manifest<'_>| settings.writing != Writing::AsItIs && wrote::is_made(&manifest.root);
    let mut objects: Vec<_> = manifests
        .into_iter()
        .filter(|manifest| !is_ours(manifest))
        .map(|manifest| identify_one(manifest, &scopes, settings, &mut names, found))
        .collect();
    number_generated(&mut objects);
    objects
}

fn identify_one<'s>(
    manifest: Manifest<'s>,
    scopes: &CustomScopes,
    settings: &Settings,
    names: &mut Interner,
    found: &mut Findings,
) -> Identified<'s> {
    let Manifest { at, mut root, group, version, kind } = manifest;
    let was = match settings.writing {
        Writing::AsItIs => None,
        Writing::Anew | Writing::Stripped => take_back(&mut root, &group, &kind, settings),
    };
    let text = |field: &str| root.at(&["metadata", field]).and_then(Node::as_str).filter(|text| !text.is_empty());
    let written = text("namespace");
    // a definition in the input knows better than a table
    let defined = scopes.get(&(group.clone(), kind.clone())).copied();
    let scope = defined.or_else(|| scope::builtin(&group, &kind));
    let namespace = match scope {
        Some(Scope::Cluster) => None,
        Some(Scope::Namespaced) => written.or(settings.namespace.as_deref()),
        None => written,
    };
    let namespace = namespace.map(|namespace| names.get(namespace));
    let name = match text("name") {
        Some(name) => Name::Fixed(name.into()),
        None => Name::Generated { prefix: text("generateName").unwrap_or_default().into(), nth: 0 },
    };
    let misplaced = scope == Some(Scope::Cluster) && written.is_some();
    let homeless = scope == Some(Scope::Namespaced) && namespace.is_none();
    let id = ObjectId { group: names.get(&group), kind: names.get(&kind), namespace, name };
    let object = Object {
        id,
        version: names.get(&version),
        tree: root,
        origin: Origin { document: at },
        patched: Default::default(),
    };
    if misplaced {
        found.push(cluster_scoped(&object));
    }
    Identified { object, homeless, version: was.map(Into::into) }
}

/// Takes back what an earlier render wrote: on the object, and the checksum on its pod template. A
/// kind that nobody knows any more may have one at the usual place. Of a partial input a checksum
/// stays until it is known whether there can be a new one. Gives the name of its content that it had.
fn take_back(root: &mut Node<'_>, group: &str, kind: &str, settings: &Settings) -> Option<String> {
    let TakenBack { version, gate } = wrote::take_back(root);
    let held = pod_template::held(group, kind, &settings.references.pod_templates);
    let path = held.map_or_else(|| vec!["spec", "template"], |held| held.path);
    if let Some(template) = root.at_mut(&path) {
        gate.into_iter().for_each(|gate| wrote::take_back_gate(template, gate));
        if !settings.partial {
            wrote::take_back_checksum(template);
        }
    }
    version
}

fn cluster_scoped(object: &Object<'_>) -> Finding {
    let path = FieldPath::keys(["metadata", "namespace"]);
    Finding::new(
        &objects::NAMESPACE_ON_CLUSTER_SCOPE,
        format!("{} is cluster-scoped, yet its metadata names a namespace", object.id),
    )
    .with_object(&object.id)
    .with_label(Label::new(object.place_of(&path)).path(path))
    .with_remedy("remove `metadata.namespace`: the API server drops it, and a GitOps tool shows a difference for ever")
}

/// Scope by group and kind: from the rows of the configuration, and over them from every definition
/// of the input, whatever its API version. Of definitions that differ, the one with `Cluster` counts.
fn custom_scopes(manifests: &[Manifest<'_>], settings: &Settings) -> CustomScopes {
    let rows = settings.kinds.iter().map(|row| ((row.kind.group.to_string(), row.kind.kind.to_string()), row.scope));
    let definitions =
        manifests.iter().filter(|m| m.kind == "CustomResourceDefinition" && m.group == "apiextensions.k8s.io");
    let scope = |manifest: &Manifest<'_>| {
        let text = |path: &[&str]| manifest.root.at(path).and_then(Node::as_str).map(str::to_owned);
        let scope = match text(&["spec", "scope"])?.as_str() {
            "Cluster" => Scope::Cluster,
            _ => Scope::Namespaced,
        };
        Some(((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?), scope))
    };
    let mut defined = CustomScopes::new();
    for (kind, scope) in definitions.filter_map(scope) {
        // of definitions that differ one wins whatever the order of files is
        let known = defined.entry(kind).or_insert(scope);
        if scope == Scope::Cluster {
            *known = scope;
        }
    }
    rows.chain(defined).collect()
}

/// Objects that share a generated name are told apart by their content, so that the order of files
/// has no say.
fn number_generated(objects: &mut [Identified<'_>]) {
    let mut generated: Vec<(ObjectId, String, usize)> = Vec::new();
    for (at, Identified { object, .. }) in objects.iter().enumerate() {
        if matches!(object.id.name, Name::Generated { .. }) {
            let mut content = String::new();
            crate::json::write(&object.tree, &mut content);
            generated.push((object.id.clone(), content, at));
        }
    }
    generated.sort();
    let mut last: Option<(ObjectId, u32)> = None;
    for (id, _, at) in generated {
        let number = match &last {
            Some((before, number)) if *before == id => number + 1,
            _ => 0,
        };
        last = Some((id, number));
        if let Name::Generated { nth, .. } = &mut objects[at].object.id.name {
            *nth = number;
        }
    }
}

/// One allocation for each of the few groups, kinds, versions and namespaces.
#[derive(Default)]
struct Interner {
    texts: BTreeSet<Arc<str>>,
}

impl Interner {
    fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&new));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, SourceMap};

    #[test]
    fn of_definitions_that_differ_the_same_one_counts_in_any_order() {
        let definition = |name: &str, scope: &str| {
            format!(
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {name}}}\n\
                 spec: {{group: a.io, names: {{kind: A, plural: {name}}}, scope: {scope}}}\n---\n"
            )
        };
        let (one, other) = (definition("as.a.io", "Cluster"), definition("bs.a.io", "Namespaced"));
        let object = "apiVersion: a.io/v1\nkind: A\nmetadata: {name: a, namespace: b}\n";
        for text in [format!("{one}{other}{object}"), format!("{other}{one}{object}")] {
            let mut sources = SourceMap::default();
            sources.add(SourceFile::new("a.yaml", text));
            let loaded = crate::load::objects(&sources, &Settings::default(), &mut Findings::default());
            let ids: Vec<_> = loaded.objects.of_kind("a.io", "A").map(|(_, object)| object.id.to_string()).collect();
            assert_eq!(ids, ["A a"]);
        }
    }
}
