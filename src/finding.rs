//! What tidegate has to say about an input: findings, as data.
//!
//! A step pushes [`Finding`]s into the [`Findings`] of its run and goes on; nothing is printed here.
//! A finding names its [`Rule`], says what is wrong, where ([`Label`]s), and what to do.

mod baseline;
mod document;
mod hidden;
pub mod ignore;
mod near;
pub mod rules;
mod sink;

use std::fmt;

pub use baseline::{Baseline, BaselineError, fingerprint};
pub(crate) use document::{DocumentFindings, duplicate_key, shown};
pub use hidden::is_hidden;
pub use ignore::{Ignore, Scope};
pub use near::{is_near, nearest};
pub(crate) use sink::MOST;
pub use sink::{Findings, SeverityRow, Threshold};

use crate::source::Place;
use crate::tree::FieldPath;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing to mend.
    Info,
    /// May fail, or may not be what was meant.
    Warning,
    /// Sure to fail.
    Error,
}

impl Severity {
    /// The word that every output format uses.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What an unsuppressed finding of a rule does to the run, whatever `--fail-on` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// Nothing: the threshold alone decides.
    Never,
    /// No manifests are printed and the exit code is 1 (a conversion that failed, differing duplicates).
    Findings,
    /// No manifests are printed and the exit code is 2 (tidegate's own configuration).
    Usage,
    /// No manifests are printed and the exit code is 3 (input that cannot be read or parsed).
    Input,
}

/// One kind of finding. Rules are statics; [`rules::ALL`] and the checks' own tables list them.
#[derive(Debug)]
pub struct Rule {
    /// `TG` and three digits. An id is API: it never changes its meaning and is never used again.
    pub id: &'static str,
    /// The severity unless a finding says otherwise.
    pub severity: Severity,
    /// What a finding of this rule does beside the threshold.
    pub refuses: Refusal,
    /// Whether only a flag or the operator's environment can suppress it, never the input.
    pub operator: bool,
    /// One line: what is wrong, without the names of one case.
    pub summary: &'static str,
    /// Why it matters and what to do, in whole sentences; Markdown, lines of at most 100 characters.
    pub explanation: &'static str,
}

/// Two rules are the same when their ids are.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A place that a finding points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The bytes.
    pub place: Place,
    /// The field at the place, where there is one.
    pub path: Option<FieldPath>,
    /// What to say beside it; may be empty for the first label of a finding.
    pub text: String,
}

impl Label {
    /// A place with nothing to say.
    pub fn new(place: Place) -> Self {
        Label { place, path: None, text: String::new() }
    }

    /// Adds the field.
    #[must_use]
    pub fn path(mut self, path: FieldPath) -> Self {
        self.path = Some(path);
        self
    }

    /// Adds what to say.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }
}

/// An error whose finding has been pushed: nothing is left to say, only to go on without the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported;

/// One thing that was found. Build it with [`Finding::new`] and the `with_` functions.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its rule.
    pub rule: &'static Rule,
    /// Its severity: the rule's, unless this case is better or worse.
    pub severity: Severity,
    /// What is wrong, in one line that can stand alone. Never holds a Secret's value.
    pub message: String,
    /// The object, as `Kind namespace/name` or `Kind name`.
    pub object: Option<String>,
    /// Where: the first label is the place, the others are related places.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub remedy: Option<String>,
    /// How many findings it stands for: 1, or those of its rule that are too many to be kept.
    pub count: u64,
}

impl Finding {
    /// A finding of a rule with the rule's severity and no place yet.
    pub fn new(rule: &'static Rule, message: impl Into<String>) -> Self {
        Finding {
            rule,
            severity: rule.severity,
            message: message.into(),
            object: None,
            labels: Vec::new(),
            remedy: None,
            count: 1,
        }
    }

    /// Changes the severity for this case.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Names the object.
    #[must_use]
    pub fn with_object(mut self, object: impl fmt::Display) -> Self {
        self.object = Some(object.to_string());
        self
    }

    /// Adds a place: the first is where the finding is, later ones are related.
    #[must_use]
    pub fn with_label(mut self, label: Label) -> Self {
        self.labels.push(label);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// Makes it stand for many findings of its rule.
    #[must_use]
    pub fn with_count(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// The place, if there is one.
    pub fn place(&self) -> Option<Place> {
        self.labels.first().map(|label| label.place)
    }
}
