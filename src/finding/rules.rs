//! The rules of the rooms that read and order, as data.
//!
//! Ids: `TG00x` text, `TG01x` files, `TG02x` documents, `TG03x` suppressions, `TG04x` configuration,
//! `TG1xx` objects, `TG2xx` order. Checks keep their rules beside their code.

pub mod files;
pub mod objects;
pub mod order;
pub mod suppression;

use super::{Refusal, Rule, Severity};

/// Every rule of the rooms that read and order.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [ALL, files::ALL, objects::ALL, order::ALL, suppression::ALL].into_iter().flatten().copied()
}

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
