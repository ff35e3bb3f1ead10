//! Webhooks that refuse each other's backends, and orders in which something can never be admitted.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Interception, Linked, Planned, Resolution};
use crate::object::annotation::{ARGOCD_HOOK, HELM_HOOK};
use crate::object::view::pod_template;
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&CIRCLE, &COLD_START];

static CIRCLE: Rule = Rule {
    id: "TG247",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "webhooks are asked about the pods of each other's backends",
    explanation: "\
Pods of one backend are admitted by a webhook that another backend answers, and the pods of that one by
the first, both with `failurePolicy: Fail`. As long as one of them runs all is well; once none does (an
outage, a cluster that is stopped and started), neither can start, and nothing heals it but deleting a
webhook configuration. The places are the rules by which the circle closes, in order.

Leave the backends of webhooks out of each other's rules: by a `namespaceSelector` that their Namespaces
do not match, or an `objectSelector`.
Source: k8s.io/docs/concepts/cluster-administration/admission-webhooks-good-practices.",
};

static COLD_START: Rule = Rule {
    id: "TG248",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "in this order an empty cluster refuses an object for ever",
    explanation: "\
A webhook configuration with `failurePolicy: Fail` is applied in an early wave, and the workload that
answers it in a later one. What comes between the two and is matched by its rules is refused, so its
wave never ends, and the wave of the backend never comes. A cluster in which the backend runs already
does not show it; an empty one (a new cluster, a recovery) cannot be set up in this order.

tidegate puts a backend before its registration by itself: take the sync waves away that put it the
other way round, or put the backend into a wave before the first object that the webhook is asked about.
With `matchConditions`, which are not evaluated here, it is a warning.",
};

/// What one asks of the plan again and again.
struct Order<'p, 's> {
    linked: &'p Linked<'s>,
    waves: Vec<i64>,
    /// The workloads behind each webhook of each configuration, as they are asked for.
    backends: BTreeMap<(ObjRef, usize), Vec<ObjRef>>,
}

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    if linked.interceptions.is_empty() {
        return;
    }
    let mut waves = vec![0; planned.objects().len()];
    planned.plan.slots.iter().for_each(|slot| waves[slot.object.index()] = slot.wave);
    let mut order = Order { linked, waves, backends: BTreeMap::new() };
    order.read_backends();
    circles(&order, found);
    cold_start(&order, found);
}

impl Order<'_, '_> {
    fn read_backends(&mut self) {
        let rows = self.linked.references.iter();
        for reference in rows.filter(|reference| reference.row == "webhooks[].clientConfig.service.name") {
            let (Resolution::Object(service), Some(nth)) = (reference.leads_to, nth(&reference.path)) else { continue };
            let selected = self.linked.selections.iter().filter(|selection| selection.from == service);
            let workloads = selected.flat_map(|selection| selection.selected.iter().copied()).collect();
            self.backends.insert((reference.from, nth), workloads);
        }
    }

    fn backends(&self, of: &Interception) -> &[ObjRef] {
        self.backends.get(&(of.registration, of.webhook)).map(Vec::as_slice).unwrap_or_default()
    }

    fn object(&self, at: ObjRef) -> &Object<'_> {
        self.linked.loaded.objects.get(at)
    }

    fn wave(&self, at: ObjRef) -> i64 {
        self.waves[at.index()]
    }

    /// `webhook NAME of CONFIGURATION`.
    fn shown(&self, of: &Interception) -> String {
        let object = self.object(of.registration);
        let webhook = object.tree.get("webhooks").and_then(Node::items).and_then(|list| list.get(of.webhook));
        let name = webhook.and_then(|webhook| webhook.get("name")?.as_str()).unwrap_or_default();
        format!("webhook `{name}` of {}", object.id)
    }
}

/// The number of the webhook that a path is in.
fn nth(path: &FieldPath) -> Option<usize> {
    path.steps().iter().find_map(|step| match step {
        crate::tree::Step::Index(nth) => Some(*nth),
        crate::tree::Step::Key(_) => None,
    })
}

/// Says once a circle which backends wait for each other.
fn circles(order: &Order<'_, '_>, found: &mut Findings) {
    // who admits the pods of a backend: the webhook, and who answers it
    let answers: BTreeSet<ObjRef> = order.backends.values().flatten().copied().collect();
    let mut asks: BTreeMap<ObjRef, Vec<(&Interception, ObjRef)>> = BTreeMap::new();
    for of in order.linked.interceptions.iter().filter(|of| of.is_pods && answers.contains(&of.object)) {
        let backends = order.backends(of);
        if backends.contains(&of.object) {
            continue;
        }
        asks.entry(of.object).or_default().extend(backends.iter().map(|backend| (of, *backend)));
    }
    let mut said: BTreeSet<ObjRef> = BTreeSet::new();
    for start in asks.keys() {
        if said.contains(start) {
            continue;
        }
        if let Some(circle) = shortest(&asks, *start) {
            said.extend(circle.iter().map(|(_, to)| *to));
            found.push(circle_finding(order, *start, &circle));
        }
    }
}

