//! What is an error for a render, and none for files that are converted where they stand.

use crate::finding::rules::{objects, rewriting};
use crate::finding::{Finding, Findings, Severity};

use super::Request;

/// Takes back findings about an input as a whole, and where templates are left alone, those about them.
pub(super) fn soften(request: &Request<'_>, found: &mut Findings) {
    for rule in
        [&objects::SAME_OBJECT, &objects::DIFFERENT_OBJECT, &objects::KUSTOMIZATION, &objects::KUSTOMIZATION_LEAVES_OUT]
    {
        found.replace(rule, |finding| finding.with_severity(Severity::Info));
    }
    if request.leaves_templates {
        found.replace(&objects::TEMPLATE, left);
    }
}

fn left(finding: Finding) -> Finding {
    let rule = &rewriting::LEFT_TEMPLATE;
    let remedy = "change it by hand, or render it first: `helm template CHART | tidegate convert -`".to_owned();
    Finding { rule, severity: rule.severity, remedy: Some(remedy), ..finding }
}
