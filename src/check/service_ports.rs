//! Ports that objects ask of a Service, and that it does not have.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Linked, Planned, Reference, Resolution};
use crate::object::Object;
use crate::object::view::ports::{self, Port};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&BACKEND, &REGISTRATION];

static BACKEND: Rule = Rule {
    id: "TG313",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a route leads to a port that the Service does not have",
    explanation: "\
An Ingress, a route of the Gateway API or a VirtualService names a Service of the input and a port that
is none of its `spec.ports`. The controller has nowhere to send the requests: they are answered with 500
or 503, and a route of the Gateway API is not resolved (`BackendNotFound`). Often the number is that of
the container (`targetPort`), and what is meant is the Service's own `port`:

    kind: Service
    spec: {ports: [{port: 80, targetPort: 8080}]}
    ---
    kind: Ingress
    … backend: {service: {name: web, port: {number: 8080}}}    # must be 80

Name a port of the Service. Nothing is said of Services of type ExternalName.
Source: IngressServiceBackend of networking.k8s.io/v1, BackendRef of gateway.networking.k8s.io/v1.",
};

static REGISTRATION: Rule = Rule {
    id: "TG241",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a webhook or APIService asks for a port that its Service does not have",
    explanation: "\
The API server reaches the backend of a webhook, of a conversion or of an APIService by the Service and
port that `clientConfig.service` (or `spec.service`) names; the port is 443 where none is written. It
must be one of the `spec.ports[].port` of the Service: the API server looks it up there, and every
request fails if it finds none. With `failurePolicy: Fail` that refuses all that the webhook is asked
about; with `Ignore` the webhook does nothing, which is a warning.

Write the port of the Service, or give the Service a port 443 with the container's as `targetPort`.
Source: k8s.io/apiserver, pkg/util/proxy/proxy.go (`ResolveCluster`).",
};

