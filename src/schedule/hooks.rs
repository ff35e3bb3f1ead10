//! Hooks: they run in phases, and waves order only inside one.
//!
//! Source: argo-cd, gitops-engine/pkg/sync/hook/hook.go, hook/helm/type.go and sync/ignore/ignore.go.

use std::collections::BTreeSet;
use std::fmt;

use super::against::against;
use super::engine::has_boundary;
use super::wave::Assigned;
use super::word::{Who, Word, wave_path, written_wave};
use crate::config::EngineName;
use crate::finding::{Finding, Findings, Label, Severity, nearest, rules::hooks as rules, rules::order};
use crate::flow::{Edge, Linked, Reason, Reference, Resolution, Strength};
use crate::object::annotation::{ARGOCD_HOOK, HELM_HOOK, SYNC_OPTIONS};
use crate::object::{ObjRef, Object};
use crate::source::Place;
use crate::tree::FieldPath;

/// A phase of a sync of Argo CD, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    PreSync,
    Sync,
    PostSync,
    SyncFail,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The hooks of Argo CD; those without a phase are not run by a sync.
const ARGOCD: &[(&str, Option<Phase>)] = &[
    ("PostDelete", None),
    ("PostSync", Some(Phase::PostSync)),
    ("PreDelete", None),
    ("PreSync", Some(Phase::PreSync)),
    ("Skip", None),
    ("Sync", Some(Phase::Sync)),
    ("SyncFail", Some(Phase::SyncFail)),
];

/// The hooks of Helm, and what Argo CD makes of them; a definition is no hook to it.
pub(super) const HELM: &[(&str, Option<Phase>)] = &[
    ("crd-install", Some(Phase::Sync)),
    ("post-delete", None),
    ("post-install", Some(Phase::PostSync)),
    ("post-rollback", None),
    ("post-upgrade", Some(Phase::PostSync)),
    ("pre-delete", None),
    ("pre-install", Some(Phase::PreSync)),
    ("pre-rollback", None),
    ("pre-upgrade", Some(Phase::PreSync)),
    ("test", None),
    ("test-failure", None),
    ("test-success", None),
];

/// The phases in which an object is applied, in order; none if no sync applies it. Helm's hooks count
/// only where Argo CD finds none of its own on the object.
pub(super) fn phases(object: &Object<'_>) -> Vec<Phase> {
    let own: Vec<_> = values(object, ARGOCD_HOOK).filter_map(|value| row(ARGOCD, value)).collect();
    let mut phases: Vec<Phase> = match own.is_empty() {
        true => helm_phases(object),
        false => own.into_iter().flatten().collect(),
    };
    if object.annotation(ARGOCD_HOOK).is_none() && object.annotation(HELM_HOOK).is_none() {
        phases.push(Phase::Sync);
    }
    phases.sort_unstable();
    phases.dedup();
    phases
}

/// The phases that Helm's hooks on an object mean, in order.
pub(super) fn helm_phases(object: &Object<'_>) -> Vec<Phase> {
    let mut phases: Vec<Phase> = values(object, HELM_HOOK).filter_map(|value| row(HELM, value)).flatten().collect();
    phases.sort_unstable();
    phases.dedup();
    phases
}

fn row(table: &[(&str, Option<Phase>)], value: &str) -> Option<Option<Phase>> {
    table.iter().find(|(name, _)| *name == value).map(|(_, phase)| *phase)
}

/// The parts of a list with commas.
pub(super) fn values<'o>(object: &'o Object<'_>, name: &str) -> impl Iterator<Item = &'o str> {
    object.annotation(name).unwrap_or("").split(',').map(str::trim).filter(|value| !value.is_empty())
}

/// Says which hooks and names Argo CD cannot do anything with, and which hooks come too early.
pub(super) fn report(linked: &Linked<'_>, words: &[Word], assigned: &[Assigned], found: &mut Findings) {
    for (at, object) in linked.loaded.objects.iter() {
        if words[at.index()].who == Who::Hook {
            unknown(object, found);
        } else if !object.id.is_fixed() {
            generated(object, found);
        }
    }
    let is_hook = |object: ObjRef| words[object.index()].who == Who::Hook;
    let (mut said, mut optional) = (BTreeSet::new(), BTreeSet::new());
    for reference in linked.references.iter().filter(|reference| reference.orders) {
        let (Resolution::Object(needed) | Resolution::Product(needed)) = reference.leads_to else { continue };
        let pair = (needed, reference.from);
        if !is_hook(needed) && !is_hook(reference.from) {
            continue;
        }
        if reference.optional {
            optional.insert(pair);
        } else if let Some(finding) = later_phase(linked, pair, Some(reference), reference.place) {
            said.insert(pair).then(|| found.push(finding));
        }
    }
    for edge in linked.graph.edges().iter().filter(|edge| is_hook(edge.from) || is_hook(edge.to)) {
        let pair = (edge.from, edge.to);
        let is_reference = matches!(edge.reason, Reason::Reference(_));
        // Argo CD itself moves a Namespace and a definition before what needs them, in any phase
        let is_repaired = matches!(edge.reason, Reason::Namespace | Reason::Definition);
        if is_repaired || (is_reference && optional.contains(&pair)) || said.contains(&pair) {
            continue;
        }
        let early = if is_reference { None } else { later_phase(linked, pair, None, edge.place) };
        if let Some(finding) = early.or_else(|| later_wave(linked, words, assigned, edge)) {
            said.insert(pair);
            found.push(finding);
        }
    }
}

