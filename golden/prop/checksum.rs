//! Checksums: the bytes can be read back, so that no two inputs have the same; and a value changes exactly when something
//! changes that the workload reads.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use tidegate::checksum::bytes::{Entry, Keys, State, Tag, encode};
use tidegate::config::Settings;
use tidegate::finding::{Findings, Threshold};
use tidegate::flow::Stamp;
use tidegate::render;
use tidegate::source::{SourceFile, SourceMap};

/// Sources by kind (whether it is a Secret) and name: a state, and what is under the keys; nothing where one is absent.
type Sources = BTreeMap<(bool, String), (u8, BTreeMap<String, Option<Vec<u8>>>)>;

fn entries(sources: &Sources) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    for ((is_secret, name), (state, keys)) in sources {
        let keys: Keys<'_> = keys.iter().map(|(key, value)| (&**key, value.as_deref().map(Cow::Borrowed))).collect();
        let state = match state {
            0 => State::Absent,
            1 => State::Present(keys),
            _ => State::Proxy(keys),
        };
        let tag = if *is_secret { Tag::Secret } else { Tag::ConfigMap };
        entries.push(Entry { tag, name: Cow::Borrowed(name), state });
    }
    entries
}

/// A source as it stands in the bytes: tag, name, state, keys.
type Read = (u8, Vec<u8>, u8, Vec<(Vec<u8>, Option<Vec<u8>>)>);

/// Reads the bytes back; shares no code with what wrote them.
fn decode(bytes: &[u8]) -> Option<Vec<Read>> {
    let mut rest = bytes.strip_prefix(b"tidegate-checksum-1\n")?;
    let mut sources = Vec::new();
    while !rest.is_empty() {
        let tag = byte(&mut rest)?;
        let name = string(&mut rest)?;
        let state = byte(&mut rest)?;
        let mut keys = Vec::new();
        if state != b'A' {
            for _ in 0..number(&mut rest)? {
                let key = string(&mut rest)?;
                let value = if byte(&mut rest)? == b'1' { Some(string(&mut rest)?) } else { None };
                keys.push((key, value));
            }
        }
        sources.push((tag, name, state, keys));
    }
    Some(sources)
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, behind) = rest.split_first()?;
    *rest = behind;
    Some(*first)
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    let (digits, behind) = rest.split_first_chunk::<4>()?;
    *rest = behind;
    usize::try_from(u32::from_be_bytes(*digits)).ok()
}

fn string(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let length = number(rest)?;
    let (text, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    Some(text.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_can_be_read_back(
        sources in btree_map((any::<bool>(), "[a-c.]{1,3}"), (0..3u8, btree_map(".{0,3}",
            proptest::option::of(vec(any::<u8>(), 0..6)), 0..4)), 0..4),
        turn in 0..4usize,
    ) {
        let mut list = entries(&sources);
        let by = turn % list.len().max(1);
        list.rotate_left(by);
        let read = decode(&encode(list)).expect("the bytes can be read");
        let wanted: Vec<_> = sources.iter().map(|((secret, name), (state, keys))| {
            let state = [b'A', b'P', b'X'][usize::from(*state)];
            let keys = keys.iter().filter(|_| state != b'A');
            let keys = keys.map(|(key, value)| (key.clone().into_bytes(), value.clone())).collect();
            (if *secret { b'S' } else { b'C' }, name.clone().into_bytes(), state, keys)
        }).collect();
        prop_assert_eq!(read, wanted);
    }
}

/// One way in which the made workload reads its source.
#[derive(Clone, Debug)]
enum Way {
    Key(&'static str),
    EnvFrom,
    /// Keys with their paths, or all; `subPath`, the whole volume, or no mount at all.
    Volume {
        items: Option<Vec<(&'static str, &'static str)>>,
        mount: Option<Option<&'static str>>,
    },
}

/// The content of the made ConfigMap.
#[derive(Clone, Debug, Default, PartialEq)]
struct Content {
    data: BTreeMap<&'static str, &'static str>,
    binary: BTreeMap<&'static str, &'static str>,
}

impl Content {
    fn object(&self, policy: &str, labels: bool) -> Value {
        let binary: BTreeMap<_, _> = self.binary.iter().map(|(key, value)| (key, BASE64[value.len()])).collect();
        let mut object = json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "conf", "annotations": {"tidegate.dev/reload": policy}},
            "data": self.data, "binaryData": binary,
        });
        if labels {
            object["metadata"]["labels"] = json!({"helm.sh/chart": "a-2"});
        }
        object
    }

    fn get(&self, key: &str, in_volume: bool) -> Option<&str> {
        self.data.get(key).or(self.binary.get(key).filter(|_| in_volume)).copied()
    }
}

/// "", "a", "aa", "aaa" in base64, by length.
const BASE64: [&str; 4] = ["", "YQ==", "YWE=", "YWFh"];

