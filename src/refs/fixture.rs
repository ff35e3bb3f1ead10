//! Objects written in a test, linked.

use super::link;
use crate::config::Settings;
use crate::finding::Findings;
use crate::flow::{Edge, Linked, Need};
use crate::load;
use crate::source::{SourceFile, SourceMap};

/// Links the objects of a text and hands them on with the findings of that.
pub(super) fn linked<T>(text: &str, settings: &Settings, look: impl FnOnce(&Linked<'_>, &Findings) -> T) -> T {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let loaded = load::objects(&sources, settings, &mut found);
    assert!(found.sorted().is_empty(), "{:?}", found.sorted());
    look(&link(loaded, settings, &mut found), &found)
}

/// The edges of a reason, named by its word, as `Kind a/b → Kind c/d (before, line 3)`.
pub(super) fn edges(text: &str, reason: &str) -> Vec<String> {
    edges_with(text, reason, &Settings::default())
}

/// The same with settings.
pub(super) fn edges_with(text: &str, reason: &str, settings: &Settings) -> Vec<String> {
    linked(text, settings, |linked, _| {
        let edges = linked.graph.edges().iter().filter(|edge| edge.reason.word() == reason);
        edges.map(|edge| shown(edge, linked, text)).collect()
    })
}

fn shown(edge: &Edge, linked: &Linked<'_>, text: &str) -> String {
    let name = |at| linked.loaded.objects.get(at).id.to_string();
    let need = match edge.need {
        Need::Before => "before",
        Need::Ready => "ready",
    };
    let line = text[..edge.place.start].matches('\n').count() + 1;
    format!("{} → {} ({need}, line {line})", name(edge.from), name(edge.to))
}
