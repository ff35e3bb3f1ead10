//! The ports of a root Service for which there are routes.

use std::collections::BTreeMap;

use super::{Work, rules};
use crate::finding::Label;
use crate::object::Object;
use crate::source::Place;
use crate::tree::{FieldPath, Node};

/// The annotation by which Linkerd is told which ports it may not look into.
const OPAQUE_PORTS: &str = "config.linkerd.io/opaque-ports";
/// What it does not look into where nobody tells it (linkerd2, `charts/linkerd-control-plane/values.yaml`).
const OPAQUE: &str = "25,587,3306,4444,5432,6379,9300,11211";
const UNLESS_SAID: &str = "opaque to the proxy, unless an annotation says otherwise";
/// Values of `appProtocol` that are HTTP to a proxy. One in TLS is not: the proxy does not see into it.
const HTTP: [&str; 8] =
    ["http", "http2", "h2c", "grpc", "grpc-web", "kubernetes.io/h2c", "kubernetes.io/ws", "linkerd.io/http"];

/// The ports to make routes for, in the order of the Service. What stands against one is said, and the port
/// left out.
pub(super) fn of(work: &mut Work<'_, '_, '_>, root: &str) -> Vec<u16> {
    let path = FieldPath::keys(["spec", "service"]);
    let asked = work.context.ports;
    let Some(service) = work.find("", "Service", root) else {
        let Some(default) = asked.first() else {
            let message = format!("the ports of Service {root} are not known: it is not in the input");
            work.fail(
                &rules::NO_PORT,
                &message,
                &path,
                "add the Service to the input, or say the port: `tidegate convert --to httproute --port PORT`",
            );
            return Vec::new();
        };
        let (opaque, open): (Vec<u16>, Vec<u16>) = asked.iter().partition(|port| is_listed(OPAQUE, **port, None));
        for port in opaque {
            refuse(work, port, UNLESS_SAID, None, *default);
        }
        return open;
    };
    let place = service.place_of(&FieldPath::keys(["spec", "ports"]));
    if let Some(why) = no_parent(service) {
        let message = format!("the Service {root} is {why}, and no route can be attached to it");
        let finding = work.finding(&rules::NO_ROUTE, &message, &path);
        let remedy = "split a Service with an address of its own in the cluster";
        work.push(finding.with_label(Label::new(place).text("this Service")).with_remedy(remedy));
        return Vec::new();
    }
    let (known, order) = judged(work, service);
    for port in asked.iter().filter(|port| !known.contains_key(port)) {
        let finding = work.finding(&rules::NO_PORT, &format!("the Service {root} has no port {port}"), &path);
        work.push(finding.with_label(Label::new(place).text("its ports")).with_remedy("correct `--port`"));
    }
    if known.is_empty() {
        let finding = work.finding(&rules::NO_PORT, &format!("the Service {root} has no ports"), &path);
        work.push(finding.with_label(Label::new(place).text("here")).with_remedy("write its `spec.ports`"));
    }
    let chosen: Vec<u16> = order.into_iter().filter(|port| asked.is_empty() || asked.contains(port)).collect();
    let speaks_http = known.iter().find(|(_, why)| why.is_none()).map_or(80, |(port, _)| *port);
    let is_open = |port: &u16| match known.get(port) {
        Some(Some((why, place))) => {
            refuse(work, *port, why, Some(*place), speaks_http);
            false
        }
        _ => true,
    };
    chosen.into_iter().filter(is_open).collect()
}

/// Why a port carries no HTTP, and where that is said; nothing where it does.
type Judgement = Option<(String, Place)>;

