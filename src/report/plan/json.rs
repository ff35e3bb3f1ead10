//! The whole plan as JSON.

use std::io;

use serde_json::{Value, json};

use super::{show, waves};
use crate::flow::{Edge, Planned};
use crate::object::{Name, ObjectId};
use crate::report::json::SCHEMA_VERSION;
use crate::source::SourceMap;

/// Writes `{"schemaVersion", "stages": [{"stage", "waves": [{"wave", "objects": […], "waitsFor": […]}]}]}`,
/// indented. An object is `{"group", "kind", "namespace", "name" or "generateName", "place"}`; an entry
/// of `waitsFor` is `{"object", "for", "reason", "place"}`, one for each edge that crosses the boundary
/// behind the wave.
///
/// # Errors
/// What `out` returns.
pub fn write(planned: &Planned<'_>, sources: &SourceMap, out: &mut dyn io::Write) -> io::Result<()> {
    let mut stages: Vec<Value> = Vec::new();
    let all = waves(planned);
    for same_stage in all.chunk_by(|a, b| a.stage == b.stage) {
        let waves: Vec<Value> = same_stage
            .iter()
            .map(|wave| {
                let objects: Vec<Value> = wave.slots.iter().map(|slot| object(planned, slot.object, sources)).collect();
                let gates: Vec<Value> = wave.gates.iter().map(|edge| gate(planned, edge, sources)).collect();
                json!({ "wave": wave.wave, "objects": objects, "waitsFor": gates })
            })
            .collect();
        stages.push(json!({ "stage": same_stage[0].stage.name(), "waves": waves }));
    }
    let plan = json!({ "schemaVersion": SCHEMA_VERSION, "stages": stages });
    writeln!(out, "{plan:#}")
}

/// An object with its place.
fn object(planned: &Planned<'_>, object: crate::object::ObjRef, sources: &SourceMap) -> Value {
    let object = planned.objects().get(object);
    let mut value = id(&object.id);
    value["place"] = json!(show(object.place(), sources));
    value
}

/// An edge that an engine waits for.
pub(super) fn gate(planned: &Planned<'_>, edge: &Edge, sources: &SourceMap) -> Value {
    json!({
        "object": id(&planned.objects().get(edge.from).id),
        "for": id(&planned.objects().get(edge.to).id),
        "reason": edge.reason.word(),
        "because": edge.reason.to_string(),
        "place": show(edge.place, sources),
    })
}

/// An identity.
pub(super) fn id(id: &ObjectId) -> Value {
    let mut value = json!({ "group": &*id.group, "kind": &*id.kind, "namespace": id.namespace.as_deref() });
    let key = match id.name {
        Name::Fixed(_) => "name",
        Name::Generated { .. } => "generateName",
    };
    value[key] = json!(id.name.text());
    value
}
