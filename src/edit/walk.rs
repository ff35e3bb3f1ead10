//! Where two trees differ, as edits: down both at once.

use std::ops::Range;

use super::moved::Source;
use super::written::{self, Flow, is_leaf};
use super::{Edit, Form, Original, Stuck, block, flow, lines};
use crate::source::{DocumentStart, Span};
use crate::tree::{Mapping, Node, Value};

/// The edits that make `changed` of the root of a document.
///
/// With `spares_aliases` what an alias stands for is left alone: it may change with its anchor.
pub(super) fn edits(original: &Original<'_>, changed: &Node<'_>, spares_aliases: bool) -> Result<Vec<Edit>, Stuck> {
    let Original { text, at, form, .. } = *original;
    let line_break = lines::line_break(text);
    let mut walk = Walk { text, at, form, line_break, spares_aliases, edits: Vec::new() };
    walk.node(original.root, changed, Slot::Root)?;
    Ok(walk.edits)
}

/// How a value hangs in what holds it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// It is the document.
    Root,
    /// In braces or brackets, written so; its line is indented by this many spaces.
    Flow(Flow, usize),
    /// Behind a key of a block mapping, which ends at this byte.
    Entry { key_end: usize, column: usize },
    /// Behind the dash of a block list at this byte.
    Item { dash: usize, column: usize },
}

/// A walk through a text.
pub(super) struct Walk<'d> {
    pub(super) text: &'d str,
    at: DocumentStart,
    pub(super) form: Form,
    pub(super) line_break: &'static str,
    pub(super) spares_aliases: bool,
    pub(super) edits: Vec<Edit>,
}

/// What of the entries of a mapping, or the items of a list, changes; parts in the order of the text.
pub(super) struct Plan<'n> {
    /// The old parts: those that stay, each with its new value, and those that go.
    pub(super) parts: Vec<Part<'n>>,
    /// New parts, each with the number of old parts before it.
    pub(super) added: Vec<(usize, Added<'n>)>,
}

/// An old part.
pub(super) struct Part<'n> {
    /// Its key, of a mapping.
    pub(super) key: Option<Span>,
    pub(super) old: &'n Node<'n>,
    /// Its new value; none where it goes.
    pub(super) new: Option<&'n Node<'n>>,
}

/// A new part: the key of a mapping, and the value.
pub(super) type Added<'n> = (Option<&'n str>, &'n Node<'n>);

impl<'d> Walk<'d> {
    /// Makes `new` of `old`: by its parts where it has some, else as a whole.
    pub(super) fn node<'n>(&mut self, old: &'n Node<'n>, new: &'n Node<'n>, slot: Slot) -> Result<(), Stuck> {
        if old == new || self.spares_aliases && self.is_alias(&self.range(old.span)?, old) {
            return Ok(());
        }
        let mark = self.edits.len();
        if self.parts(old, new, slot).is_ok() {
            return Ok(());
        }
        self.edits.truncate(mark);
        self.replace(old, new, slot)
    }

    fn parts<'n>(&mut self, old: &'n Node<'n>, new: &'n Node<'n>, slot: Slot) -> Result<(), Stuck> {
        if is_leaf(old) || is_leaf(new) {
            return Err(Stuck);
        }
        let range = self.range(old.span)?;
        let in_flow = matches!(slot, Slot::Flow(..));
        let is_bracketed = matches!(self.text.as_bytes().get(range.start), Some(b'{' | b'['));
        if self.is_alias(&range, old) || in_flow && !is_bracketed {
            return Err(Stuck);
        }
        match (&old.value, &new.value) {
            (Value::Mapping(before), Value::Mapping(after)) => {
                let is_written_here = before.entries().iter().all(|(key, _)| key.span.len > 0);
                let own = |key: Span| range.start <= key.start as usize && key.end() as usize <= range.end;
                let is_plain = before.entries().iter().all(|(key, _)| own(key.span))
                    && before.entries().is_sorted_by_key(|(key, _)| key.span.start);
                match (is_written_here, is_plain, is_bracketed) {
                    (false, ..) | (_, false, true) => Err(Stuck),
                    (_, false, false) => block::merged(self, before, after, &range),
                    (_, true, true) => flow::parts(self, mapping(before, after)?, &range),
                    (_, true, false) => block::parts(self, mapping(before, after)?, &range),
                }
            }
            (Value::Sequence(before), Value::Sequence(after)) => match is_bracketed {
                true => flow::parts(self, sequence(before, after), &range),
                false => block::parts(self, sequence(before, after), &range),
            },
            _ => Err(Stuck),
        }
    }

    /// Whether an alias stands there. No plain text begins with `*`, but a mapping may: `*a : 1`.
    fn is_alias(&self, range: &Range<usize>, node: &Node<'_>) -> bool {
        let text = &self.text[range.clone()];
        self.form == Form::Yaml && text.starts_with('*') && (is_leaf(node) || !text.contains([' ', '\n']))
    }

    /// Where values that moved are taken from.
    pub(super) fn source(&self) -> Source<'d> {
        Source { text: self.text, at: self.at }
    }

    /// The bytes of a span.
    pub(super) fn range(&self, span: Span) -> Result<Range<usize>, Stuck> {
        let range = span.start as usize..span.end() as usize;
        self.text.get(range.clone()).map(|_| range).ok_or(Stuck)
    }

    pub(super) fn push(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.edits.push(Edit { range, with: with.into() });
    }

    /// Writes `new` where `old` was.
    fn replace(&mut self, old: &Node<'_>, new: &Node<'_>, slot: Slot) -> Result<(), Stuck> {
        let range = self.range(old.span)?;
        let before = &self.text[range.clone()];
        let is_inline = match &old.value {
            Value::Sequence(_) | Value::Mapping(_) => before.starts_with(['{', '[']) || self.is_alias(&range, old),
            _ => !before.starts_with(['|', '>']),
        };
        match slot {
            Slot::Root => return Err(Stuck),
            Slot::Flow(flow, column) => {
                let with = if is_leaf(new) { flow.leaf(new, before) } else { flow.value(new, column) };
                self.put(range, with.replace('\n', self.line_break), ": ");
            }
            Slot::Entry { .. } if is_inline && is_leaf(new) => self.put(range, written::leaf(new, before), " "),
            Slot::Item { .. } if is_inline && is_leaf(new) => self.put(range, written::leaf(new, before), " "),
            Slot::Entry { .. } | Slot::Item { .. } if before.starts_with(['{', '[']) => {
                let flow = Flow { form: self.form, is_spaced: true, step: None };
                self.put(range, flow.value(new, 0), " ");
            }
            Slot::Entry { key_end, column } => {
                let with = lines::indent(&written::behind_key(new, self.source()), column, self.line_break);
                self.push(key_end..range.end, with);
            }
            Slot::Item { dash, column } => {
                let with = lines::indent(&written::item(new, self.source()), column, self.line_break);
                self.push(dash..range.end, with);
            }
        }
        Ok(())
    }

    /// Puts a text on one line in the place of another; where nothing was, behind what is there.
    fn put(&mut self, range: Range<usize>, with: String, missing: &str) {
        if !range.is_empty() {
            return self.push(range, with);
        }
        let lead = match self.text.as_bytes()[..range.start].last() {
            Some(b' ' | b'\t') => "",
            Some(b':' | b'-') => " ",
            _ => missing,
        };
        self.push(range, format!("{lead}{with}"));
    }
}

