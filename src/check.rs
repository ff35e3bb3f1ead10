//! Checks: one file each, listed once. They read a plan and change nothing.

mod api_versions;
mod config_values;
mod missing;
mod one_stream;
mod schema;
mod string_maps;
mod subjects;

use crate::config::Settings;
use crate::finding::{Findings, Rule};
use crate::flow::Planned;

/// One check: its rules and the function that looks.
pub struct Check {
    /// The rules it may find.
    pub rules: &'static [&'static Rule],
    run: fn(&Planned<'_>, &Settings, &mut Findings),
}

/// Every check.
pub static ALL: &[Check] = &[
    Check { rules: api_versions::RULES, run: api_versions::run },
    Check { rules: config_values::RULES, run: config_values::run },
    Check { rules: missing::RULES, run: missing::run },
    Check { rules: schema::RULES, run: schema::run },
    Check { rules: string_maps::RULES, run: string_maps::run },
    Check { rules: subjects::RULES, run: subjects::run },
];

/// Runs every check over a plan.
pub fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    for check in ALL {
        (check.run)(planned, settings, found);
    }
}

/// Says when a plan holds a definition and its objects, for output that `kubectl apply` takes as one
/// stream. Whoever prints one stage at a time need not ask.
pub fn one_stream(planned: &Planned<'_>, found: &mut Findings) {
    one_stream::run(planned, found);
}

/// Every rule there is, by id: those of the rooms that read and order, and those of the checks.
pub fn catalogue() -> Vec<&'static Rule> {
    let mut rules: Vec<_> =
        crate::finding::rules::all().chain(ALL.iter().flat_map(|check| check.rules.iter().copied())).collect();
    rules.sort_by_key(|rule| rule.id);
    rules
}
