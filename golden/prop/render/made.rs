//! Made installations: small, and full of what decides about order and ownership.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use tidegate::config::{EngineName, Settings, WaveMode};

use super::Text;

/// An installation: its files, the settings to render it with, and how many objects it has.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) files: Vec<Text>,
    pub(super) settings: Settings,
    pub(super) objects: usize,
}

/// Kinds with their API version and whether they live in namespaces. Those of `example.com` have no definition unless
/// one is made beside them.
const KINDS: &[(&str, &str, bool)] = &[
    ("v1", "ConfigMap", true),
    ("v1", "Secret", true),
    ("v1", "Service", true),
    ("v1", "ServiceAccount", true),
    ("v1", "PersistentVolume", false),
    ("apps/v1", "Deployment", true),
    ("batch/v1", "Job", true),
    ("networking.k8s.io/v1", "Ingress", true),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", false),
    ("storage.k8s.io/v1", "StorageClass", false),
    ("example.com/v1", "Moon", true),
    ("example.com/v1", "Planet", false),
    ("other.example.com/v1", "Service", true),
];

/// What stands in the annotations of an object, each with some that are no annotation of anybody.
const ANNOTATIONS: &[&[(&str, &str)]] = &[
    &[("argocd.argoproj.io/sync-wave", "-30")],
    &[("argocd.argoproj.io/sync-wave", "-20")],
    &[("argocd.argoproj.io/sync-wave", "-15"), ("note", "mine")],
    &[("argocd.argoproj.io/sync-wave", "3")],
    &[("argocd.argoproj.io/sync-wave", "late")],
    &[("argocd.argoproj.io/sync-wave", "-20"), ("tidegate.dev/wrote", "sync-wave=-20"), ("note", "mine")],
    &[("argocd.argoproj.io/sync-wave", "7"), ("tidegate.dev/wrote", "sync-wave=-20")],
    &[("tidegate.dev/wrote", "sync-wave=5;sync-options=ServerSideApply=true")],
    &[
        ("argocd.argoproj.io/sync-options", "Prune=false,ServerSideApply=true"),
        ("tidegate.dev/wrote", "sync-options=ServerSideApply=true"),
    ],
    &[("argocd.argoproj.io/hook", "PreSync"), ("argocd.argoproj.io/sync-wave", "9")],
    &[("helm.sh/hook", "post-install"), ("helm.sh/hook-weight", "-5")],
    &[("helm.sh/hook-weight", "4")],
    &[("note", "mine")],
];

/// How an object says that it has no annotations.
const NO_ANNOTATIONS: &[&str] = &["", "  annotations:\n", "  annotations: {}\n"];

#[derive(Clone, Debug)]
struct Thing {
    /// Which of [`KINDS`].
    kind: usize,
    namespace: Option<&'static str>,
    letter: char,
    generated: bool,
    annotations: String,
    annotations_first: bool,
    /// Which file it stands in, and which one its equal does if it has one.
    file: usize,
    again: Option<usize>,
    in_a_list: bool,
}

pub(super) fn installation() -> impl Strategy<Value = Made> {
    let namespaces = vec((select(&["mesh", "on", "shop"][..]), annotations(), 0..3_usize), 0..3);
    let definitions = vec((select(&["Moon", "Planet"][..]), annotations(), 0..3_usize), 0..3);
    (vec(thing(), 1..12), namespaces, definitions, settings()).prop_map(
        |(things, namespaces, definitions, settings)| {
            let mut texts: Vec<(usize, String, bool)> = Vec::new();
            let mut seen = BTreeSet::new();
            for (name, annotations, file) in namespaces.iter().filter(|(name, ..)| seen.insert(*name)) {
                texts.push((
                    *file,
                    object("v1", "Namespace", &format!("  name: \"{name}\"\n{annotations}"), ""),
                    false,
                ));
            }
            for (kind, annotations, file) in definitions.iter().filter(|(kind, ..)| seen.insert(*kind)) {
                texts.push((*file, definition(kind, annotations), false));
            }
            let objects = texts.len() + things.len();
            for (nth, thing) in things.iter().enumerate() {
                texts.push((thing.file, thing.text(nth), thing.in_a_list));
                texts.extend(thing.again.filter(|_| !thing.generated).map(|file| (file, thing.text(nth), false)));
            }
            Made { files: files(&texts), settings, objects }
        },
    )
}

