//! Rules about what hosts of functions send.

use super::super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&RESOURCE_LIST, &FUNCTION_CONFIG, &PARAMETER];

/// A ResourceList that is none.
pub static RESOURCE_LIST: Rule = Rule {
    id: "TG801",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a ResourceList cannot be read",
    explanation: "\
A host of KRM functions (kustomize, kpt) sends one `ResourceList` of `config.kubernetes.io/v1`, whose
`items` are the objects (also `v1beta1` and `v1alpha1`, which older hosts send). Nothing is answered,
since an answer without the objects would delete them.",
};

/// A functionConfig of somebody else.
pub static FUNCTION_CONFIG: Rule = Rule {
    id: "TG802",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "the functionConfig is none of tidegate's, or a part of it sets nothing",
    explanation: "\
A function is configured by the object that its host sends as `functionConfig`: tidegate's own
configuration (`apiVersion: tidegate.dev/v1alpha1`, `kind: Tidegate`), or a ConfigMap whose `data` holds
parameters. Any other object comes back as it is and sets nothing, and so does a section about templates:
a list of objects holds none.",
};

/// A parameter that says nothing.
pub static PARAMETER: Rule = Rule {
    id: "TG803",
    severity: Severity::Error,
    refuses: Refusal::Usage,
    operator: false,
    summary: "a parameter is unknown, or its value is none that it takes",
    explanation: "\
Parameters come from the `data` of a ConfigMap that is the functionConfig of a KRM function, or from an
Argo CD Application (`spec.source.plugin.parameters`). `tidegate version -v` lists them. Key files,
programs and limits are no parameters: only flags and the operator's environment set those.",
};
