//! Keys that are not in their source.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::writers::Writers;
use super::{KEY, shown};
use crate::finding::{Finding, Findings, Label, Severity, nearest};
use crate::flow::{Linked, Mount, Read, Reference, Resolution};
use crate::object::view::source;
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Step};

/// How many keys a message lists.
const LISTED: usize = 8;

/// A key that a reference asks for.
struct Asked<'r> {
    key: &'r str,
    /// The field that asks, below what holds the name of the source; none where the name is.
    field: Option<FieldPath>,
    /// Whether it is asked for by a path of a mount: a directory stands in for a path that is not
    /// there.
    by_path: bool,
}

/// The keys that a reference asks for by name.
pub(super) fn asked(reference: &Reference) -> impl Iterator<Item = &str> {
    asks(reference).into_iter().filter(|asked| !asked.by_path).map(|asked| asked.key)
}

fn asks(reference: &Reference) -> Vec<Asked<'_>> {
    let by_name = |key, field| Asked { key, field, by_path: false };
    match &reference.read {
        Read::EnvKey(key) => vec![by_name(&**key, Some(FieldPath::keys(["key"])))],
        Read::Field(Some(read)) => vec![by_name(&*read.key, Some(FieldPath::keys([&*read.field])))],
        Read::Volume(volume) => match &volume.items {
            Some(items) => {
                let field = |nth| FieldPath::keys(["items"]).index(nth).key("key");
                items.iter().enumerate().map(|(nth, (key, _))| by_name(&**key, Some(field(nth)))).collect()
            }
            // other sources of a projected volume may have what a path asks for
            None if reference.row.contains("projected") => Vec::new(),
            None => volume.mounts.iter().filter_map(by_path).collect(),
        },
        Read::No | Read::EnvFrom | Read::Field(None) => Vec::new(),
    }
}

fn by_path(mount: &Mount) -> Option<Asked<'_>> {
    match mount {
        Mount::SubPath(path) => {
            let key = path.trim_start_matches("./").trim_end_matches('/');
            (!key.is_empty() && !key.contains('/')).then_some(Asked { key, field: None, by_path: true })
        }
        Mount::Whole | Mount::SubPathExpr => None,
    }
}

/// The keys of a source: those that variables see, and all.
#[derive(Default)]
struct Keys<'o> {
    env: BTreeSet<&'o str>,
    all: BTreeSet<&'o str>,
}

pub(super) fn run(linked: &Linked<'_>, found: &mut Findings) {
    let mut sources: HashMap<ObjRef, Keys<'_>> = HashMap::new();
    let mut writers = None;
    let mut said: BTreeSet<(ObjRef, ObjRef, &Arc<str>, &str)> = BTreeSet::new();
    for reference in linked.references.iter().filter(|reference| !reference.optional) {
        let asks = asks(reference);
        if asks.is_empty() {
            continue;
        }
        let at = match reference.leads_to {
            Resolution::Object(at) | Resolution::Product(at) => at,
            Resolution::Outside | Resolution::Missing => continue,
        };
        for asked in asks {
            let said_of = |asked: &str| said.contains(&(reference.from, at, &reference.target.name, asked));
            if said_of(asked.key) {
                continue;
            }
            let finding = match reference.leads_to {
                Resolution::Object(at) => {
                    let keys = sources.entry(at).or_insert_with(|| keys_of(linked.loaded.objects.get(at)));
                    let object = linked.loaded.objects.get(at);
                    let writers = || writers.get_or_insert_with(|| Writers::new(&linked.loaded.objects)).write(object);
                    of_object(linked, reference, &asked, object, at, keys, writers)
                }
                _ => of_product(linked, reference, &asked),
            };
            if let Some(finding) = finding {
                said.insert((reference.from, at, &reference.target.name, asked.key));
                found.push(finding);
            }
        }
    }
}

fn keys_of<'o>(object: &'o Object<'_>) -> Keys<'o> {
    let mut keys = Keys::default();
    for (key, env) in source::keys(object) {
        keys.all.insert(key);
        if env {
            keys.env.insert(key);
        }
    }
    keys
}

