//! Sources that cannot get a name of their content, and readers that cannot follow.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Settings;
use crate::finding::rules::versions as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::{Linked, Resolution, Target};
use crate::object::gvk::is_dns_subdomain;
use crate::object::view::pod_template::{self, Restart};
use crate::object::wrote::VERSION_DIGITS;
use crate::object::{ObjRef, Object};
use crate::source::Place;

/// The longest name that the API server takes (`DNS1123SubdomainMaxLength` in apimachinery).
const LONGEST_NAME: usize = 253;

/// Whether a source can be renamed; says why where it cannot. `asked` is the place that asks.
pub(super) fn check(linked: &Linked<'_>, source: ObjRef, asked: Place, found: &mut Findings) -> bool {
    let object = linked.loaded.objects.get(source);
    let Some(why) = refusal(linked, source, object) else { return true };
    let message = format!("{} cannot get a name of its content: {why}", object.id);
    let mut finding = Finding::new(&rules::CANNOT_BE_VERSIONED, message)
        .with_object(&object.id)
        .with_label(Label::new(asked).text("asked for here"))
        .with_remedy("take `tidegate.dev/versioned` off it; its readers then get a checksum");
    if asked.file != object.place().file || asked.start < object.place().start {
        finding = finding.with_label(Label::new(object.place()));
    }
    found.push(finding);
    false
}

/// Whether a source of a partial input can be renamed: only one that has a name of its content already, since
/// whoever names it did so when all was there. Says so of the others.
pub(super) fn check_whole(linked: &Linked<'_>, source: ObjRef, asked: Place, found: &mut Findings) -> bool {
    if linked.loaded.versions.contains_key(&source) {
        return true;
    }
    let id = &linked.loaded.objects.get(source).id;
    let message = format!("{id} keeps its name: the input is one part, and what names it may be elsewhere");
    found.push(Finding::new(&rules::PARTIAL, message).with_object(id).with_label(Label::new(asked)).with_remedy(
        "give versions where everything is rendered together (`tidegate render`, `tidegate cmp`), or take \
             `tidegate.dev/versioned` off it",
    ));
    false
}

fn refusal(linked: &Linked<'_>, source: ObjRef, object: &Object<'_>) -> Option<String> {
    let name = object.id.name.text();
    if !object.id.is_fixed() {
        return Some("its name is generated".to_owned());
    }
    if !is_dns_subdomain(name) {
        return Some("its name is none that the API server takes".to_owned());
    }
    if name.len() + 1 + VERSION_DIGITS > LONGEST_NAME {
        return Some(format!("its name has {} characters, and no room for more", name.len()));
    }
    if object.tree.get("sops").is_some_and(|sops| sops.mapping().is_some()) {
        return Some("it is encrypted, and the name is part of what SOPS signs".to_owned());
    }
    if let Some(who) = linked.filled.get(&source) {
        return Some(format!("it is filled at run time by {who}"));
    }
    let target = Target {
        group: object.id.group.clone(),
        kind: object.id.kind.clone(),
        namespace: object.id.namespace.clone(),
        name: name.into(),
    };
    let writer = linked.products.of(&target).map(|product| product.maker).find(|maker| *maker != source)?;
    Some(format!("{} writes it at run time", linked.loaded.objects.get(writer).id))
}

/// Says which readers of versioned sources have a pod template that cannot change.
pub(super) fn readers(
    linked: &Linked<'_>,
    versioned: &BTreeMap<ObjRef, Place>,
    settings: &Settings,
    found: &mut Findings,
) {
    let mut said = BTreeSet::new();
    for reference in &linked.references {
        let Resolution::Object(source) = reference.leads_to else { continue };
        let reader = linked.loaded.objects.get(reference.from);
        let named = &settings.references.pod_templates;
        let held = pod_template::held(&reader.id.group, &reader.id.kind, named);
        let is_immutable = held.is_some_and(|held| held.restart == Restart::Immutable);
        let counts = versioned.contains_key(&source) && is_immutable && !pod_template::is_recreated(reader);
        if !counts || !said.insert((source, reference.from)) {
            continue;
        }
        let (source, reader) = (&linked.loaded.objects.get(source).id, &reader.id);
        let message = format!("{reader} reads the versioned {source}, and its pod template cannot be changed");
        let remedy = "let it be made anew (a hook, or the sync options `Replace=true,Force=true`), or give it a source \
                      of its own";
        found.push(
            Finding::new(&rules::READ_BY_IMMUTABLE, message)
                .with_object(reader)
                .with_label(Label::new(reference.place).path(reference.path.clone()))
                .with_remedy(remedy),
        );
    }
}