/// Who asks, by group and the end of the row of the reference table, and where the port stands beside
/// the name of the Service: paths of which the first that is there counts.
struct Row {
    group: &'static str,
    row: &'static str,
    port: &'static [&'static [&'static str]],
    /// The port where none is written.
    default: Option<i64>,
}

const fn asks(group: &'static str, row: &'static str, port: &'static [&'static [&'static str]]) -> Row {
    Row { group, row, port, default: None }
}

const fn registers(group: &'static str, row: &'static str) -> Row {
    Row { group, row, port: PORT, default: Some(HTTPS) }
}

const PORT: &[&[&str]] = &[&["port"]];
const IN_PORT: &[&[&str]] = &[&["port", "number"], &["port", "name"]];
const OLD_INGRESS: &[&[&str]] = &[&["servicePort"]];
/// What the API server takes where a registration names no port.
const HTTPS: i64 = 443;

const ROWS: &[Row] = &[
    asks("networking.k8s.io", ".service.name", IN_PORT),
    asks("networking.k8s.io", ".serviceName", OLD_INGRESS),
    asks("extensions", ".serviceName", OLD_INGRESS),
    asks("gateway.networking.k8s.io", ".backendRefs[].name", PORT),
    asks("gateway.networking.k8s.io", ".backendRef.name", PORT),
    asks("gateway.networking.k8s.io", ".parentRefs[].name", PORT),
    asks("policy.linkerd.io", ".backendRefs[].name", PORT),
    asks("policy.linkerd.io", ".parentRefs[].name", PORT),
    asks("networking.istio.io", ".destination.host", IN_PORT),
    registers("admissionregistration.k8s.io", ".clientConfig.service.name"),
    registers("apiextensions.k8s.io", ".clientConfig.service.name"),
    registers("apiextensions.k8s.io", ".webhookClientConfig.service.name"),
    registers("apiregistration.k8s.io", "spec.service.name"),
];

/// Words for the port of an Ingress that no Service has: the AWS load balancer controller takes the
/// backend from an annotation.
const NO_PORTS: &[&str] = &["use-annotation"];

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    for reference in &linked.references {
        if let Some(finding) = asked(linked, reference) {
            found.push(finding);
        }
    }
}

fn asked(linked: &Linked<'_>, reference: &Reference) -> Option<Finding> {
    let Resolution::Object(at) = reference.leads_to else { return None };
    let service = linked.loaded.objects.get(at);
    let is_external = service.tree.at(&["spec", "type"]).and_then(Node::as_str) == Some("ExternalName");
    // one without any ports is not written out, or headless
    if !service.is("", "Service") || is_external || ports::of_service(service).next().is_none() {
        return None;
    }
    let from = linked.loaded.objects.get(reference.from);
    let row = ROWS.iter().find(|row| *from.id.group == *row.group && reference.row.ends_with(row.row))?;
    let mut beside = reference.path.clone();
    beside.pop();
    let holder = from.tree.follow(&beside)?;
    let written = row.port.iter().find_map(|way| Some((*way, holder.at(way)?)));
    let (port, path) = match written.filter(|(_, node)| !node.is_null()) {
        Some((way, node)) => (Port::read(node)?, way.iter().fold(beside, |path, key| path.key(key))),
        None => (Port::Number(row.default?), reference.path.clone()),
    };
    let is_none = matches!(port, Port::Name(name) if NO_PORTS.contains(&name));
    let is_there = ports::service_has(service, port);
    (!is_none && !is_there).then(|| finding(from, service, row, port, path))
}

fn finding(from: &Object<'_>, service: &Object<'_>, row: &Row, port: Port<'_>, path: FieldPath) -> Finding {
    let rule = if row.default.is_some() { &REGISTRATION } else { &BACKEND };
    let message = format!("{} asks for port {port} of {}, which has no such port", from.id, service.id);
    let severity = if is_ignored(from, &path) { Severity::Warning } else { Severity::Error };
    let ports_path = FieldPath::keys(["spec", "ports"]);
    let finding = Finding::new(rule, message)
        .with_object(&from.id)
        .with_severity(severity)
        .with_label(Label::new(from.place_of(&path)).path(path))
        .with_label(Label::new(service.place_of(&ports_path)).path(ports_path).text(listed(service)));
    finding.with_remedy(remedy(service, port))
}

/// Whether this is in a webhook without which requests go on.
fn is_ignored(from: &Object<'_>, path: &FieldPath) -> bool {
    let [list, nth, ..] = path.steps() else { return false };
    let mut webhook = FieldPath::default();
    for step in [list, nth] {
        match step {
            crate::tree::Step::Key(key) => webhook.push_key(key),
            crate::tree::Step::Index(nth) => webhook.push_index(*nth),
        }
    }
    let policy = from.tree.follow(&webhook).and_then(|node| node.get("failurePolicy")).and_then(Node::as_str);
    let default = if &*from.version == "v1beta1" { "Ignore" } else { "Fail" };
    &*from.id.group == "admissionregistration.k8s.io" && policy.unwrap_or(default) == "Ignore"
}

fn listed(service: &Object<'_>) -> String {
    let shown = |(number, name): (Option<i64>, Option<&str>)| match (number, name) {
        (Some(number), Some(name)) => format!("{number} ({name})"),
        (Some(number), None) => number.to_string(),
        (None, name) => name.unwrap_or("?").to_owned(),
    };
    let ports: Vec<_> = ports::of_service(service).map(shown).collect();
    match ports.as_slice() {
        [one] => format!("its port is {one}"),
        ports => format!("its ports are {}", ports.join(", ")),
    }
}

/// The port of the Service behind which the port that is asked for lies, if that is what happened.
fn remedy(service: &Object<'_>, port: Port<'_>) -> String {
    let list = service.tree.at(&["spec", "ports"]).and_then(Node::items).unwrap_or_default();
    let behind = list.iter().find(|entry| entry.get("targetPort").and_then(Port::read) == Some(port));
    let number = |entry: &Node<'_>| entry.get("port").and_then(Node::as_i64);
    match (behind.and_then(number), list) {
        (Some(number), _) => format!("{port} is the port of the pods behind it: ask for {number}"),
        (None, [only]) if number(only).is_some() => format!("ask for {}", number(only).unwrap_or_default()),
        _ => "ask for a port of the Service, or add it there".to_owned(),
    }
}
