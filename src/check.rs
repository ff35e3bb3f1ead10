//! Checks: one file each, listed once. They read a plan and change nothing.

mod admission_circles;
mod api_versions;
mod arguments;
mod attachment;
mod cold_start;
mod config_skew;
mod config_values;
mod deletion;
mod excluded_kinds;
mod flux;
mod mesh;
mod mesh_pods;
mod mesh_words;
mod missing;
mod no_such_rule;
mod old_definition;
mod one_stream;
mod output_tree;
mod plain_hooks;
mod pod_ports;
mod readiness;
mod reloaders;
mod scaling;
mod schema;
mod selected;
mod service_ports;
mod sizes;
mod string_maps;
mod subjects;
mod substitution;
mod unused;
mod webhooks;

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
    Check { rules: admission_circles::RULES, run: admission_circles::run },
    Check { rules: arguments::RULES, run: arguments::run },
    Check { rules: api_versions::RULES, run: api_versions::run },
    Check { rules: config_skew::RULES, run: config_skew::run },
    Check { rules: config_values::RULES, run: config_values::run },
    Check { rules: flux::RULES, run: flux::run },
    Check { rules: mesh::RULES, run: mesh::run },
    Check { rules: mesh_pods::RULES, run: mesh_pods::run },
    Check { rules: mesh_words::RULES, run: mesh_words::run },
    Check { rules: missing::RULES, run: missing::run },
    Check { rules: old_definition::RULES, run: old_definition::run },
    Check { rules: selected::RULES, run: selected::run },
    Check { rules: service_ports::RULES, run: service_ports::run },
    Check { rules: pod_ports::RULES, run: pod_ports::run },
    Check { rules: readiness::RULES, run: readiness::run },
    Check { rules: reloaders::RULES, run: reloaders::run },
    Check { rules: scaling::RULES, run: scaling::run },
    Check { rules: schema::RULES, run: schema::run },
    Check { rules: string_maps::RULES, run: string_maps::run },
    Check { rules: subjects::RULES, run: subjects::run },
    Check { rules: unused::RULES, run: unused::run },
    Check { rules: deletion::RULES, run: deletion::run },
    Check { rules: excluded_kinds::RULES, run: excluded_kinds::run },
    Check { rules: plain_hooks::RULES, run: plain_hooks::run },
    Check { rules: sizes::RULES, run: sizes::run },
    Check { rules: substitution::RULES, run: substitution::run },
    Check { rules: attachment::RULES, run: attachment::run },
    Check { rules: cold_start::RULES, run: cold_start::run },
    Check { rules: webhooks::RULES, run: webhooks::run },
];

/// Runs every check over a plan.
pub fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    no_such_rule::run(settings, &catalogue(), found);
    for check in ALL {
        (check.run)(planned, settings, found);
    }
}

/// Says when a plan holds a definition and its objects, for output that `kubectl apply` takes as one
/// stream. Whoever prints one stage at a time need not ask.
pub fn one_stream(planned: &Planned<'_>, found: &mut Findings) {
    one_stream::run(planned, found);
}

/// Says which objects `kubectl apply` refuses for want of a name, where the engine is kubectl: `tidegate apply`
/// creates them.
pub fn generated_names(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    plain_hooks::generated_names(planned, settings, found);
}

/// Says which objects no kustomization can hold, for output that is a tree of files with kustomizations.
pub fn output_tree(planned: &Planned<'_>, found: &mut Findings) {
    output_tree::run(planned, found);
}

/// Says that Flux reads folders, for output that is a stream.
pub fn no_folders(found: &mut Findings) {
    flux::no_folders(found);
}

/// Every rule there is, by id: those of the rooms that read and order, and those of the checks.
pub fn catalogue() -> Vec<&'static Rule> {
    let mut rules: Vec<_> =
        crate::finding::rules::all().chain(ALL.iter().flat_map(|check| check.rules.iter().copied())).collect();
    rules.sort_by_key(|rule| rule.id);
    rules
}
