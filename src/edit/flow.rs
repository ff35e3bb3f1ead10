//! Mappings in braces and lists in brackets: parts between commas.

use std::ops::Range;

use super::walk::{Part, Plan, Slot, Walk};
use super::written::Flow;
use super::{Form, Stuck, lines};

/// Changes the parts of a flow collection at `range`.
pub(super) fn parts(walk: &mut Walk<'_>, plan: Plan<'_>, range: &Range<usize>) -> Result<(), Stuck> {
    let places: Vec<Range<usize>> = plan.parts.iter().map(place).collect();
    let (Some(first), true) = (places.first(), plan.parts.iter().any(|part| part.new.is_some())) else {
        return Err(Stuck);
    };
    let is_in_order = places.iter().zip(places.iter().skip(1)).all(|(one, next)| one.end < next.start);
    if !is_in_order || places.iter().any(|place| place.start <= range.start || place.end >= range.end) {
        return Err(Stuck);
    }
    let layout = Layout::new(walk, &plan, &places, range);
    for part in &plan.parts {
        if let Some(new) = part.new {
            walk.node(part.old, new, Slot::Flow(layout.flow, layout.column))?;
        }
    }
    for (before, (name, node)) in &plan.added {
        let text = match name {
            Some(name) => layout.flow.entry(name, node, layout.column),
            None => layout.flow.value(node, layout.column),
        };
        let text = text.replace('\n', walk.line_break);
        let lead = &layout.lead;
        // behind what stays, not in the middle of what goes
        match plan.parts[..*before].iter().rposition(|part| part.new.is_some()) {
            Some(at) => walk.push(places[at].end..places[at].end, format!(",{lead}{text}")),
            None => walk.push(first.start..first.start, format!("{text},{lead}")),
        }
    }
    remove(walk, &plan.parts, &places);
    Ok(())
}

/// Whether all keys of a mapping stand in quotes, as in JSON that stands in YAML: what is added is JSON too.
fn is_json(text: &str, plan: &Plan<'_>) -> bool {
    plan.parts.iter().all(|part| part.key.is_some_and(|key| text[key.start as usize..].starts_with('"')))
}

fn place(part: &Part<'_>) -> Range<usize> {
    let start = part.key.unwrap_or(part.old.span).start as usize;
    let key_end = part.key.map_or(0, |key| key.end());
    start..part.old.span.end().max(key_end) as usize
}

/// Takes parts that go, each with one comma.
fn remove(walk: &mut Walk<'_>, parts: &[Part<'_>], places: &[Range<usize>]) {
    let first_kept = parts.iter().position(|part| part.new.is_some()).unwrap_or(0);
    if first_kept > 0 {
        walk.push(places[0].start..places[first_kept].start, "");
    }
    for at in first_kept + 1..parts.len() {
        if parts[at].new.is_none() {
            walk.push(places[at - 1].end..places[at].end, "");
        }
    }
}

/// How a collection lays out its parts.
struct Layout {
    flow: Flow,
    /// What stands between a comma and the next part.
    lead: String,
    /// The spaces before a part on a line of its own.
    column: usize,
}

impl Layout {
    fn new(walk: &Walk<'_>, plan: &Plan<'_>, places: &[Range<usize>], range: &Range<usize>) -> Self {
        let text = walk.text;
        let first = places[0].start;
        let colon = plan.parts[0].key.map(|key| &text[key.end() as usize..places[0].end]);
        let comma = places.get(1).map(|next| &text[places[0].end..next.start]);
        let is_spaced = match (comma, colon) {
            (Some(gap), _) => gap.contains([' ', '\n']),
            (None, Some(gap)) => gap.starts_with(": ") || gap.starts_with(" :"),
            (None, None) => true,
        };
        let form = if is_json(text, plan) { Form::Json } else { walk.form };
        let own_lines = text[range.start..first].contains('\n') && lines::begins(text, first);
        if !own_lines {
            let flow = Flow { form, is_spaced, step: None };
            return Layout { flow, lead: if is_spaced { " ".to_owned() } else { String::new() }, column: 0 };
        }
        let column = first - lines::start(text, first);
        let outer = &text[lines::start(text, range.start)..];
        let outer = outer.len() - outer.trim_start_matches(' ').len();
        let step = column.saturating_sub(outer).max(1);
        let flow = Flow { form, is_spaced: true, step: Some(step) };
        Layout { flow, lead: format!("{}{}", walk.line_break, " ".repeat(column)), column }
    }
}
