//! Lists that are complete: every rule has one id, and the ids are known.

use std::collections::BTreeMap;

use tidegate::finding::{Rule, rules};

use super::none;

/// Every list of rules: those of the rooms that read, then the checks' own.
fn lists() -> Vec<(&'static str, &'static [&'static Rule])> {
    vec![("finding::rules", rules::ALL)]
}

/// Ids are part of the contract: users suppress and look up findings by them, so a new or renamed one shows in review.
#[test]
fn the_catalogue_of_rules_is_known() {
    let mut lines: Vec<String> = lists()
        .iter()
        .flat_map(|(_, list)| list.iter())
        .map(|rule| format!("{} {} {:?}: {}", rule.id, rule.severity, rule.refuses, rule.summary))
        .collect();
    lines.sort();
    insta::assert_snapshot!("rules", lines.join("\n"));
}

#[test]
fn ids_of_rules_are_unique_and_well_formed() {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    let mut faults = Vec::new();
    for (name, list) in lists() {
        for rule in list {
            if !is_id(rule.id) {
                faults.push(format!("{name}: `{}` is not TG and three digits", rule.id));
            }
            if let Some(other) = first.insert(rule.id, rule.summary) {
                faults.push(format!("{name}: `{}` stands twice, the other is: {other}", rule.id));
            }
            if rule.summary.ends_with('.') || rule.summary.is_empty() || rule.explanation.is_empty() {
                faults.push(format!("{name}: `{}` needs a summary (no full stop) and an explanation", rule.id));
            }
        }
    }
    none("rules", &faults);
    assert!(is_id("TG001") && !is_id("TG1") && !is_id("XG001") && !is_id("TG0a1"));
}

fn is_id(id: &str) -> bool {
    id.strip_prefix("TG").is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit()))
}
