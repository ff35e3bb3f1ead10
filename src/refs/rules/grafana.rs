//! Grafana Operator (`grafana.integreatly.org`), OpenTelemetry Operator (`opentelemetry.io`).

use super::pod::{INIT_CONTAINERS, OLD_ACCOUNT, PRIORITY, VOLUMES};
use super::shapes::{CLAIM, ENV, ENV_FROM, ENVIRONMENT, VALUE_FROM};
use crate::refs::row::kinds::{INGRESS_CLASS, STORAGE_CLASS};
use crate::refs::row::{
    Block, GroupKindName, ROOT, Row, Rows, account, config_map, config_map_key, row, secret, secret_key, service,
};

const G: &str = "grafana.integreatly.org";
const OTEL: &str = "opentelemetry.io";

const GRAFANA: GroupKindName = (G, "Grafana");
const FOLDER: GroupKindName = (G, "GrafanaFolder");
const DASHBOARD: GroupKindName = (G, "GrafanaDashboard");
const PANEL: GroupKindName = (G, "GrafanaLibraryPanel");
const COLLECTOR: GroupKindName = (OTEL, "OpenTelemetryCollector");
const INSTRUMENTATION: GroupKindName = (OTEL, "Instrumentation");

/// What a dashboard is made of.
static CONTENT: &[Row] = &[
    config_map_key("configMapRef.name").optional_here(),
    secret("oci.pullSecretRef.name").optional(),
    row("folderRef", FOLDER),
    config_map_key("envFrom[].configMapKeyRef.name").optional_here(),
    secret_key("envFrom[].secretKeyRef.name").optional_here(),
    secret_key("urlAuthorization.basicAuth.username.name").optional_here(),
    secret_key("urlAuthorization.basicAuth.password.name").optional_here(),
];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[GRAFANA], at: &["spec.deployment.spec.template.spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[GRAFANA],
        at: ROOT,
        rows: Rows::These(&[
            secret_key("spec.external.adminUser.name").optional_here(),
            secret_key("spec.external.adminPassword.name").optional_here(),
            secret_key("spec.external.apiKey.name").optional_here(),
            secret("spec.external.tls.certSecretRef.name").with_namespace(),
            secret("spec.client.tls.certSecretRef.name").with_namespace(),
            row("spec.persistentVolumeClaim.spec.storageClassName", STORAGE_CLASS),
            row("spec.ingress.spec.ingressClassName", INGRESS_CLASS),
            service("spec.ingress.spec.defaultBackend.service.name"),
            service("spec.ingress.spec.rules[].http.paths[].backend.service.name").outside(),
            secret("spec.ingress.spec.tls[].secretName"),
        ]),
    },
    Block { kinds: &[DASHBOARD, PANEL], at: &["spec"], rows: Rows::These(CONTENT) },
    Block { kinds: &[DASHBOARD, PANEL], at: &["spec.envs[]"], rows: Rows::These(VALUE_FROM) },
    Block {
        kinds: &[(G, "GrafanaDatasource"), (G, "GrafanaContactPoint")],
        at: &["spec.valuesFrom[]"],
        rows: Rows::These(VALUE_FROM),
    },
    Block {
        kinds: &[(G, "GrafanaContactPoint")],
        at: &["spec.receivers[].valuesFrom[]"],
        rows: Rows::These(VALUE_FROM),
    },
    Block { kinds: &[(G, "GrafanaAlertRuleGroup")], at: ROOT, rows: Rows::These(&[row("spec.folderRef", FOLDER)]) },
    Block { kinds: &[FOLDER], at: ROOT, rows: Rows::These(&[row("spec.parentFolderRef", FOLDER)]) },
    Block { kinds: &[(G, "GrafanaServiceAccount")], at: ROOT, rows: Rows::These(&[row("spec.instanceName", GRAFANA)]) },
    Block { kinds: &[COLLECTOR], at: &["spec"], rows: Rows::Parts(&[INIT_CONTAINERS, VOLUMES, OLD_ACCOUNT, PRIORITY]) },
    Block { kinds: &[COLLECTOR], at: &["spec", "spec.additionalContainers[]"], rows: Rows::Parts(ENVIRONMENT) },
    Block { kinds: &[COLLECTOR], at: &["spec.targetAllocator"], rows: Rows::These(ENV) },
    Block {
        kinds: &[(OTEL, "TargetAllocator"), (OTEL, "OpAMPBridge")],
        at: &["spec"],
        rows: Rows::Parts(&[ENV, ENV_FROM, VOLUMES, OLD_ACCOUNT, PRIORITY]),
    },
    Block { kinds: &[COLLECTOR], at: &["spec.volumeClaimTemplates[].spec"], rows: Rows::These(CLAIM) },
    Block {
        kinds: &[COLLECTOR],
        at: ROOT,
        rows: Rows::These(&[
            config_map("spec.configmaps[].name"),
            row("spec.ingress.ingressClassName", INGRESS_CLASS),
            secret("spec.ingress.tls[].secretName"),
            account("spec.targetAllocator.serviceAccount"),
        ]),
    },
    Block {
        kinds: &[INSTRUMENTATION],
        at: &[
            "spec",
            "spec.apacheHttpd",
            "spec.dotnet",
            "spec.go",
            "spec.java",
            "spec.nginx",
            "spec.nodejs",
            "spec.python",
        ],
        rows: Rows::These(ENV),
    },
    Block {
        kinds: &[INSTRUMENTATION],
        at: ROOT,
        // looked for in the namespace of the pods that are instrumented
        rows: Rows::These(&[
            secret("spec.exporter.tls.secretName").outside(),
            config_map("spec.exporter.tls.configMapName").outside(),
        ]),
    },
];
