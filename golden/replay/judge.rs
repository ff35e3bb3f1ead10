//! Which needs a sync must keep, and which heal by themselves.

use std::collections::BTreeSet;

use tidegate::finding::Findings;
use tidegate::flow::{Edge, Need, Planned, Reason};
use tidegate::object::{ObjRef, Object};

use super::sync::{Place, Sync, annotation, documents};

/// A group and a kind; `*` is any.
type Kind = (&'static str, &'static str);

/// What fails for good on Argo CD when it comes in one wave with what it needs, needed first: Argo CD sorts it by its
/// name, before or behind.
const MUST: &[(Kind, Kind)] = &[
    (("tekton.dev", "Task"), ("tekton.dev", "TaskRun")),
    (("tekton.dev", "Task"), ("tekton.dev", "PipelineRun")),
    (("tekton.dev", "Pipeline"), ("tekton.dev", "PipelineRun")),
    (("tekton.dev", "StepAction"), ("tekton.dev", "TaskRun")),
    (("tekton.dev", "StepAction"), ("tekton.dev", "PipelineRun")),
    (("argoproj.io", "AnalysisTemplate"), ("argoproj.io", "Experiment")),
    (("argoproj.io", "ClusterAnalysisTemplate"), ("argoproj.io", "Experiment")),
    (("argoproj.io", "WorkflowTemplate"), ("argoproj.io", "Workflow")),
    (("argoproj.io", "ClusterWorkflowTemplate"), ("argoproj.io", "Workflow")),
    (("scheduling.k8s.io", "PriorityClass"), ("", "Pod")),
    (("node.k8s.io", "RuntimeClass"), ("", "Pod")),
];

