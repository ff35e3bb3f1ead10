//! Who serves a registration.

use super::registration::ServiceName;
use crate::flow::{Edge, Need, Reason, Strength};
use crate::object::view::pod_template::containers;
use crate::object::{ObjRef, ObjectSet};
use crate::refs::workloads::{Workload, Workloads};
use crate::source::Place;
use crate::tree::Node;

/// Containers of controllers that do not run before their own registration exists
/// (spire-controller-manager: its webhook's certificate is written into it at start).
const NEEDS_REGISTRATION: &[&str] = &["spire-controller-manager"];

/// A Service and the workloads behind it.
pub(super) struct Backend<'o> {
    /// The Service, if it is in the input.
    pub service: Option<ObjRef>,
    /// What it selects.
    pub workloads: Vec<Workload<'o>>,
    /// The namespace they are in; none where nobody says.
    pub namespace: Option<&'o str>,
    /// Where the registration names the Service.
    pub place: Place,
}

impl<'o> Backend<'o> {
    /// Finds what a registration names: a Service of that name which nobody gave a namespace is meant
    /// where its namespace has none.
    pub(super) fn find(objects: &'o ObjectSet<'_>, workloads: &Workloads<'o>, named: ServiceName<'o>) -> Self {
        let find = |namespace| objects.find("", "Service", namespace, named.name);
        let service = find(Some(named.namespace)).or_else(|| find(None));
        let Some(at) = service else {
            return Backend {
                service: None,
                workloads: Vec::new(),
                namespace: Some(named.namespace),
                place: named.place,
            };
        };
        let object = objects.get(at);
        let namespace = object.id.namespace.as_deref();
        let selector = object.tree.at(&["spec", "selector"]);
        let selected = selector.map(|selector| workloads.selected(namespace, selector)).unwrap_or_default();
        let workloads = selected.into_iter().filter(Workload::starts_pods).collect();
        Backend { service, workloads, namespace, place: named.place }
    }

    /// The Service and the workloads, as far as they are in the input.
    pub(super) fn own(&self) -> impl Iterator<Item = ObjRef> {
        self.service.into_iter().chain(self.workloads.iter().map(|workload| workload.at))
    }

    /// The backend must be ready before the registration. A controller that does not run before its
    /// own registration exists turns that round, and its Service has nobody behind it before.
    pub(super) fn register(&self, registration: ObjRef, edges: &mut Vec<Edge>) {
        let edge = |from, to, reason| Edge {
            from,
            to,
            need: Need::Ready,
            strength: Strength::Weak,
            reason,
            place: self.place,
        };
        let is_turned = |workload: &&Workload<'_>| needs_registration(workload);
        let turned = self.workloads.iter().filter(is_turned).map(|workload| workload.at);
        edges.extend(turned.map(|to| edge(registration, to, Reason::OwnRegistration)));
        let waited = self.workloads.iter().filter(|workload| !needs_registration(workload)).map(|workload| workload.at);
        let service = self.service.filter(|_| !self.workloads.iter().any(needs_registration));
        edges.extend(service.into_iter().chain(waited).map(|from| edge(from, registration, Reason::Backend)));
    }

    /// The backend must be ready before an object, for a reason.
    pub(super) fn serve(&self, to: ObjRef, reason: Reason, place: Place, edges: &mut Vec<Edge>) {
        let (need, strength) = (Need::Ready, Strength::Weak);
        edges.extend(self.own().map(|from| Edge { from, to, need, strength, reason, place }));
    }
}

fn needs_registration(workload: &Workload<'_>) -> bool {
    let mut containers = workload.spec().into_iter().flat_map(containers);
    containers.any(|(_, _, container)| {
        container.get("name").and_then(Node::as_str).is_some_and(|name| NEEDS_REGISTRATION.contains(&name))
    })
}
