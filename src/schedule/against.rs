//! What users wrote against the edges.

use super::links::Link;
use super::wave::{Assigned, Waves};
use super::word::{Who, Word, wave_path};
use crate::finding::{Finding, Findings, Label, Severity, rules::order};
use crate::flow::{Linked, Strength};

/// Says where waves that users wrote contradict an edge.
pub(super) fn contradictions(
    linked: &Linked<'_>,
    words: &[Word],
    waves: &Waves<'_>,
    assigned: &[Assigned],
    found: &mut Findings,
) {
    for link in waves.links.all() {
        let (before, after) = (assigned[link.from.index()].wave, assigned[link.to.index()].wave);
        if before.saturating_add(link.boundary) > after {
            found.push(contradiction(linked, words, waves, link, (before, after)));
        }
    }
}

fn contradiction(
    linked: &Linked<'_>,
    words: &[Word],
    waves: &Waves<'_>,
    link: &Link,
    (before, after): (i64, i64),
) -> Finding {
    let (needed, needing) = (linked.loaded.objects.get(link.from), linked.loaded.objects.get(link.to));
    let message = against(&needing.id.to_string(), &needed.id.to_string(), (after, before), link.reason);
    let mut finding = Finding::new(&order::WAVE_AGAINST_EDGE, message).with_object(&needing.id);
    if link.strength == Strength::Hard {
        finding = finding.with_severity(Severity::Error);
    }
    for (object, decides, text) in [
        (link.to, waves.ceilings.puller(link.to), "pulls it there"),
        (link.from, waves.pusher(link.from, before), "holds it back"),
    ] {
        let is_fixed = matches!(words[object.index()].who, Who::Fixed(_));
        let at = linked.loaded.objects.get(if is_fixed { object } else { decides.unwrap_or(object) });
        let text = match (is_fixed, object == link.to) {
            (true, true) => String::new(),
            (true, false) => "what it needs".to_owned(),
            (false, _) => format!("{} {text}", at.id),
        };
        let path = wave_path(at);
        finding = finding.with_label(Label::new(at.place_of(&path)).path(path).text(text));
    }
    if link.strength == Strength::Hard {
        let place = linked.graph.edges()[link.edge].place;
        finding = finding.with_label(Label::new(place).text("the explicit dependency"));
    }
    finding.with_remedy("correct one of the two waves, or remove both and let tidegate number them")
}

/// The message about an object that does not come after what it needs.
pub(super) fn against(needing: &str, needed: &str, (after, before): (i64, i64), why: impl std::fmt::Display) -> String {
    if before > after {
        format!("{needing} (wave {after}) comes before {needed} (wave {before}), which it needs: {why}")
    } else {
        format!("{needing} (wave {after}) does not wait for {needed} (wave {before}), which it needs: {why}")
    }
}
