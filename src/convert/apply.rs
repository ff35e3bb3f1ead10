//! The step of a render: TrafficSplits to the version that is asked for, or that is served.

use std::collections::BTreeSet;

use super::options::{HeaderForm, Options, Version};
use super::outcome::{NoteKind, Report};
use super::served::{self, Served, served};
use super::{Problem, definitions, http_route_group, one, traffic_split};
use crate::config::{Settings, SplitVersion};
use crate::finding::rules::conversion as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::Loaded;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::{FieldPath, Node};

/// Brings TrafficSplits to the version that `convert.trafficSplit` asks for.
///
/// `auto` brings those of v1alpha1 to the lowest later version that the definition in the input serves,
/// or `--api-versions` names, and to v1alpha2 where nothing is known; the others stay. A version brings
/// all of them to it, and the HTTPRouteGroups that they name; `httproute` puts routes in their place. What cannot be converted stays as it is,
/// and its finding refuses the output. Definitions are judged as well: what they do not serve, and what
/// they drop although it is stored.
pub fn apply<'s>(mut loaded: Loaded<'s>, settings: &Settings, found: &mut Findings) -> Loaded<'s> {
    let options = Options::from(&settings.convert);
    let objects = &mut loaded.objects;
    match target(settings.convert.traffic_split) {
        Asked::Nothing => {}
        Asked::Auto => auto(objects, settings, &options, found),
        Asked::Version(version) => {
            all(objects, version, settings, &options, found);
            pass(objects, found);
        }
        Asked::Routes => {
            traffic_split::http_route::replace(objects, &settings.convert, found);
            pass(objects, found);
        }
    }
    definitions::judge(&loaded.objects, found);
    loaded
}

/// What `convert.trafficSplit` asks for.
enum Asked {
    Nothing,
    Auto,
    Version(Version),
    Routes,
}

fn target(asked: SplitVersion) -> Asked {
    match asked {
        SplitVersion::Off => Asked::Nothing,
        SplitVersion::HttpRoute => Asked::Routes,
        SplitVersion::Auto => Asked::Auto,
        SplitVersion::V1alpha1 => Asked::Version(Version::V1alpha1),
        SplitVersion::V1alpha2 => Asked::Version(Version::V1alpha2),
        SplitVersion::V1alpha3 => Asked::Version(Version::V1alpha3),
        SplitVersion::V1alpha4 => Asked::Version(Version::V1alpha4),
    }
}

