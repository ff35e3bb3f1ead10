//! Names of versioned sources where nothing would rewrite them: in arguments and variables, in rules of
//! RBAC, in fields of kinds that the table does not know.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::finding::rules::versions as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::{Linked, Resolution};
use crate::object::view::pod_template::CONTAINER_LISTS;
use crate::object::{ObjRef, Object};
use crate::source::Place;
use crate::tree::{FieldPath, Node, Step, Value};

/// What a field or flag is called that names a ConfigMap or a Secret.
const HINTS: &[&str] = &["config", "secret", "credential", "cert", "tls", "cm"];

/// The words that stand before a name on a command line, or before its `/`.
const KINDS: &[&str] = &["configmap", "configmaps", "cm", "secret", "secrets"];

/// Where rules of RBAC name objects.
const RBAC_NAMES: &str = "rules[].resourceNames[]";

/// Takes out of `asked` the sources that somebody names where nothing rewrites it, and says where.
pub(super) fn check(linked: &Linked<'_>, asked: &mut BTreeMap<ObjRef, Place>, found: &mut Findings) {
    if asked.is_empty() {
        return;
    }
    let mut search = Search::new(linked, asked);
    for (at, object) in linked.loaded.objects.iter() {
        search.object(at, object);
    }
    let mut places = search.places;
    for reference in linked.references.iter().filter(|reference| reference.row == RBAC_NAMES) {
        if let Resolution::Object(source) = reference.leads_to
            && asked.contains_key(&source)
        {
            places.entry(source).or_default().push((reference.from, reference.place, reference.path.clone()));
        }
    }
    for (source, mut places) in places {
        asked.remove(&source);
        places.sort_by_key(|(from, place, _)| (*from, *place));
        let id = &linked.loaded.objects.get(source).id;
        let by: Vec<String> = places.iter().map(|(from, ..)| linked.loaded.objects.get(*from).id.to_string()).collect();
        let more = if by.len() > 1 { format!(" and {} more", by.len() - 1) } else { String::new() };
        let first = by.first().map(String::as_str).unwrap_or_default();
        let verb = if by.len() > 1 { "name" } else { "names" };
        let message = format!("{id} cannot be renamed: {first}{more} {verb} it where no name is rewritten");
        let mut finding = Finding::new(&rules::NAMED_ELSEWHERE, message).with_object(id);
        for (nth, (_, place, path)) in places.into_iter().enumerate() {
            let text = if nth == 0 { String::new() } else { format!("{} names it too", by[nth]) };
            finding = finding.with_label(Label::new(place).path(path).text(text));
        }
        found.push(
            finding.with_remedy("read it by a volume or a variable instead, or take `tidegate.dev/versioned` off it"),
        );
    }
}

/// Where a source is named: by whom, the place, the field.
type Named = (ObjRef, Place, FieldPath);

struct Search<'l, 's> {
    linked: &'l Linked<'s>,
    /// The sources, by name.
    names: HashMap<&'l str, Vec<ObjRef>>,
    /// References that the table knows, all of them rewritten.
    known: HashSet<(ObjRef, &'l FieldPath)>,
    /// Names that some object has which is no ConfigMap or Secret: alone, they mean anything.
    common: HashSet<&'l str>,
    places: BTreeMap<ObjRef, Vec<Named>>,
}

impl<'l, 's> Search<'l, 's> {
    fn new(linked: &'l Linked<'s>, asked: &BTreeMap<ObjRef, Place>) -> Self {
        let objects = &linked.loaded.objects;
        let mut names: HashMap<&str, Vec<ObjRef>> = HashMap::new();
        for source in asked.keys() {
            names.entry(objects.get(*source).id.name.text()).or_default().push(*source);
        }
        let known = linked.references.iter().filter(|reference| names.contains_key(&*reference.target.name));
        let known = known.map(|reference| (reference.from, &reference.path)).collect();
        let others = objects.iter().filter(|(_, object)| !matches!(&*object.id.kind, "ConfigMap" | "Secret"));
        let common = others.map(|(_, object)| object.id.name.text()).filter(|name| names.contains_key(name)).collect();
        Search { linked, names, known, common, places: BTreeMap::new() }
    }

    fn object(&mut self, at: ObjRef, object: &'l Object<'s>) {
        let Some(root) = object.tree.mapping() else { return };
        let is_secret = object.is("", "Secret");
        for (key, value) in root.entries() {
            // what metadata says of configuration is for other tools, a status is written by the cluster
            let is_elsewhere = matches!(&*key.name, "apiVersion" | "kind" | "metadata" | "status");
            if !is_elsewhere && !is_secret {
                self.node(at, object, value, &mut FieldPath::keys([&*key.name]));
            }
        }
    }

