//! Rules about hooks, and what Argo CD applies otherwise.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &HOOK_BEFORE_NEED,
    &UNKNOWN_HOOK,
    &GENERATED_NAME,
    &UNKNOWN_DELETE_POLICY,
    &HOOK_OF_HELM,
    &HOOK_OF_TWO,
    &ON_TEMPLATE,
    &UNKNOWN_OPTION,
    &HELD_UP,
    &CLAIM_HOLDS_UP,
];

/// A hook, or what a hook makes, in the wrong phase.
pub static HOOK_BEFORE_NEED: Rule = Rule {
    id: "TG230",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object needs another one of a later phase",
    explanation: "Argo CD runs hooks in phases: all of PreSync, then Sync, where everything that is no hook is applied, then \
PostSync. Waves order only inside a phase, so a PreSync Job cannot use a ConfigMap, a Secret or a ServiceAccount of the \
Sync phase: on a first sync it waits for ever, later it reads what the sync before left. Bring both into one phase. \
Helm's `pre-install` and `pre-upgrade` are PreSync, `post-install` and `post-upgrade` PostSync.",
};

/// A hook that never runs.
pub static UNKNOWN_HOOK: Rule = Rule {
    id: "TG231",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a hook annotation has a value that is no hook",
    explanation: "Argo CD takes whatever has the annotation for a hook, and never applies one of whose values it knows none, \
without a word (`gitops-engine/pkg/sync/ignore/ignore.go`).",
};

/// A name that nobody completes.
pub static GENERATED_NAME: Rule = Rule {
    id: "TG232",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object with generateName is no hook",
    explanation: "Argo CD completes the names of hooks only. Any other object it applies, and an apply needs a name: the sync \
fails. Objects with the sync option `Replace=true` are created instead, and pass.",
};

/// A policy that is none.
pub static UNKNOWN_DELETE_POLICY: Rule = Rule {
    id: "TG233",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a hook has a policy of deletion that does not exist",
    explanation: "Argo CD drops a policy that it does not know without a word; where none is left, the old hook is deleted \
before the new one is made (`gitops-engine/pkg/sync/hook/delete_policy.go`).",
};

/// A hook that Argo CD has no phase for.
pub static HOOK_OF_HELM: Rule = Rule {
    id: "TG234",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a hook of Helm is never applied by Argo CD",
    explanation: "Argo CD runs the hooks of installing, upgrading and deleting. Tests and hooks of rolling back have no phase \
there: the object is taken for a hook and never applied.",
};

/// Hooks of two tools.
pub static HOOK_OF_TWO: Rule = Rule {
    id: "TG235",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object is a hook of Argo CD and another one of Helm",
    explanation: "Where an object has a hook of Argo CD's own, Argo CD does not look at Helm's annotation on it. Under Helm \
the object runs at another time than under Argo CD.",
};

/// Annotations where nobody looks.
pub static ON_TEMPLATE: Rule = Rule {
    id: "TG236",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an annotation for Argo CD stands on a pod template",
    explanation: "Waves, hooks and sync options count on the metadata of the object that is applied. On a pod template they \
are annotations of the pods, which Argo CD does not apply: they do nothing, and a change of them restarts the pods.",
};

/// An option that is none.
pub static UNKNOWN_OPTION: Rule = Rule {
    id: "TG237",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a sync option means nothing on an object",
    explanation: "Argo CD looks for the options that it knows and says nothing about others. Some of them count on an \
Application only: `CreateNamespace`, `ApplyOutOfSyncOnly`, `RespectIgnoreDifferences`, `FailOnSharedResource`, \
`PrunePropagationPolicy` (`gitops-engine/pkg/sync/common/types.go`).",
};

/// An object that may never be healthy, with something behind it.
pub static HELD_UP: Rule = Rule {
    id: "TG556",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object that may never be healthy holds up later waves, or the PostSync hooks",
    explanation: "Argo CD starts a wave when all of the waves before it is healthy, and the PostSync hooks (Helm's \
`post-install` and `post-upgrade`) when everything is. A paused Deployment or Rollout and a suspended Job or CronJob are \
`Suspended` until somebody resumes them: what is behind them never comes, a warning. An Ingress has to be given an address, \
and a HorizontalPodAutoscaler needs its metrics: where the cluster has no controller that does that, they are never \
healthy either, which is information.

tidegate puts such objects behind all other waves where nothing waits for them and nobody gave them a wave; PostSync hooks \
wait for them all the same. Source: argo-cd, gitops-engine/pkg/sync/sync_context.go and gitops-engine/pkg/health.",
};

/// A claim whose consumer comes later.
pub static CLAIM_HOLDS_UP: Rule = Rule {
    id: "TG326",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a claim that waits for its first consumer holds up the wave of that consumer",
    explanation: "With the volume binding mode `WaitForFirstConsumer`, which most classes of clouds have, a \
PersistentVolumeClaim is bound when a pod that uses it is scheduled, and Argo CD takes it for healthy when it is bound. A \
claim in an earlier wave than its consumer, or one that nobody uses before a PostSync hook, is never bound: what comes \
behind it never comes. Nothing is said where the class is in the input and binds at once, and of claims that name their \
volume.

Put the claim into the wave of its consumer: tidegate does so where nobody gave it a wave. Source: argo-cd, \
gitops-engine/pkg/health/health_pvc.go; k8s.io/docs/concepts/storage/storage-classes (volume binding mode).",
};
