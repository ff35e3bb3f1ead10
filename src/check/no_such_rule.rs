//! Ids in the configuration that are no rule's.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Rule, nearest, rules};
use crate::source::Place;

/// Says which severities and suppressions of the configuration name a rule that there is not.
pub(super) fn run(settings: &Settings, catalogue: &[&'static Rule], found: &mut Findings) {
    let severities = settings.findings.severities.iter().map(|row| (&*row.rule, row.place));
    let ignores = settings.findings.ignore.iter();
    let ignores = ignores.map(|ignore| (&*ignore.id, ignore.label.as_ref().map(|label| label.place)));
    let named: Vec<(&str, Option<Place>)> = severities.chain(ignores).collect();
    for (id, place) in named.into_iter().filter(|(id, _)| !catalogue.iter().any(|rule| rule.id == *id)) {
        // one from a flag has been looked at
        let Some(place) = place else { continue };
        let finding = Finding::new(&rules::CONFIG, format!("there is no finding {id}"));
        let all = "`tidegate explain` lists all of them";
        found.push(finding.with_label(Label::new(place)).with_remedy(
            match nearest(id, catalogue.iter().map(|rule| rule.id)) {
                Some(near) => format!("did you mean {near}? {all}"),
                None => all.to_owned(),
            },
        ));
    }
}
