//! What differs between two plans, for people and programs: `tidegate diff`.
//!
//! The JSON, version 1; every field is present:
//!
//! ```text
//! schemaVersion   1; a field may be added to a version, none is removed or changes its meaning
//! added, removed  lists of objects: "Kind namespace/name"
//! changed         list, by identity: {object, diff}; diff is a unified diff of the YAML that is emitted
//! restarts        list: {workload, effect, once, why}; effect: "restarts", "later", "notByItself" or
//!                 "refused"; once: whether it restarts for a first checksum or a first name alone
//! stale           list of workloads that go on with what they read before: {workload, why}
//! ```
//!
//! Values of Secrets, and of variables named like one, are hidden; so is everything of which it is not
//! known that it holds none. That one changed is said.

mod hide;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use similar::TextDiff;

use super::escape;
use crate::finding::Findings;
use crate::flow::Planned;
use crate::object::{ObjRef, Object, ObjectId, wrote};
use crate::restart::{Effect, Restarts};
use crate::source::SourceMap;
use crate::yaml;

/// Lines around a change.
const CONTEXT: usize = 3;

/// One of two plans, finished as it would be emitted.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a, 's> {
    /// The plan.
    pub plan: &'a Planned<'s>,
    /// What it was read from.
    pub sources: &'a SourceMap,
    /// What was found in it, and so which of its lines may be shown.
    pub found: &'a Findings,
}

/// What differs, ready to be written.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    schema_version: u32,
    added: Vec<String>,
    removed: Vec<String>,
    changed: Vec<Change>,
    restarts: Vec<Restart>,
    stale: Vec<Kept>,
}

#[derive(Debug, Serialize)]
struct Change {
    object: String,
    diff: String,
}

#[derive(Debug, Serialize)]
struct Restart {
    workload: String,
    effect: &'static str,
    once: bool,
    why: String,
}

#[derive(Debug, Serialize)]
struct Kept {
    workload: String,
    why: String,
}

impl Differences {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// Compares the objects of two plans, the old one first, as they are emitted. `restarts` is what the
/// difference does to running pods.
pub fn differences(sides: &[Side<'_, '_>; 2], restarts: &Restarts) -> Differences {
    let [old, new] = sides;
    let (before, after) = (by_base(old.plan), by_base(new.plan));
    let mut all = Differences {
        schema_version: 1,
        added: Vec::new(),
        removed: before.keys().filter(|id| !after.contains_key(*id)).map(ToString::to_string).collect(),
        changed: Vec::new(),
        restarts: restarts_of(new.plan, restarts),
        stale: stale(new.plan, restarts),
    };
    for (id, at) in &after {
        let new_object = new.plan.objects().get(*at);
        let Some(was) = before.get(id) else {
            all.added.push(id.to_string());
            continue;
        };
        let diff = change((old, old.plan.objects().get(*was)), (new, new_object));
        all.changed.extend(diff.map(|diff| Change { object: id.to_string(), diff }));
    }
    all
}

/// The objects under the names that they had before they were versioned.
fn by_base(plan: &Planned<'_>) -> BTreeMap<ObjectId, ObjRef> {
    plan.objects().iter().map(|(at, object)| (wrote::base_id(object), at)).collect()
}

/// A unified diff of the YAML of an object; nothing where it stays the same.
fn change(
    (old_side, old): (&Side<'_, '_>, &Object<'_>),
    (new_side, new): (&Side<'_, '_>, &Object<'_>),
) -> Option<String> {
    let text = |node: &crate::tree::Node<'_>| {
        let mut text = String::new();
        yaml::emit(node, &mut text);
        text
    };
    if text(&old.tree) == text(&new.tree) {
        return None;
    }
    let (before, after) = hide::hidden((old, old_side.found), (new, new_side.found));
    let (before, after) = (text(&before), text(&after));
    let place = |side: &Side<'_, '_>, object: &Object<'_>| {
        let place = object.place();
        format!("{}:{}", side.sources.path(place.file), side.sources.line_column(place).line)
    };
    let (from, to) = (place(old_side, old), place(new_side, new));
    let diff = TextDiff::from_lines(&before, &after);
    Some(diff.unified_diff().context_radius(CONTEXT).header(&from, &to).to_string())
}

fn restarts_of(new: &Planned<'_>, restarts: &Restarts) -> Vec<Restart> {
    let effect = |effect| match effect {
        Effect::Restarts => "restarts",
        Effect::Later => "later",
        Effect::NotByItself(_) => "notByItself",
        Effect::Refused => "refused",
    };
    let restart = |roll: &crate::restart::Roll| Restart {
        workload: new.objects().get(roll.workload).id.to_string(),
        effect: effect(roll.effect),
        once: roll.is_once(),
        why: roll.why(),
    };
    restarts.rolls.iter().map(restart).collect()
}

fn stale(new: &Planned<'_>, restarts: &Restarts) -> Vec<Kept> {
    let kept = |stale: &crate::restart::Stale| Kept {
        workload: new.objects().get(stale.workload).id.to_string(),
        why: stale.sources.iter().map(|(_, changed)| changed.to_string()).collect::<Vec<_>>().join("; "),
    };
    restarts.stale.iter().map(kept).collect()
}

/// What differs, for a terminal. It ends with a line break.
pub fn text(all: &Differences) -> String {
    let mut out = String::new();
    for (sign, objects) in [('-', &all.removed), ('+', &all.added)] {
        for object in objects {
            line(&mut out, &format!("{sign} {object}"));
        }
    }
    for change in &all.changed {
        line(&mut out, &format!("~ {}", change.object));
        for text in change.diff.lines() {
            line(&mut out, format!("    {text}").trim_end());
        }
    }
    for restart in &all.restarts {
        let verb = match restart.effect {
            "restarts" if restart.once => "restarts once",
            "restarts" => "restarts",
            "later" => "is another at its next run",
            "notByItself" => "changes, and restarts nothing by itself",
            _ => "changes, which the API server refuses",
        };
        line(&mut out, &format!("! {} {verb}: {}", restart.workload, restart.why));
    }
    for kept in &all.stale {
        line(&mut out, &format!("! {} goes on with what it read before: {}", kept.workload, kept.why));
    }
    let (added, removed, changed) = (all.added.len(), all.removed.len(), all.changed.len());
    let restarts = all.restarts.iter().filter(|restart| restart.effect == "restarts").count();
    match all.is_empty() {
        true => line(&mut out, "nothing differs"),
        false => line(
            &mut out,
            &format!("{added} added, {removed} removed, {changed} changed; workloads that restart: {restarts}"),
        ),
    }
    out
}

/// Adds a line that shows all that it holds.
fn line(out: &mut String, text: &str) {
    // writing to a string cannot fail
    let _ = writeln!(out, "{}", escape::escape(text));
}

/// What differs, for programs. It ends with a line break.
pub fn json(all: &Differences) -> String {
    let text = serde_json::to_string_pretty(all).unwrap_or_default();
    format!("{}\n", escape::json(&text))
}
