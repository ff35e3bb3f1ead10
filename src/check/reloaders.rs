//! Who else restarts pods for their configuration, or brings changes to them: the audit of reloads.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{How, Input, Planned, Reload, Stamp, Standing, Word, WorkloadInputs};
use crate::object::view::pod_template::{self, PodTemplate, containers};
use crate::object::view::source;
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&SIDECAR, &OTHER_RELOADER, &IMMUTABLE];

static SIDECAR: Rule = Rule {
    id: "TG341",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a sidecar reloads a source whose change restarts the pods all the same",
    explanation: "\
A container of the pod watches the mounted files of a ConfigMap or Secret and tells the main one to read
them again (configmap-reload, prometheus-config-reloader, k8s-sidecar and the like). A change reaches the
running pods without a restart, but it is in the checksum of the workload, so they restart as well.

If the program takes every change that way, say so on the workload:

    metadata:
      annotations: {tidegate.dev/reload: configmap/prometheus=hot}

Settings that are only read at start need the restart: then say `restart` there. Where a policy is written
nothing is said.",
};

static OTHER_RELOADER: Rule = Rule {
    id: "TG342",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "another tool restarts the same pods for the same configuration",
    explanation: "\
The workload has a checksum of what it reads, and an annotation that asks Stakater Reloader or wave to
change its pod template when a ConfigMap or Secret changes. Each change restarts the pods twice: once with
the manifests, and once by the controller, which also changes the object behind the back of Argo CD.

Remove the annotation, or leave the restart to the other tool: `tidegate.dev/reload: '*=ignore'` on the
workload.
Source: stakater/Reloader and wave-k8s/wave, README.",
};

static IMMUTABLE: Rule = Rule {
    id: "TG343",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an immutable ConfigMap or Secret has a name that does not change with its content",
    explanation: "\
The API server refuses every change of the data of an immutable object, so the next change of this one
makes the sync fail (`field is immutable when \\`immutable\\` is set`) until somebody deletes it; and pods
that run have to be replaced to see the new one.

Give it a name that changes with its content (a suffix with a hash or a version; kustomize's generators
write one), or take `immutable` away.
Source: k8s.io/docs/concepts/configuration/configmap.",
};

/// Images of containers that watch mounted files, by the last part of their name.
const SIDECARS: &[&str] = &[
    "config-reloader",
    "configmap-reload",
    "k8s-configmap-watcher",
    "k8s-sidecar",
    "kiwigrid-k8s-sidecar",
    "prometheus-config-reloader",
    "rules-configmap-reloader",
];

/// Annotations by which others restart pods, and the value that asks for it; none is any.
const ASKING: &[(&str, Option<&str>, &str)] = &[
    ("configmap.reloader.stakater.com/auto", Some("true"), "Reloader"),
    ("configmap.reloader.stakater.com/reload", None, "Reloader"),
    ("reloader.stakater.com/auto", Some("true"), "Reloader"),
    ("reloader.stakater.com/search", Some("true"), "Reloader"),
    ("secret.reloader.stakater.com/auto", Some("true"), "Reloader"),
    ("secret.reloader.stakater.com/reload", None, "Reloader"),
    ("wave.pusher.com/update-on-config-change", Some("true"), "wave"),
];

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    for workload in planned.inputs.iter().filter(|workload| matches!(workload.stamp, Stamp::Value(_))) {
        let object = planned.objects().get(workload.workload);
        let Some(row) = pod_template::of(object) else { continue };
        sidecars(planned, workload, object, row, found);
        other_reloader(object, row, found);
    }
    // a source that has a name of its content is immutable because of it
    let named = |at: &ObjRef| planned.linked.versioned.contains_key(at);
    let objects = planned.objects().iter().filter(|(at, _)| !named(at)).map(|(_, object)| object);
    objects.filter(|object| source::is_source(object)).for_each(|object| immutable(object, found));
}

/// Whether an image is one of those that watch files: its last part, without tag and digest.
fn is_sidecar(image: &str) -> bool {
    let name = image.split('@').next().unwrap_or(image).rsplit('/').next().unwrap_or(image);
    SIDECARS.contains(&name.split(':').next().unwrap_or(name))
}

