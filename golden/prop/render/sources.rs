//! Made installations of configuration and its readers: sources with and without names of their content, waves and
//! options of the user on them, and every way of reading them.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use tidegate::config::{EngineName, Settings, WaveMode};

use super::Text;
use super::made::Made;

/// Names that are near to no other.
const NAMES: &[&str] = &["alpha", "bravo-conf", "charlie.d", "delta"];

/// What stands in the annotations of a source, beside whether it is versioned.
const ANNOTATIONS: &[&str] = &[
    "",
    "    argocd.argoproj.io/sync-wave: \"-25\"\n",
    "    argocd.argoproj.io/sync-options: Prune=false,Validate=false\n",
    "    argocd.argoproj.io/sync-options: PruneLast=true\n",
    "    argocd.argoproj.io/sync-options: \" Replace=true, \"\n    note: mine\n",
    "    argocd.argoproj.io/sync-options: Prune=false,ServerSideApply=true\n    tidegate.dev/wrote: sync-options=ServerSideApply=true\n",
    "    tidegate.dev/reload: hot\n",
    "    tidegate.dev/wrote: name=other;immutable\n",
];

/// What the source says of its own immutability.
const IMMUTABLE: &[&str] = &["", "immutable: true\n", "immutable: false\n", "immutable: null\n"];

/// Ways of reading a source of a kind (`K` its kind, `N` its name), as a container and as volumes.
const WAYS: &[(&str, &str, &str)] = &[
    ("ConfigMap", "        envFrom:\n        - configMapRef:\n            name: N\n", ""),
    ("Secret", "        envFrom:\n        - secretRef:\n            name: N\n", ""),
    (
        "ConfigMap",
        "        env:\n        - name: A\n          valueFrom:\n            configMapKeyRef:\n              name: N\n              key: k\n",
        "",
    ),
    (
        "ConfigMap",
        "        volumeMounts:\n        - name: v\n          mountPath: /v\n",
        "      volumes:\n      - name: v\n        configMap:\n          name: N\n",
    ),
    (
        "Secret",
        "        volumeMounts:\n        - name: v\n          mountPath: /v\n          subPath: k\n",
        "      volumes:\n      - name: v\n        projected:\n          sources:\n          - secret:\n              name: N\n",
    ),
    ("Secret", "", "      imagePullSecrets:\n      - name: N\n"),
];

/// A source: name, kind, namespace, whether it is versioned, immutable, annotations, content.
type Source = (usize, bool, &'static str, bool, &'static str, &'static str, u8);

/// A reader: its namespace, which way, a wave of the user.
type Reader = (&'static str, usize, usize, Option<i8>);

pub(super) fn installation() -> impl Strategy<Value = Made> {
    let namespace = || select(&["mesh", "shop"][..]);
    let source = (
        0..NAMES.len(),
        any::<bool>(),
        namespace(),
        prop::bool::weighted(0.6),
        select(IMMUTABLE),
        select(ANNOTATIONS),
        0..3_u8,
    );
    let reader =
        (namespace(), 0..WAYS.len(), 0..NAMES.len(), option::weighted(0.3, select(&[-30, -20, -15, 3, 7][..])));
    let engine = prop_oneof![3 => Just(EngineName::Argocd), 1 => Just(EngineName::Kubectl)];
    let mode = prop_oneof![Just(WaveMode::Staged), Just(WaveMode::Minimal)];
    (vec(source, 1..6), vec(reader, 1..6), engine, mode, any::<bool>()).prop_map(
        |(sources, readers, engine, mode, keep)| {
            let mut settings = Settings { engine, ..Settings::default() };
            settings.waves.mode = mode;
            settings.versioned.keep = keep;
            let mut kept: Vec<Source> = Vec::new();
            for source in sources {
                if !kept.iter().any(|other| (other.0, other.1, other.2) == (source.0, source.1, source.2)) {
                    kept.push(source);
                }
            }
            let read: Vec<Reader> = readers.into_iter().filter(|reader| is_there(reader, &kept)).collect();
            let texts =
                read.iter().enumerate().map(|(nth, reader)| workload(nth, reader)).chain(kept.iter().map(manifest));
            let text = texts.collect::<Vec<_>>().join("---\n");
            Made { files: vec![Text::new("all.yaml", text)], settings, objects: kept.len() + read.len() }
        },
    )
}

fn is_there((namespace, way, name, _): &Reader, sources: &[Source]) -> bool {
    let is_secret = WAYS[*way].0 == "Secret";
    sources.iter().any(|source| (source.0, source.1, source.2) == (*name, is_secret, *namespace))
}

fn manifest((name, is_secret, namespace, versioned, immutable, annotations, content): &Source) -> String {
    let kind = if *is_secret { "Secret" } else { "ConfigMap" };
    let versioned = if *versioned { "    tidegate.dev/versioned: \"true\"\n" } else { "" };
    let annotations = match (versioned, *annotations) {
        ("", "") => String::new(),
        (versioned, annotations) => format!("  annotations:\n{annotations}{versioned}"),
    };
    let data = if *is_secret { "stringData" } else { "data" };
    let name = NAMES[*name];
    format!(
        "apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n  namespace: {namespace}\n{annotations}{immutable}{data}:\n  k: v{content}\n"
    )
}

fn workload(nth: usize, (namespace, way, name, wave): &Reader) -> String {
    let (_, container, pod) = WAYS[*way];
    let of = |text: &str| text.replace("name: N\n", &format!("name: {}\n", NAMES[*name]));
    let wave = wave.map(|wave| format!("  annotations:\n    argocd.argoproj.io/sync-wave: \"{wave}\"\n"));
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: reader{nth}\n  namespace: {namespace}\n{}spec:\n  selector:\n    \
         matchLabels:\n      app: reader{nth}\n  template:\n    metadata:\n      labels:\n        app: reader{nth}\n    spec:\n      \
         containers:\n      - name: main\n        image: registry.example.com/main:1\n{}{}",
        wave.unwrap_or_default(),
        of(container),
        of(pod),
    )
}
