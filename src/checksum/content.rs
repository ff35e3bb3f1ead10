//! What is under the keys that workloads read.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::flow::{How, Input, Linked, Read, SourceKind, Standing};
use crate::json;
use crate::object::view::config_data::{ConfigData, Entries};
use crate::object::{ObjRef, Object};
use crate::tree::{Mapping, Node, Value};

use super::bytes::{Entry, Keys, State, Tag};
use super::proxy;

/// The content of sources, each decoded once however many read it.
#[derive(Default)]
pub(super) struct Contents<'o> {
    contents: HashMap<ObjRef, Content<'o>>,
}

struct Content<'o> {
    data: ConfigData<'o>,
    /// Keys that hold a template, into which any other key may be filled.
    templated: Entries<'o>,
}

/// Who sees a key.
#[derive(Clone, Copy, Default)]
struct Seen {
    by_volume: bool,
}

impl<'o> Contents<'o> {
    /// The content of all sources that take part.
    pub(super) fn of<'i>(linked: &'o Linked<'_>, inputs: impl Iterator<Item = &'i Input>) -> Self {
        let mut contents = HashMap::new();
        for input in inputs.filter(|input| input.takes_part()) {
            if let Some(source) = input.standing.object() {
                let object = linked.loaded.objects.get(source);
                contents.entry(source).or_insert_with(|| content(object, input));
            }
        }
        Contents { contents }
    }

    /// The entries of a workload's checksum.
    pub(super) fn entries<'e>(&'e self, linked: &'e Linked<'_>, inputs: &'e [Input]) -> Vec<Entry<'e>>
    where
        'o: 'e,
    {
        let taking_part = inputs.iter().filter(|input| input.takes_part());
        taking_part.map(|input| self.entry(linked, input)).collect()
    }

    fn entry<'e>(&'e self, linked: &'e Linked<'_>, input: &'e Input) -> Entry<'e> {
        let (tag, name) = match input.kind {
            SourceKind::ConfigMap => (Tag::ConfigMap, Cow::Borrowed(&*input.name)),
            SourceKind::Secret => (Tag::Secret, Cow::Borrowed(&*input.name)),
            // no Secret has a `/` in its name
            SourceKind::SecretProviderClass => (Tag::Secret, Cow::Owned(format!("secretproviderclass/{}", input.name))),
        };
        let keys = || input.standing.object().and_then(|source| self.contents.get(&source));
        let state = match (input.standing, keys()) {
            (Standing::Proxy(_), Some(content)) => State::Proxy(keys_of(content, linked, input)),
            (_, Some(content)) if input.kind == SourceKind::SecretProviderClass => {
                State::Proxy(keys_of(content, linked, input))
            }
            (_, Some(content)) => State::Present(keys_of(content, linked, input)),
            (_, None) => State::Absent,
        };
        Entry { tag, name, state }
    }
}

fn content<'o>(object: &'o Object<'_>, input: &Input) -> Content<'o> {
    let none = Entries::new();
    match (input.kind, input.standing) {
        (SourceKind::SecretProviderClass, _) => {
            let mut spec = String::new();
            json::write(&sorted(object.tree.get("spec").unwrap_or(&Node::default())), &mut spec);
            let text = Entries::from([("spec", Cow::Owned(spec.into_bytes()))]);
            Content { data: ConfigData { text, binary: none }, templated: Entries::new() }
        }
        (_, Standing::Proxy(_)) if proxy::is_sealed_secret(object) => {
            Content { data: proxy::content(object), templated: proxy::templated(object) }
        }
        (_, Standing::Proxy(_)) => Content { data: proxy::content(object), templated: none },
        _ => Content { data: ConfigData::of(object), templated: none },
    }
}

/// The keys that all readings together bring, and what is under them.
fn keys_of<'e>(content: &'e Content<'_>, linked: &'e Linked<'_>, input: &'e Input) -> Keys<'e> {
    let mut keys: BTreeMap<&str, Seen> = BTreeMap::new();
    for reading in input.readings.iter().filter(|reading| reading.counts) {
        let items = match &linked.references[reading.reference].read {
            Read::Volume(volume) => volume.items.as_deref(),
            _ => None,
        };
        let text = content.data.text.keys().copied();
        let all = || content.data.text.keys().chain(content.data.binary.keys()).copied();
        let mut see = |key: &'e str, by_volume: bool| keys.entry(key).or_default().by_volume |= by_volume;
        match (&reading.how, items) {
            (How::EnvKey(key), _) => see(key, false),
            (How::EnvFrom, _) => text.for_each(|key| see(key, false)),
            (How::SubPath(path), Some(items)) => {
                let hit = items.iter().filter(|(_, at)| is_under(at, path));
                hit.for_each(|(key, _)| see(key, true));
            }
            (How::SubPath(path), None) => all().filter(|key| is_under(key, path)).for_each(|key| see(key, true)),
            (_, Some(items)) => items.iter().for_each(|(key, _)| see(key, true)),
            (_, None) => all().for_each(|key| see(key, true)),
        }
    }
    if content.templated.keys().any(|key| keys.contains_key(key)) {
        for key in content.data.text.keys() {
            keys.entry(key).or_default();
        }
    }
    let value = |(key, seen): (&'e str, Seen)| (key, value(&content.data, key, seen));
    keys.into_iter().map(value).collect()
}

/// What is under a key, to those who see it: variables see no `binaryData`.
fn value<'e>(data: &'e ConfigData<'_>, key: &str, seen: Seen) -> Option<Cow<'e, [u8]>> {
    let binary = || data.binary.get(key).filter(|_| seen.by_volume);
    data.text.get(key).or_else(binary).map(|value| Cow::Borrowed(&**value))
}

/// Whether a path in a volume is `under`, or below it.
fn is_under(path: &str, under: &str) -> bool {
    let parts = |path: &'_ str| path.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect();
    let (path, under): (Vec<String>, Vec<String>) = (parts(path), parts(under));
    path.starts_with(&under)
}

/// The same value with the keys of its mappings in order.
fn sorted<'n>(node: &Node<'n>) -> Node<'n> {
    let value = match &node.value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(sorted).collect()),
        Value::Mapping(mapping) => {
            let mut entries: Vec<_> =
                mapping.entries().iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            entries.sort_by(|a, b| a.0.name.cmp(&b.0.name));
            Value::Mapping(Mapping::new(entries))
        }
        other => other.clone(),
    };
    Node { span: node.span, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sub_path_takes_whole_parts() {
        for (path, under, wanted) in [
            ("app.conf", "app.conf", true),
            ("app.conf", "app", false),
            ("conf/app", "conf", true),
            ("conf/app", "conf/", true),
            ("conf/app", "./conf//app", true),
            ("conf", "conf/app", false),
            ("conf", ".", true),
        ] {
            assert_eq!(is_under(path, under), wanted, "{path} {under}");
        }
    }
}
