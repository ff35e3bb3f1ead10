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

/// Inferred edges that `spec.edges.ignore` says do not hold.
pub(in super::super) struct Ignored<'c> {
    rows: Vec<IgnoredRow<'c>>,
}

/// One row, and by object whether its patterns mean it.
struct IgnoredRow<'c> {
    row: &'c EdgeRow,
    from: Vec<bool>,
    to: Vec<bool>,
    is_used: bool,
}

impl<'c> Ignored<'c> {
    /// The rows of the settings, laid over the objects.
    pub(in super::super) fn new(loaded: &Loaded<'_>, settings: &'c EdgeSettings) -> Self {
        let flags = |pattern: &Pattern| -> Vec<bool> {
            loaded.objects.iter().map(|(_, object)| pattern.matches(&object.id)).collect()
        };
        let row = |row: &'c EdgeRow| IgnoredRow { row, from: flags(&row.from), to: flags(&row.to), is_used: false };
        Ignored { rows: settings.ignore.iter().map(row).collect() }
    }

    /// Takes them out; what users demand stays.
    pub(in super::super) fn take_out(&mut self, edges: &mut Vec<Edge>) {
        for IgnoredRow { row, from, to, is_used } in &mut self.rows {
            let before = edges.len();
            edges.retain(|edge| {
                let is_meant = row.reason.is_none_or(|reason| reason.word() == edge.reason.word());
                let is_ignored = is_meant && from[edge.from.index()] && to[edge.to.index()];
                edge.strength == Strength::Hard || !is_ignored
            });
            *is_used |= edges.len() < before;
        }
    }

    /// Says which rows took out nothing.
    pub(in super::super) fn report(&self, found: &mut Findings) {
        for IgnoredRow { row, .. } in self.rows.iter().filter(|row| !row.is_used) {
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