fn sidecars(
    planned: &Planned<'_>,
    workload: &WorkloadInputs,
    object: &Object<'_>,
    row: &PodTemplate,
    found: &mut Findings,
) {
    let Some(spec) = row.spec(object) else { return };
    let volumes = spec.get("volumes").and_then(Node::items).unwrap_or_default();
    for (list, nth, container) in containers(spec) {
        if !container.get("image").and_then(Node::as_str).is_some_and(is_sidecar) {
            continue;
        }
        let mounts = container.get("volumeMounts").and_then(Node::items).unwrap_or_default();
        let mounted: Vec<&str> = mounts.iter().filter_map(|mount| mount.get("name")?.as_str()).collect();
        let undecided = |input: &&Input| {
            // another tool that restarts pods knows nothing of the sidecar either
            input.reload == Reload::Restart && matches!(input.word, Word::Default | Word::OtherTool(_))
        };
        for input in workload.inputs.iter().filter(undecided) {
            let reading = input.readings.iter().find(|reading| {
                let path = &planned.linked.references[reading.reference].path;
                let volume = volume_of(row, path).and_then(|nth| volumes.get(nth)?.get("name")?.as_str());
                let is_watched = volume.is_some_and(|name| mounted.contains(&name));
                reading.how == How::Volume && reading.is_refreshed && reading.counts && is_watched
            });
            let (Some(reading), true) = (reading, matches!(input.standing, Standing::Present(_))) else { continue };
            let only = input.readings.iter().all(|reading| reading.is_refreshed);
            if !only {
                continue;
            }
            let name = container.get("name").and_then(Node::as_str).unwrap_or_default();
            let kind = input.kind.name();
            let message = format!(
                "container `{name}` of {} reloads {kind} `{}`, and a change of it restarts the pods all the same",
                object.id, input.name
            );
            let reference = &planned.linked.references[reading.reference];
            let path = row.spec_path().key(list).index(nth).key("image");
            let word = format!("{}/{}=hot", kind.to_ascii_lowercase(), input.name);
            found.push(
                Finding::new(&SIDECAR, message)
                    .with_object(&object.id)
                    .with_label(Label::new(object.place_of(&path)).path(path))
                    .with_label(
                        Label::new(reference.place).path(reference.path.clone()).text("the volume that it watches"),
                    )
                    .with_remedy(format!("if that is enough, annotate the workload: `tidegate.dev/reload: {word}`")),
            );
        }
    }
}

/// The number of the volume that a path of a workload leads into.
fn volume_of(row: &PodTemplate, path: &FieldPath) -> Option<usize> {
    let prefix = row.spec_path().key("volumes");
    let rest = path.steps().strip_prefix(prefix.steps())?;
    match rest.first()? {
        crate::tree::Step::Index(nth) => Some(*nth),
        crate::tree::Step::Key(_) => None,
    }
}

fn other_reloader(object: &Object<'_>, row: &PodTemplate, found: &mut Findings) {
    let own = FieldPath::keys(["metadata", "annotations"]);
    let of_pods = FieldPath::keys(row.path.iter().copied()).key("metadata").key("annotations");
    for path in [own, of_pods] {
        let Some(annotations) = object.tree.follow(&path) else { continue };
        let asks = ASKING.iter().find(|(name, wanted, _)| {
            let value = annotations.get(name).and_then(Node::as_str);
            value.is_some_and(|value| wanted.is_none_or(|wanted| wanted == value) && !value.is_empty())
        });
        let Some((name, _, tool)) = asks else { continue };
        let path = path.key(name);
        let message =
            format!("{tool} restarts the pods of {} too (`{name}`): each change restarts them twice", object.id);
        found.push(
            Finding::new(&OTHER_RELOADER, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy("remove the annotation, or say `tidegate.dev/reload: '*=ignore'` on the workload"),
        );
        return;
    }
}

fn immutable(object: &Object<'_>, found: &mut Findings) {
    let path = FieldPath::keys(["immutable"]);
    let is_immutable = object.tree.follow(&path).and_then(Node::as_bool) == Some(true);
    if !is_immutable || !object.id.is_fixed() || has_suffix(object.id.name.text()) {
        return;
    }
    let message = format!("{} is immutable, and its name does not change with its content", object.id);
    found.push(
        Finding::new(&IMMUTABLE, message)
            .with_object(&object.id)
            .with_label(Label::new(object.place_of(&path)).path(path))
            .with_remedy("give it a suffix that changes with the content, or take `immutable` away"),
    );
}

/// Whether the last part of a name looks like a hash or a version: it holds a digit, or it is eight
/// characters or more without a vowel, as suffixes of kustomize and Kubernetes are.
fn has_suffix(name: &str) -> bool {
    let Some((_, last)) = name.rsplit_once(['-', '.']) else { return false };
    let is_odd = last.len() >= 8 && !last.contains(['a', 'e', 'i', 'o', 'u']);
    is_odd || last.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_change_have_a_suffix() {
        for (name, has) in [
            ("app-config", false),
            ("app", false),
            ("app-h29d89cmmt", true),
            ("app-v2", true),
            ("app-bcdfghkmtd", true),
            ("app.settings", false),
        ] {
            assert_eq!(has_suffix(name), has, "{name}");
        }
    }

    #[test]
    fn sidecars_are_known_by_their_image() {
        assert!(is_sidecar("quay.io/prometheus-operator/prometheus-config-reloader:v0.80.0"));
        assert!(is_sidecar("ghcr.io/jimmidyson/configmap-reload@sha256:0"));
        assert!(!is_sidecar("registry.example.com:5000/k8s-sidecar-demo:1"));
    }
}
