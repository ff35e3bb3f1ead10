//! The rows of `spec.edges`.

use super::Said;
use crate::config::{EdgeRow, EdgeSettings, Word};
use crate::finding::{Finding, Findings, Label, Severity, rules::order};
use crate::flow::{Edge, Loaded, Strength};
use crate::object::ObjRef;
use crate::object::pattern::Pattern;

/// Adds what `spec.edges.dependsOn` demands; a row that finds no two objects is said.
pub(super) fn read(loaded: &Loaded<'_>, settings: &EdgeSettings, said: &mut Said, found: &mut Findings) {
    for row in &settings.depends_on {
        let (first, then) = (matched(&row.from, loaded), matched(&row.to, loaded));
        let mut pairs = 0_usize;
        'all: for from in &first {
            for to in then.iter().filter(|to| *to != from) {
                pairs += 1;
                said.add(*from, *to, row.place, found);
                if said.is_full {
                    break 'all;
                }
            }
        }
        if pairs == 0 {
            let why = match (first.is_empty(), then.is_empty()) {
                (true, _) => format!("no object is `{}`", row.from),
                (_, true) => format!("no object is `{}`", row.to),
                _ => format!("`{}` and `{}` are the same object", row.from, row.to),
            };
            found.push(idle(row, format!("`spec.edges.dependsOn` orders nothing: {why}")));
        }
    }
}

/// Takes out the inferred edges that `spec.edges.ignore` says do not hold; a row that takes out none
/// is said.
pub(in super::super) fn ignore(
    edges: &mut Vec<Edge>,
    loaded: &Loaded<'_>,
    settings: &EdgeSettings,
    found: &mut Findings,
) {
    for row in &settings.ignore {
        let flags = |pattern: &Pattern| -> Vec<bool> {
            loaded.objects.iter().map(|(_, object)| pattern.matches(&object.id)).collect()
        };
        let (first, then) = (flags(&row.from), flags(&row.to));
        let before = edges.len();
        edges.retain(|edge| {
            let is_meant = row.reason.is_none_or(|reason| reason.word() == edge.reason.word());
            let is_ignored = is_meant && first[edge.from.index()] && then[edge.to.index()];
            edge.strength == Strength::Hard || !is_ignored
        });
        if edges.len() == before {
            let reason = row.reason.map(|reason| format!(" by `{}`", reason.word())).unwrap_or_default();
            let message = format!(
                "`spec.edges.ignore` takes out nothing: no inferred edge leads from `{}` to `{}`{reason}",
                row.from, row.to
            );
            found.push(idle(row, message).with_severity(Severity::Info));
        }
    }
}

fn matched(pattern: &Pattern, loaded: &Loaded<'_>) -> Vec<ObjRef> {
    let all = loaded.objects.iter().filter(|(_, object)| pattern.matches(&object.id));
    all.map(|(at, _)| at).collect()
}

fn idle(row: &EdgeRow, message: String) -> Finding {
    Finding::new(&order::IDLE_EDGE_ROW, message)
        .with_label(Label::new(row.place))
        .with_remedy("correct the patterns, or remove the row")
}
