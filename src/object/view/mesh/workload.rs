//! The workloads of a set that ask a mesh for a proxy, and the Jobs that wait for one.

use super::{Asked, Mesh, asked, gets_proxy};
use crate::object::annotation::GATE;
use crate::object::view::pod_template::{self, Held, NamedTemplate};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::source::Place;

/// A workload for whose pods somebody asks a mesh for a proxy.
#[derive(Clone, Debug)]
pub struct Workload<'o> {
    /// Where it stands in the set.
    pub at: ObjRef,
    /// The workload.
    pub object: &'o Object<'o>,
    /// Its pod template.
    pub held: Held<'o>,
    /// Its Namespace, where the set holds that.
    pub namespace: Option<&'o Object<'o>>,
    /// What asks.
    pub asked: Asked<'o>,
}

impl Workload<'_> {
    /// The place of the field that asks.
    pub fn place(&self) -> Place {
        self.namespace.filter(|_| self.asked.by_namespace).unwrap_or(self.object).place_of(&self.asked.path)
    }

    /// Whether the pods get the proxy that is asked for, as [`super::meshed`] has it.
    pub fn is_meshed(&self) -> bool {
        gets_proxy(self.object, &self.held, self.asked.mesh)
    }
}

/// Every workload of a set that asks a mesh for a proxy, by object. `rows` are the pod templates that a configuration
/// names.
pub fn workloads<'o>(objects: &'o ObjectSet<'_>, rows: &'o [NamedTemplate]) -> impl Iterator<Item = Workload<'o>> {
    objects.iter().filter_map(move |(at, object)| {
        let held = pod_template::held(&object.id.group, &object.id.kind, rows)?;
        let namespace = objects.namespace_of(object);
        let asked = asked(object, &held, namespace)?;
        Some(Workload { at, object, held, namespace, asked })
    })
}

/// The Jobs that say that they wait for a mesh ([`GATE`]): tidegate's own, and those of users.
pub fn gate_jobs(mesh: Mesh, objects: &ObjectSet<'_>) -> impl Iterator<Item = ObjRef> {
    let jobs = objects.of_kind("batch", "Job");
    jobs.filter(move |(_, job)| job.annotation(GATE) == Some(mesh.word())).map(|(at, _)| at)
}
