//! Names of ConfigMaps and Secrets in the arguments of containers.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity, nearest};
use crate::flow::{Planned, Resolution};
use crate::object::view::pod_template::{self, containers};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&NAMED];

static NAMED: Rule = Rule {
    id: "TG323",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an argument of a container names a ConfigMap or Secret",
    explanation: "\
An argument such as `--configmap=shop/nginx` is a name that the program reads through the API, and no
reference that Kubernetes or tidegate follows: kustomize does not rename it, a change of the object is in
no checksum and restarts nothing. Programs that take such an argument mostly watch the object and need no
restart.

It is a warning where there is no such object and one of a near name is.

If the program reads the object only when it starts, mount it or read it by `envFrom` as well: then its
content is in the checksum. Leave such objects out of whatever gives them a suffix.",
};

/// What the flag of an argument ends with, and the kind of the object that it names.
const FLAGS: &[(&str, &str)] = &[
    ("configmap", "ConfigMap"),
    ("config-map", "ConfigMap"),
    ("configmap-name", "ConfigMap"),
    ("config-map-name", "ConfigMap"),
    ("secret", "Secret"),
    ("secret-name", "Secret"),
    ("ssl-certificate", "Secret"),
];

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    for (at, object) in planned.objects().iter() {
        let Some(row) = pod_template::of(object) else { continue };
        for (list, nth, container) in row.spec(object).into_iter().flat_map(containers) {
            for field in ["command", "args"] {
                let words = container.get(field).and_then(Node::items).unwrap_or_default();
                for (word, (flag, value)) in flags(words) {
                    let path = row.spec_path().key(list).index(nth).key(field).index(word);
                    found_in(planned, (at, object), (flag, value), path, found);
                }
            }
        }
    }
}

/// Every flag of a list of arguments with its value, and the number of the word that holds the value:
/// `--flag=value`, or two words.
fn flags<'n>(words: &'n [Node<'_>]) -> Vec<(usize, (&'n str, &'n str))> {
    let mut found = Vec::new();
    for (nth, word) in words.iter().enumerate() {
        let Some(flag) = word.as_str().filter(|word| word.starts_with('-')) else { continue };
        let flag = flag.trim_start_matches('-');
        match flag.split_once('=') {
            Some((flag, value)) => found.push((nth, (flag, value))),
            None => {
                let value = words.get(nth + 1).and_then(Node::as_str).filter(|value| !value.starts_with('-'));
                found.extend(value.map(|value| (nth + 1, (flag, value))));
            }
        }
    }
    found
}

fn found_in(
    planned: &Planned<'_>,
    (at, object): (ObjRef, &Object<'_>),
    (flag, value): (&str, &str),
    path: FieldPath,
    found: &mut Findings,
) {
    let is_end = |end: &str| flag == end || flag.strip_suffix(end).is_some_and(|rest| rest.ends_with('-'));
    let Some((_, kind)) = FLAGS.iter().find(|(end, _)| is_end(end)) else { return };
    let objects = planned.objects();
    let own = object.id.namespace.as_deref();
    let (namespace, name) = match value.split_once('/') {
        // what the pod is told of its namespace when it starts
        Some(("$(POD_NAMESPACE)", name)) => (own, name),
        Some((namespace, name)) => (Some(namespace), name),
        None => (own, value),
    };
    let target = objects.find("", kind, namespace, name).or_else(|| objects.find("", kind, None, name));
    let finding = match target {
        Some(target) if reads(planned, at, target) => return,
        Some(target) => named(object, objects.get(target), path),
        None => {
            let Some(near) = near(objects, kind, namespace, name) else { return };
            let message = format!("an argument of {} names {kind} `{name}`, which is not in the input", object.id);
            Finding::new(&NAMED, message)
                .with_severity(Severity::Warning)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy(format!("did you mean `{near}`?"))
        }
    };
    found.push(finding);
}

/// Whether a workload also reads an object in a way that is followed.
fn reads(planned: &Planned<'_>, workload: ObjRef, source: ObjRef) -> bool {
    let mut references = planned.linked.references.iter();
    references.any(|reference| reference.from == workload && reference.leads_to == Resolution::Object(source))
}

fn near<'o>(objects: &'o ObjectSet<'_>, kind: &'static str, namespace: Option<&str>, name: &str) -> Option<&'o str> {
    let beside = objects.of_kind("", kind).filter(|(_, object)| object.id.namespace.as_deref() == namespace);
    let names: Vec<&str> = beside.map(|(_, object)| object.id.name.text()).collect();
    nearest(name, names)
}

fn named(object: &Object<'_>, target: &Object<'_>, path: FieldPath) -> Finding {
    let message = format!("an argument of {} names {}: a change of that restarts nothing", object.id, target.id);
    let own = FieldPath::keys(["metadata", "name"]);
    Finding::new(&NAMED, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_label(Label::new(target.place_of(&own)).path(own).text("what it names"))
        .with_remedy("nothing to do if the program watches it; else mount it too, so that it is in the checksum")
}
