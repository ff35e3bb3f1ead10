//! Block mappings and lists: parts on lines of their own, all at one column.

use std::ops::Range;

use super::walk::{Added, Part, Plan, Slot, Walk, mapping};
use super::{Stuck, lines, written};
use crate::tree::{Mapping, Node};

/// The bytes of a part: from its key or dash to the end of its value.
struct Place {
    head: usize,
    end: usize,
}

/// Changes the parts of a block collection at `range`.
pub(super) fn parts(walk: &mut Walk<'_>, plan: Plan<'_>, range: &Range<usize>) -> Result<(), Stuck> {
    let block = Block::new(walk.text, &plan.parts, range)?;
    let is_left = plan.parts.iter().any(|part| part.new.is_some());
    if !is_left && (block.is_inline || plan.added.is_empty()) {
        return Err(Stuck);
    }
    for (part, place) in plan.parts.iter().zip(&block.places) {
        if let Some(new) = part.new {
            walk.node(part.old, new, block.slot(part, place))?;
        }
    }
    for (before, added) in &plan.added {
        let behind = plan.parts[..*before].iter().rposition(|part| part.new.is_some());
        match (behind, plan.parts.get(*before)) {
            // in the place of what goes, below the comments above it
            (Some(_), Some(Part { new: None, .. })) => {
                let at = lines::start(block.text, block.places[*before].head);
                block.add_at(walk, at, added);
            }
            // behind what stays, not in the middle of what goes
            (behind, _) => block.add(walk, behind.map(|at| &block.places[at]), added),
        }
    }
    block.remove(walk, &plan.parts);
    Ok(())
}

/// Changes a block mapping at `range` into which `<<` merges entries of others, or overwrites some:
/// an own entry in its place, one that was merged by an entry of its own at the end.
pub(super) fn merged(
    walk: &mut Walk<'_>,
    before: &Mapping<'_>,
    after: &Mapping<'_>,
    range: &Range<usize>,
) -> Result<(), Stuck> {
    let plan = mapping(before, after)?;
    let is_own = |part: &Part<'_>| {
        let key = part.key.unwrap_or_default();
        range.start <= key.start as usize
            && key.end() as usize <= range.end
            && lines::begins(walk.text, key.start as usize)
    };
    let mut at_end: Vec<(String, &Node<'_>)> = Vec::new();
    let column = range.start - lines::start(walk.text, range.start);
    for (part, (key, _)) in plan.parts.iter().zip(before.entries()) {
        let own = is_own(part);
        match part.new {
            Some(new) if new == part.old => {}
            Some(new) if own => walk.node(part.old, new, Slot::Entry { key_end: key.span.end() as usize, column })?,
            Some(_) if walk.spares_aliases => {}
            Some(new) => at_end.push((key.name.to_string(), new)),
            None if own => {
                let place = Place { head: key.span.start as usize, end: end_of(part) };
                walk.push(lines::start(walk.text, place.head)..lines::end(walk.text, place.end), "");
            }
            None => return Err(Stuck),
        }
    }
    at_end.extend(plan.added.iter().filter_map(|(_, (name, node))| Some(((*name)?.to_owned(), *node))));
    let block = Block { text: walk.text, places: Vec::new(), column, is_inline: false, start: range.start };
    let last = Place { head: range.start, end: range.end };
    for (name, node) in &at_end {
        block.add(walk, Some(&last), &(Some(name), node));
    }
    Ok(())
}

fn end_of(part: &Part<'_>) -> usize {
    let key_end = part.key.map_or(0, |key| key.end());
    part.old.span.end().max(key_end) as usize
}

/// A block collection.
struct Block<'d> {
    text: &'d str,
    places: Vec<Place>,
    column: usize,
    /// Whether its first part stands behind the dash of a list around it.
    is_inline: bool,
    start: usize,
}

