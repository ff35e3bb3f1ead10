//! Gates that cannot say that they are ready, or never will be.
//!
//! Where an object waits for another one to be ready, a boundary between waves stands for it. It is
//! worth what the health of the needed object is worth.

use std::collections::BTreeMap;

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Edge, Need, Planned, Reason};
use crate::object::annotation::{ARGOCD_HOOK, HELM_HOOK};
use crate::object::view::pod_template::{self, containers};
use crate::object::{ObjRef, Object, scope};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&NO_PROBE, &SHORT_LIVED, &STOPPED, &NOBODY, &NO_HEALTH, &ON_DELETE];

static NO_PROBE: Rule = Rule {
    id: "TG251",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload that others wait for has no readinessProbe",
    explanation: "\
Without a readinessProbe a pod counts as ready as soon as its containers run, whether or not they listen
yet. What waits for it then goes on too early: a webhook is called before its server answers, a schema is
used before it is there.

Give the container that others use a `readinessProbe` (HTTP, TCP, gRPC or a command).
Source: k8s.io/docs/concepts/configuration/liveness-readiness-startup-probes.",
};

static SHORT_LIVED: Rule = Rule {
    id: "TG252",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a Job that others wait for is deleted soon after it ends",
    explanation: "\
Argo CD looks at the Job from time to time. If `ttlSecondsAfterFinished` takes it away before it was seen
to be complete, the sync fails: the object is missing, it might have been deleted. The next sync runs the
Job again.

Take the field away or write 600 or more; Argo CD deletes the Job by itself before the next run where it
is a hook (`argocd.argoproj.io/hook-delete-policy: BeforeHookCreation`).
Source: argo-cd, gitops-engine/pkg/sync/sync_context.go.",
};

static STOPPED: Rule = Rule {
    id: "TG253",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload that others wait for is paused or suspended",
    explanation: "\
A paused Deployment or Rollout and a suspended Job never become healthy, so the wave that they are in
never ends and what waits for them is never applied, until somebody resumes them by hand.

Take `paused` or `suspend` away, or take the dependency away.
Source: argo-cd, gitops-engine/pkg/health.",
};

static NOBODY: Rule = Rule {
    id: "TG254",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload that others wait for has no replicas",
    explanation: "\
A workload with `replicas: 0` is healthy at once with nobody there: what waits for it goes on, and finds
no one who answers, makes the Secret, or serves the webhook.

Write the number of replicas that is wanted. Nothing is said where an autoscaler of the input scales it.",
};

static NO_HEALTH: Rule = Rule {
    id: "TG255",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "what others wait for has no health check on Argo CD",
    explanation: "\
Argo CD takes an object of a kind without a health check for done as soon as it is applied. The boundary
between the waves then waits for nothing but the pause between two waves (2 seconds), and what waits for
the object may come before it is ready.

Add a health check of the kind to Argo CD (`resource.customizations.health.GROUP_KIND` of the ConfigMap
argocd-cm), or let what comes later wait by itself.
Source: argo-cd, resource_customizations.",
};

static ON_DELETE: Rule = Rule {
    id: "TG256",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload that others wait for replaces no pods by itself",
    explanation: "\
With the update strategy `OnDelete` a StatefulSet or DaemonSet is healthy with its old pods. On the first
install the boundary behind it means what it says; after a change of the template it does not: what
waits goes on although no pod runs the new template.

Use `RollingUpdate`, or delete the pods by hand before what depends on the change is applied.",
};

/// The longest time to live of a finished Job that Argo CD may miss, in seconds: it looks again when the
/// Job changes, but not while it is busy, nor between two waves.
const TOO_SHORT: i64 = 59;

/// Workloads that run on, and so may have readiness.
const RUN_ON: &[(&str, &str)] = &[
    ("apps", "DaemonSet"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
    ("argoproj.io", "Rollout"),
];

/// The field by which a workload of a kind stands still.
const STOPS: &[(&str, &str, &[&str])] = &[
    ("apps", "Deployment", &["spec", "paused"]),
    ("argoproj.io", "Rollout", &["spec", "paused"]),
    ("batch", "Job", &["spec", "suspend"]),
];

/// A gate and the first edge by which somebody waits for it.
struct Gate<'p> {
    object: &'p Object<'p>,
    waiting: &'p Object<'p>,
    edge: &'p Edge,
    more: usize,
}

impl Gate<'_> {
    fn finding(&self, rule: &'static Rule, path: FieldPath, what: &str, remedy: &str) -> Finding {
        let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
        let (id, waiting, reason) = (&self.object.id, &self.waiting.id, self.edge.reason);
        let message = format!("{id} {what}; it is waited for by {waiting}{more}: {reason}");
        Finding::new(rule, message)
            .with_object(&self.object.id)
            .with_label(Label::new(self.object.place_of(&path)).path(path))
            .with_label(Label::new(self.edge.place).text("why it is waited for"))
            .with_remedy(remedy)
    }
}

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let mut waits: BTreeMap<ObjRef, Vec<&Edge>> = BTreeMap::new();
    for (edge, boundary) in planned.edges().filter(|(edge, _)| edge.need == Need::Ready) {
        if boundary && edge.from != edge.to {
            waits.entry(edge.from).or_default().push(edge);
        }
    }
    for (at, edges) in waits {
        let objects = planned.objects();
        let object = objects.get(at);
        let edge = edges.iter().copied().find(|edge| edge.reason != Reason::Producer).unwrap_or(edges[0]);
        let gate = Gate { object, waiting: objects.get(edge.to), edge, more: edges.len() - 1 };
        let finding = stopped(&gate).or_else(|| nobody(planned, at, &gate)).or_else(|| no_probe(&gate));
        let finding = finding.or_else(|| short_lived(&gate, settings)).or_else(|| on_delete(&gate));
        let is_registration = edges.iter().all(|edge| edge.reason == Reason::Registration);
        let is_blind = planned.plan.unwatched.contains(&at) && !is_registration;
        let finding = finding.or_else(|| if is_blind { no_health(&gate) } else { None });
        if let Some(finding) = finding {
            found.push(finding);
        }
    }
}

