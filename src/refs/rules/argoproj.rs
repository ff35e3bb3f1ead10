//! Argo Rollouts, Workflows and Events (`argoproj.io`). What Argo CD's own kinds contain is theirs.

use super::pod::{ACCOUNT, INIT_CONTAINERS, PRIORITY, PULL_SECRETS, VOLUMES};
use super::shapes::{CLAIM, ENVIRONMENT};
use crate::refs::row::kinds::{DEPLOYMENT, PRIORITY_CLASS};
use crate::refs::row::{
    Block, GroupKindName, ROOT, Row, Rows, account, by_field, config_map_key, named_or, row, secret, secret_key,
    service,
};

const G: &str = "argoproj.io";

const ROLLOUT: GroupKindName = (G, "Rollout");

/// An AnalysisTemplate, or a ClusterAnalysisTemplate where `clusterScope` says so.
const fn analysis(path: &'static str) -> Row {
    const KINDS: &[(&str, GroupKindName)] =
        &[("false", (G, "AnalysisTemplate")), ("true", (G, "ClusterAnalysisTemplate"))];
    by_field(path, "clusterScope", KINDS)
}

/// A WorkflowTemplate, or a ClusterWorkflowTemplate where `clusterScope` says so.
const fn workflow_template(path: &'static str) -> Row {
    const KINDS: &[(&str, GroupKindName)] =
        &[("false", (G, "WorkflowTemplate")), ("true", (G, "ClusterWorkflowTemplate"))];
    by_field(path, "clusterScope", KINDS)
}

const fn ingress(path: &'static str) -> Row {
    row(path, ("networking.k8s.io", "Ingress"))
}

/// Ways of shifting traffic, under `spec.strategy.canary.trafficRouting`.
static TRAFFIC: &[Row] = &[
    ingress("nginx.stableIngress"),
    ingress("nginx.stableIngresses[]"),
    ingress("alb.ingress"),
    ingress("alb.ingresses[]"),
    service("alb.rootService"),
    service("smi.rootService"),
    row("istio.virtualService.name", ("networking.istio.io", "VirtualService")),
    row("istio.virtualServices[].name", ("networking.istio.io", "VirtualService")),
    row("istio.destinationRule.name", ("networking.istio.io", "DestinationRule")),
    row("traefik.weightedTraefikServiceName", ("traefik.io", "TraefikService")),
    row("ambassador.mappings[]", ("getambassador.io", "Mapping")),
    row("apisix.route.name", ("apisix.apache.org", "ApisixRoute")),
    row("appMesh.virtualService.name", ("appmesh.k8s.aws", "VirtualService")),
    row("appMesh.virtualNodeGroup.canaryVirtualNodeRef.name", ("appmesh.k8s.aws", "VirtualNode")),
    row("appMesh.virtualNodeGroup.stableVirtualNodeRef.name", ("appmesh.k8s.aws", "VirtualNode")),
    row("plugins.{argoproj-labs/gatewayAPI}.httpRoute", ("gateway.networking.k8s.io", "HTTPRoute")).with_namespace(),
    row("plugins.{argoproj-labs/gatewayAPI}.httpRoutes[].name", ("gateway.networking.k8s.io", "HTTPRoute")),
    row("plugins.{argoproj-labs/gatewayAPI}.grpcRoutes[].name", ("gateway.networking.k8s.io", "GRPCRoute")),
    row("plugins.{argoproj-labs/gatewayAPI}.tcpRoutes[].name", ("gateway.networking.k8s.io", "TCPRoute")),
    row("plugins.{argoproj-labs/gatewayAPI}.tlsRoutes[].name", ("gateway.networking.k8s.io", "TLSRoute")),
];

/// The spec of a workflow, apart from its pods.
static WORKFLOW: &[Row] = &[
    workflow_template("workflowTemplateRef.name"),
    workflow_template("templates[].steps[][].templateRef.name"),
    workflow_template("templates[].dag.tasks[].templateRef.name"),
    workflow_template("hooks.*.templateRef.name"),
    account("executor.serviceAccountName"),
    account("artifactGC.serviceAccountName"),
    row("podPriorityClassName", PRIORITY_CLASS),
    config_map_key("synchronization.semaphore.configMapKeyRef.name"),
    config_map_key("synchronization.semaphores[].configMapKeyRef.name"),
    config_map_key("templates[].synchronization.semaphore.configMapKeyRef.name"),
    config_map_key("templates[].synchronization.semaphores[].configMapKeyRef.name"),
    config_map_key("arguments.parameters[].valueFrom.configMapKeyRef.name"),
    config_map_key("templates[].inputs.parameters[].valueFrom.configMapKeyRef.name"),
    secret_key("templates[].http.headers[].valueFrom.secretKeyRef.name"),
    // made when the first result is kept
    row("templates[].memoize.cache.configMap.name", ("", "ConfigMap")).unordered().outside(),
];

/// Where an artifact is kept.
static ARTIFACT: &[Row] = &[
    secret_key("s3.accessKeySecret.name"),
    secret_key("s3.secretKeySecret.name"),
    secret_key("s3.sessionTokenSecret.name"),
    secret_key("s3.caSecret.name"),
    secret_key("s3.encryptionOptions.serverSideCustomerKeySecret.name"),
    secret_key("gcs.serviceAccountKeySecret.name"),
    secret_key("oss.accessKeySecret.name"),
    secret_key("oss.secretKeySecret.name"),
    secret_key("azure.accountKeySecret.name"),
    secret_key("git.usernameSecret.name"),
    secret_key("git.passwordSecret.name"),
    secret_key("git.sshPrivateKeySecret.name"),
    secret_key("artifactory.usernameSecret.name"),
    secret_key("artifactory.passwordSecret.name"),
    secret_key("http.auth.basicAuth.usernameSecret.name"),
    secret_key("http.auth.basicAuth.passwordSecret.name"),
    secret_key("http.auth.clientCert.clientCertSecret.name"),
    secret_key("http.auth.clientCert.clientKeySecret.name"),
    secret_key("http.auth.oauth2.clientIDSecret.name"),
    secret_key("http.auth.oauth2.clientSecretSecret.name"),
    secret_key("http.auth.oauth2.tokenURLSecret.name"),
    secret_key("hdfs.krbCCacheSecret.name"),
    secret_key("hdfs.krbKeytabSecret.name"),
    config_map_key("hdfs.krbConfigConfigMap.name"),
];