/// The objects of a kind with their versions, those of a version that nobody knows left out.
fn of_kind(objects: &ObjectSet<'_>, kind: &super::Kind) -> Vec<(ObjRef, Version)> {
    let known = |(at, object): (ObjRef, &Object<'_>)| Some((at, Version::parse(&object.version)?));
    objects.of_kind(kind.group, kind.kind).filter_map(known).collect()
}

/// TrafficSplits of v1alpha1 to the lowest later version that is served.
fn auto(objects: &mut ObjectSet<'_>, settings: &Settings, options: &Options, found: &mut Findings) {
    let kind = &traffic_split::KIND;
    let splits = of_kind(objects, kind);
    if splits.is_empty() {
        return;
    }
    let served = served(objects, settings, kind.group, kind.kind);
    let later = Version::ALL.into_iter().find(|v| *v > Version::V1alpha1 && served.versions.contains(v.word()));
    let is_known = served.definition.is_some() || !served.versions.is_empty();
    for (at, version) in splits {
        match (version, later) {
            (Version::V1alpha1, Some(target)) => drop(bring(objects.get_mut(at), target, options, found)),
            (Version::V1alpha1, None) if is_known => found.push(left_alone(objects.get(at), objects, &served)),
            (Version::V1alpha1, None) => {
                let assumed = assumed(objects.get(at));
                if bring(objects.get_mut(at), Version::V1alpha2, options, found).is_some() {
                    found.push(assumed);
                }
            }
            _ => drop(stay(objects.get_mut(at), version, options, found)),
        }
    }
}

/// All TrafficSplits to one version, and the HTTPRouteGroups that they name to the same.
fn all(objects: &mut ObjectSet<'_>, target: Version, settings: &Settings, options: &Options, found: &mut Findings) {
    let mut named = BTreeSet::new();
    let (group, kind) = (traffic_split::KIND.group, traffic_split::KIND.kind);
    let served = served(objects, settings, group, kind);
    for (at, version) in of_kind(objects, &traffic_split::KIND) {
        if version == target {
            stay(objects.get_mut(at), version, options, found);
        } else if bring(objects.get_mut(at), target, options, found).is_none() {
            continue;
        }
        let split = objects.get(at);
        found_unserved(split, &served, found);
        named.extend(groups(split));
    }
    let kind = &http_route_group::KIND;
    let headers = header_form(objects, target);
    for (at, version) in of_kind(objects, kind) {
        let id = &objects.get(at).id;
        let is_named = named.contains(&(id.namespace.as_deref().map(str::to_owned), id.name.text().to_owned()));
        if is_named && version != target {
            bring(objects.get_mut(at), target, &Options { headers, ..*options }, found);
        }
    }
}

/// Says which SMI objects a version that was asked for does not change.
fn pass(objects: &ObjectSet<'_>, found: &mut Findings) {
    objects.iter().filter_map(|(_, object)| passed_through(object)).for_each(|finding| found.push(finding));
}

/// Says that what `--api-versions` names has not the version of an object. Definitions are judged by themselves.
pub(crate) fn found_unserved(object: &Object<'_>, served: &Served, found: &mut Findings) {
    if served.definition.is_some() || served.versions.is_empty() || served.versions.contains(&*object.version) {
        return;
    }
    let names = served.versions.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let message = format!("{} has version {}, and the cluster serves {names}", object.id, object.version);
    let remedy = "set `convert.trafficSplit` to a version that is served, or mend `--api-versions`";
    found.push(at_version(&rules::NOT_SERVED, object, message).with_remedy(remedy));
}

/// The HTTPRouteGroups that a split names: namespace and name.
pub(crate) fn groups(split: &Object<'_>) -> Vec<(Option<String>, String)> {
    let matches = split.tree.at(&["spec", "matches"]).and_then(Node::items).unwrap_or_default();
    let name = |item: &Node<'_>| item.get("name").and_then(Node::as_str).map(str::to_owned);
    let namespace = split.id.namespace.as_deref().map(str::to_owned);
    matches.iter().filter_map(name).map(|name| (namespace.clone(), name)).collect()
}

/// The form that the definition of HTTPRouteGroups in the input has for headers.
pub(crate) fn header_form(objects: &ObjectSet<'_>, target: Version) -> HeaderForm {
    let kind = &http_route_group::KIND;
    let form = served::definition(objects, kind.group, kind.kind).and_then(|(_, definition)| {
        let schema = served::schema(definition, target.word())?;
        let matches = ["properties", "spec", "properties", "matches", "items", "properties", "headers", "type"];
        schema.at(&matches)?.as_str()
    });
    match form {
        Some("object") => HeaderForm::Mapping,
        Some("array") => HeaderForm::List,
        _ => HeaderForm::AsWritten,
    }
}

/// Converts an object, and says what there is to say; nothing comes back where it stays as it was.
pub(crate) fn bring(
    object: &mut Object<'_>,
    target: Version,
    options: &Options,
    found: &mut Findings,
) -> Option<Report> {
    match one(object, target, options) {
        Ok((converted, report)) => {
            report.findings(object).into_iter().for_each(|finding| found.push(finding));
            *object = converted;
            Some(report)
        }
        Err(refusals) => {
            refusals.iter().for_each(|refusal| found.push(refusal.finding(object)));
            None
        }
    }
}

/// Judges the weights of an object that keeps its version. Nothing else of it is looked at or changed;
/// nothing comes back where they are none.
pub(crate) fn stay(
    object: &mut Object<'_>,
    version: Version,
    options: &Options,
    found: &mut Findings,
) -> Option<Report> {
    match one(object, version, &Options { metadata: super::Metadata::Keep, ..*options }) {
        Ok((read, mut report)) => {
            report.notes.retain(|note| note.kind != NoteKind::UnknownField);
            report.findings(object).into_iter().for_each(|finding| found.push(finding));
            if report.notes.iter().any(|note| note.kind == NoteKind::Lenient) {
                *object = read;
            }
            Some(report)
        }
        Err(refusals) => {
            let of_weights =
                refusals.iter().filter(|refusal| matches!(refusal.problem, Problem::QuantityWeight | Problem::Weight));
            of_weights.for_each(|refusal| found.push(refusal.finding(object)));
            None
        }
    }
}

/// A finding at the `apiVersion` of an object.
fn at_version(rule: &'static crate::finding::Rule, object: &Object<'_>, message: String) -> Finding {
    let path = FieldPath::keys(["apiVersion"]);
    Finding::new(rule, message).with_object(&object.id).with_label(Label::new(object.place_of(&path)).path(path))
}

/// A split was brought to v1alpha2 though nothing is known.
pub(crate) fn assumed(split: &Object<'_>) -> Finding {
    let message = format!("{} was brought to v1alpha2, but nothing says which versions are served", split.id);
    at_version(&rules::ASSUMED_VERSION, split, message).with_remedy(
        "put the CustomResourceDefinition into the input, name what is served with `--api-versions \
         split.smi-spec.io/VERSION`, or set `convert.trafficSplit: off|VERSION`",
    )
}

/// A split of v1alpha1 is not converted, since what serves them (`served`, of `objects`) has no later version.
pub(crate) fn left_alone(split: &Object<'_>, objects: &ObjectSet<'_>, served: &Served) -> Finding {
    let message = format!("{} stays at v1alpha1: no later version of TrafficSplit is served", split.id);
    let finding = at_version(&rules::LEFT_ALONE, split, message).with_remedy(
        "serve a later version beside v1alpha1, or say with `convert.trafficSplit: off` that v1alpha1 is meant",
    );
    match served.definition {
        Some(definition) => finding.with_label(definitions::versions_label(objects.get(definition), "what is served")),
        None => finding,
    }
}

/// What there is to say of an SMI object whose versions are not converted; nothing for any other object.
pub fn passed_through(object: &Object<'_>) -> Option<Finding> {
    object.is("access.smi-spec.io", "TrafficTarget").then(|| {
        let message = format!("{} is passed through as it is: its versions are not converted", object.id);
        at_version(&rules::PASSED_THROUGH, object, message)
            .with_remedy("for Linkerd, which never read it, write an AuthorizationPolicy")
    })
}
