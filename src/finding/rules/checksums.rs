//! Rules about checksums of configuration.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &INVALID_RELOAD,
    &RELOAD_OF_NOTHING,
    &NOT_REFRESHED,
    &MAY_NOT_RESTART,
    &FIXED_TEMPLATE_NAME,
    &UNKNOWN_TEMPLATE,
    &FILLED,
    &NO_KEY,
];

/// A policy that cannot be read.
pub static INVALID_RELOAD: Rule = Rule {
    id: "TG401",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a reload policy cannot be read",
    explanation: "`tidegate.dev/reload` is `restart` (the default), `hot` or `ignore` on a ConfigMap or Secret, and a \
list on a workload: `\"configmap/app=hot, secret/tls=ignore, *=restart\"`. What cannot be read says nothing, so a \
change of the source restarts the pods.",
};

/// A policy for a source that is not read.
pub static RELOAD_OF_NOTHING: Rule = Rule {
    id: "TG402",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload has a reload policy for a source that it does not read",
    explanation: "The name has a slip, or the workload does not read the source any more. A volume that no container \
mounts is not read.",
};

/// `hot`, where nothing is refreshed.
pub static NOT_REFRESHED: Rule = Rule {
    id: "TG403",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a hot source is read in a way that the kubelet never refreshes",
    explanation: "The kubelet brings a change to running pods only in volumes that are mounted without `subPath`, and \
not for immutable sources. Variables (`env`, `envFrom`) and `subPath` mounts keep the old value until the container \
starts again, so they stay in the checksum although the policy is `hot`. `ignore` takes them out as well.",
};

/// A checksum that restarts nothing.
pub static MAY_NOT_RESTART: Rule = Rule {
    id: "TG404",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a workload has a checksum, but its update strategy may restart nothing",
    explanation: "A change of the pod template does not restart all pods by itself with the strategy `OnDelete`, a \
`partition`, a paused workload, an update in place (OpenKruise), or a DeploymentConfig without a ConfigChange \
trigger. The checksum still says which configuration a pod was made for.",
};

/// A Knative revision with a name of its own.
pub static FIXED_TEMPLATE_NAME: Rule = Rule {
    id: "TG405",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a Knative template with a fixed name gets no checksum",
    explanation: "Knative refuses a template that changes under the same name, so every change of the configuration \
would fail. Without `spec.template.metadata.name` Knative names each revision by itself.",
};

/// A kind with a pod template that no table has.
pub static UNKNOWN_TEMPLATE: Rule = Rule {
    id: "TG406",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an unknown kind seems to hold a pod template",
    explanation: "What a change of its template does is not known, so nothing is written on it. Name the kind in the \
configuration if its pods should restart: `references.podTemplates: [{group, kind, path}]`.",
};

/// A source that is not final.
pub static FILLED: Rule = Rule {
    id: "TG407",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a source is filled at run time, so it is in no checksum",
    explanation: "Somebody writes its content in the cluster: a token controller, a CA injector, a replicator. What the \
input holds is not what pods will read, and a change of it says nothing.",
};

/// A required key that is not there.
pub static NO_KEY: Rule = Rule {
    id: "TG408",
    severity: Severity::Error,
    refuses: Refusal::Usage,
    operator: true,
    summary: "the configuration requires a key for checksums, and there is none",
    explanation: "`checksums.requireKey` says that a plain checksum must never be written: whoever may read workloads \
could try guesses at a short secret against it. Hand in the key with `--checksum-key-file FILE` or \
TIDEGATE_CHECKSUM_KEY_FILE; the bytes of the file count as they are.",
};