/// What the workload sees of the source: its keys, and what is under them. No source where nothing is read.
fn seen<'c>(ways: &'c [Way], content: &'c Content, policy: &str) -> Option<BTreeMap<&'c str, Option<&'c str>>> {
    let mut by_volume: BTreeMap<&str, bool> = BTreeMap::new();
    let mut reads = false;
    for way in ways {
        let in_volume = matches!(way, Way::Volume { .. });
        let refreshed = matches!(way, Way::Volume { mount: Some(None), .. });
        if policy == "ignore" || (policy == "hot" && refreshed) || matches!(way, Way::Volume { mount: None, .. }) {
            continue;
        }
        reads = true;
        let keys: BTreeSet<&str> = match way {
            Way::Key(key) => BTreeSet::from([*key]),
            Way::EnvFrom => content.data.keys().copied().collect(),
            Way::Volume { items, mount } => {
                let shown: Vec<(&str, &str)> = match items {
                    Some(items) => items.clone(),
                    None => content.data.keys().chain(content.binary.keys()).map(|key| (*key, *key)).collect(),
                };
                let under = |path: &str| match mount {
                    Some(Some(sub)) => path == *sub || path.starts_with(&format!("{sub}/")),
                    _ => true,
                };
                shown.into_iter().filter(|(_, path)| under(path)).map(|(key, _)| key).collect()
            }
        };
        keys.into_iter().for_each(|key| *by_volume.entry(key).or_default() |= in_volume);
    }
    reads.then(|| by_volume.into_iter().map(|(key, in_volume)| (key, content.get(key, in_volume))).collect())
}

fn workload(ways: &[Way]) -> Value {
    let (mut env, mut env_from, mut mounts, mut volumes) = (vec![], vec![], vec![], vec![]);
    for (nth, way) in ways.iter().enumerate() {
        match way {
            Way::Key(key) => env.push(json!({"name": format!("V{nth}"),
                "valueFrom": {"configMapKeyRef": {"name": "conf", "key": key, "optional": true}}})),
            Way::EnvFrom => env_from.push(json!({"configMapRef": {"name": "conf"}})),
            Way::Volume { items, mount } => {
                let mut source = json!({"name": "conf", "optional": true});
                if let Some(items) = items {
                    source["items"] = items.iter().map(|(key, path)| json!({"key": key, "path": path})).collect();
                }
                volumes.push(json!({"name": format!("v{nth}"), "configMap": source}));
                if let Some(sub) = mount {
                    let mut mount = json!({"name": format!("v{nth}"), "mountPath": format!("/m{nth}")});
                    if let Some(sub) = sub {
                        mount["subPath"] = json!(sub);
                    }
                    mounts.push(mount);
                }
            }
        }
    }
    let container = json!({"name": "a", "image": "registry.example.com/a:1", "env": env, "envFrom": env_from,
        "volumeMounts": mounts});
    let spec = json!({"initContainers": [container], "containers": [{"name": "b"}], "volumes": volumes});
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
        "spec": {"template": {"spec": spec}}})
}

/// The checksum of the workload of an input.
fn value(objects: &[Value], path: &str) -> Option<String> {
    let text: String = objects.iter().map(|object| format!("---\n{object:#}\n")).collect();
    let mut map = SourceMap::default();
    map.add(SourceFile::new(path, text));
    let mut found = Findings::default();
    let planned = render::plan(&map, &Settings::default(), &mut found);
    assert_eq!(found.exit_code(Threshold::Error), 0, "{:?}", found.sorted());
    planned.inputs.iter().find_map(|inputs| match &inputs.stamp {
        Stamp::Value(value) => Some(value.clone()),
        _ => None,
    })
}

const KEYS: [&str; 4] = ["w", "x", "y", "z"];

fn content() -> impl Strategy<Value = Content> {
    let value = prop::sample::select(vec!["", "a", "aa", "aaa"]);
    btree_map(prop::sample::select(KEYS.to_vec()), (any::<bool>(), value), 0..4).prop_map(|all| {
        let mut content = Content::default();
        for (key, (is_binary, value)) in all {
            if is_binary { &mut content.binary } else { &mut content.data }.insert(key, value);
        }
        content
    })
}

fn way() -> impl Strategy<Value = Way> {
    let key = || prop::sample::select(KEYS.to_vec());
    let path = prop::sample::select(vec!["w", "d/w", "d/x", "e"]);
    let items = vec((key(), path), 1..3);
    let mount = prop::sample::select(vec![None, Some(None), Some(None), Some(Some("w")), Some(Some("d"))]);
    prop_oneof![
        key().prop_map(Way::Key),
        Just(Way::EnvFrom),
        (proptest::option::of(items), mount).prop_map(|(items, mount)| Way::Volume { items, mount }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default() })]

    #[test]
    fn a_value_changes_exactly_with_what_is_read(
        ways in vec(way(), 0..4),
        before in content(),
        after in content(),
        policy in prop::sample::select(vec!["restart", "restart", "hot", "ignore"]),
    ) {
        let reader = workload(&ways);
        let of = |content: &Content| value(&[content.object(policy, false), reader.clone()], "a.yaml");
        let (one, other) = (of(&before), of(&after));
        let (then, now) = (seen(&ways, &before, policy), seen(&ways, &after, policy));
        prop_assert_eq!(one.is_some(), then.is_some());
        prop_assert_eq!(one == other, then == now, "{:?} {:?}", then, now);
    }

    #[test]
    fn nothing_else_has_a_say(ways in vec(way(), 1..4), content in content()) {
        let (conf, reader) = (content.object("restart", false), workload(&ways));
        let plain = value(&[conf.clone(), reader.clone()], "a.yaml");
        let mut moved = reader.clone();
        let mut labelled = content.object("restart", true);
        for object in [&mut moved, &mut labelled] {
            object["metadata"]["namespace"] = json!("shop");
        }
        moved["metadata"]["annotations"] = json!({"note": "mine"});
        labelled["immutable"] = json!(true);
        let data = labelled["data"].as_object_mut().expect("a mapping");
        *data = std::mem::take(data).into_iter().rev().collect();
        prop_assert_eq!(value(&[moved, labelled], "b/c.yaml"), plain);
    }
}