type Step<'o> = (&'o Interception, ObjRef);

/// The shortest way from a backend back to itself.
fn shortest<'o>(asks: &BTreeMap<ObjRef, Vec<Step<'o>>>, start: ObjRef) -> Option<Vec<Step<'o>>> {
    let mut came: BTreeMap<ObjRef, (ObjRef, Step<'o>)> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for step in asks.get(&at).into_iter().flatten() {
            if came.contains_key(&step.1) {
                continue;
            }
            came.insert(step.1, (at, *step));
            if step.1 != start {
                open.push_back(step.1);
                continue;
            }
            let mut way = Vec::new();
            let mut at = start;
            loop {
                let (from, step) = came.get(&at)?;
                way.push(*step);
                at = *from;
                if at == start {
                    break;
                }
            }
            way.reverse();
            return Some(way);
        }
    }
    None
}

fn circle_finding(order: &Order<'_, '_>, start: ObjRef, circle: &[Step<'_>]) -> Finding {
    let mut way = vec![order.object(start).id.to_string()];
    way.extend(circle.iter().map(|(_, to)| order.object(*to).id.to_string()));
    let message = format!(
        "once none of them runs, none can start, since each admits the pods of the one before: {}",
        way.join(" → ")
    );
    let first = order.object(circle[0].0.registration);
    let finding = Finding::new(&CIRCLE, message).with_object(&first.id);
    let finding = circle.iter().enumerate().fold(finding, |finding, (step, (of, to))| {
        let text = format!(
            "{} admits pods of {}; {} answers it",
            order.shown(of),
            order.object(of.object).id,
            order.object(*to).id
        );
        let text = if step == 0 { String::new() } else { text };
        finding.with_label(Label::new(of.place).path(of.path.clone()).text(text))
    });
    finding.with_remedy("leave these pods out of one of the webhooks, by `namespaceSelector` or `objectSelector`")
}

/// Says which objects an empty cluster refuses for ever, once a webhook.
fn cold_start(order: &Order<'_, '_>, found: &mut Findings) {
    let mut said = BTreeSet::new();
    for of in &order.linked.interceptions {
        let backends = order.backends(of);
        let (registered, wave) = (order.wave(of.registration), order.wave(of.object));
        let is_hook =
            |at: ObjRef| [ARGOCD_HOOK, HELM_HOOK].iter().any(|name| order.object(at).annotation(name).is_some());
        let is_between = registered < wave && backends.iter().all(|backend| wave < order.wave(*backend));
        let is_own = backends.contains(&of.object) || backends.is_empty();
        if is_own
            || !is_between
            || is_hook(of.object)
            || is_hook(of.registration)
            || backends.iter().any(|at| is_hook(*at))
        {
            continue;
        }
        if said.insert((of.registration, of.webhook)) {
            found.push(cold_finding(order, of, backends[0]));
        }
    }
}

fn cold_finding(order: &Order<'_, '_>, of: &Interception, backend: ObjRef) -> Finding {
    let (object, answers) = (order.object(of.object), order.object(backend));
    let pods = if of.is_pods { "pods of " } else { "" };
    let message = format!(
        "an empty cluster refuses {pods}{} (wave {}) for ever: {} (wave {}) must admit it, and {} (wave {}), which \
         answers, comes later",
        object.id,
        order.wave(of.object),
        order.shown(of),
        order.wave(of.registration),
        answers.id,
        order.wave(backend)
    );
    let registration = order.object(of.registration);
    let has_conditions = registration.tree.get("webhooks").and_then(Node::items).and_then(|list| list.get(of.webhook));
    let has_conditions = has_conditions.is_some_and(|webhook| webhook.get("matchConditions").is_some());
    let at_wave = |object: &Object<'_>| {
        let own = FieldPath::keys(["metadata", "annotations"]).key(crate::object::annotation::SYNC_WAVE);
        if object.tree.follow(&own).is_some() { own } else { FieldPath::keys(["metadata", "name"]) }
    };
    let label = |object: &Object<'_>, text: &str| {
        let path = at_wave(object);
        Label::new(object.place_of(&path)).path(path).text(text)
    };
    let mut finding = Finding::new(&COLD_START, message)
        .with_object(&object.id)
        .with_label(label(object, ""))
        .with_label(Label::new(of.place).path(of.path.clone()).text("the rule that matches it"))
        .with_label(label(registration, "the registration, which comes first"));
    if pod_template::of(answers).is_some() {
        finding = finding.with_label(label(answers, "its backend, which comes last"));
    }
    let severity = if has_conditions { Severity::Warning } else { Severity::Error };
    finding.with_severity(severity).with_remedy(
        "put the backend into a wave before the registration, or take the waves away: tidegate orders them",
    )
}
