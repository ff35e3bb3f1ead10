//! The rules of the rooms that read: what cannot be read, or is not what it seems.
//!
//! Ids: `TG0xx` reading text and documents, `TG1xx` objects, `TG2xx` order. Checks keep their rules
//! beside their code.

pub mod objects;
pub mod order;

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&SYNTAX, &NO_REASON, &NO_SUPPRESSION, &IDLE_SUPPRESSION];

/// Every rule of the rooms that read and order.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [ALL, objects::ALL, order::ALL].into_iter().flatten().copied()
}

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

/// A suppression that does not say why.
pub static NO_REASON: Rule = Rule {
    id: "TG030",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a suppression says no reason",
    explanation: "A suppression outlives the memory of whoever wrote it, so it has to say why it is there. \
Without a reason it has no effect. A line of the annotation `tidegate.dev/ignore` holds the ids of one or \
more rules with commas between them, then the reason:

    tidegate.dev/ignore: |
      TG203 the mesh fills this key at run time
      TG101, TG104: made by hand, see the runbook",
};

/// A suppression that cannot work.
pub static NO_SUPPRESSION: Rule = Rule {
    id: "TG031",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a suppression cannot have an effect",
    explanation: "Either a line of the annotation `tidegate.dev/ignore` does not begin with the id of a rule, \
or the rule cannot be suppressed from where it is tried. Rules about input that cannot be read, objects \
that contradict each other, conversions that failed and tidegate's own configuration cannot be suppressed \
at all: the output would not be what was written. Rules marked *operator* can be suppressed only by a flag \
or the operator's environment, never by the input that they guard against.",
};

/// A suppression that is not needed.
pub static IDLE_SUPPRESSION: Rule = Rule {
    id: "TG032",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a suppression matches no finding",
    explanation: "What it suppressed is mended, or its id is not the one of the finding. Left in place it would \
hide the next finding of that rule without anybody having looked at it.",
};
