//! Rules about what a change does to running pods. They are told what is applied now (`--previous`).

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&RESTARTS, &RESTARTS_ONCE, &STALE, &IMMUTABLE_SOURCE, &IMMUTABLE_TEMPLATE, &OLD_READER];

/// A workload that restarts.
pub static RESTARTS: Rule = Rule {
    id: "TG490",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload restarts",
    explanation: "Its pod template is another than in what `--previous` names: a field of it, its checksum, or the name of \
a versioned source. Keys of changed sources are named, values never.",
};

/// Restarts that come once.
pub static RESTARTS_ONCE: Rule = Rule {
    id: "TG491",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "workloads restart once",
    explanation: "What `--previous` names has no checksum on these workloads, or names sources by their own names, and the \
new manifests do: the pod template changes once, though nothing that the pods read did. Later renders restart only what \
reads something else. `checksums.mode: labelled` brings workloads in one by one.",
};

/// Old configuration in running pods.
pub static STALE: Rule = Rule {
    id: "TG492",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload is not restarted for configuration that changed",
    explanation: "It reads the configuration when its containers start, and nothing restarts them: its reload policy takes \
the source out of the checksum, or it gets none. The pods go on with the old values until something else restarts them.",
};

/// Immutable content that changes.
pub static IMMUTABLE_SOURCE: Rule = Rule {
    id: "TG493",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "an immutable source changes under the same name",
    explanation: "The API server refuses every change of the content of a ConfigMap or Secret with `immutable: true`, so the \
apply fails for ever. Such a source needs another name with each content, and its readers the new name: that is what \
`tidegate.dev/versioned: \"true\"` writes.",
};

/// A pod template that cannot change.
pub static IMMUTABLE_TEMPLATE: Rule = Rule {
    id: "TG494",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "the pod template of a Job or a Pod changes",
    explanation: "The API server refuses a change of a Job's template while the old Job is there, finished or not, and of \
nearly all of a Pod. It passes where the old one is deleted first: by `ttlSecondsAfterFinished`, as a hook with \
`BeforeHookCreation`, or with the sync options `Replace=true,Force=true`.",
};

/// Pods that run would read configuration that they do not understand.
pub static OLD_READER: Rule = Rule {
    id: "TG535",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "pods that run now do not understand the configuration that comes",
    explanation: "\
The workload that `--previous` shows says with `tidegate.dev/requires-config` which versions of a ConfigMap it
understands, and the ConfigMap becomes another one. The ConfigMap is applied first, and the pods are replaced one by
one: until then those that restart for any reason read the new content, and mounted files change under all of them.
A checksum cannot help, since it changes what comes, not what runs.

Give the ConfigMap a name of its content (`tidegate.dev/versioned: \"true\"`): pods that run keep the one that they
were started with (docs/versions.md).",
};
