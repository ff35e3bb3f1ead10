//! The whole plan as text.

use std::io;

use super::{show, waited_for, waves};
use crate::flow::{Edge, Planned};
use crate::report::escape::escape;
use crate::source::SourceMap;

/// Writes stages, waves and their objects in the order of the stream; behind each wave but the last,
/// what the engine waits for there, for whom, and where that was read.
///
/// # Errors
/// What `out` returns.
pub fn write(planned: &Planned<'_>, sources: &SourceMap, out: &mut dyn io::Write) -> io::Result<()> {
    let mut text = String::new();
    let waves = waves(planned);
    let mut stage = None;
    for (nth, wave) in waves.iter().enumerate() {
        if stage != Some(wave.stage) {
            text.push_str(&format!("stage {}\n", wave.stage));
            stage = Some(wave.stage);
        }
        text.push_str(&format!("  wave {}\n", wave.wave));
        for slot in wave.slots {
            let object = planned.objects().get(slot.object);
            text.push_str(&format!("    {}\n", escape(&object.id.to_string())));
        }
        if nth + 1 < waves.len() {
            boundary(planned, sources, &wave.gates, &mut text);
        }
    }
    out.write_all(text.as_bytes())
}

fn boundary(planned: &Planned<'_>, sources: &SourceMap, gates: &[&Edge], text: &mut String) {
    if gates.is_empty() {
        text.push_str("  | nothing behind this boundary waits for anything before it\n");
        return;
    }
    for needed in waited_for(gates) {
        let edges: Vec<_> = gates.iter().filter(|edge| edge.from == needed).collect();
        let Some(first) = edges.first() else { continue };
        let id = |object| escape(&planned.objects().get(object).id.to_string()).into_owned();
        let more = match edges.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let place = escape(&show(first.place, sources)).into_owned();
        let line = format!("  | waits for {} before {}{more}: {} ({place})\n", id(needed), id(first.to), first.reason);
        text.push_str(&line);
    }
}
