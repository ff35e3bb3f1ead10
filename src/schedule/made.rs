//! Objects and edges made by hand, for tests.

use crate::config::Settings;
use crate::finding::Findings;
use crate::flow::{Edge, Graph, Linked, Need, Planned, Reason, Stage, Stamped, Strength};
use crate::load;
use crate::object::ObjRef;
use crate::source::{Place, SourceFile, SourceMap};

use super::word::{Word, word};

/// An input of objects of which each is written as `Kind.group name annotation=value … | more YAML`.
pub(super) struct Made {
    map: SourceMap,
}

impl Made {
    pub(super) fn new(objects: &[&str]) -> Self {
        let mut map = SourceMap::default();
        map.add(SourceFile::new("made.yaml", objects.iter().map(|line| document(line)).collect::<String>()));
        Made { map }
    }

    /// The objects with these edges, and what they say about order.
    pub(super) fn linked(&self, edges: Vec<Edge>) -> (Linked<'_>, Vec<Word>) {
        let mut found = Findings::default();
        let loaded = load::objects(&self.map, &Settings::default(), &mut found);
        let words = loaded.objects.iter().map(|(_, object)| word(object, true, &mut found)).collect();
        (Linked { loaded, graph: Graph::new(edges), ..Linked::default() }, words)
    }

    /// The only object of a name.
    pub(super) fn find(&self, name: &str) -> ObjRef {
        let (linked, _) = self.linked(Vec::new());
        let mut named = linked.loaded.objects.iter().filter(|(_, object)| object.id.name.text() == name);
        match (named.next(), named.next()) {
            (Some((found, _)), None) => found,
            _ => panic!("one object named {name}"),
        }
    }

    /// The plan, with edges given by name; and the findings, as `rule: message`.
    pub(super) fn plan(&self, edges: &[(&str, &str, Need, Reason)], settings: &Settings) -> (Planned<'_>, Vec<String>) {
        let edges = edges.iter().map(|(from, to, need, reason)| edge(self.find(from), self.find(to), *need, *reason));
        let mut found = Findings::default();
        let planned =
            super::plan(Stamped { linked: self.linked(edges.collect()).0, ..Stamped::default() }, settings, &mut found);
        let said = found.sorted().iter().map(|f| format!("{} {}: {}", f.rule.id, f.severity, f.message)).collect();
        (planned, said)
    }

    /// The plan as `name wave` by stage, a stage a line.
    pub(super) fn waves(&self, edges: &[(&str, &str, Need, Reason)], settings: &Settings) -> String {
        shown(&self.plan(edges, settings).0)
    }
}

/// The plan as `name wave` by stage, a stage a line; empty stages are left out.
pub(super) fn shown(planned: &Planned<'_>) -> String {
    let objects = &planned.linked.loaded.objects;
    let line = |stage: Stage| {
        let slots = planned.plan.slots.iter().filter(|slot| slot.stage == stage);
        let cells: Vec<_> =
            slots.map(|slot| format!("{} {}", objects.get(slot.object).id.name.text(), slot.wave)).collect();
        (!cells.is_empty()).then(|| format!("{stage}: {}", cells.join(", ")))
    };
    Stage::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// An edge that was read nowhere; explicit ones are hard.
pub(super) fn edge(from: ObjRef, to: ObjRef, need: Need, reason: Reason) -> Edge {
    let strength = if reason == Reason::Explicit { Strength::Hard } else { Strength::Weak };
    let file = SourceMap::default().add(SourceFile::new("made.yaml", ""));
    Edge { from, to, need, strength, reason, place: Place::file(file) }
}

fn document(line: &str) -> String {
    let (head, rest) = line.split_once(" | ").unwrap_or((line, ""));
    let mut words = head.split(' ');
    let kind = words.next().expect("a kind");
    let (kind, group) = kind.split_once('.').map_or((kind, String::new()), |(kind, group)| (kind, format!("{group}/")));
    let name = words.next().expect("a name");
    let annotations: String = words
        .map(|pair| pair.split_once('=').expect("annotation=value"))
        .map(|(key, value)| format!("{key}: \"{value}\", "))
        .collect();
    format!(
        "---\napiVersion: {group}v1\nkind: {kind}\nmetadata: {{name: {name}, annotations: {{{annotations}}}}}\n{rest}\n"
    )
}
