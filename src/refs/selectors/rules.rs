//! The table of selectors.

use crate::refs::row::GroupKindName;

/// How a selector is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Labels and their values. An empty one selects nobody.
    Map,
    /// `matchLabels` and `matchExpressions`. An empty one selects everybody.
    Selector,
}

/// Whom it selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whom {
    /// Pods, by the labels of their template.
    Pods,
    /// Objects of a kind, by their own labels.
    Kind(GroupKindName),
}

/// In which namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// The selecting object's own.
    Own,
    /// All.
    Everywhere,
    /// The ones that `matchNames` here lists, all with `any: true`, else its own.
    Names(&'static [&'static str]),
    /// The ones whose labels this selector selects; its own where there is none.
    Namespaces(&'static [&'static str]),
}

/// A field that holds a selector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    /// In the notation of the reference table.
    pub(super) path: &'static str,
    pub(super) form: Form,
    pub(super) whom: Whom,
    pub(super) place: Where,
    /// The version of the kind in which an empty selector selects nobody.
    pub(super) nobody_in: Option<&'static str>,
}

const fn row(group: &'static str, kind: &'static str, path: &'static str, whom: Whom, place: Where) -> Row {
    Row { group, kind, path, form: Form::Selector, whom, place, nobody_in: None }
}

/// Pods of the own namespace.
const fn pods(group: &'static str, kind: &'static str, path: &'static str) -> Row {
    row(group, kind, path, Whom::Pods, Where::Own)
}

/// Pods of the own namespace, by plain labels.
const fn labels(group: &'static str, kind: &'static str, path: &'static str) -> Row {
    Row { form: Form::Map, ..pods(group, kind, path) }
}

const MONITORING: &str = "monitoring.coreos.com";
const ISTIO: &str = "networking.istio.io";
const ISTIO_SECURITY: &str = "security.istio.io";
const GRAFANA: &str = "grafana.integreatly.org";

/// What Prometheus Operator's own kinds select of each other.
const fn monitored(
    kind: &'static str,
    path: &'static str,
    target: &'static str,
    namespaces: &'static [&'static str],
) -> Row {
    row(MONITORING, kind, path, Whom::Kind((MONITORING, target)), Where::Namespaces(namespaces))
}

const fn dashboards(kind: &'static str) -> Row {
    row(GRAFANA, kind, "spec.instanceSelector", Whom::Kind((GRAFANA, "Grafana")), Where::Own)
}

const fn namespaces(group: &'static str, kind: &'static str, path: &'static str) -> Row {
    row(group, kind, path, Whom::Kind(("", "Namespace")), Where::Everywhere)
}

const RULES: &[&str] = &["spec", "ruleNamespaceSelector"];
const SERVICE_MONITORS: &[&str] = &["spec", "serviceMonitorNamespaceSelector"];
const POD_MONITORS: &[&str] = &["spec", "podMonitorNamespaceSelector"];
const PROBES: &[&str] = &["spec", "probeNamespaceSelector"];
const SCRAPE_CONFIGS: &[&str] = &["spec", "scrapeConfigNamespaceSelector"];
const ALERT_CONFIGS: &[&str] = &["spec", "alertmanagerConfigNamespaceSelector"];

/// Every field that holds a selector of others.
pub(super) static ROWS: &[Row] = &[
    labels("", "Service", "spec.selector"),
    Row { nobody_in: Some("v1beta1"), ..pods("policy", "PodDisruptionBudget", "spec.selector") },
    pods("networking.k8s.io", "NetworkPolicy", "spec.podSelector"),
    pods("extensions", "NetworkPolicy", "spec.podSelector"),
    row(
        MONITORING,
        "ServiceMonitor",
        "spec.selector",
        Whom::Kind(("", "Service")),
        Where::Names(&["spec", "namespaceSelector"]),
    ),
    row(MONITORING, "PodMonitor", "spec.selector", Whom::Pods, Where::Names(&["spec", "namespaceSelector"])),
    row(
        MONITORING,
        "Probe",
        "spec.targets.ingress.selector",
        Whom::Kind(("networking.k8s.io", "Ingress")),
        Where::Names(&["spec", "targets", "ingress", "namespaceSelector"]),
    ),
    monitored("Prometheus", "spec.serviceMonitorSelector", "ServiceMonitor", SERVICE_MONITORS),
    monitored("Prometheus", "spec.podMonitorSelector", "PodMonitor", POD_MONITORS),
    monitored("Prometheus", "spec.probeSelector", "Probe", PROBES),
    monitored("Prometheus", "spec.scrapeConfigSelector", "ScrapeConfig", SCRAPE_CONFIGS),
    monitored("Prometheus", "spec.ruleSelector", "PrometheusRule", RULES),
    monitored("PrometheusAgent", "spec.serviceMonitorSelector", "ServiceMonitor", SERVICE_MONITORS),
    monitored("PrometheusAgent", "spec.podMonitorSelector", "PodMonitor", POD_MONITORS),
    monitored("PrometheusAgent", "spec.probeSelector", "Probe", PROBES),
    monitored("PrometheusAgent", "spec.scrapeConfigSelector", "ScrapeConfig", SCRAPE_CONFIGS),
    monitored("ThanosRuler", "spec.ruleSelector", "PrometheusRule", RULES),
    monitored("Alertmanager", "spec.alertmanagerConfigSelector", "AlertmanagerConfig", ALERT_CONFIGS),
    Row { place: Where::Everywhere, ..labels(ISTIO, "Gateway", "spec.selector") },
    labels(ISTIO, "Sidecar", "spec.workloadSelector.labels"),
    labels(ISTIO, "EnvoyFilter", "spec.workloadSelector.labels"),
    labels(ISTIO, "ServiceEntry", "spec.workloadSelector.labels"),
    labels(ISTIO, "DestinationRule", "spec.workloadSelector.matchLabels"),
    labels(ISTIO, "ProxyConfig", "spec.selector.matchLabels"),
    labels(ISTIO_SECURITY, "AuthorizationPolicy", "spec.selector.matchLabels"),
    labels(ISTIO_SECURITY, "PeerAuthentication", "spec.selector.matchLabels"),
    labels(ISTIO_SECURITY, "RequestAuthentication", "spec.selector.matchLabels"),
    labels("telemetry.istio.io", "Telemetry", "spec.selector.matchLabels"),
    labels("extensions.istio.io", "WasmPlugin", "spec.selector.matchLabels"),
    pods("policy.linkerd.io", "Server", "spec.podSelector"),
    row(
        "policy.linkerd.io",
        "ServerAuthorization",
        "spec.server.selector",
        Whom::Kind(("policy.linkerd.io", "Server")),
        Where::Own,
    ),
    dashboards("GrafanaAlertRuleGroup"),
    dashboards("GrafanaContactPoint"),
    dashboards("GrafanaDashboard"),
    dashboards("GrafanaDatasource"),
    dashboards("GrafanaFolder"),
    dashboards("GrafanaLibraryPanel"),
    dashboards("GrafanaMuteTiming"),
    dashboards("GrafanaNotificationPolicy"),
    dashboards("GrafanaNotificationTemplate"),
    namespaces("trust.cert-manager.io", "Bundle", "spec.target.namespaceSelector"),
    namespaces("external-secrets.io", "ClusterExternalSecret", "spec.namespaceSelector"),
    namespaces("external-secrets.io", "ClusterExternalSecret", "spec.namespaceSelectors[]"),
];
