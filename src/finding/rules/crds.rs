//! Rules about definitions: the old form of them, and the way from one stored version to another.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&REFUSED_DEFINITION, &CHANGED_DEFINITION, &NO_PLAN, &PLAN_CAUTION];

/// A definition that v1 does not accept.
pub static REFUSED_DEFINITION: Rule = Rule {
    id: "TG431",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a definition of v1beta1 holds what v1 refuses",
    explanation: "\
`apiextensions.k8s.io/v1` takes structural schemas only: every field has a type, `properties` and
`additionalProperties` never stand together, what `allOf`, `anyOf`, `oneOf` and `not` speak of is described
outside of them, and `metadata` is left to the API server. v1beta1 took anything.

The definition is left as it is. Each finding names one place and what has to be written there; convert
again when they are mended. Nothing is guessed where a guess could refuse objects that are stored.",
};

/// A definition that says in v1 what v1beta1 took for granted.
pub static CHANGED_DEFINITION: Rule = Rule {
    id: "TG432",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a definition says in v1 what v1beta1 took for granted",
    explanation: "\
v1beta1 kept fields that a schema does not name, unless `preserveUnknownFields: false` was set; v1 drops
them, unless the schema says `x-kubernetes-preserve-unknown-fields: true`. That is written wherever objects
could hold such fields, so that none is lost. A version without a schema gets one that lets everything
through, and a webhook that names no review versions gets `v1beta1`.

Once the schema is complete, set `preserveUnknownFields: false` before the conversion.",
};

/// A way that cannot be gone.
pub static NO_PLAN: Rule = Rule {
    id: "TG451",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "there is no safe way to the version that was asked for",
    explanation: "\
A definition goes from one stored version to another in steps, in each of which both versions can be read.
For that it has to hold both versions, and to name a version that it has. A version of `status.storedVersions` that is
not in `spec.versions` any more cannot be read at all: put it back first.

Write the version into the definition, with its schema; `tidegate convert --crd` writes that of TrafficSplits.",
};

/// What a plan cannot see to.
pub static PLAN_CAUTION: Rule = Rule {
    id: "TG452",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a step of the way to another stored version needs a look",
    explanation: "\
With `conversion: None` the API server changes `apiVersion` and nothing else. A TrafficSplit that is stored
at v1alpha1 with a Quantity as weight (`500m`) is then no object of any newer version: readers fail to
decode it, and their caches never fill. The script looks for such weights and stops before anything is
changed. With `conversion: Webhook` they are converted.",
};
