//! Findings about restarts.

use std::fmt;

use super::{Cause, Changed, Effect, Restarts, Roll, Stale};
use crate::finding::rules::restarts as rules;
use crate::finding::{Finding, Findings, Label};
use crate::flow::{Planned, Stamp};
use crate::object::Object;
use crate::tree::FieldPath;

/// Fields that a message names before it only counts.
const NAMED: usize = 3;

/// Shown as a clause, to follow "because".
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::FirstChecksum => f.write_str("it gets its first checksum"),
            Cause::NoChecksum => f.write_str("it loses its checksum"),
            Cause::Source(changed) => write!(f, "{changed}"),
            Cause::FirstVersion(changed) if changed.keys.is_empty() => {
                write!(f, "{} gets its first name of its content", changed.source)
            }
            Cause::FirstVersion(changed) => write!(f, "{changed}, and gets a name of its content"),
            Cause::Reading => f.write_str("it reads other configuration than before"),
            Cause::Fields(fields) => {
                let shown: Vec<_> = fields.iter().take(NAMED).map(|field| format!("`{field}`")).collect();
                write!(f, "{} changed", shown.join(", "))?;
                match fields.len().saturating_sub(NAMED) {
                    0 => Ok(()),
                    more => write!(f, " and {more} fields more"),
                }
            }
        }
    }
}

/// Shown as `ConfigMap shop/conf changed (LOG, PORT)`.
impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} changed", self.source)?;
        let shown: Vec<_> = self.keys.iter().take(NAMED).map(String::as_str).collect();
        let more = self.keys.len().saturating_sub(NAMED);
        match (shown.is_empty(), more) {
            (true, _) => Ok(()),
            (false, 0) => write!(f, " ({})", shown.join(", ")),
            (false, more) => write!(f, " ({} and {more} keys more)", shown.join(", ")),
        }
    }
}

impl Roll {
    /// The causes with commas between them.
    pub fn why(&self) -> String {
        self.causes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// Says which workloads restart and why; which restart once, because of tidegate alone; which do not
/// although what they read is another; and what the API server will refuse.
pub fn report(restarts: &Restarts, new: &Planned<'_>, found: &mut Findings) {
    let restarting = |roll: &&Roll| roll.effect == Effect::Restarts && roll.is_once();
    once(&restarts.rolls.iter().filter(restarting).collect::<Vec<_>>(), new, found);
    for roll in restarts.rolls.iter().filter(|roll| !restarting(roll)) {
        found.push(rolls(roll, new.objects().get(roll.workload)));
    }
    for stale in &restarts.stale {
        found.push(keeps(stale, new));
    }
    for (source, changed) in &restarts.refused {
        let object = new.objects().get(*source);
        let path = FieldPath::keys(["immutable"]);
        let message = format!("{changed}, and is immutable: the API server refuses that");
        found.push(
            Finding::new(&rules::IMMUTABLE_SOURCE, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy("give it another name, or `tidegate.dev/versioned: \"true\"`, which does that by itself"),
        );
    }
}

fn once(rolls: &[&Roll], new: &Planned<'_>, found: &mut Findings) {
    let names: Vec<String> = rolls.iter().map(|roll| new.objects().get(roll.workload).id.to_string()).collect();
    if names.is_empty() {
        return;
    }
    let (count, verb) = match names.len() {
        1 => ("1 workload".to_owned(), "restarts"),
        more => (format!("{more} workloads"), "restart"),
    };
    let message = format!("{count} {verb} once, for a first checksum or a first name: {}", names.join(", "));
    let mut finding = Finding::new(&rules::RESTARTS_ONCE, message);
    for roll in rolls {
        finding = finding.with_label(Label::new(start(new.objects().get(roll.workload))).text(roll.why()));
    }
    found.push(finding);
}

fn rolls(roll: &Roll, object: &Object<'_>) -> Finding {
    let (id, why) = (&object.id, roll.why());
    let (rule, message) = match roll.effect {
        Effect::Restarts => (&rules::RESTARTS, format!("{id} restarts: {why}")),
        Effect::Later => (&rules::RESTARTS, format!("the next run of {id} is another: {why}")),
        Effect::NotByItself(Some(field)) => {
            let field = FieldPath::keys(field.iter().copied());
            (&rules::RESTARTS, format!("{id} changes, and may restart nothing by itself (`{field}`): {why}"))
        }
        Effect::NotByItself(None) => {
            (&rules::RESTARTS, format!("{id} changes, and only pods that are made later follow: {why}"))
        }
        Effect::Refused => {
            let message = format!("the pod template of {id} changes, which the API server refuses: {why}");
            (&rules::IMMUTABLE_TEMPLATE, message)
        }
    };
    let finding = Finding::new(rule, message).with_object(id).with_label(Label::new(start(object)));
    match roll.effect {
        Effect::Refused => finding.with_remedy(
            "delete the old one first, or let it be made anew (a hook, or the sync options `Replace=true,Force=true`)",
        ),
        _ => finding,
    }
}

fn keeps(stale: &Stale, new: &Planned<'_>) -> Finding {
    let object = new.objects().get(stale.workload);
    let inputs = new.inputs.iter().find(|inputs| inputs.workload == stale.workload);
    let why = match inputs.map(|inputs| &inputs.stamp) {
        Some(Stamp::Not(why)) => why.to_string(),
        _ => "its policy keeps them out of its checksum".to_owned(),
    };
    let changed: Vec<_> = stale.sources.iter().map(|(_, changed)| changed.to_string()).collect();
    let message = format!("{} goes on with what it read before: {}, but {why}", object.id, changed.join("; "));
    Finding::new(&rules::STALE, message).with_object(&object.id).with_label(Label::new(start(object)))
}

/// The place of an object without its extent.
fn start(object: &Object<'_>) -> crate::source::Place {
    let place = object.place();
    crate::source::Place { end: place.start, ..place }
}
