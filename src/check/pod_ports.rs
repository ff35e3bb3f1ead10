//! Ports that are asked for by name, and that no container has.

use std::collections::BTreeSet;

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity, nearest};
use crate::flow::{Linked, Planned, Selection};
use crate::object::view::pod_template::{self, containers};
use crate::object::view::ports;
use crate::object::{ObjRef, Object};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&TARGET_PORT, &MONITOR, &POLICY, &PROBE, &TEXT];

static TARGET_PORT: Rule = Rule {
    id: "TG312",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a Service leads to a named port that its pods do not have",
    explanation: "\
`targetPort: http` means the container port of that name. A pod without such a port is no endpoint of
that port of the Service: connections to it are refused, and nothing says why.

    kind: Service
    spec: {ports: [{port: 80, targetPort: web}]}
    ---
    … containers: [{name: app, ports: [{name: http, containerPort: 8080}]}]

It is an error if a container has a port with a near name, else a warning: something may add a container
with that port when pods are made.

Correct the name, name the port of the container, or write the number.
Source: k8s.io/kubernetes, pkg/api/v1/pod (`FindPort`).",
};

static MONITOR: Rule = Rule {
    id: "TG315",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a monitor asks for a named port that nobody it selects has",
    explanation: "\
`port` of a ServiceMonitor's endpoint is the name of a port of the Services that it selects; of a
PodMonitor's, the name of a container port. If none has it, Prometheus gets no target and no error.

Correct the name, or name the port: in a Service with one port the name may be missing altogether.
Source: prometheus-operator, Documentation/api-reference (Endpoint, PodMetricsEndpoint).",
};

static POLICY: Rule = Rule {
    id: "TG316",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a NetworkPolicy opens a named port that its pods do not have",
    explanation: "\
A named port in `spec.ingress[].ports[]` means the container port of that name of the pods that the
policy selects. Where they have none, the rule opens nothing, and all other traffic to them is dropped.

Correct the name, or write the number.
Source: NetworkPolicyPort of networking.k8s.io/v1.",
};

static PROBE: Rule = Rule {
    id: "TG317",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a probe or hook asks for a named port that its container does not have",
    explanation: "\
The kubelet looks a named port of a probe up in the `ports` of the same container, and fails the probe
if it is not there: a container with such a readinessProbe is never ready, one with such a livenessProbe
is killed again and again, as is one with such a `postStart` hook.

Correct the name, add the port to the container, or write the number.
Source: k8s.io/kubernetes, pkg/probe/util.go (`ResolveContainerPort`).",
};

static TEXT: Rule = Rule {
    id: "TG324",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "the number of a port is written as text",
    explanation: "\
Where a port may be a number or a name, `\"8080\"` in quotes is a name, and names of ports must hold a
letter: the API server refuses the object (`must contain at least one letter`).

Take the quotes away. Source: IntOrString of k8s.io/apimachinery, `IsValidPortName` of its
pkg/util/validation.",
};

/// Ports of containers that meshes add to pods (linkerd2: charts/partials/templates/_proxy.tpl;
/// istio: manifests/charts/istio-control/istio-discovery/files/injection-template.yaml).
const INJECTED: &[&str] = &["http-envoy-prom", "linkerd-admin", "linkerd-proxy", "status-port"];

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    for selection in &linked.selections {
        selected(linked, selection, found);
    }
    for (_, object) in linked.loaded.objects.iter() {
        probes(object, found);
        if object.is("", "Service") || object.is("networking.k8s.io", "NetworkPolicy") {
            texts(object, found);
        }
    }
}

/// Lists of ports of an object that selects: the way to the list, the lists in its items, and the
/// field of the port.
struct Asks {
    group: &'static str,
    kind: &'static str,
    list: &'static [&'static str],
    inner: Option<&'static str>,
    port: &'static str,
    rule: &'static Rule,
}

const ASKS: &[Asks] = &[
    Asks { group: "", kind: "Service", list: &["spec", "ports"], inner: None, port: "targetPort", rule: &TARGET_PORT },
    Asks {
        group: "networking.k8s.io",
        kind: "NetworkPolicy",
        list: &["spec", "ingress"],
        inner: Some("ports"),
        port: "port",
        rule: &POLICY,
    },
    Asks {
        group: "monitoring.coreos.com",
        kind: "ServiceMonitor",
        list: &["spec", "endpoints"],
        inner: None,
        port: "port",
        rule: &MONITOR,
    },
    Asks {
        group: "monitoring.coreos.com",
        kind: "PodMonitor",
        list: &["spec", "podMetricsEndpoints"],
        inner: None,
        port: "port",
        rule: &MONITOR,
    },
];

impl Asks {
    /// Every port that an object asks for, as text, with its path.
    fn of<'o>(&self, object: &'o Object<'_>) -> Vec<(FieldPath, &'o str)> {
        let path = FieldPath::keys(self.list.iter().copied());
        let items = object.tree.at(self.list).and_then(Node::items).unwrap_or_default();
        let mut found = Vec::new();
        for (nth, item) in items.iter().enumerate() {
            let path = path.index(nth);
            let mut take = |item: &'o Node<'_>, path: FieldPath| {
                let text = item.get(self.port).and_then(Node::as_str).filter(|text| !text.is_empty());
                found.extend(text.map(|text| (path.key(self.port), text)));
            };
            match self.inner {
                None => take(item, path),
                Some(inner) => {
                    let ports = item.get(inner).and_then(Node::items).unwrap_or_default();
                    ports.iter().enumerate().for_each(|(nth, port)| take(port, path.key(inner).index(nth)));
                }
            }
        }
        found
    }
}

