//! The namespace that the input itself implies.
//!
//! Without a default namespace, an installation often names its own only in the places that must name
//! one: subjects of bindings, services of webhooks. If all of those that mean objects which stand
//! here without a namespace agree, that is the one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, rules::objects};
use crate::object::view::cross_namespace;
use crate::object::{Name, Object, ObjectId};
use crate::source::{Place, SourceMap};

use super::identity::Identified;

/// Gives objects that say no namespace the one that references imply; otherwise leaves them as they
/// are. Nothing is written into the objects.
pub(super) fn assume<'s>(
    objects: Vec<Identified<'s>>,
    sources: &SourceMap,
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Object<'s>> {
    let implied = if settings.namespace.is_none() { implied(&objects, sources) } else { None };
    let Some(implied) = implied.filter(|implied| is_free(&objects, implied, sources)) else {
        return objects.into_iter().map(|identified| identified.object).collect();
    };
    let namespace: Arc<str> = implied.namespace.as_str().into();
    let mut moved = 0;
    let objects = objects.into_iter().map(|mut identified| {
        if identified.homeless && implied.covers(&identified.object, sources) {
            identified.object.id.namespace = Some(Arc::clone(&namespace));
            moved += 1;
        }
        identified.object
    });
    let objects = objects.collect();
    let whom = match moved {
        1 => "1 object that names none: it is the only one by which others refer to it".to_owned(),
        moved => format!("{moved} objects that name none: it is the only one by which others refer to them"),
    };
    found.push(
        Finding::new(&objects::ASSUMED_NAMESPACE, format!("namespace `{namespace}` is assumed for {whom}"))
            .with_label(Label::new(implied.place).text("a reference that names it"))
            .with_remedy(format!("say it with `--namespace {namespace}`")),
    );
    objects
}

/// A namespace, and the folders whose objects it is assumed for.
struct Implied {
    namespace: String,
    folders: BTreeSet<Utf8PathBuf>,
    place: Place,
}

impl Implied {
    fn covers(&self, object: &Object<'_>, sources: &SourceMap) -> bool {
        folder(object, sources).ancestors().any(|above| self.folders.contains(above))
    }
}

fn folder<'m>(object: &Object<'_>, sources: &'m SourceMap) -> &'m Utf8Path {
    sources.path(object.origin.document.file).parent().unwrap_or(Utf8Path::new(""))
}

/// The one namespace by which references name objects that stand here without one.
fn implied(objects: &[Identified<'_>], sources: &SourceMap) -> Option<Implied> {
    let homes: BTreeSet<_> = objects.iter().filter(|i| !i.homeless).map(|i| key(&i.object.id)).collect();
    let mut homeless: BTreeMap<(&str, &str), Vec<&Object<'_>>> = BTreeMap::new();
    for Identified { object, .. } in objects.iter().filter(|i| i.homeless && i.object.id.group.is_empty()) {
        homeless.entry((&object.id.kind, object.id.name.text())).or_default().push(object);
    }
    let mut implied: Option<Implied> = None;
    for Identified { object, .. } in objects {
        for reference in cross_namespace::references(object) {
            if homes.contains(&(reference.kind, Some(reference.namespace), reference.name)) {
                continue;
            }
            let Some(meant) = homeless.get(&(reference.kind, reference.name)) else { continue };
            let folders: BTreeSet<_> = meant.iter().map(|object| folder(object, sources).to_owned()).collect();
            match &mut implied {
                Some(known) if known.namespace != reference.namespace => return None,
                Some(known) => known.folders.extend(folders),
                None => {
                    let place = object.place_of(&reference.path.key("namespace"));
                    implied = Some(Implied { namespace: reference.namespace.to_owned(), folders, place });
                }
            }
        }
    }
    implied
}

fn key(id: &ObjectId) -> (&str, Option<&str>, &str) {
    let kind = if id.group.is_empty() { &*id.kind } else { "" };
    (kind, id.namespace.as_deref(), id.name.text())
}

/// Whether no two objects would become one.
fn is_free(objects: &[Identified<'_>], implied: &Implied, sources: &SourceMap) -> bool {
    let homes: BTreeSet<_> = objects.iter().filter(|i| !i.homeless).map(|i| &i.object.id).collect();
    let moved = objects.iter().filter(|i| i.homeless && implied.covers(&i.object, sources));
    moved.filter(|i| matches!(i.object.id.name, Name::Fixed(_))).all(|i| {
        let id = ObjectId { namespace: Some(implied.namespace.as_str().into()), ..i.object.id.clone() };
        !homes.contains(&id)
    })
}
