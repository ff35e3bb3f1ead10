//! Rules about stages and waves.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &INVALID_WAVE,
    &WAVE_AGAINST_EDGE,
    &ONE_STREAM,
    &EDGE_LEFT_OUT,
    &UNKNOWN_NAMESPACE,
    &DEADLOCK,
    &CONVERSION_AFTER_DEFINITION,
    &LOAD_BALANCER_GATES,
    &HARD_CIRCLE,
    &UNREADABLE_DEPENDENCY,
    &DEPENDENCY_ON_NOBODY,
    &UNKNOWN_ORDER_WORD,
    &IDLE_EDGE_ROW,
    &TOO_MANY_DEPENDENCIES,
];

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

/// A registration that selects namespaces by labels which nobody knows.
pub static UNKNOWN_NAMESPACE: Rule = Rule {
    id: "TG210",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a webhook selects namespaces by labels that are not in the input",
    explanation: "\
The `namespaceSelector` of a webhook asks for labels of a Namespace that is not in the input, so it is not
known whether the webhook is asked about the objects there. They are not put behind it.

Where they should be, put the Namespace into the input with the labels that it has.",
};

/// A webhook that refuses the pods which serve it.
pub static DEADLOCK: Rule = Rule {
    id: "TG211",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a webhook is asked about the pods that serve it",
    explanation: "\
With `failurePolicy: Fail` a webhook that nobody answers refuses what its rules match. If that takes in the
pods of its own backend, they start only as long as one of them runs: after an upgrade, an eviction or an
outage that ends the last one, no new pod is admitted until somebody deletes the registration. On a first
install tidegate puts the backend before its registration, so all goes well once.

It is an error where a wave or an explicit dependency of yours puts the registration first: then no pod of the
backend is ever admitted.

Leave the backend out: by a `namespaceSelector` that its Namespace does not match, or an `objectSelector`.",
};

/// A definition that comes before the backend of its conversion.
pub static CONVERSION_AFTER_DEFINITION: Rule = Rule {
    id: "TG212",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a definition is applied before the webhook that converts its versions",
    explanation: "\
The backend of the conversion may read objects of the kind that it converts, or write definitions, so it may
not start without the definition, which therefore comes first. Until the backend is ready, the API server
cannot convert: reads at any version but the one that is stored fail, as do the informers of controllers that
use them, and the garbage collector stops. Objects of the input at another version wait for the backend.

The definition comes after its backend where the backend can do without it: its pods carry no token
(`automountServiceAccountToken: false`), or its ServiceAccount is in the input and may neither list nor watch
the group nor change definitions. Otherwise go in two steps: first serve the storage version alone, and the
others once the backend is ready.",
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

/// Explicit dependencies that contradict each other.
pub static HARD_CIRCLE: Rule = Rule {
    id: "TG220",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "explicit dependencies go round in a circle",
    explanation: "Each object of the circle waits for another one of it, so none can come first. The places are those \
of all its dependencies: `config.kubernetes.io/depends-on` and kapp's change rules on objects, `spec.edges.dependsOn` \
of the configuration. Take one of them out. Orders that tidegate infers never make such an error: they give way.",
};

/// An explicit dependency that says nothing.
pub static UNREADABLE_DEPENDENCY: Rule = Rule {
    id: "TG221",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "an explicit dependency cannot be read",
    explanation: "`config.kubernetes.io/depends-on` holds objects with commas between them, each once, as \
`GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME` without a namespace; the core group is nothing: \
`/namespaces/shop/ConfigMap/app`. kapp's `change-group` holds a name, `change-rule` four words: `upsert after \
upserting GROUP`. Their own tools refuse anything else, and an order that cannot be read is not kept.",
};

/// An explicit dependency that leads out of the input.
pub static DEPENDENCY_ON_NOBODY: Rule = Rule {
    id: "TG222",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an explicit dependency names an object that is not in the input",
    explanation: "Nothing can be ordered behind an object that is not applied here; kpt refuses it. Group, namespace, \
kind and name must all be right: a Deployment is `apps/namespaces/shop/Deployment/web`.",
};

/// A word about order that nobody knows.
pub static UNKNOWN_ORDER_WORD: Rule = Rule {
    id: "TG223",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "`tidegate.dev/order` holds a word that means nothing",
    explanation: "The annotation holds words with commas between them: `no-wait` (nothing waits for what the object \
makes) and `stage=config`, `stage=crd` or `stage=workload` (the stage that it goes to).",
};

/// A row about edges that does nothing.
pub static IDLE_EDGE_ROW: Rule = Rule {
    id: "TG224",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a row of `spec.edges` matches nothing",
    explanation: "A row of `dependsOn` needs two objects to put in order, a row of `ignore` an inferred edge to take out \
(info: it may be for another input). Patterns are `KIND[.GROUP]`, `KIND[.GROUP]/NAME` or \
`KIND[.GROUP]/NAMESPACE/NAME`, each part with `*` for any characters.",
};

/// More explicit dependencies than can be meant.
pub static TOO_MANY_DEPENDENCIES: Rule = Rule {
    id: "TG225",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "explicit dependencies are between too many pairs of objects",
    explanation: "Patterns and change groups put every object of one set before every object of another, and the product \
of the two is beyond the limit of 1,000,000. Let both sets wait for one object, or name fewer.",
};