/// Every port of a Service with why it has no route, and the ports in their order. Of a number that
/// stands there for several protocols, the one with a route counts.
fn judged(work: &Work<'_, '_, '_>, service: &Object<'_>) -> (BTreeMap<u16, Judgement>, Vec<u16>) {
    let opaque = opaque_ports(work, service);
    let path = FieldPath::keys(["spec", "ports"]);
    let items = service.tree.at(&["spec", "ports"]).and_then(Node::items).unwrap_or_default();
    let (mut known, mut order) = (BTreeMap::new(), Vec::new());
    for (nth, item) in items.iter().enumerate() {
        let Some(port) = item.get("port").and_then(Node::as_i64).and_then(|port| u16::try_from(port).ok()) else {
            continue;
        };
        let text = |field| item.get(field).and_then(Node::as_str);
        let path = path.index(nth);
        let said = |why: String, path: &FieldPath| Some((why, service.place_of(path)));
        let judgement = match (text("protocol").unwrap_or("TCP"), text("appProtocol")) {
            ("TCP", Some(protocol)) if !HTTP.contains(&protocol) => {
                said(format!("`appProtocol: {protocol}`"), &path.key("appProtocol"))
            }
            ("TCP", _) if is_listed(&opaque.0, port, text("name")) => match opaque.1 {
                Some(place) => Some((format!("opaque by {OPAQUE_PORTS}"), place)),
                None => said(UNLESS_SAID.to_owned(), &path.key("port")),
            },
            ("TCP", _) => None,
            (protocol, _) => said(protocol.to_owned(), &path.key("protocol")),
        };
        match known.get(&port) {
            None => {
                order.push(port);
                known.insert(port, judgement);
            }
            Some(Some(_)) => {
                known.insert(port, judgement);
            }
            Some(None) => {}
        }
    }
    (known, order)
}

fn refuse(work: &mut Work<'_, '_, '_>, port: u16, why: &str, place: Option<Place>, http: u16) {
    let path = FieldPath::keys(["spec", "service"]);
    let message = format!("port {port} carries no HTTP that a proxy sees: it is {why}");
    let finding = work.finding(&rules::NOT_HTTP, &message, &path);
    let finding = match place {
        Some(place) => finding.with_label(Label::new(place).text("said here")),
        None => finding,
    };
    let remedy = format!(
        "name the ports that speak HTTP: `tidegate convert --to httproute --port {http}`; others need a TCPRoute"
    );
    work.push(finding.with_remedy(remedy));
}

/// What a Service is to which no route can be attached.
fn no_parent(service: &Object<'_>) -> Option<&'static str> {
    let text = |field| service.tree.at(&["spec", field]).and_then(Node::as_str);
    match (text("type"), text("clusterIP")) {
        (Some("ExternalName"), _) => Some("an alias (`type: ExternalName`)"),
        (_, Some("None")) => Some("headless (`clusterIP: None`)"),
        _ => None,
    }
}

/// The opaque ports of a Service, and where they are said: on it, else on its Namespace, else nowhere.
fn opaque_ports(work: &Work<'_, '_, '_>, service: &Object<'_>) -> (String, Option<Place>) {
    let objects = work.context.objects;
    let namespace = work.namespace().and_then(|name| objects.find("", "Namespace", None, name));
    let holders = [Some(service), namespace.map(|namespace| objects.get(namespace))];
    let path = FieldPath::keys(["metadata", "annotations", OPAQUE_PORTS]);
    let mut said = holders.into_iter().flatten();
    let said = said.find_map(|holder| Some((holder.annotation(OPAQUE_PORTS)?.to_owned(), holder.place_of(&path))));
    match said {
        Some((list, place)) => (list, Some(place)),
        None => (OPAQUE.to_owned(), None),
    }
}

/// Whether a list of ports, ranges (`4444-4446`) and names of ports, with commas, holds a port.
fn is_listed(list: &str, port: u16, name: Option<&str>) -> bool {
    list.split(',').map(str::trim).any(|entry| match entry.split_once('-') {
        _ if Some(entry) == name => true,
        Some((first, last)) => match (first.trim().parse::<u16>(), last.trim().parse::<u16>()) {
            (Ok(first), Ok(last)) => (first..=last).contains(&port),
            _ => false,
        },
        None => entry.parse() == Ok(port),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_numbers_ranges_and_names() {
        for (list, port, name, listed) in [
            ("25, 587", 587, None, true),
            ("25,587", 588, None, false),
            ("4000-4002", 4001, None, true),
            ("4000-4002", 4003, None, false),
            ("mysql,25", 3306, Some("mysql"), true),
            ("my-sql", 3306, Some("my-sql"), true),
            ("a-b", 1, None, false),
            ("", 1, None, false),
        ] {
            assert_eq!(is_listed(list, port, name), listed, "{list} {port}");
        }
    }
}
