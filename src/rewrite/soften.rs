//! What is an error for a render, and none for files that are converted where they stand.

use crate::finding::rules::{self, objects, rewriting};
use crate::finding::{Finding, Findings, Label, Severity};
use crate::source::Place;

use super::Request;
use super::document::Document;

/// Takes back findings about an input as a whole, and where templates are left alone, those about them.
pub(super) fn soften(documents: &[Document<'_>], request: &Request<'_>, found: &mut Findings) {
    for rule in
        [&objects::SAME_OBJECT, &objects::DIFFERENT_OBJECT, &objects::KUSTOMIZATION, &objects::KUSTOMIZATION_LEAVES_OUT]
    {
        found.replace(rule, |finding| finding.with_severity(Severity::Info));
    }
    if request.leaves_templates && documents.iter().any(|document| document.is_template) {
        // whatever is wrong with the text of a template, it is a template
        for rule in [&objects::TEMPLATE, &rules::SYNTAX, &rules::NO_JSON_FORM, &rules::DUPLICATE_KEY] {
            found.replace(rule, |finding| left(finding, documents));
        }
    }
}

/// One finding a template, at its start; other findings stay what they are.
fn left(finding: Finding, documents: &[Document<'_>]) -> Finding {
    let template = finding.place().and_then(|place| {
        let after =
            documents.partition_point(|document| (document.at.file, document.at.offset) <= (place.file, place.start));
        documents[..after].last().filter(|document| document.is_template && document.at.file == place.file)
    });
    let Some(Document { at, is_looked_into, .. }) = template else { return finding };
    let place = Place { file: at.file, start: at.offset, end: at.offset };
    let severity = if *is_looked_into { rewriting::LEFT_TEMPLATE.severity } else { Severity::Info };
    Finding::new(&rewriting::LEFT_TEMPLATE, "a template, which is not converted: it stays as it is")
        .with_severity(severity)
        .with_label(Label::new(place))
        .with_remedy("change it by hand, or render it first: `helm template CHART | tidegate convert -`")
}