/// What there is to say of a key of an object of the input.
fn of_object(
    linked: &Linked<'_>,
    reference: &Reference,
    asked: &Asked<'_>,
    object: &Object<'_>,
    at: ObjRef,
    keys: &Keys<'_>,
    is_written: impl FnOnce() -> bool,
) -> Option<Finding> {
    let is_env = matches!(reference.read, Read::EnvKey(_));
    let visible = if is_env { &keys.env } else { &keys.all };
    let may_come = || linked.products.of(&reference.target).any(|product| !product.keys.lack(asked.key));
    if !source::is_source(object) || visible.contains(asked.key) || linked.filled.contains_key(&at) || may_come() {
        return None;
    }
    let near = nearest(asked.key, visible.iter().copied());
    let severity = match keys.all.is_empty() || is_written() || (asked.by_path && near.is_none()) {
        true => Severity::Warning,
        false => Severity::Error,
    };
    let has = match (keys.all.contains(asked.key), keys.all.is_empty()) {
        (true, _) => "has it in `binaryData` only, which variables do not read",
        (false, true) => "has no data",
        (false, false) => "has no such key",
    };
    let finding = finding(linked, reference, asked, has).with_severity(severity);
    let text = if keys.all.len() <= LISTED { listed(&keys.all) } else { format!("it has {} keys", keys.all.len()) };
    let path = match near {
        Some(near) => path_of(object, near),
        None => FieldPath::keys(["metadata", "name"]),
    };
    let finding = finding.with_label(Label::new(object.place_of(&path)).path(path).text(text));
    Some(finding.with_remedy(remedy(near)))
}

/// What there is to say of a key that makers of the input would have to write.
fn of_product(linked: &Linked<'_>, reference: &Reference, asked: &Asked<'_>) -> Option<Finding> {
    let mut makers = linked.products.of(&reference.target).peekable();
    makers.peek()?;
    if !makers.all(|product| product.keys.lack(asked.key)) {
        return None;
    }
    let products = linked.products.of(&reference.target);
    let known: BTreeSet<&str> = products.flat_map(|product| product.keys.known()).map(|key| &**key).collect();
    let near = nearest(asked.key, known.iter().copied());
    let severity = if asked.by_path && near.is_none() { Severity::Warning } else { Severity::Error };
    let maker = linked.products.of(&reference.target).map(|product| linked.loaded.objects.get(product.maker)).next()?;
    let has = format!("is made by {} without such a key", maker.id);
    let path = FieldPath::keys(["metadata", "name"]);
    let text = if known.len() <= LISTED { listed(&known) } else { format!("it makes {} keys", known.len()) };
    Some(
        finding(linked, reference, asked, &has)
            .with_severity(severity)
            .with_label(Label::new(maker.place_of(&path)).path(path).text(text))
            .with_remedy(remedy(near)),
    )
}

fn finding(linked: &Linked<'_>, reference: &Reference, asked: &Asked<'_>, has: &str) -> Finding {
    let referrer = linked.loaded.objects.get(reference.from);
    let (from, target) = (&referrer.id, shown(&reference.target));
    let wants = if asked.by_path { "mounts the path" } else { "needs the key" };
    let message = format!("{from} {wants} `{}` of {target}, which {has}", asked.key);
    let (place, path) = match &asked.field {
        None => (reference.place, reference.path.clone()),
        Some(field) => {
            let mut path = reference.path.clone();
            path.pop();
            field.steps().iter().for_each(|step| match step {
                Step::Key(key) => path.push_key(key),
                Step::Index(index) => path.push_index(*index),
            });
            (referrer.place_of(&path), path)
        }
    };
    Finding::new(&KEY, message).with_object(from).with_label(Label::new(place).path(path))
}

fn remedy(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "add the key, or mark the reference `optional: true`".to_owned(),
    }
}

fn listed(keys: &BTreeSet<&str>) -> String {
    match keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().as_slice() {
        [] => "no key here".to_owned(),
        [one] => format!("its key is {one}"),
        keys => format!("its keys are {}", keys.join(", ")),
    }
}

/// The field of a key.
fn path_of(object: &Object<'_>, key: &str) -> FieldPath {
    let fields = ["stringData", "data", "binaryData"];
    let field = fields.into_iter().find(|field| object.tree.get(field).is_some_and(|node| node.get(key).is_some()));
    match field {
        Some(field) => FieldPath::keys([field]).key(key),
        None => FieldPath::keys(["metadata", "name"]),
    }
}