/// A value that is no hook of anybody: Argo CD takes the object for a hook and never runs it.
fn unknown(object: &Object<'_>, found: &mut Findings) {
    let name = if object.annotation(ARGOCD_HOOK).is_some() { ARGOCD_HOOK } else { HELM_HOOK };
    let table = if name == ARGOCD_HOOK { ARGOCD } else { HELM };
    let strange: Vec<_> = values(object, name).filter(|value| row(table, value).is_none()).collect();
    let is_empty = values(object, name).next().is_none();
    if !is_empty && strange.is_empty() {
        return;
    }
    let path = FieldPath::keys(["metadata", "annotations", name]);
    let consequence = if phases(object).is_empty() { ": Argo CD never applies the object" } else { "" };
    let message = match strange.first() {
        Some(value) => format!("{} is a hook of a kind that does not exist, `{value}`{consequence}", object.id),
        None => format!("{} is a hook of no phase{consequence}", object.id),
    };
    let near = strange.first().and_then(|value| nearest(value, table.iter().map(|(name, _)| *name)));
    let known = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let remedy = near.map_or_else(|| format!("the hooks are {}", known()), |near| format!("write `{near}`"));
    found.push(
        Finding::new(&rules::UNKNOWN_HOOK, message)
            .with_object(&object.id)
            .with_label(Label::new(object.place_of(&path)).path(path))
            .with_remedy(remedy),
    );
}

/// Argo CD completes the names of hooks; what it applies otherwise must have one.
fn generated(object: &Object<'_>, found: &mut Findings) {
    if values(object, SYNC_OPTIONS).any(|option| option == "Replace=true") {
        return;
    }
    let path = FieldPath::keys(["metadata", "generateName"]);
    let message = format!("{} has a generateName and is no hook: Argo CD cannot apply it", object.id);
    found.push(
        Finding::new(&rules::GENERATED_NAME, message)
            .with_object(&object.id)
            .with_label(Label::new(object.place_of(&path)).path(path))
            .with_remedy("give it a name, or make it a hook (`argocd.argoproj.io/hook: Sync`)"),
    );
}

/// A finding if the first object of a pair comes in a later phase than the second, which needs it,
/// or what it makes for a reference.
fn later_phase(
    linked: &Linked<'_>,
    (needed, needing): (ObjRef, ObjRef),
    reference: Option<&Reference>,
    place: Place,
) -> Option<Finding> {
    let (needed, needing) = (linked.loaded.objects.get(needed), linked.loaded.objects.get(needing));
    let (later, early) = (*phases(needed).first()?, *phases(needing).first()?);
    if later <= early {
        return None;
    }
    let product = reference.filter(|reference| matches!(reference.leads_to, Resolution::Product(_)));
    let what = match product {
        None => format!("{}, which comes in the later phase {later}", needed.id),
        Some(Reference { target, .. }) => {
            let namespace = target.namespace.as_deref().map(|name| format!("{name}/")).unwrap_or_default();
            let (kind, name) = (&target.kind, &target.name);
            format!("{kind} {namespace}{name}, which {} makes in the later phase {later}", needed.id)
        }
    };
    let label = reference.map_or(Label::new(place), |reference| Label::new(place).path(reference.path.clone()));
    let message = format!("{} is applied in the phase {early} and needs {what}", needing.id);
    let remedy = format!(
        "bring {} into the phase {early} as well, or {} into {later}: inside a phase, waves order them",
        needed.id, needing.id
    );
    Some(
        Finding::new(&rules::HOOK_BEFORE_NEED, message)
            .with_object(&needing.id)
            .with_label(label)
            .with_label(Label::new(needed.place()).text(format!("of the phase {later}")))
            .with_remedy(remedy),
    )
}

/// A finding if two objects of one phase, of which at least one is a hook, have waves that contradict
/// an edge. Hooks are moved by nobody but their author.
fn later_wave(linked: &Linked<'_>, words: &[Word], assigned: &[Assigned], edge: &Edge) -> Option<Finding> {
    let (needed, needing) = (linked.loaded.objects.get(edge.from), linked.loaded.objects.get(edge.to));
    let wave = |at: ObjRef, object| match words[at.index()].who {
        Who::Hook => written_wave(object),
        _ => assigned[at.index()].wave,
    };
    let (before, after) = (wave(edge.from, needed), wave(edge.to, needing));
    let boundary = i64::from(has_boundary(edge, linked, EngineName::Argocd));
    if phases(needed).first()? != phases(needing).first()? || before.saturating_add(boundary) <= after {
        return None;
    }
    let message = against(&needing.id.to_string(), &needed.id.to_string(), (after, before), edge.reason);
    let severity = if edge.strength == Strength::Hard { Severity::Error } else { Severity::Warning };
    let label = |object: &Object<'_>| {
        let path = wave_path(object);
        Label::new(object.place_of(&path)).path(path)
    };
    Some(
        Finding::new(&order::WAVE_AGAINST_EDGE, message)
            .with_severity(severity)
            .with_object(&needing.id)
            .with_label(label(needing))
            .with_label(label(needed).text("what it needs"))
            .with_remedy("give the hook a wave: those of hooks are never changed"),
    )
}
