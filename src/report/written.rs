//! Findings that lead to what somebody wrote.

use std::borrow::Cow;

use crate::finding::{Finding, Findings, Label};
use crate::source::{Place, SourceMap};

/// The findings that are left after suppression, with the places of text that a template made
/// replaced by those in the template. Where another template asked for it, that place comes too.
pub(super) fn findings<'f>(found: &'f Findings, sources: &SourceMap) -> Vec<Cow<'f, Finding>> {
    let is_made = |place: Place| sources.file(place.file).written.is_some();
    let of = |finding: &'f Finding| {
        if !finding.labels.iter().any(|label| is_made(label.place)) {
            return Cow::Borrowed(finding);
        }
        let mut moved = finding.clone();
        let calls = finding.labels.iter().filter_map(|label| sources.call_site(label.place));
        let calls: Vec<Label> = calls.map(|place| Label::new(place).text("included from here")).collect();
        moved.labels.iter_mut().for_each(|label| label.place = sources.written(label.place));
        moved.labels.extend(calls);
        Cow::Owned(moved)
    };
    found.sorted().into_iter().map(of).collect()
}