fn selected(linked: &Linked<'_>, selection: &Selection, found: &mut Findings) {
    let object = linked.loaded.objects.get(selection.from);
    let Some(asks) = ASKS.iter().find(|asks| object.is(asks.group, asks.kind)) else { return };
    let people: Vec<ObjRef> = selection.selected.clone();
    let named = asks.of(object);
    if people.is_empty() || named.is_empty() {
        return;
    }
    let has: BTreeSet<&str> = people.iter().flat_map(|at| names(linked.loaded.objects.get(*at))).collect();
    for (path, port) in named {
        if has.contains(port) || is_number(port) || INJECTED.contains(&port) {
            continue;
        }
        let first = linked.loaded.objects.get(people[0]);
        let near = nearest(port, has.iter().copied());
        let finding = missing(asks.rule, object, path, port, first, people.len(), &has, near);
        let is_sure = near.is_some() && asks.rule == &TARGET_PORT;
        found.push(if is_sure { finding.with_severity(Severity::Error) } else { finding });
    }
}

/// The names of the ports of a Service, or of pods.
fn names<'o>(object: &'o Object<'_>) -> Vec<&'o str> {
    if object.is("", "Service") {
        return ports::of_service(object).filter_map(|(_, name)| name).collect();
    }
    let spec = pod_template::of(object).and_then(|row| row.spec(object));
    spec.into_iter().flat_map(ports::of_pod).collect()
}

#[expect(clippy::too_many_arguments, reason = "all of it is said")]
fn missing(
    rule: &'static Rule,
    object: &Object<'_>,
    path: FieldPath,
    port: &str,
    first: &Object<'_>,
    count: usize,
    has: &BTreeSet<&str>,
    near: Option<&str>,
) -> Finding {
    let others = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
    let verb = if count > 1 { "have" } else { "has" };
    let message =
        format!("{} asks for port `{port}` of {}{others}, which {verb} no port of that name", object.id, first.id);
    let own = FieldPath::keys(["metadata", "name"]);
    let listed: Vec<_> = has.iter().map(|name| format!("`{name}`")).collect();
    let text = match listed.as_slice() {
        [] => "no port of it has a name".to_owned(),
        names => format!("named ports are {}", names.join(", ")),
    };
    let remedy = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "correct the name, or give the port that is meant this name".to_owned(),
    };
    Finding::new(rule, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_label(Label::new(first.place_of(&own)).path(own).text(text))
        .with_remedy(remedy)
}

/// Where a container may ask for a port of its own.
const PROBES: &[&[&str]] = &[
    &["readinessProbe", "httpGet"],
    &["readinessProbe", "tcpSocket"],
    &["livenessProbe", "httpGet"],
    &["livenessProbe", "tcpSocket"],
    &["startupProbe", "httpGet"],
    &["startupProbe", "tcpSocket"],
    &["lifecycle", "postStart", "httpGet"],
    &["lifecycle", "preStop", "httpGet"],
];

fn probes(object: &Object<'_>, found: &mut Findings) {
    let Some(row) = pod_template::of(object) else { return };
    for (list, nth, container) in row.spec(object).into_iter().flat_map(containers) {
        for probe in PROBES {
            let Some(port) = container.at(probe).and_then(|probe| probe.get("port")?.as_str()) else { continue };
            let has: BTreeSet<&str> = ports::of_container(container).collect();
            if has.contains(port) || port.is_empty() {
                continue;
            }
            let at = row.spec_path().key(list).index(nth);
            let path = probe.iter().fold(at.clone(), |path, key| path.key(key)).key("port");
            if is_number(port) {
                found.push(text(object, path, port));
                continue;
            }
            let name = container.get("name").and_then(Node::as_str).unwrap_or_default();
            let message = format!(
                "{} of container `{name}` of {} asks for port `{port}`, which the container does not have",
                probe[0], object.id
            );
            let remedy = match nearest(port, has.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write the number, or add the port with this name to the container".to_owned(),
            };
            let names = at.key(if has.is_empty() { "name" } else { "ports" });
            let said = if has.is_empty() { "no port of it has a name" } else { "its ports" };
            found.push(
                Finding::new(&PROBE, message)
                    .with_object(&object.id)
                    .with_label(Label::new(object.place_of(&path)).path(path))
                    .with_label(Label::new(object.place_of(&names)).path(names).text(said))
                    .with_remedy(remedy),
            );
        }
    }
}

fn is_number(port: &str) -> bool {
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

fn texts(object: &Object<'_>, found: &mut Findings) {
    let asks = ASKS.iter().filter(|asks| object.is(asks.group, asks.kind));
    for (path, port) in asks.flat_map(|asks| asks.of(object)).filter(|(_, port)| is_number(port)) {
        found.push(text(object, path, port));
    }
}

fn text(object: &Object<'_>, path: FieldPath, port: &str) -> Finding {
    let message = format!("{} asks for port \"{port}\" as text, which is a name without a letter", object.id);
    Finding::new(&TEXT, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_remedy(format!("write {port} without quotes"))
}
