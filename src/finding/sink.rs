//! Where findings go, and what becomes of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::ignore::{Ignore, Ignores, Scope};
use super::{Finding, Refusal, Rule, Severity, rules};
use crate::source::{FileId, Place};
use crate::tree::FieldPath;

/// From which severity on findings stop a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threshold {
    /// Errors do.
    #[default]
    Error,
    /// Warnings do, too.
    Warning,
    /// Nothing does, but for rules that always refuse.
    Never,
}

/// Another severity for the findings of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeverityRow {
    /// The rule's id.
    pub rule: String,
    /// The severity of all its findings.
    pub severity: Severity,
    /// Where the configuration says it; none for a flag.
    pub place: Option<Place>,
    /// Whether it came by a flag or the operator's environment; only these lower operator rules.
    pub operator: bool,
}

/// How many findings of one rule and severity are kept; of the rest, only the number. No input may
/// fill the memory with them.
pub(crate) const MOST: usize = 10_000;

/// The findings of a run, in the order they were made; steps only push. What is beyond 10,000 of
/// one rule is one finding without a place, which counts like the others.
#[derive(Debug, Default)]
pub struct Findings {
    found: Vec<Finding>,
    kept: BTreeMap<(&'static str, Severity), usize>,
    more: BTreeMap<(&'static str, Severity), Finding>,
    ignores: Ignores,
    open: BTreeMap<(FileId, usize), usize>,
}

impl Findings {
    /// Takes a finding in.
    pub fn push(&mut self, finding: Finding) {
        let kept = self.kept.entry((finding.rule.id, finding.severity)).or_default();
        if *kept < MOST {
            *kept += 1;
            self.found.push(finding);
        } else {
            self.leave_out(&finding);
        }
    }

    /// Counts a finding that is not kept.
    fn leave_out(&mut self, finding: &Finding) {
        let Finding { rule, severity, count, .. } = *finding;
        let new = || Finding::new(rule, "").with_severity(severity).with_count(0);
        let more = self.more.entry((rule.id, severity)).or_insert_with(new);
        more.count = more.count.saturating_add(count);
        more.message.clear();
        // writing to a string cannot fail
        let _ = write!(more.message, "{} more findings of {}, too many to name each", more.count, rule.id);
    }

    /// What is kept, and what stands for the rest.
    fn all(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter().chain(self.more.values())
    }

    /// Takes in what another sink holds.
    pub fn append(&mut self, other: Findings) {
        other.found.into_iter().for_each(|finding| self.push(finding));
        other.more.values().for_each(|more| self.leave_out(more));
        self.ignores.merge(other.ignores);
        self.open.extend(other.open);
    }

    /// Makes other findings of those of one rule.
    pub fn replace(&mut self, rule: &'static Rule, change: impl Fn(Finding) -> Finding) {
        let change = |finding: Finding| if finding.rule == rule { change(finding) } else { finding };
        self.kept.clear();
        std::mem::take(&mut self.found).into_iter().map(change).for_each(|finding| self.push(finding));
    }

    /// Keeps the findings for which a condition holds, in their order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Finding) -> bool) {
        self.found.retain(|finding| keep(finding));
    }

    /// Gives findings of some rules another severity. What makes a run refuse stays an error, and what only an operator
    /// may suppress only an operator may lower. To be called when every step is done.
    pub fn set_severities(&mut self, rows: &[SeverityRow]) {
        let severity = |rule: &Rule, now: Severity| {
            let row = rows.iter().rev().find(|row| row.rule == rule.id && (row.operator || !rule.operator));
            row.map_or(now, |row| if rule.is_suppressible() { row.severity } else { now.max(row.severity) })
        };
        for finding in &mut self.found {
            finding.severity = severity(finding.rule, finding.severity);
        }
        for more in self.more.values_mut() {
            more.severity = severity(more.rule, more.severity);
        }
    }

    /// Leaves findings out, those already made and those to come. Findings of rules that make a run
    /// refuse stay, whoever asks; those of operator rules stay unless the operator asks.
    pub fn ignore(&mut self, ignore: Ignore) {
        self.ignores.add(ignore);
    }

    /// Says which suppressions did nothing: those that match no finding (info), and those that match
    /// findings which they cannot suppress (warning). To be called once, when every step is done.
    ///
    /// Suppressions by the operator are for many inputs and may match nothing in one.
    pub fn report_ignores(&mut self) {
        let mut uses = vec![Use::None; self.ignores.iter().count()];
        for finding in self.all() {
            for (nth, ignore) in self.ignores.of(finding) {
                let this = match ignore.reaches(finding.rule) {
                    true => Use::Suppresses,
                    false => Use::Powerless(finding.rule.is_suppressible()),
                };
                uses[nth] = uses[nth].max(this);
            }
        }
        let idle = self.ignores.iter().zip(uses);
        let said: Vec<Finding> = idle.filter_map(|(ignore, used)| idle_ignore(ignore, used)).collect();
        said.into_iter().for_each(|finding| self.push(finding));
    }

    /// Says that the source lines of a document may be shown: it is known to hold no Secret. Lines
    /// of any other place are never shown.
    pub fn show_source(&mut self, document: Place) {
        self.open.insert((document.file, document.start), document.end);
    }

    /// Whether the source line of a place may be shown.
    pub fn may_show(&self, place: Place) -> bool {
        self.shown_document(place).is_some()
    }

    /// The document around a place if its source may be shown. A line may hold bytes of its
    /// neighbours too, which are not to be shown.
    pub fn shown_document(&self, place: Place) -> Option<Place> {
        let before = self.open.range(..=(place.file, place.start)).next_back();
        let ((file, start), end) = before.map(|(key, end)| (*key, *end))?;
        let document = Place { file, start, end };
        document.covers(&place).then_some(document)
    }

    /// The findings that are left after suppression, each once: by file, place, rule and message;
    /// those without a place come last.
    pub fn sorted(&self) -> Vec<&Finding> {
        let mut found: Vec<_> = self.all().filter(|finding| !self.is_ignored(finding)).collect();
        found.sort_by_cached_key(|finding| order(finding));
        found.dedup_by(|a, b| order(a) == order(b));
        found
    }

    fn is_ignored(&self, finding: &Finding) -> bool {
        let mut ignores = self.ignores.of(finding);
        ignores.any(|(_, ignore)| ignore.reaches(finding.rule))
    }

    /// What the findings do to the run: the exit code (0, 1, 2 or 3, the highest of several), and
    /// not 0 means that no manifests are printed.
    pub fn exit_code(&self, threshold: Threshold) -> u8 {
        let code = |finding: &&Finding| match finding.rule.refuses {
            Refusal::Input if finding.severity == Severity::Error => 3,
            Refusal::Usage if finding.severity == Severity::Error => 2,
            Refusal::Findings if finding.severity == Severity::Error => 1,
            _ => u8::from(match threshold {
                Threshold::Error => finding.severity == Severity::Error,
                Threshold::Warning => finding.severity >= Severity::Warning,
                Threshold::Never => false,
            }),
        };
        self.sorted().iter().map(code).max().unwrap_or(0)
    }
}

/// What a suppression did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Nothing matches it.
    None,
    /// It matches findings that it cannot suppress; whether anybody can.
    Powerless(bool),
    /// It suppresses.
    Suppresses,
}

