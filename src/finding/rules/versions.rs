//! Rules about configuration under names of its content.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &INVALID_VERSIONED,
    &NOT_A_SOURCE,
    &CANNOT_BE_VERSIONED,
    &NAMED_ELSEWHERE,
    &READ_BY_IMMUTABLE,
    &ROW_FOR_NOTHING,
    &PARTIAL,
];

/// A word that is none.
pub static INVALID_VERSIONED: Rule = Rule {
    id: "TG480",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "`tidegate.dev/versioned` is neither true nor false",
    explanation: "`tidegate.dev/versioned` is `\"true\"` or `\"false\"`, as a string. Any other value says nothing, so the \
object keeps its name unless the configuration names it.",
};

/// Asked of what cannot have versions.
pub static NOT_A_SOURCE: Rule = Rule {
    id: "TG481",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "`tidegate.dev/versioned` stands on an object that is no ConfigMap or Secret",
    explanation: "Only ConfigMaps and Secrets of the input get a name of their content. What an object makes when it runs \
(a SealedSecret, an ExternalSecret, a Certificate) has the name that its maker gives it, and a content that nobody \
knows here.",
};

/// A source that cannot have versions.
pub static CANNOT_BE_VERSIONED: Rule = Rule {
    id: "TG482",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a source cannot get a name of its content",
    explanation: "A versioned source is applied as `NAME-<10 hexadecimal digits of its content>` and is immutable. That \
needs a fixed name with room for the digits, and content that is all in the input: a source that somebody fills at \
run time, that another object makes, or that is encrypted, has its content from elsewhere. Take \
`tidegate.dev/versioned` off it; its readers then get a checksum.",
};

/// A name that no table knows.
pub static NAMED_ELSEWHERE: Rule = Rule {
    id: "TG483",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a source that would be renamed is named where nothing rewrites it",
    explanation: "Under a name of its content a source changes its name with every change. References that the table \
knows are rewritten; a name in an argument or a variable, in a rule of RBAC (somebody reads the object through the API), \
or in a field of a kind that the table does not know, would go on naming what is no longer there. Nothing is renamed \
then. Read the source by a volume or a variable (`configMapKeyRef`) instead, or take `tidegate.dev/versioned` off it.",
};

/// A workload that cannot follow.
pub static READ_BY_IMMUTABLE: Rule = Rule {
    id: "TG484",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a versioned source is read by pods whose template cannot be changed",
    explanation: "The API server refuses a change of the pod template of a Job, and of nearly all of a Pod. Each change of \
a versioned source changes the name in it, so the next apply fails while the old object is still there. Let it be made \
anew each time (a hook, or the sync options `Replace=true,Force=true`), or give it a source of its own without versions.",
};

/// A row that fits nothing.
pub static ROW_FOR_NOTHING: Rule = Rule {
    id: "TG485",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a row of the configuration fits no ConfigMap or Secret",
    explanation: "A row of `versioned.sources` or `reload.rules` names sources by a pattern and labels, and the input holds \
none that fits. The pattern has a slip, or the sources are gone.",
};

/// A source of a partial input.
pub static PARTIAL: Rule = Rule {
    id: "TG486",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a source of a partial input gets no name of its content",
    explanation: "A function of kustomize or kpt sees a list that may be a part of what is deployed (`spec.partial` says \
so of any input). A source that got another name there would be missed by every reader that is not in the list. So it \
keeps its name, and its readers in the list get a checksum. A source that has a name of its content already keeps \
having one.",
};