fn is_hook(object: &Object<'_>) -> bool {
    [ARGOCD_HOOK, HELM_HOOK].iter().any(|name| object.annotation(name).is_some())
}

fn stopped(gate: &Gate<'_>) -> Option<Finding> {
    let (.., path) = STOPS.iter().find(|(group, kind, _)| gate.object.is(group, kind))?;
    let is_stopped = gate.object.tree.at(path).and_then(Node::as_bool) == Some(true);
    let path = FieldPath::keys(path.iter().copied());
    let what = format!("never becomes ready (`{path}: true`)");
    is_stopped.then(|| gate.finding(&STOPPED, path, &what, "take the field away, or do not wait for it"))
}

fn nobody(planned: &Planned<'_>, at: ObjRef, gate: &Gate<'_>) -> Option<Finding> {
    let path = FieldPath::keys(["spec", "replicas"]);
    let is_none = gate.object.tree.follow(&path).and_then(Node::as_i64) == Some(0);
    let scales = |row: &str| row.ends_with("scaleTargetRef.name");
    let mut references = planned.linked.references.iter();
    let is_scaled =
        references.any(|reference| reference.leads_to == crate::flow::Resolution::Object(at) && scales(reference.row));
    let is_workload = RUN_ON.iter().any(|(group, kind)| gate.object.is(group, kind));
    (is_none && is_workload && !is_scaled)
        .then(|| gate.finding(&NOBODY, path, "has no replicas", "write the number of replicas that is wanted"))
}

fn no_probe(gate: &Gate<'_>) -> Option<Finding> {
    let row = pod_template::of(gate.object)?;
    let spec = row.spec(gate.object)?;
    let has_probe = |(_, _, container): (&str, usize, &Node<'_>)| {
        ["readinessProbe", "startupProbe"].iter().any(|probe| container.get(probe).is_some_and(|node| !node.is_null()))
    };
    let runs_on = RUN_ON.iter().any(|(group, kind)| gate.object.is(group, kind));
    // what a workload makes is there once its containers run: init containers and sidecars make it
    let is_maker = gate.edge.reason == Reason::Producer;
    let list = spec.get("containers").and_then(Node::items).unwrap_or_default();
    if !runs_on
        || is_maker
        || list.is_empty()
        || containers(spec).any(has_probe)
        || spec.get("readinessGates").is_some()
    {
        return None;
    }
    let path = row.spec_path().key("containers").index(0);
    let path = if list[0].get("name").is_some() { path.key("name") } else { path };
    let remedy = "give the container that others use a `readinessProbe`";
    Some(gate.finding(&NO_PROBE, path, "has no readinessProbe, so it counts as ready as soon as it runs", remedy))
}

fn short_lived(gate: &Gate<'_>, settings: &Settings) -> Option<Finding> {
    let path = FieldPath::keys(["spec", "ttlSecondsAfterFinished"]);
    let seconds = gate.object.tree.follow(&path).and_then(Node::as_i64)?;
    let is_job = gate.object.is("batch", "Job") && settings.engine == EngineName::Argocd && !is_hook(gate.object);
    let what = format!("is deleted {seconds} s after it ends, maybe before Argo CD has seen that");
    (is_job && seconds <= TOO_SHORT)
        .then(|| gate.finding(&SHORT_LIVED, path, &what, "write 600 or more, or take the field away"))
}

fn on_delete(gate: &Gate<'_>) -> Option<Finding> {
    let path = FieldPath::keys(["spec", "updateStrategy", "type"]);
    let is_set = gate.object.is("apps", "StatefulSet") || gate.object.is("apps", "DaemonSet");
    let is_kept = gate.object.tree.follow(&path).and_then(Node::as_str) == Some("OnDelete");
    let remedy = "use `RollingUpdate`, or delete its pods by hand after a change";
    (is_set && is_kept).then(|| gate.finding(&ON_DELETE, path, "is ready with its old pods (`OnDelete`)", remedy))
}

fn no_health(gate: &Gate<'_>) -> Option<Finding> {
    let id = &gate.object.id;
    if scope::is_kubernetes(&id.group, &id.kind) || pod_template::of(gate.object).is_some() {
        return None;
    }
    let what = format!("is of a kind without a health check on Argo CD ({}.{})", id.kind, id.group);
    let remedy = format!("add `resource.customizations.health.{}_{}` to argocd-cm", id.group, id.kind);
    Some(gate.finding(&NO_HEALTH, FieldPath::keys(["kind"]), &what, &remedy))
}
