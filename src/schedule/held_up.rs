//! Waves and hooks that may never come, because an object before them may never be healthy.
//!
//! Sources: argo-cd, gitops-engine/pkg/sync/sync_context.go (a later wave, and PostSync, wait for the health
//! of all that was applied) and gitops-engine/pkg/health.

use super::blocking::{is_load_balancer, paused, starts_pods};
use super::companions::is_claim;
use super::hooks::{self, Phase};
use super::wave::Assigned;
use super::word::{Who, Word};
use crate::finding::{Finding, Findings, Label, Rule, Severity, rules::hooks as rules, rules::order};
use crate::flow::{Linked, Need, Resolution};
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node};

/// How many of the objects that never come a message names.
const NAMED: usize = 3;

/// Kinds that are healthy when somebody outside of the input has done something, and what that is.
const WAIT: &[(&str, &str, &str)] = &[
    ("autoscaling", "HorizontalPodAutoscaler", "the metrics that it scales by are there"),
    ("extensions", "Ingress", "a controller gives it an address"),
    ("networking.k8s.io", "Ingress", "a controller gives it an address"),
];

/// Why an object may never be healthy.
struct Held {
    rule: &'static Rule,
    severity: Severity,
    path: FieldPath,
    /// What it does, to be read behind its name and before those that wait.
    why: String,
    remedy: &'static str,
}

/// Who comes behind whom.
struct Order<'p> {
    linked: &'p Linked<'p>,
    words: &'p [Word],
    assigned: &'p [Assigned],
    /// Everything that a sync applies from the first wave on: what has waves, then the hooks of the phase
    /// behind them.
    all: Vec<(bool, i64, ObjRef)>,
}

/// Says which objects hold up other waves, or the hooks behind them, until somebody else acts, or for good.
pub(super) fn report(linked: &Linked<'_>, words: &[Word], assigned: &[Assigned], found: &mut Findings) {
    let objects = &linked.loaded.objects;
    let mut order: Option<Order<'_>> = None;
    for (at, object) in objects.iter().filter(|(at, _)| words[at.index()].who != Who::Hook) {
        if !may_hold_up(object) {
            continue;
        }
        let order = order.get_or_insert_with(|| Order::new(linked, words, assigned));
        let behind = order.behind(at);
        if behind.is_empty() {
            continue;
        }
        let Some(held) = held(order, at, object) else { continue };
        let mut names: Vec<_> = behind.iter().take(NAMED).map(|(_, _, at)| objects.get(*at).id.to_string()).collect();
        if behind.len() > NAMED {
            names.push(format!("{} more", behind.len() - NAMED));
        }
        let wave = assigned[at.index()].wave;
        let message = format!("{} (wave {wave}) {}: {}", object.id, held.why, names.join(", "));
        found.push(
            Finding::new(held.rule, message)
                .with_severity(held.severity)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&held.path)).path(held.path))
                .with_remedy(held.remedy),
        );
    }
}

impl<'p> Order<'p> {
    fn new(linked: &'p Linked<'p>, words: &'p [Word], assigned: &'p [Assigned]) -> Self {
        let is_hook = |at: ObjRef| words[at.index()].who == Who::Hook;
        let objects = linked.loaded.objects.iter();
        let applied =
            objects.filter(|(at, object)| !is_hook(*at) || hooks::phases(object).first() == Some(&Phase::PostSync));
        let mut all: Vec<_> = applied.map(|(at, _)| (is_hook(at), assigned[at.index()].wave, at)).collect();
        all.sort_unstable();
        Order { linked, words, assigned, all }
    }

    /// What comes when an object is healthy.
    fn behind(&self, at: ObjRef) -> &[(bool, i64, ObjRef)] {
        let wave = self.assigned[at.index()].wave;
        &self.all[self.all.partition_point(|(is_hook, other, _)| !is_hook && *other <= wave)..]
    }
}

