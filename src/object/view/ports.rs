//! Ports: those that pods open, and those by which Services are reached.

use std::collections::BTreeSet;

use super::pod_template::containers;
use crate::object::Object;
use crate::tree::Node;

/// A port as another object asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port<'n> {
    /// By its number.
    Number(i64),
    /// By its name.
    Name(&'n str),
}

/// Shown as `8080`, or as `http`.
impl std::fmt::Display for Port<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Port::Number(number) => write!(f, "{number}"),
            Port::Name(name) => f.write_str(name),
        }
    }
}

impl<'n> Port<'n> {
    /// A port as a field writes it (`IntOrString`): a number, or a text that is no empty one.
    pub fn read(node: &'n Node<'_>) -> Option<Self> {
        match node.as_i64() {
            Some(number) => Some(Port::Number(number)),
            None => node.as_str().filter(|text| !text.is_empty()).map(Port::Name),
        }
    }
}

/// The names of the ports of one container.
pub fn of_container<'n>(container: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    let ports = container.get("ports").and_then(Node::items).unwrap_or_default();
    ports.iter().filter_map(|port| port.get("name")?.as_str())
}

/// The names of the ports that a pod keeps open: those of its containers, and of init containers that
/// go on running (`FindPort` in pkg/api/v1/pod of Kubernetes).
pub fn of_pod<'n>(spec: &'n Node<'_>) -> BTreeSet<&'n str> {
    let runs_on = |container: &Node<'_>| container.get("restartPolicy").and_then(Node::as_str) == Some("Always");
    let open = containers(spec).filter(|(list, _, container)| match *list {
        "containers" => true,
        "initContainers" => runs_on(container),
        _ => false,
    });
    open.flat_map(|(_, _, container)| of_container(container)).collect()
}

/// Whether a Service has a port, by its own number or name.
pub fn service_has(service: &Object<'_>, wanted: Port<'_>) -> bool {
    of_service(service).any(|(number, name)| match wanted {
        Port::Number(wanted) => number == Some(wanted),
        Port::Name(wanted) => name == Some(wanted),
    })
}

/// The ports of a Service: number and name of each.
pub fn of_service<'o>(service: &'o Object<'_>) -> impl Iterator<Item = (Option<i64>, Option<&'o str>)> {
    let ports = service.tree.at(&["spec", "ports"]).and_then(Node::items).unwrap_or_default();
    ports.iter().map(|port| (port.get("port").and_then(Node::as_i64), port.get("name").and_then(Node::as_str)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::from_value;

    #[test]
    fn sidecars_keep_ports_open_and_other_init_containers_do_not() {
        let port = |name: &str| json!([{"name": name, "containerPort": 1}]);
        let spec = from_value(json!({
            "initContainers": [{"ports": port("once")}, {"restartPolicy": "Always", "ports": port("side")}],
            "containers": [{"ports": port("http")}, {}],
            "ephemeralContainers": [{"ports": port("debug")}],
        }));
        assert_eq!(of_pod(&spec).into_iter().collect::<Vec<_>>(), ["http", "side"]);
    }

    #[test]
    fn a_port_is_a_number_or_a_name() {
        assert_eq!(Port::read(&from_value(json!(80))), Some(Port::Number(80)));
        assert_eq!(Port::read(&from_value(json!("http"))), Some(Port::Name("http")));
        assert_eq!(Port::read(&from_value(json!(""))), None);
        assert_eq!(Port::read(&from_value(json!(null))), None);
    }
}
