//! Controllers that make Services and other objects that routes and monitors name.

use super::makes::{KeysOf, Row, makes};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{SECRET, SERVICE};

const CANARY: GroupKindName = ("flagger.app", "Canary");

/// The Service of a canary: named by its spec, else as its target is.
const fn canary(path: &'static str) -> Row {
    makes(CANARY, SERVICE).at(path, "name")
}

pub(super) static ROWS: &[Row] = &[
    makes(("serving.knative.dev", "Service"), SERVICE),
    makes(("serving.knative.dev", "Route"), SERVICE),
    canary("spec.service"),
    canary("spec.targetRef"),
    makes(CANARY, SERVICE),
    makes(CANARY, SERVICE).named("*-canary"),
    makes(CANARY, SERVICE).named("*-primary"),
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
