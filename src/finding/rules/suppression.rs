//! Rules about suppressions.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&NO_REASON, &NO_SUPPRESSION, &IDLE_SUPPRESSION];

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
