//! A stream of objects as an engine sees it: read back from the bytes, with rules of its own.

use std::collections::{BTreeMap, BTreeSet};

use tidegate::finding::Findings;
use tidegate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use tidegate::tree::Node;
use tidegate::yaml;

/// What an engine and the laws look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    group: String,
    kind: String,
    namespace: String,
    name: String,
    generated: bool,
    /// The wave as Argo CD reads it.
    wave: i64,
    /// Hooks run in phases: their waves say nothing about the stream.
    is_hook: bool,
    /// A user wrote the wave.
    is_fixed: bool,
    /// What a definition defines: group and kind.
    defines: Option<(String, String)>,
}

impl Seen {
    fn read(tree: &Node<'_>) -> Self {
        let text = |path: &[&str]| tree.at(path).and_then(Node::as_str).unwrap_or("").to_owned();
        let annotation = |name| tree.at(&["metadata", "annotations", name]).and_then(Node::as_str);
        let group = text(&["apiVersion"]).rsplit_once('/').map_or(String::new(), |(group, _)| group.to_owned());
        let kind = text(&["kind"]);
        let (name, generated) = (text(&["metadata", "name"]), text(&["metadata", "generateName"]));
        let wave = annotation("argocd.argoproj.io/sync-wave");
        let weight = annotation("helm.sh/hook-weight").and_then(|weight| weight.parse().ok());
        let is_ours = annotation("tidegate.dev/wrote").is_some_and(|wrote| wrote.contains("sync-wave="));
        Seen {
            defines: (kind == "CustomResourceDefinition")
                .then(|| (text(&["spec", "group"]), text(&["spec", "names", "kind"]))),
            namespace: text(&["metadata", "namespace"]),
            generated: name.is_empty(),
            name: if name.is_empty() { generated } else { name },
            wave: wave.and_then(|wave| wave.parse().ok()).or(weight).unwrap_or(0),
            is_hook: annotation("argocd.argoproj.io/hook").or(annotation("helm.sh/hook")).is_some(),
            is_fixed: (wave.is_some() || weight.is_some()) && !is_ours,
            group,
            kind,
        }
    }

    /// Nobody but its author decides where it goes.
    fn is_placed(&self) -> bool {
        self.is_hook || self.is_fixed
    }

    fn shown(&self) -> String {
        format!("{} {}/{} (wave {})", self.kind, self.namespace, self.name, self.wave)
    }
}

/// The objects of a stream, in its order.
pub(super) fn objects(stream: &str) -> Result<Vec<Seen>, String> {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("stream.yaml", stream));
    let (limits, mut found) = (Limits::default(), Findings::default());
    let mut objects = Vec::new();
    for chunk in yaml::chunks(stream) {
        let at = DocumentStart { file, offset: chunk.offset };
        match yaml::parse(chunk.text, at, &limits, &mut found) {
            Ok(Some(tree)) => objects.push(Seen::read(&tree)),
            Ok(None) => return Err("a document of the output is empty".to_owned()),
            Err(_) => return Err(format!("a document of the output cannot be read: {:?}", found.sorted())),
        }
    }
    Ok(objects)
}

/// No identity is there twice, but for names that the API server completes.
pub(super) fn each_once(objects: &[Seen]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let twice = objects.iter().find(|o| !o.generated && !seen.insert((&o.group, &o.kind, &o.namespace, &o.name)));
    twice.map_or(Ok(()), |object| Err(format!("{} is printed twice", object.shown())))
}

/// A Namespace comes before its content and a definition before its objects, whoever wrote their waves; unless the
/// needed one is a hook, or users placed both.
pub(super) fn needs_come_first(objects: &[Seen]) -> Result<(), String> {
    let mut namespaces = BTreeMap::new();
    let mut definitions = BTreeMap::new();
    for (at, object) in objects.iter().enumerate() {
        if object.kind == "Namespace" && object.group.is_empty() {
            namespaces.insert(object.name.as_str(), at);
        }
        if let Some((group, kind)) = &object.defines {
            definitions.insert((group.as_str(), kind.as_str()), at);
        }
    }
    for (at, object) in objects.iter().enumerate() {
        let needs = [
            namespaces.get(object.namespace.as_str()),
            definitions.get(&(object.group.as_str(), object.kind.as_str())),
        ];
        for needed in needs.into_iter().flatten().filter(|needed| **needed > at) {
            let needed = &objects[*needed];
            let is_excused = needed.is_hook || (needed.is_placed() && object.is_placed());
            if !is_excused {
                return Err(format!("{} comes before {}, which it needs", object.shown(), needed.shown()));
            }
        }
    }
    Ok(())
}

/// Waves rise along the stream, or stay.
pub(super) fn waves_never_fall(objects: &[Seen]) -> Result<(), String> {
    let waves: Vec<&Seen> = objects.iter().filter(|object| !object.is_hook).collect();
    let falls = waves.windows(2).find(|pair| pair[0].wave > pair[1].wave);
    falls.map_or(Ok(()), |pair| Err(format!("{} comes before {}", pair[0].shown(), pair[1].shown())))
}

/// The kinds that Argo CD puts first inside a wave, as far as the laws look at them: it reads the kind alone, and puts
/// what it does not name last, by kind and name (`sync_tasks.go` of its gitops-engine).
const FIRST: [&str; 3] = ["Namespace", "ServiceAccount", "CustomResourceDefinition"];

/// The order in which Argo CD applies the objects, hooks left out: it does not look at the order of the stream.
pub(super) fn as_argocd_sorts(objects: &[Seen]) -> Vec<Seen> {
    let rank = |object: &Seen| FIRST.iter().position(|kind| *kind == object.kind).unwrap_or(FIRST.len());
    let mut sorted: Vec<Seen> = objects.iter().filter(|object| !object.is_hook).cloned().collect();
    sorted.sort_by(|a, b| (a.wave, rank(a), &a.kind, &a.name).cmp(&(b.wave, rank(b), &b.kind, &b.name)));
    sorted
}