    fn node(&mut self, at: ObjRef, object: &'l Object<'s>, node: &'l Node<'s>, path: &mut FieldPath) {
        match &node.value {
            Value::Mapping(mapping) => {
                for (key, value) in mapping.entries() {
                    path.push_key(&key.name);
                    self.node(at, object, value, path);
                    path.pop();
                }
            }
            Value::Sequence(items) => {
                for (nth, item) in items.iter().enumerate() {
                    path.push_index(nth);
                    self.node(at, object, item, path);
                    path.pop();
                }
            }
            Value::String(text) => self.text(at, object, (text, node), path),
            _ => {}
        }
    }

    fn text(&mut self, at: ObjRef, object: &'l Object<'s>, (text, node): (&str, &Node<'s>), path: &FieldPath) {
        if !self.names.keys().any(|name| text.contains(name)) || self.known.contains(&(at, path)) {
            return;
        }
        let hints = match command_line(path) {
            true => hint(path) || env_name(object, path).is_some_and(is_hint),
            false => hint(path),
        };
        let words: Vec<&str> = match command_line(path) {
            true => text.split([' ', '\t', '\n', '=', ',', ';', '"', '\'']).filter(|word| !word.is_empty()).collect(),
            false => vec![text],
        };
        let before = |nth: usize| nth.checked_sub(1).map(|nth| words[nth]).or_else(|| item_before(object, path));
        for (nth, word) in words.iter().enumerate() {
            for source in self.meant(object, word, hints || before(nth).is_some_and(is_hint), command_line(path)) {
                let named = (at, object.place_at(node.span, path), path.clone());
                let places = self.places.entry(source).or_default();
                if !places.contains(&named) {
                    places.push(named);
                }
            }
        }
    }

    /// The sources that a word means. A bare name means one if something around it says so; on a
    /// command line also if nothing else is called that.
    fn meant(&self, object: &Object<'_>, word: &str, hints: bool, is_command: bool) -> Vec<ObjRef> {
        let (before, name) = word.rsplit_once('/').map_or((None, word), |(before, name)| (Some(before), name));
        let sources = self.names.get(name).into_iter().flatten().copied();
        let fits = |source: &ObjRef| {
            let id = &self.linked.loaded.objects.get(*source).id;
            let own = object.id.namespace.is_none() || id.namespace.is_none() || object.id.namespace == id.namespace;
            match before {
                Some(kind) if KINDS.contains(&kind.to_ascii_lowercase().as_str()) => own,
                Some(namespace) => id.namespace.as_deref() == Some(namespace) && (hints || is_command),
                None => own && (hints || (is_command && !self.common.contains(name))),
            }
        };
        sources.filter(fits).collect()
    }
}

/// The keys of a path from its end.
fn keys(path: &FieldPath) -> impl Iterator<Item = &str> {
    path.steps().iter().rev().filter_map(|step| match step {
        Step::Key(key) => Some(&**key),
        Step::Index(_) => None,
    })
}

/// Whether a field, or what holds it, is called like what names configuration.
fn hint(path: &FieldPath) -> bool {
    keys(path).take(2).any(is_hint)
}

/// Whether a word is called like what names configuration.
fn is_hint(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    HINTS.iter().any(|hint| match *hint {
        "cm" => word.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == "cm"),
        hint => word.contains(hint),
    })
}

/// Whether a path leads to an argument, a command or a variable of a container.
fn command_line(path: &FieldPath) -> bool {
    let is_container = |key| CONTAINER_LISTS.contains(&key);
    let mut keys = keys(path);
    match (keys.next(), keys.next(), keys.next()) {
        (Some("args" | "command"), Some(list), _) => is_container(list),
        (Some("value"), Some("env"), Some(list)) => is_container(list),
        _ => false,
    }
}

/// What the variable is called whose value is at a path.
fn env_name<'o>(object: &'o Object<'_>, path: &FieldPath) -> Option<&'o str> {
    let mut name = path.clone();
    name.pop();
    name.push_key("name");
    at(object, &name)
}

/// The argument before the one at a path.
fn item_before<'o>(object: &'o Object<'_>, path: &FieldPath) -> Option<&'o str> {
    let Some(Step::Index(nth)) = path.steps().last() else { return None };
    let mut before = path.clone();
    before.pop();
    before.push_index(nth.checked_sub(1)?);
    at(object, &before)
}

fn at<'o>(object: &'o Object<'_>, path: &FieldPath) -> Option<&'o str> {
    let follow = |node: &'o Node<'_>, step: &Step| match step {
        Step::Key(key) => node.get(key),
        Step::Index(nth) => node.items()?.get(*nth),
    };
    path.steps().iter().try_fold(&object.tree, follow)?.as_str()
}
