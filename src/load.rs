//! From text to objects: documents, lists, what is a manifest and what is not, identities.
//!
//! Text that cannot be read, and documents that are nearly manifests, become findings; everything
//! else goes on, so that one run says all there is to say.

mod documents;
mod duplicates;
mod identity;
mod judge;
mod kustomization;
pub(crate) mod list;
mod namespace;
pub mod notes;
pub mod resource_list;
mod secrecy;
mod ytt;

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Settings;
use crate::finding::{self, Finding, Findings, Label, Threshold, rules::objects as rules};
use crate::flow::{Loaded, Unread};
use crate::object::{Object, ObjectSet};
use crate::source::{FileId, Place, Role, SourceMap};
use crate::tree::FieldPath;

use documents::Documents;
use judge::Manifest;

/// Reads every manifest of a source map.
///
/// Gives the objects by identity; what is wrong with the rest is in `found`. A document that is
/// nearly a manifest is left out: its finding is an error.
pub fn objects<'s>(sources: &'s SourceMap, settings: &Settings, found: &mut Findings) -> Loaded<'s> {
    let mut documents = Documents::default();
    for (file, source) in sources.iter().filter(|(_, source)| source.readable) {
        if source.role == Role::Manifests {
            documents.add(file, source.text(), settings, found);
        }
    }
    let Documents { read, unread } = documents;
    let mut flat = Vec::with_capacity(read.len());
    read.into_iter().for_each(|document| list::flatten(document, &mut flat));
    let mut skipped = judge::Skipped::default();
    let manifests: Vec<_> =
        flat.into_iter().filter_map(|document| judge::manifest(document, &mut skipped, found)).collect();
    finish(manifests, skipped, unread, sources, settings, found)
}

/// From manifests to objects: who each is, and what is wrong with them as a whole.
fn finish<'s>(
    manifests: Vec<Manifest<'s>>,
    skipped: judge::Skipped,
    mut unread: Vec<Unread<'s>>,
    sources: &'s SourceMap,
    settings: &Settings,
    found: &mut Findings,
) -> Loaded<'s> {
    skipped.report(settings, found);
    let holders: BTreeSet<FileId> = manifests.iter().map(|manifest| manifest.at.file).collect();
    let unbuilt = kustomization::judge(sources, &holders, settings, found);
    unread.extend(skipped.nearly.iter().map(|place| Unread { place: *place, text: text_at(sources, *place) }));
    unread.extend(unbuilt.into_iter().chain(unreadable(sources)).map(|place| Unread { place, text: None }));
    let objects = identity::identify(manifests, settings, found);
    let versions: BTreeMap<Place, _> =
        objects.iter().filter_map(|known| Some((known.object.place(), known.version.clone()?))).collect();
    let objects = namespace::assume(objects, sources, settings, found);
    let objects = duplicates::merge(objects, sources, found);
    objects.iter().for_each(|object| suppressions(object, found));
    limits(&objects, settings, found);
    let objects = ObjectSet::new(objects);
    let version = |(at, object): (_, &Object<'_>)| Some((at, versions.get(&object.place())?.clone()));
    let versions = objects.iter().filter_map(version).collect();
    Loaded { objects, unread, versions, gates: BTreeMap::new() }
}

/// The text at a place.
fn text_at(sources: &SourceMap, place: Place) -> Option<&str> {
    sources.file(place.file).text().get(place.start..place.end)
}

/// Files that could not be read as text: anything may be in them.
fn unreadable(sources: &SourceMap) -> impl Iterator<Item = Place> {
    sources.iter().filter(|(_, source)| !source.readable).map(|(file, _)| Place::file(file))
}

/// Takes in the findings that the author of an object does not want.
fn suppressions(object: &Object<'_>, found: &mut Findings) {
    if let Some(value) = object.annotation(finding::ignore::ANNOTATION) {
        let path = FieldPath::keys(["metadata", "annotations", finding::ignore::ANNOTATION]);
        let label = Label::new(object.place_of(&path)).path(path);
        finding::ignore::read(value, &object.id.to_string(), Some(object.place()), &label, found);
    }
}

/// Too many objects, or none at all. Where something could not be read, that is what there is to say.
fn limits(objects: &[Object<'_>], settings: &Settings, found: &mut Findings) {
    let limit = settings.limits.objects;
    if objects.len() > limit {
        let message = format!("the input holds {} objects, more than the limit of {limit}", objects.len());
        found.push(
            Finding::new(&rules::TOO_MANY_OBJECTS, message)
                .with_remedy("render it in parts, or raise it with `--limit objects=NUMBER`"),
        );
    }
    if objects.is_empty() && !settings.input.allow_empty && found.exit_code(Threshold::Error) == 0 {
        found.push(
            Finding::new(&rules::EMPTY, "the input holds no manifests")
                .with_remedy("check the path (`*.yaml`, `*.yml` and `*.json` are read), or say `--allow-empty`"),
        );
    }
}