/// Whether an object may have to wait for somebody.
fn may_hold_up(object: &Object<'_>) -> bool {
    is_load_balancer(object)
        || is_claim(object)
        || paused(object).is_some()
        || WAIT.iter().any(|(group, kind, _)| object.is(group, kind))
}

fn held(order: &Order<'_>, at: ObjRef, object: &Object<'_>) -> Option<Held> {
    if is_load_balancer(object) {
        return Some(Held {
            rule: &order::LOAD_BALANCER_GATES,
            severity: Severity::Warning,
            path: FieldPath::keys(["spec", "type"]),
            why: "holds up the waves behind it until it has a load balancer; without one they never come".to_owned(),
            remedy: "make sure that the cluster provides load balancers, or give it a later wave",
        });
    }
    if let Some(path) = paused(object) {
        // who waits for it says so itself
        let is_gate = order.linked.graph.edges().iter().any(|edge| edge.from == at && edge.need == Need::Ready);
        return (!is_gate).then(|| Held {
            rule: &rules::HELD_UP,
            severity: Severity::Warning,
            why: format!("holds up what comes behind it for good, since it is never healthy (`{path}: true`)"),
            path,
            remedy: "take the field away, or give it a wave behind all others",
        });
    }
    if is_claim(object) {
        return claim(order, at, object);
    }
    let (.., what) = WAIT.iter().find(|(group, kind, _)| object.is(group, kind))?;
    Some(Held {
        rule: &rules::HELD_UP,
        severity: Severity::Info,
        path: FieldPath::keys(["kind"]),
        why: format!("holds up what comes behind it until {what}"),
        remedy: "make sure that the cluster does that, or give it a wave behind all others",
    })
}

/// A claim that waits for its first consumer, which comes later or not at all.
fn claim(order: &Order<'_>, at: ObjRef, object: &Object<'_>) -> Option<Held> {
    let is_bound = object.tree.at(&["spec", "volumeName"]).is_some_and(|node| !node.is_null());
    let class = object.tree.at(&["spec", "storageClassName"]).and_then(Node::as_str);
    let objects = &order.linked.loaded.objects;
    let class_at = class.and_then(|name| objects.find("storage.k8s.io", "StorageClass", None, name));
    let mode = class_at.map(|at| objects.get(at).tree.get("volumeBindingMode").and_then(Node::as_str));
    let waits = match mode {
        Some(mode) => mode == Some("WaitForFirstConsumer"),
        None => true,
    };
    if is_bound || class == Some("") || !waits {
        return None;
    }
    let reads = order.linked.references.iter().filter(|reference| reference.leads_to == Resolution::Object(at));
    let consumers: Vec<ObjRef> =
        reads.map(|reference| reference.from).filter(|c| starts_pods(objects.get(*c))).collect();
    let wave = order.assigned[at.index()].wave;
    let is_hook = |at: ObjRef| order.words[at.index()].who == Who::Hook;
    let is_post = |at: ObjRef| hooks::phases(objects.get(at)).first() == Some(&Phase::PostSync);
    let comes_later = |at: &ObjRef| match is_hook(*at) {
        true => is_post(*at),
        false => order.assigned[at.index()].wave > wave,
    };
    if !consumers.iter().all(comes_later) {
        return None;
    }
    let path = FieldPath::keys(["metadata", "name"]);
    let unless = if mode.is_some() { "" } else { ", unless its class binds at once," };
    let until = match consumers.first() {
        Some(first) => format!("before {}, which comes later, uses it", objects.get(*first).id),
        None => "before a pod uses it, and nothing in the input does".to_owned(),
    };
    Some(Held {
        rule: &rules::CLAIM_HOLDS_UP,
        severity: if consumers.is_empty() && mode.is_none() { Severity::Info } else { Severity::Warning },
        path,
        why: format!("is not bound{unless} {until}: it holds up what comes behind it"),
        remedy: "take the waves away: tidegate puts a claim into the wave of its first consumer",
    })
}