/// Files of one folder. The last texts come first: what is needed stands behind what needs it.
fn files(texts: &[(usize, String, bool)]) -> Vec<Text> {
    let of = |at: usize| {
        let own = texts.iter().rev().filter(move |(file, ..)| *file == at);
        own.map(|(_, text, in_a_list)| if *in_a_list { list(text) } else { text.clone() }).collect::<Vec<_>>()
    };
    (0..3).map(|at| Text::new(&format!("{at}.yaml"), of(at).join("---\n"))).collect()
}

fn list(text: &str) -> String {
    let indented: String = text.lines().map(|line| format!("  {line}\n")).collect();
    format!("apiVersion: v1\nkind: List\nitems:\n-{}", &indented[1..])
}

fn object(version: &str, kind: &str, metadata: &str, rest: &str) -> String {
    format!("apiVersion: {version}\nkind: {kind}\nmetadata:\n{metadata}{rest}")
}

fn definition(kind: &str, annotations: &str) -> String {
    let scope = if kind == "Planet" { "Cluster" } else { "Namespaced" };
    let names = format!("  names:\n    kind: {kind}\n    plural: {}s\n", kind.to_lowercase());
    let metadata = format!("{annotations}  name: {}s.example.com\n", kind.to_lowercase());
    let spec = format!("spec:\n  group: example.com\n  scope: {scope}\n{names}");
    object("apiextensions.k8s.io/v1", "CustomResourceDefinition", &metadata, &spec)
}

impl Thing {
    /// The manifest. The number makes its name its own.
    fn text(&self, nth: usize) -> String {
        let (version, kind, namespaced) = KINDS[self.kind];
        let field = if self.generated { "generateName" } else { "name" };
        let name = format!("  {field}: {}{nth}\n", self.letter);
        let namespace = self.namespace.filter(|_| namespaced).map(|name| format!("  namespace: \"{name}\"\n"));
        let namespace = namespace.unwrap_or_default();
        let metadata = match self.annotations_first {
            true => format!("{}{name}{namespace}", self.annotations),
            false => format!("{namespace}{name}{}", self.annotations),
        };
        object(version, kind, &metadata, "")
    }
}

fn thing() -> impl Strategy<Value = Thing> {
    let place = (0..3_usize, option::weighted(0.1, 0..3_usize), prop::bool::weighted(0.2));
    let name =
        (option::of(select(&["mesh", "on", "shop"][..])), select(&['a', 'b', 'Z'][..]), prop::bool::weighted(0.1));
    (0..KINDS.len(), name, annotations(), any::<bool>(), place).prop_map(
        |(kind, (namespace, letter, generated), annotations, annotations_first, (file, again, in_a_list))| Thing {
            kind,
            namespace,
            letter,
            generated,
            annotations,
            annotations_first,
            file,
            again,
            in_a_list,
        },
    )
}

fn annotations() -> impl Strategy<Value = String> {
    let some = select(ANNOTATIONS).prop_map(|rows| {
        let rows = rows.iter().map(|(name, value)| format!("    {name}: \"{value}\"\n"));
        format!("  annotations:\n{}", rows.collect::<String>())
    });
    prop_oneof![3 => select(NO_ANNOTATIONS).prop_map(str::to_owned), 2 => some]
}

fn settings() -> impl Strategy<Value = Settings> {
    let engine = prop_oneof![3 => Just(EngineName::Argocd), 1 => Just(EngineName::Kubectl)];
    let mode = prop_oneof![Just(WaveMode::Staged), Just(WaveMode::Minimal)];
    let namespace = option::of(Just("shop".to_owned()));
    (engine, mode, namespace, any::<bool>()).prop_map(|(engine, mode, namespace, write_namespace)| {
        let mut settings = Settings { engine, namespace, write_namespace, ..Settings::default() };
        settings.waves.mode = mode;
        settings
    })
}
