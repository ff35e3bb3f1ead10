//! What there is to say about checksums: where they do less, or other things, than one would think.

use std::collections::BTreeMap;

use crate::config::{ChecksumMode, Settings};
use crate::finding::rules::checksums as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::{How, Input, Linked, Reading, Reload, Stamp, Standing, Unstamped, Word, WorkloadInputs};
use crate::object::view::{pod_template, stillness};
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node};

/// Says all of it.
pub(super) fn say(linked: &Linked<'_>, inputs: &[WorkloadInputs], settings: &Settings, found: &mut Findings) {
    let mut filled: BTreeMap<ObjRef, (&str, Vec<ObjRef>)> = BTreeMap::new();
    for WorkloadInputs { workload, stamp, inputs } in inputs {
        let object = linked.loaded.objects.get(*workload);
        if matches!(stamp, Stamp::Value(_)) {
            may_not_restart(object, found);
            inputs.iter().filter_map(|input| stays_in(linked, object, input)).for_each(|finding| found.push(finding));
        }
        if *stamp == Stamp::Not(Unstamped::FixedName) && inputs.iter().any(Input::takes_part) {
            fixed_name(object, found);
        }
        if matches!(stamp, Stamp::Not(_)) {
            continue;
        }
        for input in inputs.iter().filter(|input| input.readings.iter().any(|reading| reading.counts)) {
            if let Standing::Filled(source, who) = input.standing {
                filled.entry(source).or_insert((who, Vec::new())).1.push(*workload);
            }
        }
    }
    for (source, (who, readers)) in filled {
        say_filled(linked, source, who, &readers, found);
    }
    if settings.checksums.mode == ChecksumMode::All {
        linked.loaded.objects.iter().for_each(|(_, object)| unknown_template(object, settings, found));
    }
}

fn finding(rule: &'static crate::finding::Rule, object: &Object<'_>, path: FieldPath, message: String) -> Finding {
    Finding::new(rule, message).with_object(&object.id).with_label(Label::new(object.place_of(&path)).path(path))
}

fn may_not_restart(object: &Object<'_>, found: &mut Findings) {
    let Some(path) = stillness::stillness(object) else { return };
    let path = FieldPath::keys(path.iter().copied());
    let message = format!("a change of its configuration may not restart the pods of {}: see `{path}`", object.id);
    let remedy = "restart them by hand when the configuration changes, or change that field";
    found.push(finding(&rules::MAY_NOT_RESTART, object, path, message).with_remedy(remedy));
}

fn fixed_name(object: &Object<'_>, found: &mut Findings) {
    let path = FieldPath::keys(["spec", "template", "metadata", "name"]);
    let message = format!("{} gets no checksum: its template has a fixed name", object.id);
    let remedy = "remove the name, and Knative names each revision by itself";
    found.push(finding(&rules::FIXED_TEMPLATE_NAME, object, path, message).with_remedy(remedy));
}

/// Reads that `hot` does not take out, because nothing brings a change to running pods.
fn stays_in(linked: &Linked<'_>, object: &Object<'_>, input: &Input) -> Option<Finding> {
    if input.reload != Reload::Hot || !input.takes_part() {
        return None;
    }
    let staying: Vec<&Reading> = input.readings.iter().filter(|reading| reading.counts).collect();
    let first = staying.first()?;
    let reference = &linked.references[first.reference];
    let (kind, path) = (input.kind.name(), &reference.path);
    let mut message = format!(
        "{kind} `{}` is `hot`, but {} reads it by {} (`{path}`), which the kubelet never refreshes",
        input.name, object.id, first.how
    );
    if first.how == How::Volume {
        message.push_str(" as it is immutable");
    }
    if staying.len() > 1 {
        message.push_str(&format!("; so it does by {} more", staying.len() - 1));
    }
    let mut finding = Finding::new(&rules::NOT_REFRESHED, message)
        .with_object(&object.id)
        .with_label(Label::new(reference.place).path(reference.path.clone()));
    if let Word::Source(place) | Word::Workload(place) | Word::OtherTool(place) | Word::Configuration(place) =
        input.word
    {
        finding = finding.with_label(Label::new(place).text("hot is said here"));
    }
    Some(finding.with_remedy(
        "such reads still restart the pods; `ignore` takes them out too, a volume without subPath is refreshed",
    ))
}

fn say_filled(linked: &Linked<'_>, source: ObjRef, who: &str, readers: &[ObjRef], found: &mut Findings) {
    let object = linked.loaded.objects.get(source);
    let Some(first) = readers.first().map(|reader| &linked.loaded.objects.get(*reader).id) else { return };
    let more = match readers.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("{} is filled at run time by {who}: it is in no checksum (read by {first}{more})", object.id);
    found.push(Finding::new(&rules::FILLED, message).with_object(&object.id).with_label(Label::new(object.place())));
}

/// A kind that looks as if it had a pod template, and that nobody told tidegate about.
fn unknown_template(object: &Object<'_>, settings: &Settings, found: &mut Findings) {
    let path = ["spec", "template", "spec", "containers"];
    let containers = object.tree.at(&path).and_then(Node::items);
    let named = &settings.references.pod_templates;
    if containers.is_none_or(<[_]>::is_empty) || pod_template::held(&object.id.group, &object.id.kind, named).is_some()
    {
        return;
    }
    let message = format!("{} seems to hold a pod template; its kind is not known, so it gets no checksum", object.id);
    let remedy = format!(
        "if a change of it restarts pods, add {{group: {:?}, kind: {}, path: spec.template}} to `references.podTemplates`",
        object.id.group, object.id.kind
    );
    found.push(finding(&rules::UNKNOWN_TEMPLATE, object, FieldPath::keys(path), message).with_remedy(remedy));
}
