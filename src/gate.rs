//! What holds meshed pods back until their control plane answers, where that is not among the objects.
//!
//! `gates.mesh` of the configuration chooses: an annotation on the pod templates (`annotate`), or a Job of
//! tidegate's own (`job`). Where the control plane is in the input, edges order both, and nothing is added.

mod annotate;
mod job;

use std::collections::BTreeMap;

use crate::config::{MeshGate, Settings, Writing};
use crate::flow::Loaded;
use crate::object::view::mesh::{self, Mesh};
use crate::object::wrote::Gate;
use crate::object::{ObjRef, Object, ObjectId, ObjectSet};
use crate::source::Place;

/// A workload whose pods get a proxy from a mesh that is not among the objects.
struct Meshed {
    at: ObjRef,
    mesh: Mesh,
    /// The field that asks for the proxy.
    place: Place,
    revision: Option<String>,
}

/// Adds what `gates.mesh` asks for. What an earlier render added is gone already; what is stripped, or taken as it
/// is, gets nothing.
pub fn insert<'s>(mut loaded: Loaded<'s>, settings: &Settings) -> Loaded<'s> {
    if settings.writing != Writing::Anew || settings.gates.mesh == MeshGate::Off {
        return loaded;
    }
    let meshed = meshed(&loaded.objects, settings);
    match settings.gates.mesh {
        MeshGate::Off => {}
        MeshGate::ProxyAwait => annotate::annotate(&mut loaded, &meshed, false, settings),
        MeshGate::NativeSidecar => annotate::annotate(&mut loaded, &meshed, true, settings),
        MeshGate::Job => {
            let jobs = job::jobs(&meshed, &loaded.objects, settings);
            loaded = add(loaded, jobs);
        }
    }
    loaded
}

/// The meshed workloads, by object.
fn meshed(objects: &ObjectSet<'_>, settings: &Settings) -> Vec<Meshed> {
    let absent = Mesh::ALL.map(|mesh| !mesh::is_in_set(mesh, objects));
    let is_absent = |mesh: Mesh| Mesh::ALL.iter().zip(absent).any(|(one, absent)| *one == mesh && absent);
    let one = |workload: mesh::Workload<'_>| Meshed {
        at: workload.at,
        mesh: workload.asked.mesh,
        place: workload.place(),
        revision: workload.asked.revision.map(str::to_owned),
    };
    mesh::workloads(objects, &settings.references.pod_templates)
        .filter(|workload| is_absent(workload.asked.mesh) && workload.is_meshed())
        .map(one)
        .collect()
}

/// Puts objects in among the others. References count places in the set, so they move along.
fn add<'s>(loaded: Loaded<'s>, made: Vec<Object<'s>>) -> Loaded<'s> {
    let Loaded { objects, unread, versions, .. } = loaded;
    let ids: BTreeMap<ObjectId, _> =
        versions.into_iter().map(|(at, version)| (objects.get(at).id.clone(), version)).collect();
    // an object of the user's keeps its name
    let is_free = |object: &Object<'_>| {
        let id = &object.id;
        objects.find(&id.group, &id.kind, id.namespace.as_deref(), id.name.text()).is_none()
    };
    let made: Vec<_> = made.into_iter().filter(is_free).collect();
    let made_ids: Vec<_> = made.iter().map(|object| object.id.clone()).collect();
    let mut all = objects.into_objects();
    all.extend(made);
    let objects = ObjectSet::new(all);
    let (mut versions, mut gates) = (BTreeMap::new(), BTreeMap::new());
    for (at, object) in objects.iter() {
        versions.extend(ids.get(&object.id).cloned().map(|version| (at, version)));
        gates.extend(made_ids.contains(&object.id).then_some((at, Gate::Made)));
    }
    Loaded { objects, unread, versions, gates }
}
