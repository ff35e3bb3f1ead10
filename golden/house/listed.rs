//! Lists that are complete: every rule has one id, and the ids are known.

use std::collections::BTreeMap;

use tidegate::check;
use tidegate::finding::Rule;

use super::none;

/// Ids are part of the contract: users suppress and look up findings by them, so a new or renamed one shows in review.
#[test]
fn the_catalogue_of_rules_is_known() {
    let rules = check::catalogue();
    let line = |rule: &&Rule| format!("{} {} {:?}: {}", rule.id, rule.severity, rule.refuses, rule.summary);
    let lines: Vec<String> = rules.iter().map(line).collect();
    insta::assert_snapshot!("rules", lines.join("\n"));
}

#[test]
fn ids_of_rules_are_unique_and_well_formed() {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    let mut faults = Vec::new();
    for rule in check::catalogue() {
        let id = rule.id;
        if !is_id(id) {
            faults.push(format!("`{id}` is not TG and three digits"));
        }
        if let Some(other) = first.insert(id, rule.summary) {
            faults.push(format!("`{id}` stands twice, the other is: {other}"));
        }
        if rule.summary.ends_with('.') || rule.summary.is_empty() || rule.explanation.is_empty() {
            faults.push(format!("`{id}` needs a summary (no full stop) and an explanation"));
        }
    }
    none("rules", &faults);
    assert!(is_id("TG001") && !is_id("TG1") && !is_id("XG001") && !is_id("TG0a1"));
}

fn is_id(id: &str) -> bool {
    id.strip_prefix("TG").is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit()))
}
