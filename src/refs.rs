//! From references to edges: which object names which, and so needs it.
//!
//! The table of references (`rules/`, one file a group or project; [`rows`] lists it) says where
//! objects name others; every name that leads to an object of the input becomes an edge, unless its
//! row says that it orders nothing.

mod admission;
mod configured;
mod controllers;
mod definition_makers;
mod definitions;
mod explicit;
mod extract;
mod fillers;
#[cfg(test)]
mod fixture;
mod former;
mod made;
mod mesh;
mod outside;
mod params;
mod path;
mod pod;
mod producers;
mod rbac;
mod readers;
mod resolve;
mod row;
mod rules;
mod selectors;
mod table;
mod versions;
mod workloads;

use std::collections::{BTreeMap, HashMap};

use rbac::Rbac;
use workloads::Workloads;

use crate::config::{Settings, StageName};
use crate::finding::Findings;
use crate::flow::{Edge, Graph, Linked, Loaded, Need, Products, Reason, Reference, Resolution, Stage, Strength};
use crate::object::ObjRef;
use crate::tree::FieldPath;

pub use row::{GroupKindName, In, Optional, Reads, Row, To};

/// A row of the reference table, for one kind and at one place in it.
#[derive(Clone, Copy, Debug)]
pub struct RowInfo {
    /// API group of the referrer; empty for the core group.
    pub group: &'static str,
    /// Kind of the referrer.
    pub kind: &'static str,
    /// The path from the root of the referrer to the name, in the notation of [`Row::path`]. A reference
    /// that the row finds has it as [`Reference::row`]; with group, kind and target it identifies the row.
    pub path: &'static str,
    /// What the row says.
    pub row: &'static Row,
}

/// The whole reference table, by referring kind.
pub fn rows() -> impl Iterator<Item = RowInfo> {
    let table = table::table();
    table.kinds().flat_map(move |(group, kind)| {
        let rows = table.sections(group, kind).flat_map(|section| section.rows());
        rows.map(move |compiled| RowInfo { group, kind, path: compiled.path, row: compiled.row })
    })
}

/// Links the objects by what they name, by what they do, and by what users say.
pub fn link<'s>(mut loaded: Loaded<'s>, settings: &Settings, found: &mut Findings) -> Linked<'s> {
    let mut references = extract::extract(table::table(), &loaded.objects, &settings.references.pod_templates);
    references.extend(configured::references(&loaded.objects, &settings.references.fields));
    params::extract(&loaded.objects, &mut references);
    versions::take_back(&mut references, &mut loaded);
    let mut products = producers::products(&loaded.objects);
    products.extend(configured::products(&loaded.objects, &settings.references.producers));
    let products = Products::new(products);
    let placeholders = resolve::resolve(&mut references, &loaded.objects, &products);
    let selections = selectors::select(&loaded.objects);
    let mut filled = fillers::filled(&loaded.objects, &products);
    filled.extend(configured::filled(&loaded.objects, &settings.references.fillers));
    let mut edges: Vec<Edge> = references.iter().filter_map(edge).collect();
    edges.extend(placeholders.iter().filter_map(|(nth, from)| edge_from(*from, &references[*nth])));
    namespaces(&loaded, &mut edges);
    definitions::link(&loaded, &mut edges);
    let workloads = Workloads::new(&loaded.objects);
    let rbac = Rbac::new(&loaded.objects);
    mesh::link(&workloads, &mut edges);
    mesh::link_gates(&loaded, settings, &mut edges);
    readers::link(&loaded, &workloads, &rbac, &mut edges);
    controllers::link(&loaded, &workloads, &rbac, &mut edges);
    let undefined = definition_makers::link(&loaded, &mut edges);
    let no_wait = made::link(&loaded, &references, settings, &mut edges);
    explicit::link(&loaded, settings, &mut edges, found);
    let mut ignored = explicit::Ignored::new(&loaded, &settings.edges);
    ignored.take_out(&mut edges);
    // last: what a backend needs by any other edge never waits for its registration
    let admission::Admitted { moved, interceptions } =
        admission::link(&loaded.objects, &workloads, &rbac, settings, &mut edges, found);
    ignored.take_out(&mut edges);
    ignored.report(found);
    let stages = settings.stages.iter().map(|row| (row.kind.clone(), stage(row.stage))).collect();
    Linked {
        graph: Graph::new(edges),
        references,
        selections,
        products,
        filled,
        no_wait,
        undefined,
        moved,
        versioned: BTreeMap::new(),
        stages,
        interceptions,
        loaded,
    }
}

fn stage(name: StageName) -> Stage {
    match name {
        StageName::Config => Stage::Config,
        StageName::Crd => Stage::Crd,
        StageName::Workload => Stage::Workload,
    }
}

/// What a reference leads to comes first; nobody waits for himself.
fn edge(reference: &Reference) -> Option<Edge> {
    match reference.leads_to {
        Resolution::Object(from) => edge_from(from, reference),
        _ => None,
    }
}

fn edge_from(from: ObjRef, reference: &Reference) -> Option<Edge> {
    (reference.orders && from != reference.from).then_some(Edge {
        from,
        to: reference.from,
        need: Need::Before,
        strength: Strength::Weak,
        reason: Reason::Reference(reference.row),
        place: reference.place,
    })
}

/// Kinds of which each object makes the namespace of its own name: hierarchical namespaces, kiosk's
/// spaces, OpenShift's projects.
const NAMESPACE_MAKERS: &[GroupKindName] = &[
    ("hnc.x-k8s.io", "SubnamespaceAnchor"),
    ("project.openshift.io", "ProjectRequest"),
    ("tenancy.kiosk.sh", "Space"),
];

/// Every namespaced object needs its Namespace, if that is in the input, and else who makes it.
fn namespaces(loaded: &Loaded<'_>, edges: &mut Vec<Edge>) {
    let namespaces = loaded.objects.of_kind("", "Namespace");
    let namespaces: HashMap<&str, ObjRef> = namespaces.map(|(object, held)| (held.id.name.text(), object)).collect();
    let makers = NAMESPACE_MAKERS.iter().flat_map(|(group, kind)| loaded.objects.of_kind(group, kind));
    let makers: HashMap<&str, ObjRef> = makers.map(|(object, maker)| (maker.id.name.text(), object)).collect();
    for (to, object) in loaded.objects.iter() {
        let Some(name) = object.id.namespace.as_deref() else { continue };
        let (from, need, reason) = match (namespaces.get(name), makers.get(name)) {
            (Some(namespace), _) => (*namespace, Need::Before, Reason::Namespace),
            (None, Some(maker)) if *maker != to => (*maker, Need::Ready, Reason::Producer),
            _ => continue,
        };
        let place = object.place_of(&FieldPath::keys(["metadata", "namespace"]));
        edges.push(Edge { from, to, need, strength: Strength::Weak, reason, place });
    }
}
