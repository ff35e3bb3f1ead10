//! Rules about stages and waves.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] =
    &[&INVALID_WAVE, &WAVE_AGAINST_EDGE, &ONE_STREAM, &EDGE_LEFT_OUT, &EXPLICIT_CIRCLE, &LOAD_BALANCER_GATES];

/// A wave that the engine reads as something else.
pub static INVALID_WAVE: Rule = Rule {
    id: "TG201",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a sync wave is not a whole number, so Argo CD ignores it",
    explanation: "Argo CD reads `argocd.argoproj.io/sync-wave` with Go's `strconv.Atoi`: a sign and digits, nothing \
else. Anything else is dropped in silence; `helm.sh/hook-weight` counts instead, or 0 \
(`gitops-engine/pkg/sync/syncwaves/waves.go`).",
};

/// A user's wave that contradicts what tidegate knows.
pub static WAVE_AGAINST_EDGE: Rule = Rule {
    id: "TG202",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a sync wave puts an object before something that it needs",
    explanation: "The object's own wave, or that of what it needs, is fixed by an annotation, and the two are the \
wrong way round. Waves that a user wrote are never changed: correct one of them, or delete both and let tidegate \
number them. Against a dependency that somebody wrote down it is an error, against one that tidegate infers a \
warning.",
};

/// A CRD and its objects in one `kubectl apply`.
pub static ONE_STREAM: Rule = Rule {
    id: "TG203",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a definition and its objects stand in one stream for kubectl",
    explanation: "`kubectl apply` looks up every kind before it applies the first object, so a first install fails \
with `no matches for kind`. Apply stage by stage: `for s in config crd workload; do tidegate render --stage $s \
DIR | kubectl apply --server-side -f -; done`.",
};

/// An inferred edge that cannot hold.
pub static EDGE_LEFT_OUT: Rule = Rule {
    id: "TG204",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an inferred order was left out",
    explanation: "The object names another one, so that one should come first, but it cannot: its stage comes later, or it \
needs the object in turn. Orders that tidegate infers give way, by class: namespaces and definitions hold \
longest. Nothing is lost; the two are applied in the order of their stages and kinds.",
};

/// Explicit dependencies that cannot all hold.
pub static EXPLICIT_CIRCLE: Rule = Rule {
    id: "TG205",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "explicit dependencies go round in a circle",
    explanation: "Each of these objects is to come after the next, and the last after the first. Nothing can be applied in \
such an order. Every dependency of the circle is shown: take one of them out.",
};

/// A Service that somebody waits for, and that waits for a load balancer.
pub static LOAD_BALANCER_GATES: Rule = Rule {
    id: "TG206",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a Service of type LoadBalancer holds up later waves",
    explanation: "Argo CD takes such a Service for healthy once it has an address, and starts no later wave before that. \
In a cluster without a load balancer controller that is never. Where nothing waits for the Service it sits beside the \
first workload behind it; here it cannot, or other waves follow all the same.",
};