impl<'d> Block<'d> {
    fn new(text: &'d str, parts: &[Part<'_>], range: &Range<usize>) -> Result<Self, Stuck> {
        let start = range.start;
        let column = start - lines::start(text, start);
        let before = &text[start - column..start];
        let is_inline = !before.trim_start_matches(' ').is_empty();
        let mut block = Block { text, places: Vec::with_capacity(parts.len()), column, is_inline, start };
        let is_behind_dashes = before.bytes().all(|byte| matches!(byte, b' ' | b'-'));
        if !is_behind_dashes {
            return Err(Stuck);
        }
        for part in parts {
            let place = block.place(part)?;
            block.places.push(place);
        }
        Ok(block)
    }

    /// Where a part stands. All but an inline first one begin a line at the column.
    fn place(&self, part: &Part<'_>) -> Result<Place, Stuck> {
        let head = match (part.key, self.places.last()) {
            (Some(key), _) => key.start as usize,
            (None, None) => self.start,
            (None, Some(last)) => self.dash_behind(last.end)?,
        };
        let end = end_of(part);
        let is_first = self.places.is_empty();
        let begins_line = lines::begins(self.text, head) && head - lines::start(self.text, head) == self.column;
        let is_right = if is_first { head == self.start } else { begins_line };
        let is_dash = part.key.is_some() || self.text.as_bytes().get(head) == Some(&b'-');
        match is_right && is_dash && head <= end && lines::is_rest_idle(self.text, end) {
            true => Ok(Place { head, end }),
            false => Err(Stuck),
        }
    }

    /// The next dash of a list, of which an item ends at `end`: comments and blank lines are between.
    fn dash_behind(&self, end: usize) -> Result<usize, Stuck> {
        let mut at = lines::end(self.text, end);
        while at < self.text.len() {
            let line = self.text[at..lines::end(self.text, at)].trim_start_matches(' ');
            match line.as_bytes().first() {
                Some(b'-') => return Ok(lines::next_token(self.text, at)),
                Some(b'#' | b'\r' | b'\n') => at = lines::end(self.text, at),
                _ => return Err(Stuck),
            }
        }
        Err(Stuck)
    }

    fn slot(&self, part: &Part<'_>, place: &Place) -> Slot {
        match part.key {
            Some(key) => Slot::Entry { key_end: key.end() as usize, column: self.column },
            None => Slot::Item { dash: place.head, column: self.column },
        }
    }

    /// A new part, its first line not indented.
    fn written(&self, walk: &Walk<'_>, (name, node): &Added<'_>) -> String {
        let part = match name {
            Some(name) => written::entry(name, node, walk.source()),
            None => written::item(node, walk.source()),
        };
        lines::indent(&part, self.column, walk.line_break)
    }

    /// Writes a new part behind another, or before the first.
    fn add(&self, walk: &mut Walk<'_>, behind: Option<&Place>, added: &Added<'_>) {
        match behind {
            Some(place) => self.add_at(walk, lines::end(self.text, place.end), added),
            None if self.is_inline => {
                let part = self.written(walk, added);
                let margin = " ".repeat(self.column);
                walk.push(self.start..self.start, format!("{part}{}{margin}", walk.line_break));
            }
            None => self.add_at(walk, self.start - self.column, added),
        }
    }

    /// Writes a new part where a line begins, or behind the last one.
    fn add_at(&self, walk: &mut Walk<'_>, at: usize, added: &Added<'_>) {
        let part = self.written(walk, added);
        let margin = " ".repeat(self.column);
        let line_break = walk.line_break;
        let with = match at == 0 || self.text[..at].ends_with('\n') {
            true => format!("{margin}{part}{line_break}"),
            false => format!("{line_break}{margin}{part}"),
        };
        walk.push(at..at, with);
    }

    /// Takes the lines of parts that go; behind a dash, what follows takes their place.
    fn remove(&self, walk: &mut Walk<'_>, parts: &[Part<'_>]) {
        let mut is_inline = self.is_inline;
        for (part, place) in parts.iter().zip(&self.places) {
            let end = lines::end(self.text, place.end);
            match part.new {
                Some(_) => is_inline = false,
                None if is_inline => {
                    let next = lines::next_token(self.text, end);
                    walk.push(place.head..next, "");
                    is_inline = self.places.iter().any(|place| place.head == next);
                }
                None => walk.push(lines::start(self.text, place.head)..end, ""),
            }
        }
    }
}
