//! Controllers that make Services and other objects that routes and monitors name.

use super::Special;
use super::makes::{KeysOf, Maker, Row, makes, text};
use crate::flow::{Product, ProductKeys};
use crate::refs::row::kinds::{SECRET, SERVICE};

pub(super) static ROWS: &[Row] = &[
    makes(("serving.knative.dev", "Service"), SERVICE),
    makes(("serving.knative.dev", "Route"), SERVICE),
    makes(("monitoring.coreos.com", "Prometheus"), SERVICE).named("prometheus-operated"),
    makes(("monitoring.coreos.com", "Alertmanager"), SERVICE).named("alertmanager-operated"),
    makes(("monitoring.coreos.com", "ThanosRuler"), SERVICE).named("thanos-ruler-operated"),
    makes(("opentelemetry.io", "OpenTelemetryCollector"), SERVICE).named("*-collector"),
    makes(("jaegertracing.io", "Jaeger"), SERVICE).named("*-query"),
    makes(("jaegertracing.io", "Jaeger"), SERVICE).named("*-collector"),
    makes(("k8s.keycloak.org", "Keycloak"), SERVICE).named("*-service"),
    makes(("k8s.keycloak.org", "Keycloak"), SECRET)
        .named("*-initial-admin")
        .keys(KeysOf::AtLeast(&["username", "password"])),
    makes(("grafana.integreatly.org", "Grafana"), SERVICE).named("*-service"),
    makes(("grafana.integreatly.org", "Grafana"), SECRET)
        .named("*-admin-credentials")
        .keys(KeysOf::AtLeast(&["GF_SECURITY_ADMIN_USER", "GF_SECURITY_ADMIN_PASSWORD"])),
];

pub(super) static SPECIAL: &[Special] = &[("flagger.app", "Canary", canary)];

/// The Services of a canary: one that is named by its spec, else as its target is, and those of both
/// halves (`GetServiceNames` in `pkg/apis/flagger/v1beta1`). A target that is a Service is there before.
fn canary(maker: &Maker<'_>) -> Vec<Product> {
    let target = maker.node(&["spec", "targetRef"]);
    let is_service = target.and_then(|target| text(target, "kind")) == Some("Service");
    let target = target.and_then(|target| text(target, "name"));
    let Some(apex) = maker.text(&["spec", "service", "name"]).or(target) else { return Vec::new() };
    let names = [apex.to_owned(), format!("{apex}-canary"), format!("{apex}-primary")];
    let made = names.iter().filter(|name| !(is_service && Some(name.as_str()) == target));
    made.map(|name| maker.product(SERVICE, name, ProductKeys::Unknown)).collect()
}
