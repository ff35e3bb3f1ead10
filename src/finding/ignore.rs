//! Suppressions: findings that somebody does not want to see, and why.
//!
//! The value of the annotation [`ANNOTATION`] is a list of lines. A line holds the ids of one or more
//! rules with commas between them, then the reason, up to the end of the line:
//!
//! ```text
//! TG203 the mesh fills this key at run time
//! TG101, TG104: made by hand, see the runbook
//! ```
//!
//! A line without a reason, or without an id at its start, suppresses nothing and is a finding.

use std::collections::BTreeMap;

use super::{Finding, Findings, Label, Refusal, Rule, rules};
use crate::source::{FileId, Place};

/// The annotation by which an object suppresses findings about itself.
pub const ANNOTATION: &str = "tidegate.dev/ignore";

/// A rule whose findings are left out, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// The rule's id.
    pub id: String,
    /// Why, in the words of whoever wrote it.
    pub reason: String,
    /// Which findings of the rule.
    pub scope: Scope,
    /// Whether it came by a flag or the operator's environment; only these reach operator rules.
    pub operator: bool,
    /// Where it is written, for what is said about the suppression itself.
    pub label: Option<Label>,
}

/// Which findings of a rule an [`Ignore`] means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    Everything,
    /// Those that name an object, and those whose first label lies in its bytes: an object may get
    /// its namespace, and so another name, after the first findings about it.
    Object {
        /// The object as findings name it.
        name: String,
        /// The bytes of the object, where it is written in one piece.
        place: Option<Place>,
    },
}

impl Rule {
    /// Whether a finding of this rule can be suppressed at all. One that makes a run refuse cannot:
    /// leaving it out would let manifests through that tidegate did not understand.
    pub fn is_suppressible(&self) -> bool {
        self.refuses == Refusal::Never
    }
}

impl Ignore {
    /// Whether this suppression has power over a rule.
    pub(super) fn reaches(&self, rule: &Rule) -> bool {
        rule.is_suppressible() && (self.operator || !rule.operator)
    }
}

/// All suppressions of a run, found by rule and place without going through all of them.
#[derive(Debug, Default)]
pub(super) struct Ignores {
    all: Vec<Ignore>,
    by_rule: BTreeMap<String, Scopes>,
}

/// The suppressions of one rule, as indices.
#[derive(Debug, Default)]
struct Scopes {
    everywhere: Vec<usize>,
    objects: BTreeMap<String, usize>,
    places: BTreeMap<(FileId, usize), (usize, usize)>,
}

impl Ignores {
    /// Takes a suppression in. A second one of the same rule and object adds nothing.
    pub(super) fn add(&mut self, ignore: Ignore) {
        let nth = self.all.len();
        let scopes = self.by_rule.entry(ignore.id.clone()).or_default();
        match &ignore.scope {
            Scope::Everything => scopes.everywhere.push(nth),
            Scope::Object { name, place } => {
                scopes.objects.entry(name.clone()).or_insert(nth);
                if let Some(place) = place {
                    let key = (place.file, place.start);
                    scopes.places.entry(key).or_insert((place.end, nth));
                }
            }
        }
        self.all.push(ignore);
    }

    /// Takes in all of another's.
    pub(super) fn merge(&mut self, other: Ignores) {
        other.all.into_iter().for_each(|ignore| self.add(ignore));
    }

    /// The suppressions in the order they were added.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Ignore> {
        self.all.iter()
    }

    /// The suppressions (with their number in [`Ignores::iter`]) whose rule and scope a finding
    /// matches, whether they have power over the rule or not.
    pub(super) fn of(&self, finding: &Finding) -> impl Iterator<Item = (usize, &Ignore)> {
        let scopes = self.by_rule.get(finding.rule.id);
        let found = scopes.into_iter().flat_map(|scopes| {
            let named = finding.object.as_ref().and_then(|o| scopes.objects.get(o));
            let around = finding.place().and_then(|place| {
                let mut before = scopes.places.range(..=(place.file, place.start));
                let ((file, _), (end, nth)) = before.next_back()?;
                (*file == place.file && place.end <= *end).then_some(nth)
            });
            scopes.everywhere.iter().chain(named).chain(around)
        });
        found.filter_map(|nth| Some((*nth, self.all.get(*nth)?)))
    }
}

