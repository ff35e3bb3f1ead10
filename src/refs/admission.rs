//! Registrations become gates: who serves a webhook, an aggregated API or a conversion comes before
//! it, and what it acts on comes after it.

mod backend;
mod conversion;
mod gates;
mod namespaces;
mod needs;
mod registration;
mod resources;
mod rule;
mod said;

use std::collections::BTreeSet;

use super::rbac::Rbac;
use super::workloads::Workloads;
use crate::config::{PolicyGates, Settings};
use crate::finding::Findings;
use crate::flow::{Edge, Interception};
use crate::object::{ObjRef, ObjectSet};

use backend::Backend;
use namespaces::Namespaces;
use needs::Needs;
use resources::Resources;

/// What is looked things up in.
struct Input<'g, 'o> {
    objects: &'o ObjectSet<'o>,
    workloads: &'g Workloads<'o>,
    rbac: &'g Rbac<'o>,
    resources: Resources<'o>,
    namespaces: Namespaces<'o>,
    policies: PolicyGates,
}

/// What comes of registrations beside edges.
#[derive(Default)]
pub(super) struct Admitted {
    /// Definitions that come after the backend of their conversion, out of their stage.
    pub moved: BTreeSet<ObjRef>,
    /// What fail-closed webhooks are asked about.
    pub interceptions: Vec<Interception>,
}

/// Adds the edges of registrations to all others, which must be there already: what a backend needs
/// by any of them never waits for its registration.
pub(super) fn link<'o>(
    objects: &'o ObjectSet<'o>,
    workloads: &Workloads<'o>,
    rbac: &Rbac<'o>,
    settings: &Settings,
    edges: &mut Vec<Edge>,
    found: &mut Findings,
) -> Admitted {
    let registrations = registration::read(objects);
    let conversions = conversion::read(objects, workloads);
    if registrations.is_empty() && conversions.is_empty() {
        return Admitted::default();
    }
    let resources = Resources::new(objects, workloads, settings);
    let namespaces = Namespaces::new(objects);
    let input = Input { objects, workloads, rbac, resources, namespaces, policies: settings.gates.policies };
    let find = |named: &registration::ServiceName<'o>| Backend::find(objects, workloads, *named);
    let backends: Vec<Vec<Backend<'_>>> =
        registrations.iter().map(|registration| registration.services.iter().map(find).collect()).collect();
    for (registration, backends) in registrations.iter().zip(&backends) {
        backends.iter().for_each(|backend| backend.register(registration.at, edges));
    }
    let moved = conversion::link(&input, &conversions, edges, found);
    let needs = Needs::new(objects.len(), edges);
    let mut interceptions = Vec::new();
    for (registration, backends) in registrations.iter().zip(&backends) {
        gates::intercept(&input, registration, &mut interceptions);
        let exempt = needs.closure(backends.iter().flat_map(Backend::own));
        gates::Gate::new(&input, registration, backends, exempt, edges).close(found);
    }
    Admitted { moved, interceptions }
}

#[cfg(test)]
mod tests;
