//! What users wrote against the edges, and waves that may never end.

use super::blocking::is_load_balancer;
use super::hooks::{self, Phase};
use super::links::Link;
use super::wave::{Assigned, Waves};
use super::word::{Who, Word, wave_path};
use crate::finding::{Finding, Findings, Label, Severity, rules::order};
use crate::flow::{Linked, Strength};
use crate::object::ObjRef;

/// How many of the objects that never come a message names.
const NAMED: usize = 3;

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

/// Says which Services hold up other waves until somebody gives them a load balancer.
pub(super) fn load_balancers(linked: &Linked<'_>, words: &[Word], assigned: &[Assigned], found: &mut Findings) {
    let objects = &linked.loaded.objects;
    let mut order: Vec<(bool, i64, ObjRef)> = Vec::new();
    let services = objects.iter().filter(|(at, object)| is_load_balancer(object) && words[at.index()].who != Who::Hook);
    for (service, object) in services {
        if order.is_empty() {
            order = in_order(linked, words, assigned);
        }
        let wave = assigned[service.index()].wave;
        let behind = &order[order.partition_point(|(is_hook, other, _)| !is_hook && *other <= wave)..];
        if behind.is_empty() {
            continue;
        }
        let mut names: Vec<_> = behind.iter().take(NAMED).map(|(_, _, at)| objects.get(*at).id.to_string()).collect();
        if behind.len() > NAMED {
            names.push(format!("{} more", behind.len() - NAMED));
        }
        let message = format!(
            "{service} (wave {wave}) holds up the waves behind it until it has a load balancer; without one they \
             never come: {names}",
            service = object.id,
            names = names.join(", ")
        );
        let path = crate::tree::FieldPath::keys(["spec", "type"]);
        found.push(
            Finding::new(&order::LOAD_BALANCER_GATES, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy("make sure that the cluster provides load balancers, or give it a later wave"),
        );
    }
}

/// Everything that a sync applies from the first wave on, in order: what has waves, then the hooks of
/// the phase behind them.
fn in_order(linked: &Linked<'_>, words: &[Word], assigned: &[Assigned]) -> Vec<(bool, i64, ObjRef)> {
    let is_hook = |at: ObjRef| words[at.index()].who == Who::Hook;
    let objects = linked.loaded.objects.iter();
    let applied =
        objects.filter(|(at, object)| !is_hook(*at) || hooks::phases(object).first() == Some(&Phase::PostSync));
    let mut order: Vec<_> = applied.map(|(at, _)| (is_hook(at), assigned[at.index()].wave, at)).collect();
    order.sort_unstable();
    order
}
