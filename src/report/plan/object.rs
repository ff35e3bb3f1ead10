//! Why one object stands where it stands.

use std::io;

use serde_json::{Value, json};

use super::{json as plan_json, show, wave_of};
use crate::flow::{Edge, FieldKey, Need, Planned, Read, Reference, Resolution};
use crate::object::ObjRef;
use crate::report::escape::escape;
use crate::report::json::SCHEMA_VERSION;
use crate::source::SourceMap;

/// Everything there is to say about one object.
struct Story<'p> {
    /// The edges that fix its wave, from the object back to one that stands at the base of its stage.
    chain: Vec<&'p Edge>,
    needs: Vec<&'p Edge>,
    needed_by: Vec<&'p Edge>,
    reads: Vec<&'p Reference>,
}

fn story<'p>(planned: &'p Planned<'_>, object: ObjRef) -> Story<'p> {
    let waves = wave_of(planned);
    let needs = |at: ObjRef| planned.edges().filter(move |(edge, _)| edge.to == at);
    let mut chain: Vec<&Edge> = Vec::new();
    let mut seen = vec![object];
    let mut at = object;
    // the edges that put it where it is: each ends one wave later than it begins
    let binds = |edge: &Edge, waits: bool| waits && waves[edge.from.index()] + 1 == waves[edge.to.index()];
    while let Some((edge, _)) = needs(at).find(|(edge, waits)| binds(edge, *waits) && !seen.contains(&edge.from)) {
        chain.push(edge);
        at = edge.from;
        seen.push(at);
    }
    Story {
        chain,
        needs: needs(object).map(|(edge, _)| edge).collect(),
        needed_by: planned.edges().map(|(edge, _)| edge).filter(|edge| edge.from == object).collect(),
        reads: planned.linked.references.iter().filter(|reference| reference.from == object).collect(),
    }
}

/// Writes stage and wave of an object, the chain of reasons for its wave, what it needs, what it
/// refers to, and who waits for it, each with the place it was read from.
///
/// # Errors
/// What `out` returns.
pub fn write(planned: &Planned<'_>, object: ObjRef, sources: &SourceMap, out: &mut dyn io::Write) -> io::Result<()> {
    let id = |object: ObjRef| escape(&planned.objects().get(object).id.to_string()).into_owned();
    let place = |place| escape(&show(place, sources)).into_owned();
    let mut text = format!("{} ({})\n", id(object), place(planned.objects().get(object).place()));
    if let Some(slot) = planned.plan.slots.iter().find(|slot| slot.object == object) {
        text.push_str(&format!("  stage {}, wave {}\n", slot.stage, slot.wave));
    }
    let story = story(planned, object);
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&format!("\n  {title}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
    };
    let edge = |edge: &&Edge, other: ObjRef| {
        let how = if edge.need == Need::Ready { "ready" } else { "before" };
        format!("{}: {how}, {} ({})", id(other), edge.reason, place(edge.place))
    };
    section("its wave, step by step", story.chain.iter().map(|e| format!("after {}", edge(e, e.from))).collect());
    section("needs", story.needs.iter().map(|e| edge(e, e.from)).collect());
    section("refers to", story.reads.iter().map(|r| reference(r, &id, &place)).collect());
    section("is needed by", story.needed_by.iter().map(|e| edge(e, e.to)).collect());
    out.write_all(text.as_bytes())
}

fn reference(
    reference: &Reference,
    id: &dyn Fn(ObjRef) -> String,
    place: &dyn Fn(crate::source::Place) -> String,
) -> String {
    let target = &reference.target;
    let name = escape(&format!("{} {}", target.kind, target.name)).into_owned();
    let outcome = match reference.leads_to {
        Resolution::Object(object) => format!("in the input as {}", id(object)),
        Resolution::Product(maker) => format!("made by {}", id(maker)),
        Resolution::Outside => "expected outside the input".to_owned(),
        Resolution::Missing if reference.optional => "not in the input, optional".to_owned(),
        Resolution::Missing => "not in the input".to_owned(),
    };
    let path = escape(&reference.path.to_string()).into_owned();
    format!("{name}{}: {outcome}, {path} ({})", read(&reference.read), place(reference.place))
}

/// How containers read the target, as a clause.
fn read(read: &Read) -> String {
    match read {
        Read::No | Read::Field(None) => String::new(),
        Read::Field(Some(FieldKey { key, .. })) | Read::EnvKey(key) => format!(", key {}", escape(key)),
        Read::EnvFrom => ", all keys as variables".to_owned(),
        Read::Volume(volume) if volume.mounts.is_empty() => ", a volume that nobody mounts".to_owned(),
        Read::Volume(_) => ", as a volume".to_owned(),
    }
}

/// Writes the same as one JSON object: `{"schemaVersion", "object", "stage", "wave", "chain", "needs",
/// "references", "neededBy"}`, indented.
///
/// # Errors
/// What `out` returns.
pub fn write_json(
    planned: &Planned<'_>,
    object: ObjRef,
    sources: &SourceMap,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let slot = planned.plan.slots.iter().find(|slot| slot.object == object);
    let story = story(planned, object);
    let edges = |edges: &[&Edge]| -> Vec<Value> {
        let need = |edge: &Edge| if edge.need == Need::Ready { "ready" } else { "before" };
        let value = |edge: &&Edge| {
            let mut value = plan_json::gate(planned, edge, sources);
            value["need"] = json!(need(edge));
            value
        };
        edges.iter().map(value).collect()
    };
    let references: Vec<Value> = story.reads.iter().map(|reference| reference_json(reference, sources)).collect();
    let value = json!({
        "schemaVersion": SCHEMA_VERSION,
        "object": plan_json::id(&planned.objects().get(object).id),
        "stage": slot.map(|slot| slot.stage.name()),
        "wave": slot.map(|slot| slot.wave),
        "chain": edges(&story.chain),
        "needs": edges(&story.needs),
        "references": references,
        "neededBy": edges(&story.needed_by),
    });
    writeln!(out, "{value:#}")
}

fn reference_json(reference: &Reference, sources: &SourceMap) -> Value {
    let target = &reference.target;
    let leads_to = match reference.leads_to {
        Resolution::Object(_) => "object",
        Resolution::Product(_) => "product",
        Resolution::Outside => "outside",
        Resolution::Missing => "missing",
    };
    json!({
        "group": &*target.group,
        "kind": &*target.kind,
        "namespace": target.namespace.as_deref(),
        "name": &*target.name,
        "path": reference.path.to_string(),
        "optional": reference.optional,
        "leadsTo": leads_to,
        "place": show(reference.place, sources),
    })
}
