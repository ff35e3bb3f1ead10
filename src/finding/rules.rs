//! The rules of the rooms that read: what cannot be read, or is not what it seems.
//!
//! Ids: `TG0xx` reading text and documents, `TG1xx` objects, `TG2xx` order. Checks keep their rules
//! beside their code.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&SYNTAX];

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
