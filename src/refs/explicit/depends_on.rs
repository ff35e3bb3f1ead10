//! `config.kubernetes.io/depends-on`, as cli-utils reads it (pkg/object/dependson).

use std::collections::{HashMap, HashSet};

use super::{Said, label};
use crate::finding::{Finding, Findings, rules::order, shown};
use crate::flow::Loaded;
use crate::object::annotation::DEPENDS_ON;
use crate::object::{ObjRef, Object, ObjectId};

/// An object as the annotation names it; no version in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Named<'t> {
    group: &'t str,
    namespace: Option<&'t str>,
    kind: &'t str,
    name: &'t str,
}

/// Reads the annotation of every object.
pub(super) fn read(loaded: &Loaded<'_>, said: &mut Said, found: &mut Findings) {
    let mut near: Option<HashMap<(&str, &str), ObjRef>> = None;
    for (to, object) in loaded.objects.iter() {
        let Some(text) = object.annotation(DEPENDS_ON) else { continue };
        let mut seen = HashSet::new();
        for part in text.split(',').map(str::trim) {
            let Some(named) = parse(part) else {
                found.push(unreadable(object, part));
                continue;
            };
            if !seen.insert(named) {
                let message = format!("`{DEPENDS_ON}` of {} names {} twice", object.id, shown(part));
                found.push(refused(object, message).with_remedy("name it once"));
                continue;
            }
            match target(named, loaded) {
                Some(from) => said.add(from, to, label(object, DEPENDS_ON).place, found),
                None => {
                    let near = near.get_or_insert_with(|| by_kind_and_name(loaded));
                    let other = near.get(&(named.kind, named.name)).map(|at| &loaded.objects.get(*at).id);
                    found.push(nobody(object, part, other));
                }
            }
        }
    }
}

/// Reads `GROUP/KIND/NAME` or `GROUP/namespaces/NAMESPACE/KIND/NAME`; the core group is empty.
fn parse(text: &str) -> Option<Named<'_>> {
    let named = match text.split('/').collect::<Vec<_>>()[..] {
        [group, kind, name] => Named { group, namespace: None, kind, name },
        [group, "namespaces", namespace, kind, name] if !namespace.is_empty() => {
            Named { group, namespace: Some(namespace), kind, name }
        }
        _ => return None,
    };
    (!named.kind.is_empty() && !named.name.is_empty()).then_some(named)
}

/// The object of the input that is meant; one whose namespace nobody says is meant by whoever names
/// one.
fn target(named: Named<'_>, loaded: &Loaded<'_>) -> Option<ObjRef> {
    let at = |namespace| loaded.objects.find(named.group, named.kind, namespace, named.name);
    at(named.namespace).or_else(|| named.namespace.and_then(|_| at(None)))
}

/// Objects by what a slip leaves right: kind and name.
fn by_kind_and_name<'o>(loaded: &'o Loaded<'_>) -> HashMap<(&'o str, &'o str), ObjRef> {
    let fixed = loaded.objects.iter().filter(|(_, object)| object.id.is_fixed());
    // of several the first by identity counts
    let mut all: Vec<_> = fixed.map(|(at, object)| ((&*object.id.kind, object.id.name.text()), at)).collect();
    all.reverse();
    all.into_iter().collect()
}

fn refused(object: &Object<'_>, message: String) -> Finding {
    Finding::new(&order::UNREADABLE_DEPENDENCY, message).with_object(&object.id).with_label(label(object, DEPENDS_ON))
}

fn unreadable(object: &Object<'_>, part: &str) -> Finding {
    let message = format!("`{DEPENDS_ON}` of {} names {}, which is no object", object.id, shown(part));
    refused(object, message).with_remedy(
        "write `GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME` for an object without a namespace; \
         nothing before the first `/` is the core group, and there is no version",
    )
}

fn nobody(object: &Object<'_>, part: &str, other: Option<&ObjectId>) -> Finding {
    let message = format!("{} waits for {}, which is not in the input", object.id, shown(part));
    let finding = Finding::new(&order::DEPENDENCY_ON_NOBODY, message);
    let finding = finding.with_object(&object.id).with_label(label(object, DEPENDS_ON));
    finding.with_remedy(match other {
        Some(id) => format!("did you mean `{}`?", written(id)),
        None => "add the object to the input, or take it out of the annotation".to_owned(),
    })
}

/// An object as the annotation names it.
fn written(id: &ObjectId) -> String {
    let namespace = id.namespace.as_deref().map(|namespace| format!("namespaces/{namespace}/")).unwrap_or_default();
    format!("{}/{namespace}{}/{}", id.group, id.kind, id.name.text())
}