/// What changes between two mappings. Entries that stay must keep their order.
pub(super) fn mapping<'n>(before: &'n Mapping<'n>, after: &'n Mapping<'n>) -> Result<Plan<'n>, Stuck> {
    let staying = before.entries().iter().filter(|(key, _)| after.get(&key.name).is_some());
    let stayed = after.entries().iter().filter(|(key, _)| before.get(&key.name).is_some());
    if !staying.map(|(key, _)| &key.name).eq(stayed.map(|(key, _)| &key.name)) {
        return Err(Stuck);
    }
    let parts = before.entries().iter();
    let parts = parts.map(|(key, old)| Part { key: Some(key.span), old, new: after.get(&key.name) }).collect();
    let mut behind = 0;
    let mut added = Vec::new();
    for (key, value) in after.entries() {
        match before.entries().iter().position(|(old, _)| old.name == key.name) {
            Some(at) => behind = at + 1,
            None => added.push((behind, (Some(&*key.name), value))),
        }
    }
    Ok(Plan { parts, added })
}

/// What changes between two lists: equal items stay, those between them are compared one by one.
fn sequence<'n>(before: &'n [Node<'n>], after: &'n [Node<'n>]) -> Plan<'n> {
    let shorter = before.len().min(after.len());
    let front = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let back = before.iter().rev().zip(after.iter().rev()).take(shorter - front);
    let back = back.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (before.len() - back, after.len() - back);
    let same = longest_common(&before[front..old_end], &after[front..new_end]);
    let same = same.iter().map(|(old, new)| (front + old, front + new));
    let mut plan = Plan { parts: Vec::with_capacity(before.len()), added: Vec::new() };
    let (mut old, mut new) = (front, front);
    plan.keep(&before[..front], &after[..front]);
    for (old_at, new_at) in same.chain([(old_end, new_end)]) {
        plan.pair(&before[old..old_at], &after[new..new_at]);
        if old_at < old_end {
            plan.keep(&before[old_at..=old_at], &after[new_at..=new_at]);
        }
        (old, new) = (old_at + 1, new_at + 1);
    }
    plan.keep(&before[old_end..], &after[new_end..]);
    plan
}

impl<'n> Plan<'n> {
    /// Items that stay as they are.
    fn keep(&mut self, before: &'n [Node<'n>], after: &'n [Node<'n>]) {
        self.parts.extend(before.iter().zip(after).map(|(old, new)| Part { key: None, old, new: Some(new) }));
    }

    /// Items that become others one by one; what is left over goes or comes.
    fn pair(&mut self, before: &'n [Node<'n>], after: &'n [Node<'n>]) {
        self.keep(before, after);
        let gone = before.iter().skip(after.len());
        self.parts.extend(gone.map(|old| Part { key: None, old, new: None }));
        let at = self.parts.len();
        self.added.extend(after.iter().skip(before.len()).map(|new| (at, (None, new))));
    }
}

/// Pairs of positions at which two lists are equal: as many as can be, unless the lists are long.
fn longest_common(before: &[Node<'_>], after: &[Node<'_>]) -> Vec<(usize, usize)> {
    const MOST: usize = 10_000;
    if before.len() * after.len() > MOST {
        return Vec::new();
    }
    let width = after.len() + 1;
    let mut lengths = vec![0_u32; (before.len() + 1) * width];
    for old in (0..before.len()).rev() {
        for new in (0..after.len()).rev() {
            let at = old * width + new;
            lengths[at] = match before[old] == after[new] {
                true => lengths[at + width + 1] + 1,
                false => lengths[at + 1].max(lengths[at + width]),
            };
        }
    }
    let (mut old, mut new, mut pairs) = (0, 0, Vec::new());
    while old < before.len() && new < after.len() {
        let at = old * width + new;
        if before[old] == after[new] {
            pairs.push((old, new));
            (old, new) = (old + 1, new + 1);
        } else if lengths[at + 1] > lengths[at + width] {
            new += 1;
        } else {
            old += 1;
        }
    }
    pairs
}