/// What there is to say about a suppression that suppresses nothing.
fn idle_ignore(ignore: &Ignore, used: Use) -> Option<Finding> {
    let id = &ignore.id;
    let finding = match used {
        Use::Suppresses => return None,
        Use::None if ignore.operator || *id == rules::suppression::IDLE_SUPPRESSION.id => return None,
        Use::None => {
            Finding::new(&rules::suppression::IDLE_SUPPRESSION, format!("the suppression of {id} matches no finding"))
                .with_remedy("remove it")
        }
        Use::Powerless(suppressible) => {
            Finding::new(&rules::suppression::NO_SUPPRESSION, format!("{id} cannot be suppressed here")).with_remedy(
                match suppressible {
                    true => "only a flag or the operator's environment can suppress it",
                    false => "mend what it reports: manifests are never printed while it stands",
                },
            )
        }
    };
    let finding = match &ignore.scope {
        Scope::Object { name, .. } => finding.with_object(name),
        Scope::Everything => finding,
    };
    Some(match &ignore.label {
        Some(label) => finding.with_label(label.clone()),
        None => finding,
    })
}

/// All that a reader of a finding sees of it, in the order that findings are sorted by.
type Order<'f> = (
    bool,
    Option<Place>,
    &'static str,
    &'f str,
    Severity,
    Option<&'f str>,
    Vec<(Place, &'f Option<FieldPath>, &'f str)>,
    Option<&'f str>,
);

fn order(finding: &Finding) -> Order<'_> {
    (
        finding.place().is_none(),
        finding.place(),
        finding.rule.id,
        &finding.message,
        finding.severity,
        finding.object.as_deref(),
        finding.labels.iter().map(|label| (label.place, &label.path, label.text.as_str())).collect(),
        finding.remedy.as_deref(),
    )
}

#[cfg(test)]
mod tests;