/// One line of the annotation's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'v> {
    /// Rules to suppress.
    Ignore {
        /// Their ids, at least one.
        ids: Vec<&'v str>,
        /// Why.
        reason: &'v str,
    },
    /// Ids with no reason behind them.
    NoReason {
        /// The ids, at least one.
        ids: Vec<&'v str>,
    },
    /// Text that does not begin with an id.
    NoId {
        /// Its first word.
        word: &'v str,
    },
}

/// Reads the value of [`ANNOTATION`]: one [`Line`] for each line that is not blank.
pub fn parse(value: &str) -> Vec<Line<'_>> {
    let lines = value.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(line).collect()
}

fn line(text: &str) -> Line<'_> {
    let (mut ids, mut rest) = (Vec::new(), text);
    while let Some((id, after)) = split_id(rest) {
        ids.push(id);
        let after = after.trim_start();
        let Some(next) = after.strip_prefix(',') else {
            rest = after.strip_prefix(':').unwrap_or(after);
            break;
        };
        rest = next.trim_start();
    }
    let reason = rest.trim();
    match (ids.is_empty(), reason.contains(char::is_alphanumeric)) {
        (true, _) => Line::NoId { word: text.split_whitespace().next().unwrap_or_default() },
        (false, true) => Line::Ignore { ids, reason },
        (false, false) => Line::NoReason { ids },
    }
}

/// The id that a text begins with, and what follows it.
fn split_id(text: &str) -> Option<(&str, &str)> {
    let (id, rest) = text.split_at_checked("TG000".len())?;
    let digits = id.strip_prefix("TG")?;
    let whole = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    (whole && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some((id, rest))
}

/// Reads the annotation of an object into the findings: its suppressions, and what is wrong with
/// them.
///
/// `value` is the annotation's value, `object` the object as findings name it, `place` the object's
/// bytes where it is written in one piece, `label` where the annotation is written.
pub fn read(value: &str, object: &str, place: Option<Place>, label: &Label, found: &mut Findings) {
    for line in parse(value) {
        let finding = match line {
            Line::Ignore { ids, reason } => {
                for id in ids {
                    found.ignore(Ignore {
                        id: id.to_owned(),
                        reason: reason.to_owned(),
                        scope: Scope::Object { name: object.to_owned(), place },
                        operator: false,
                        label: Some(label.clone()),
                    });
                }
                continue;
            }
            Line::NoReason { ids } => {
                let ids = ids.join(", ");
                let message = format!("the suppression of {ids} says no reason and has no effect");
                Finding::new(&rules::suppression::NO_REASON, message)
                    .with_remedy(format!("write the reason behind it: \"{ids} because …\""))
            }
            Line::NoId { word } => {
                let word: String = word.chars().take(40).collect();
                let message = format!("a suppression begins with {word:?}, which is no rule's id");
                Finding::new(&rules::suppression::NO_SUPPRESSION, message)
                    .with_remedy(format!("begin each line of {ANNOTATION} with an id, as in \"TG203 reason\""))
            }
        };
        found.push(finding.with_object(object).with_label(label.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_ids_then_a_reason() {
        let all = |ids: &[&'static str], reason| Line::Ignore { ids: ids.to_vec(), reason };
        for (value, expected) in [
            ("TG203 filled later", all(&["TG203"], "filled later")),
            ("  TG203: filled, later ", all(&["TG203"], "filled, later")),
            ("TG203,TG101 why", all(&["TG203", "TG101"], "why")),
            ("TG203 , TG101: why", all(&["TG203", "TG101"], "why")),
            ("TG203, why", all(&["TG203"], "why")),
            ("TG203 TG101 too", all(&["TG203"], "TG101 too")),
            ("TG203", Line::NoReason { ids: vec!["TG203"] }),
            ("TG203, -", Line::NoReason { ids: vec!["TG203"] }),
            ("TG2031 why", Line::NoId { word: "TG2031" }),
            ("tg203 why", Line::NoId { word: "tg203" }),
            ("TGü why", Line::NoId { word: "TGü" }),
            ("TG", Line::NoId { word: "TG" }),
        ] {
            assert_eq!(parse(value), [expected], "{value}");
        }
        assert_eq!(parse("TG203 a\r\n\n TG101 b\n"), [all(&["TG203"], "a"), all(&["TG101"], "b")]);
        assert_eq!(parse(" \n"), []);
    }
}
