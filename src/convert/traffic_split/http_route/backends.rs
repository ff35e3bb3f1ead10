//! Backends of a split, and what a route says of them.

use super::{Work, mapping, rules};
use crate::finding::{Label, Severity};
use crate::object::Object;
use crate::tree::{FieldPath, Node, Value};

/// Backends a rule may hold.
const MOST: usize = 16;

/// A backend of a split.
pub(super) struct Backend {
    /// Its Service, of the split's namespace.
    service: String,
    weight: i64,
    path: FieldPath,
}

/// The backends of a split, weights as whole numbers. What is wrong with them as a whole is said.
pub(super) fn read(work: &mut Work<'_, '_, '_>, split: &Object<'_>) -> Vec<Backend> {
    let path = FieldPath::keys(["spec", "backends"]);
    let items = split.tree.at(&["spec", "backends"]).and_then(Node::items).unwrap_or_default();
    let mut backends = Vec::new();
    for (nth, item) in items.iter().enumerate() {
        let path = path.index(nth);
        let service = item.get("service").and_then(Node::as_str).unwrap_or_default();
        let Some(service) = work.local(service, &path.key("service")) else { continue };
        let weight = item.get("weight").and_then(Node::as_i64).unwrap_or_default();
        backends.push(Backend { service, weight, path });
    }
    if items.is_empty() {
        let remedy = "a route without backends answers every request with an error: name one";
        work.fail(&rules::NO_ROUTE, "the split has no backends", &path, remedy);
    } else if backends.len() == items.len() && backends.iter().all(|backend| backend.weight == 0) {
        let remedy = "give one backend a weight, or delete the split: requests then go to the root Service";
        work.fail(&rules::NO_ROUTE, "the weights of all backends are 0", &path, remedy);
    }
    if items.len() > MOST {
        let message = format!("a rule holds at most {MOST} backends, and the split has {}", items.len());
        work.fail(&rules::TOO_MANY, &message, &path, "leave backends out, such as those with weight 0");
    }
    whereabouts(work, &backends);
    backends
}

/// Says which backends are not in an input that holds Services of the namespace.
fn whereabouts(work: &mut Work<'_, '_, '_>, backends: &[Backend]) {
    let knows = {
        let services = work.context.objects.of_kind("", "Service");
        services.filter(|(_, service)| service.id.namespace.as_deref() == work.namespace()).count() > 0
    };
    for backend in backends.iter().filter(|backend| backend.weight > 0 && knows) {
        if work.find("", "Service", &backend.service).is_none() {
            let message = format!("the backend {} is no Service of the input", backend.service);
            let finding = work.finding(&rules::BACKEND, &message, &backend.path.key("service"));
            let finding = finding.with_severity(Severity::Warning);
            work.push(finding.with_remedy("make sure that it is there before the route: its share of requests fails"));
        }
    }
}

/// What a route says of the backends at a port. A backend that does not have the port is left out, or
/// an error if requests are meant for it.
pub(super) fn refs<'s>(work: &mut Work<'_, '_, '_>, backends: &[Backend], port: u16) -> Vec<Node<'s>> {
    let mut refs = Vec::new();
    for backend in backends {
        let place = work.find("", "Service", &backend.service).filter(|service| !has(service, port)).map(Object::place);
        let Some(place) = place else {
            refs.push(reference(&backend.service, port, backend.weight));
            continue;
        };
        let weight = backend.weight;
        let (severity, end, remedy) = match weight {
            0 => (Severity::Warning, "it is left out of the route", "give it the port before it gets a weight"),
            _ => (Severity::Error, "its share of the requests would fail", "give it the port, or weight 0"),
        };
        let message = format!("the backend {} (weight {weight}) has no port {port}: {end}", backend.service);
        let finding = work.finding(&rules::BACKEND, &message, &backend.path.key("service")).with_severity(severity);
        work.push(finding.with_label(Label::new(place).text("this Service")).with_remedy(remedy));
    }
    refs
}

/// A backend of a route. `kind: Service` and `group: ""` are what Gateway API takes for granted here.
pub(super) fn reference<'s>(service: &str, port: u16, weight: i64) -> Node<'s> {
    mapping([
        ("name", Node::text(service.to_owned())),
        ("port", Node::made(Value::I64(port.into()))),
        ("weight", Node::made(Value::I64(weight))),
    ])
}

fn has(service: &Object<'_>, port: u16) -> bool {
    let ports = service.tree.at(&["spec", "ports"]).and_then(Node::items).unwrap_or_default();
    ports.iter().any(|item| item.get("port").and_then(Node::as_i64) == Some(port.into()))
}
