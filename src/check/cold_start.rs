//! What an empty cluster lacks.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{External, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::source::Place;
use crate::tree::FieldPath;

pub(super) static RULES: &[&Rule] = &[&NOT_WHOLE];

static NOT_WHOLE: Rule = Rule {
    id: "TG257",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an empty cluster cannot take the set: something that it needs is not in it",
    explanation: "\
The set brings definitions or Namespaces of its own, so it looks like a whole installation; but it holds
custom resources whose definition is neither in the input nor made by anything in it, or objects in a
Namespace that is not in the input. Where the cluster has them all is well. An empty one (a new cluster, a
recovery) refuses these objects (`no matches for kind`, `namespaces \"shop\" not found`), in whatever order
they come.

Add what is missing, or note that it has to be there before. Nothing is said of the Namespaces that every
cluster has, of the one that `--namespace` names, and of partial inputs.",
};

/// Namespaces of every cluster.
const ALWAYS: &[&str] = &["default", "kube-node-lease", "kube-public", "kube-system"];

/// How many of what is missing a message names.
const NAMED: usize = 8;

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let objects = planned.objects();
    let trusts = settings.partial || settings.external.default == External::Trust;
    if trusts || !planned.linked.loaded.unread.is_empty() {
        return;
    }
    let mut missing: Vec<(String, Place, FieldPath)> = Vec::new();
    if objects.of_kind("apiextensions.k8s.io", "CustomResourceDefinition").next().is_some() {
        definitions(planned, &mut missing);
    }
    if objects.of_kind("", "Namespace").next().is_some() {
        namespaces(objects, settings.namespace.as_deref(), &mut missing);
    }
    let Some((_, place, path)) = missing.first() else { return };
    let mut shown: Vec<&str> = missing.iter().take(NAMED).map(|(what, ..)| what.as_str()).collect();
    let more = format!("{} more", missing.len().saturating_sub(NAMED));
    if missing.len() > NAMED {
        shown.push(&more);
    }
    let message = format!("an empty cluster cannot take this set, which lacks {}", shown.join(", "));
    found.push(
        Finding::new(&NOT_WHOLE, message)
            .with_label(Label::new(*place).path(path.clone()))
            .with_remedy("add what is missing, or have it there before"),
    );
}

/// The definitions that nobody brings, by group and kind.
fn definitions(planned: &Planned<'_>, missing: &mut Vec<(String, Place, FieldPath)>) {
    let mut kinds: BTreeMap<(&str, &str), Vec<ObjRef>> = BTreeMap::new();
    for (at, _) in planned.linked.undefined.iter().filter(|(_, maker)| maker.is_none()) {
        let id = &planned.objects().get(*at).id;
        kinds.entry((&id.group, &id.kind)).or_default().push(*at);
    }
    for ((group, kind), of) in kinds {
        let object = planned.objects().get(of[0]);
        let count = if of.len() == 1 { "1 object".to_owned() } else { format!("{} objects", of.len()) };
        let what = format!("the definition of {kind}.{group} ({count})");
        missing.push(lacking(object, &["kind"], what));
    }
}

/// The Namespaces that nobody brings, by name.
fn namespaces(objects: &ObjectSet<'_>, own: Option<&str>, missing: &mut Vec<(String, Place, FieldPath)>) {
    let mut said = BTreeSet::new();
    for (_, object) in objects.iter() {
        let Some(name) = object.id.namespace.as_deref() else { continue };
        let is_there = ALWAYS.contains(&name) || own == Some(name);
        if !is_there && objects.find("", "Namespace", None, name).is_none() && said.insert(name) {
            missing.push(lacking(object, &["metadata", "namespace"], format!("the Namespace `{name}`")));
        }
    }
}

fn lacking(object: &Object<'_>, keys: &[&str], what: String) -> (String, Place, FieldPath) {
    let path = FieldPath::keys(keys.iter().copied());
    (what, object.place_of(&path), path)
}
