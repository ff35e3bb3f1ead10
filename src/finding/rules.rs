//! The rules of the rooms that read: what cannot be read, or is not what it seems.
//!
//! Ids: `TG0xx` reading text and documents, `TG1xx` objects, `TG2xx` order. Checks keep their rules
//! beside their code.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&SYNTAX, &CONFIG];

/// Text that is no YAML or JSON.
pub static SYNTAX: Rule = Rule {
    id: "TG001",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a document is not valid YAML or JSON",
    explanation: "The document cannot be read, and neither could kubectl read it. The place is where the \
reader gave up; the mistake is there or on a line above it.",
};

/// tidegate's own configuration.
pub static CONFIG: Rule = Rule {
    id: "TG040",
    severity: Severity::Error,
    refuses: Refusal::Usage,
    operator: true,
    summary: "tidegate's configuration is wrong",
    explanation: "\
`tidegate.yaml` (or what is given with `-c`, as a functionConfig or as a parameter) has a field that
tidegate does not know, or a value that the field does not accept. Nothing is rendered: with a setting
left out, the output would be another one than was asked for.

Every field is optional and stands under `spec`; a field that is null counts as absent.",
};