/// What may come before what it needs, needed first: whoever acts on it looks again.
const HEALS: &[(Kind, Kind)] = &[
    (("external-secrets.io", "*"), ("external-secrets.io", "*")),
    (("generators.external-secrets.io", "*"), ("external-secrets.io", "*")),
    (("cert-manager.io", "*"), ("cert-manager.io", "*")),
    (("cert-manager.io", "Certificate"), ("admissionregistration.k8s.io", "*")),
    (("gateway.networking.k8s.io", "*"), ("gateway.networking.k8s.io", "*")),
    (("argoproj.io", "AnalysisTemplate"), ("argoproj.io", "Rollout")),
    (("argoproj.io", "ClusterAnalysisTemplate"), ("argoproj.io", "Rollout")),
    (("networking.istio.io", "VirtualService"), ("argoproj.io", "Rollout")),
    (("networking.istio.io", "DestinationRule"), ("argoproj.io", "Rollout")),
    (("getambassador.io", "Mapping"), ("argoproj.io", "Rollout")),
    (("*", "*"), ("autoscaling", "HorizontalPodAutoscaler")),
    (("", "Secret"), ("", "ServiceAccount")),
    (("scheduling.k8s.io", "PriorityClass"), ("*", "*")),
    (("node.k8s.io", "RuntimeClass"), ("*", "*")),
    (("secrets-store.csi.x-k8s.io", "SecretProviderClass"), ("*", "*")),
    (("resource.k8s.io", "ResourceClaim"), ("batch", "Job")),
    (("resource.k8s.io", "ResourceClaimTemplate"), ("batch", "Job")),
    (("ceph.rook.io", "*"), ("ceph.rook.io", "*")),
    // nothing reads them before a run does
    (("tekton.dev", "Task"), ("tekton.dev", "Pipeline")),
    (("tekton.dev", "StepAction"), ("tekton.dev", "Task")),
    // the API server looks policies, bindings and parameters up when it is asked
    (("*", "*"), ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy")),
    (("*", "*"), ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding")),
    (("*", "*"), ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding")),
    // the kubelet mounts again
    (("", "Endpoints"), ("*", "*")),
    // their controllers watch both kinds
    (("policy.linkerd.io", "*"), ("policy.linkerd.io", "AuthorizationPolicy")),
    (("specs.smi-spec.io", "*"), ("access.smi-spec.io", "TrafficTarget")),
];

/// Kinds that start no pod, or none when they are applied, though they may name a claim.
const NO_PODS: &[Kind] = &[("batch", "CronJob"), ("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "*")];

/// What is wrong with a stream that was printed for a plan; empty if nothing is.
pub(super) fn faults(stream: &str, planned: &Planned<'_>, found: &Findings) -> Vec<String> {
    let mut faults = BTreeSet::new();
    for reversed in [false, true] {
        match Sync::of(stream, reversed) {
            Ok(sync) => faults.extend(Trial::new(stream, planned, found, &sync).faults()),
            Err(fault) => return vec![fault],
        }
    }
    faults.into_iter().collect()
}

struct Trial<'t> {
    planned: &'t Planned<'t>,
    sync: &'t Sync,
    /// The document of each object.
    documents: Vec<usize>,
    /// Objects that users placed.
    placed: Vec<bool>,
    /// Producers of which a user says that nobody is to wait for them: pods wait by themselves.
    no_wait: Vec<bool>,
    /// What was said to be the wrong way round.
    said: Vec<&'t str>,
}

impl<'t> Trial<'t> {
    fn new(stream: &str, planned: &'t Planned<'t>, found: &'t Findings, sync: &'t Sync) -> Self {
        let trees = documents(stream).unwrap_or_default();
        let count = planned.linked.loaded.objects.len();
        assert_eq!(trees.len(), count, "every object is one document");
        let (mut of, mut placed, mut no_wait) = (vec![0; count], vec![false; count], vec![false; count]);
        for (document, (slot, tree)) in planned.plan.slots.iter().zip(&trees).enumerate() {
            let at = slot.object.index();
            of[at] = document;
            let is_ours = annotation(tree, "tidegate.dev/wrote").is_some_and(|wrote| wrote.contains("sync-wave="));
            let wave = annotation(tree, "argocd.argoproj.io/sync-wave").or(annotation(tree, "helm.sh/hook-weight"));
            placed[at] = wave.is_some() && !is_ours;
            no_wait[at] = annotation(tree, "tidegate.dev/order").is_some_and(|order| order.contains("no-wait"));
        }
        let said = found.sorted().into_iter().filter(|finding| matches!(finding.rule.id, "TG202" | "TG230"));
        Trial { planned, sync, documents: of, placed, no_wait, said: said.map(|f| f.message.as_str()).collect() }
    }

    fn object(&self, at: ObjRef) -> &Object<'t> {
        self.planned.linked.loaded.objects.get(at)
    }

    fn place(&self, at: ObjRef) -> Option<Place> {
        self.sync.place(self.documents[at.index()])
    }

    fn faults(&self) -> Vec<String> {
        let edges = self.planned.linked.graph.edges();
        let turned = edges.iter().filter(|edge| self.is_wrong(edge)).map(|edge| {
            let (needed, needing) = (self.object(edge.from), self.object(edge.to));
            let places = (self.place(edge.to), self.place(edge.from));
            format!("{} {:?} needs {} {:?}: {}", needing.id, places.0, needed.id, places.1, edge.reason)
        });
        turned.chain(self.unbound_claims()).collect()
    }

    /// Whether the sync turns an edge round that it must keep, and nobody said so.
    fn is_wrong(&self, edge: &Edge) -> bool {
        let (Some(needed), Some(needing)) = (self.place(edge.from), self.place(edge.to)) else { return false };
        let (from, to) = (self.object(edge.from), self.object(edge.to));
        let is_turned = if self.must_wait(edge) {
            needed.0 >= needing.0
        } else {
            let heals = self.no_wait[edge.from.index()] && edge.reason == Reason::Producer;
            needed >= needing && !heals && !is_listed(HEALS, from, to) && !self.is_optional(edge)
        };
        is_turned && !self.is_said(&from.id.to_string(), &to.id.to_string())
    }

    /// Whether the needing object must be in a later step.
    fn must_wait(&self, edge: &Edge) -> bool {
        edge.need == Need::Ready
            || edge.reason == Reason::Reader
            || is_listed(MUST, self.object(edge.from), self.object(edge.to))
    }

    /// Whether the needing object does without the needed one.
    fn is_optional(&self, edge: &Edge) -> bool {
        let references = self.planned.linked.references.iter().filter(|reference| reference.from == edge.to);
        let place = |reference: &&tidegate::flow::Reference| reference.place == edge.place;
        matches!(edge.reason, Reason::Reference(_)) && references.filter(place).any(|reference| reference.optional)
    }

    fn is_said(&self, needed: &str, needing: &str) -> bool {
        self.said.iter().any(|message| message.contains(needed) && message.contains(needing))
    }

    /// Claims that may wait for their first consumer, in a step that is waited for, with all consumers behind it; unless
    /// a user wants it so.
    fn unbound_claims(&self) -> Vec<String> {
        let claims = self.planned.linked.loaded.objects.of_kind("", "PersistentVolumeClaim");
        let unbound = claims.filter(|(at, _)| {
            let Some(claim) = self.place(*at).filter(|place| self.sync.waits_after(*place)) else { return false };
            let consumers = self.needing(*at).filter(|edge| matches!(edge.reason, Reason::Reference(_)));
            let starting = consumers.filter(|edge| starts_pods(self.object(edge.to)));
            let places: Vec<_> = starting.filter_map(|edge| self.place(edge.to)).collect();
            !places.is_empty() && !self.is_wanted(*at) && places.iter().all(|place| place.0 > claim.0)
        });
        unbound.map(|(_, claim)| format!("{} is never bound: its consumers wait behind it", claim.id)).collect()
    }

    fn needing(&self, at: ObjRef) -> impl Iterator<Item = &Edge> {
        self.planned.linked.graph.edges().iter().filter(move |edge| edge.from == at)
    }

    /// Whether a user decides where an object goes, by its own wave or through what needs it.
    fn is_wanted(&self, at: ObjRef) -> bool {
        let (mut open, mut seen) = (vec![at], BTreeSet::new());
        while let Some(here) = open.pop() {
            if self.placed[here.index()] || self.needing(here).any(|edge| edge.reason == Reason::Explicit) {
                return true;
            }
            if seen.insert(here) {
                open.extend(self.needing(here).map(|edge| edge.to));
            }
        }
        false
    }
}

fn starts_pods(object: &Object<'_>) -> bool {
    let field = |name| object.tree.at(&["spec", name]);
    let is_off = ["paused", "suspend"].iter().any(|name| field(name).and_then(|v| v.as_bool()) == Some(true));
    let none = field("replicas").and_then(|v| v.as_i64()) == Some(0);
    !is_off && !none && !NO_PODS.iter().any(|kind| is_kind(*kind, object))
}

fn is_listed(table: &[(Kind, Kind)], needed: &Object<'_>, needing: &Object<'_>) -> bool {
    table.iter().any(|(from, to)| is_kind(*from, needed) && is_kind(*to, needing))
}

fn is_kind((group, kind): Kind, object: &Object<'_>) -> bool {
    (group == "*" || group == &*object.id.group) && (kind == "*" || kind == &*object.id.kind)
}
