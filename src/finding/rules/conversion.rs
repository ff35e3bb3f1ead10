//! Rules about conversions from one version of an API to another.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &ASSUMED_VERSION,
    &NOT_CONVERTIBLE,
    &NO_WEIGHT,
    &QUANTITY_WEIGHT,
    &LOSSY,
    &LOST,
    &ROUNDED,
    &ABOVE_LIMIT,
    &READ_LENIENTLY,
    &UNKNOWN_FIELD,
    &OWNER_REFERENCES,
    &FINALIZERS,
    &LEFT_ALONE,
    &NOT_SERVED,
    &STORED_VERSION,
    &PASSED_THROUGH,
];

/// Nothing says what is served.
pub static ASSUMED_VERSION: Rule = Rule {
    id: "TG411",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a TrafficSplit is converted although nothing says which versions are served",
    explanation: "Version v1alpha1 has Quantities as weights, every later one whole numbers. Neither a \
CustomResourceDefinition in the input nor `--api-versions` says what the cluster serves, so v1alpha2 is taken: the \
version that Linkerd's definition has served beside v1alpha1 since 2.10.1.

Put the definition into the input, hand in `--api-versions split.smi-spec.io/v1alpha2`, or say in the configuration \
what is wanted: `convert.trafficSplit: off|VERSION`.",
};

/// An object of the wrong shape.
pub static NOT_CONVERTIBLE: Rule = Rule {
    id: "TG412",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "an object cannot be converted: it has not the shape of its version",
    explanation: "A field that the conversion reads holds something else than the version of the object allows. \
Nothing is guessed: a wrong share of the traffic is worse than no manifest.",
};

/// A weight that is none.
pub static NO_WEIGHT: Rule = Rule {
    id: "TG413",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a weight of a TrafficSplit is missing, negative or no number",
    explanation: "In v1alpha1 a weight is a Quantity (`1`, `0.5`, `500m`, `1k`, `1Ki`, `1e3`), in every later version \
a whole number. A backend that gets no traffic says `weight: 0`.",
};

/// A Quantity in a version of whole numbers.
pub static QUANTITY_WEIGHT: Rule = Rule {
    id: "TG414",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a TrafficSplit of v1alpha2 or later has a Quantity as a weight",
    explanation:
        "Since v1alpha2 weights are whole numbers. `500m`, `\"50\"` and `1.5` are read by no typed client: one \
such object is enough, and every reader of the kind stops listing. Some generators write them all the same.

Write whole numbers in the same proportion. `convert.lenient: true` reads such weights as Quantities and does that.",
};

/// A conversion that would lose something.
pub static LOSSY: Rule = Rule {
    id: "TG415",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a field cannot be expressed in the version that is asked for",
    explanation: "Without `matches` a split that was meant for some requests takes all of them; without `headers` a \
match takes requests that it was not meant for. So such a conversion is refused unless the loss is allowed \
(`convert.allowLossy: true`), and then every lost field is reported.",
};

/// A field that was lost.
pub static LOST: Rule = Rule {
    id: "TG416",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a conversion lost a field, as was allowed",
    explanation: "The version that was asked for cannot hold the field. What the loss means stands in the message.",
};

/// Weights that are not exact.
pub static ROUNDED: Rule = Rule {
    id: "TG417",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "weights were rounded, because exact ones pass the limit",
    explanation: "Linkerd carries a weight times 10000 in 32 bits, so a weight, and the sum of the weights of an \
object, can be 429496 at most; a route of Gateway API takes 1000000 a weight. Weights that need more digits are scaled \
down and rounded; none that is not 0 becomes 0. The message says how much of the traffic moves at most.

`convert.weightLimit` sets another limit, for other meshes.",
};

/// Whole weights that pass the limit.
pub static ABOVE_LIMIT: Rule = Rule {
    id: "TG418",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "whole weights pass what the mesh carries",
    explanation: "Weights that are whole numbers already are copied as they are. Linkerd carries a weight times 10000 \
in 32 bits: beyond 429496, as a weight or as their sum, it wraps, and shares come out wrong.

Write smaller numbers in the same proportion, or set `convert.weightLimit` for another mesh.",
};

/// A Quantity that was read where a whole number belongs.
pub static READ_LENIENTLY: Rule = Rule {
    id: "TG419",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a Quantity was read where a whole number belongs",
    explanation: "The version of the object takes whole numbers only, and `convert.lenient` says that \
Quantities are meant. They are written as whole numbers in the same proportion. Mend the source.",
};

/// A field that no version has.
pub static UNKNOWN_FIELD: Rule = Rule {
    id: "TG420",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object that is converted has a field that its version does not know",
    explanation: "The field was kept as it is. A definition with a schema drops it without a word, and another version \
may give it a meaning. Most are slips in a name, or fields of a later version.",
};

/// References to owners.
pub static OWNER_REFERENCES: Rule = Rule {
    id: "TG421",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "ownerReferences were taken out of an object that is converted",
    explanation: "They name an owner by its uid. Applied anew, an object whose owner has another uid is deleted by the \
garbage collector. An object with an owner is written by a controller (Flagger owns its TrafficSplits) and should not be \
in a repository at all.",
};

/// Finalizers of a live object.
pub static FINALIZERS: Rule = Rule {
    id: "TG422",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object that is converted has finalizers",
    explanation: "They were kept. In a copy of a live object they were written by a controller; without that \
controller the object can never be deleted.",
};

/// Nothing newer is served.
pub static LEFT_ALONE: Rule = Rule {
    id: "TG423",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a TrafficSplit stays at v1alpha1, since nothing newer is served",
    explanation: "What is served (by the CustomResourceDefinition in the input, or by `--api-versions`) ends at \
v1alpha1, so another version could not be applied. Serve a newer version first; `convert.trafficSplit: off` says that \
v1alpha1 is wanted.",
};

/// A version that is not served.
pub static NOT_SERVED: Rule = Rule {
    id: "TG424",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "the version of an object is not served by the definition in the input",
    explanation:
        "The CustomResourceDefinition of the kind is in the input, and none of its served versions is the one \
that the object has: the API server answers that it knows no such kind.

Bring the object to a served version (`convert.trafficSplit` in the configuration), or serve its version.",
};

/// A stored version that is dropped.
pub static STORED_VERSION: Rule = Rule {
    id: "TG425",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a definition drops a version that objects are stored in",
    explanation:
        "A version may leave `spec.versions` only when it no longer stands in `status.storedVersions`: the API \
server refuses the definition otherwise, since stored objects could not be read any more.

Keep the version (with `served: false` if nobody shall use it) until every object was written anew and the version was \
taken out of `status.storedVersions`.",
};

/// A kind that is not converted.
pub static PASSED_THROUGH: Rule = Rule {
    id: "TG426",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "an SMI object is passed through as it is",
    explanation: "Its versions are not converted. Linkerd never read TrafficTargets (access.smi-spec.io): its own \
AuthorizationPolicy is the counterpart.",
};
