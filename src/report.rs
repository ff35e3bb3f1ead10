//! What people and machines read about a run.
//!
//! [`text`] is for people, [`json`] for programs, [`sarif`], [`junit`] and [`github`] for those who show them; [`plan`] tells the order and its reasons;
//! [`audit`] what workloads read; [`starter`] makes a configuration to begin with; [`explain()`], [`catalogue`] and [`reference()`] tell about rules.
//! Nothing here decides: findings come sorted and suppressed from
//! [`Findings::sorted`](crate::finding::Findings::sorted).

pub mod audit;
pub mod conversions;
pub mod diff;
pub mod escape;
mod explain;
pub mod github;
pub mod json;
pub mod junit;
pub mod krm;
pub mod plan;
pub mod sarif;
mod snippet;
pub mod starter;
pub mod text;
mod written;

pub use explain::{catalogue, explain, reference};

use crate::finding::{Finding, Rule, Severity};

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of errors.
    pub errors: u64,
    /// Number of warnings.
    pub warnings: u64,
    /// Number of infos.
    pub infos: u64,
}

impl Tally {
    /// Counts findings.
    pub fn of<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut tally = Tally::default();
        for finding in findings {
            *match finding.severity {
                Severity::Error => &mut tally.errors,
                Severity::Warning => &mut tally.warnings,
                Severity::Info => &mut tally.infos,
            } += finding.count;
        }
        tally
    }
}

/// Where a rule is documented: its section of the page that [`reference()`] makes.
pub fn docs(rule: &Rule) -> String {
    format!("docs/findings.md#{}", rule.id.to_ascii_lowercase())
}
