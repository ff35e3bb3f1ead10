//! Rules about hooks, and what Argo CD applies otherwise.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&HOOK_BEFORE_NEED, &UNKNOWN_HOOK, &GENERATED_NAME];

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
