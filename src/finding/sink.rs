//! Where findings go, and what becomes of them.

use std::collections::BTreeMap;

use super::{Finding, Refusal, Severity};
use crate::source::Place;

/// From which severity on findings stop a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threshold {
    /// Errors do.
    #[default]
    Error,
    /// Warnings do, too.
    Warning,
    /// Nothing does, but for rules that always refuse.
    Never,
}

/// Findings that somebody does not want to see, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// The rule's id.
    pub id: String,
    /// The object as findings name it; nothing means every object.
    pub object: Option<String>,
}

/// The findings of a run, in the order they were made; steps only push.
#[derive(Debug, Default)]
pub struct Findings {
    found: Vec<Finding>,
    ignores: Vec<Ignore>,
    open: BTreeMap<(crate::source::FileId, usize), usize>,
}

impl Findings {
    /// Takes a finding in.
    pub fn push(&mut self, finding: Finding) {
        self.found.push(finding);
    }

    /// Leaves findings out from now on and those already made, unless only an operator may.
    pub fn ignore(&mut self, ignore: Ignore) {
        self.ignores.push(ignore);
    }

    /// Says that the source lines of a document may be shown: it is known to hold no Secret. Lines
    /// of any other place are never shown.
    pub fn show_source(&mut self, document: Place) {
        self.open
            .insert((document.file, document.start), document.end);
    }

    /// Whether the source line of a place may be shown.
    pub fn may_show(&self, place: Place) -> bool {
        let before = self.open.range(..=(place.file, place.start)).next_back();
        before.is_some_and(|((file, _), end)| *file == place.file && place.end <= *end)
    }

    /// The findings that are left after suppression: by file, place, rule and message; those
    /// without a place come last.
    pub fn sorted(&self) -> Vec<&Finding> {
        let mut found: Vec<_> = self
            .found
            .iter()
            .filter(|finding| !self.is_ignored(finding))
            .collect();
        found.sort_by_key(|finding| {
            (
                finding.place().is_none(),
                finding.place(),
                finding.rule.id,
                &finding.message,
            )
        });
        found.dedup_by(|a, b| {
            a.rule == b.rule
                && a.message == b.message
                && a.labels == b.labels
                && a.severity == b.severity
        });
        found
    }

    fn is_ignored(&self, finding: &Finding) -> bool {
        let matches = |ignore: &Ignore| {
            ignore.id == finding.rule.id
                && (ignore.object.is_none() || ignore.object == finding.object)
        };
        !finding.rule.operator && self.ignores.iter().any(matches)
    }

    /// What the findings do to the run: the exit code (0, 1, 2 or 3, the highest of several), and
    /// not 0 means that no manifests are printed.
    pub fn exit_code(&self, threshold: Threshold) -> u8 {
        let code = |finding: &&Finding| match finding.rule.refuses {
            Refusal::Input if finding.severity == Severity::Error => 3,
            Refusal::Usage if finding.severity == Severity::Error => 2,
            Refusal::Findings if finding.severity == Severity::Error => 1,
            _ => u8::from(match threshold {
                Threshold::Error => finding.severity == Severity::Error,
                Threshold::Warning => finding.severity >= Severity::Warning,
                Threshold::Never => false,
            }),
        };
        self.sorted().iter().map(code).max().unwrap_or(0)
    }
}