/// The kinds that hold a workflow at `spec`.
const WORKFLOWS: &[GroupKindName] = &[(G, "Workflow"), (G, "WorkflowTemplate"), (G, "ClusterWorkflowTemplate")];
const CRON: &[GroupKindName] = &[(G, "CronWorkflow")];

/// The blocks of a workflow at a place.
macro_rules! workflow {
    ($kinds:expr, $at:literal) => {
        [
            Block { kinds: $kinds, at: &[$at], rows: Rows::These(WORKFLOW) },
            Block { kinds: $kinds, at: &[$at], rows: Rows::Parts(&[VOLUMES, PULL_SECRETS, ACCOUNT]) },
            Block {
                kinds: $kinds,
                at: &[concat!($at, ".templates[]")],
                rows: Rows::Parts(&[INIT_CONTAINERS, VOLUMES, ACCOUNT, PRIORITY]),
            },
            Block {
                kinds: $kinds,
                at: &[
                    concat!($at, ".templates[].container"),
                    concat!($at, ".templates[].script"),
                    concat!($at, ".templates[].sidecars[]"),
                    concat!($at, ".templates[].containerSet.containers[]"),
                ],
                rows: Rows::Parts(ENVIRONMENT),
            },
            Block { kinds: $kinds, at: &[concat!($at, ".volumeClaimTemplates[].spec")], rows: Rows::These(CLAIM) },
            Block {
                kinds: $kinds,
                at: &[
                    concat!($at, ".arguments.artifacts[]"),
                    concat!($at, ".templates[].inputs.artifacts[]"),
                    concat!($at, ".templates[].outputs.artifacts[]"),
                    concat!($at, ".templates[].archiveLocation"),
                ],
                rows: Rows::These(ARTIFACT),
            },
        ]
    };
}

pub(super) static WORKFLOW_BLOCKS: &[[Block; 6]] =
    &[workflow!(WORKFLOWS, "spec"), workflow!(CRON, "spec.workflowSpec")];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[ROLLOUT],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.workloadRef.name", DEPLOYMENT),
            service("spec.strategy.blueGreen.activeService"),
            service("spec.strategy.blueGreen.previewService"),
            service("spec.strategy.canary.stableService"),
            service("spec.strategy.canary.canaryService"),
            service("spec.strategy.canary.pingPong.pingService"),
            service("spec.strategy.canary.pingPong.pongService"),
            analysis("spec.strategy.blueGreen.prePromotionAnalysis.templates[].templateName"),
            analysis("spec.strategy.blueGreen.postPromotionAnalysis.templates[].templateName"),
            analysis("spec.strategy.canary.analysis.templates[].templateName"),
            analysis("spec.strategy.canary.steps[].analysis.templates[].templateName"),
            analysis("spec.strategy.canary.steps[].experiment.analyses[].templateName"),
        ]),
    },
    Block { kinds: &[ROLLOUT], at: &["spec.strategy.canary.trafficRouting"], rows: Rows::These(TRAFFIC) },
    Block { kinds: &[(G, "Experiment")], at: ROOT, rows: Rows::These(&[analysis("spec.analyses[].templateName")]) },
    Block { kinds: &[(G, "Experiment")], at: &["spec.templates[].template.spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[(G, "AnalysisTemplate"), (G, "ClusterAnalysisTemplate"), (G, "AnalysisRun")],
        at: &["spec.metrics[].provider.job.spec.template.spec"],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[(G, "AnalysisTemplate"), (G, "ClusterAnalysisTemplate"), (G, "AnalysisRun")],
        at: ROOT,
        rows: Rows::These(&[
            secret_key("spec.args[].valueFrom.secretKeyRef.name"),
            // looked for in the controller's namespace, but for `namespaced: true`
            secret("spec.metrics[].provider.datadog.secretRef.name").outside(),
        ]),
    },
    Block {
        kinds: &[(G, "Experiment")],
        at: ROOT,
        rows: Rows::These(&[secret_key("spec.analyses[].args[].valueFrom.secretKeyRef.name")]),
    },
    Block {
        kinds: &[(G, "AnalysisTemplate"), (G, "ClusterAnalysisTemplate")],
        at: ROOT,
        rows: Rows::These(&[analysis("spec.templates[].templateName")]),
    },
    Block {
        kinds: &[(G, "Sensor"), (G, "EventSource")],
        at: ROOT,
        rows: Rows::These(&[row("spec.eventBusName", (G, "EventBus"))]),
    },
    Block {
        kinds: &[(G, "Sensor")],
        at: ROOT,
        rows: Rows::These(&[row("spec.dependencies[].eventSourceName", (G, "EventSource"))]),
    },
    Block {
        kinds: &[(G, "Sensor"), (G, "EventSource")],
        at: &["spec.template"],
        rows: Rows::Parts(&[VOLUMES, PULL_SECRETS, ACCOUNT, PRIORITY]),
    },
    Block {
        kinds: &[(G, "Sensor"), (G, "EventSource")],
        at: &["spec.template.container"],
        rows: Rows::Parts(ENVIRONMENT),
    },
];
