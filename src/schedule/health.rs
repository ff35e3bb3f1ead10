//! Which kinds Argo CD waits for.
//!
//! An object of a kind without a health check is done as soon as it is applied.
//!
//! Sources: `GetHealthCheckFunc` of argo-cd, gitops-engine/pkg/health/health.go, and the files
//! `resource_customizations/GROUP/KIND/health.lua`.

use std::collections::BTreeSet;

use crate::flow::{Linked, Need};
use crate::object::ObjRef;

/// Groups and those of their kinds that have a health check.
#[rustfmt::skip]
const KINDS: &[(&str, &[&str])] = &[
    ("", &["PersistentVolumeClaim", "Pod", "Service"]),
    ("acid.zalan.do", &["postgresql"]),
    ("addons.cluster.x-k8s.io", &["ClusterResourceSet"]),
    ("apiextensions.k8s.io", &["CustomResourceDefinition"]),
    ("apiregistration.k8s.io", &["APIService"]),
    ("apps", &["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]),
    ("apps.3scale.net", &["APIManager"]),
    ("apps.kruise.io", &["AdvancedCronJob", "BroadcastJob", "CloneSet", "DaemonSet", "StatefulSet"]),
    ("apps.openshift.io", &["DeploymentConfig"]),
    ("argoproj.io", &["AnalysisRun", "ApplicationSet", "CronWorkflow", "EventBus", "Experiment", "Rollout", "Workflow"]),
    ("astra.netapp.io", &["AppVault", "Application", "Backup", "ExecHook", "ExecHooksRun", "ResourceBackup", "ResticVolumeBackup", "Schedule", "Snapshot"]),
    ("autoscaling", &["HorizontalPodAutoscaler"]),
    ("batch", &["CronJob", "Job"]),
    ("beat.k8s.elastic.co", &["Beat"]),
    ("bitnami.com", &["SealedSecret"]),
    ("camel.apache.org", &["Integration"]),
    ("capabilities.3scale.net", &["ActiveDoc", "Application", "ApplicationAuth", "Backend", "CustomPolicyDefinition", "DeveloperAccount", "DeveloperUser", "OpenAPI", "Product", "ProxyConfigPromote", "Tenant"]),
    ("cassandra.rook.io", &["Cluster"]),
    ("cdi.kubevirt.io", &["DataVolume"]),
    ("ceph.rook.io", &["CephCluster", "CephObjectStore"]),
    ("cert-manager.io", &["Certificate", "ClusterIssuer", "Issuer"]),
    ("certmanager.k8s.io", &["Certificate", "Issuer"]),
    ("clickhouse-keeper.altinity.com", &["ClickHouseKeeperInstallation"]),
    ("clickhouse.altinity.com", &["ClickHouseInstallation"]),
    ("cloudfront.aws.crossplane.io", &["Distribution"]),
    ("cluster.x-k8s.io", &["Cluster", "Machine", "MachineDeployment", "MachineHealthCheck", "MachinePool"]),
    ("controlplane.cluster.x-k8s.io", &["AWSManagedControlPlane"]),
    ("coralogix.com", &["Alert", "RecordingRuleGroupSet"]),
    ("core.gardener.cloud", &["Shoot"]),
    ("core.humio.com", &["HumioAction", "HumioAlert", "HumioCluster", "HumioIngestToken", "HumioParser", "HumioRepository", "HumioView"]),
    ("core.spinkube.dev", &["SpinApp"]),
    ("datadoghq.com", &["DatadogMetric"]),
    ("db.atlasgo.io", &["AtlasMigration", "AtlasSchema"]),
    ("elasticsearch.k8s.elastic.co", &["Elasticsearch"]),
    ("extensions", &["Ingress"]),
    ("external-secrets.io", &["ClusterExternalSecret", "ClusterSecretStore", "ExternalSecret", "PushSecret", "SecretStore"]),
    ("flagger.app", &["Canary"]),
    ("flink.apache.org", &["FlinkDeployment"]),
    ("game.kruise.io", &["GameServer", "GameServerSet"]),
    ("gateway.networking.k8s.io", &["BackendTLSPolicy", "GRPCRoute", "Gateway", "GatewayClass", "HTTPRoute"]),
    ("gateway.solo.io", &["Gateway", "MatchableHttpGateway", "RouteOption", "RouteTable", "VirtualHostOption", "VirtualService"]),
    ("gloo.solo.io", &["Proxy", "Settings", "Upstream", "UpstreamGroup"]),
    ("grafana.integreatly.org", &["Grafana", "GrafanaDashboard", "GrafanaDatasource", "GrafanaFolder"]),
    ("helm.toolkit.fluxcd.io", &["HelmRelease"]),
    ("iam.aws.crossplane.io", &["Policy", "Role", "RolePolicyAttachment"]),
    ("iammanager.keikoproj.io", &["Iamrole"]),
    ("image.toolkit.fluxcd.io", &["ImagePolicy", "ImageRepository", "ImageUpdateAutomation"]),
    ("install.istio.io", &["IstioOperator"]),
    ("jaegertracing.io", &["Jaeger"]),
    ("k8s.keycloak.org", &["Keycloak"]),
    ("k8s.mariadb.com", &["Backup", "Database", "Grant", "MariaDB", "SqlJob", "User"]),
    ("kafka.banzaicloud.io", &["KafkaCluster"]),
    ("kafka.strimzi.io", &["Kafka", "KafkaBridge", "KafkaConnect", "KafkaConnector", "KafkaTopic", "KafkaUser"]),
    ("karpenter.k8s.aws", &["EC2NodeClass"]),
    ("karpenter.sh", &["NodeClaim", "NodePool"]),
    ("keda.sh", &["ScaledJob", "ScaledObject"]),
    ("kiali.io", &["Kiali"]),
    ("kubernetes-client.io", &["ExternalSecret"]),
    ("kubevirt.io", &["VirtualMachine", "VirtualMachineInstance"]),
    ("kustomize.toolkit.fluxcd.io", &["Kustomization"]),
    ("kyverno.io", &["Policy"]),
    ("lifecycle.keptn.sh", &["KeptnAppVersion", "KeptnEvaluation", "KeptnTask", "KeptnWorkloadInstance", "KeptnWorkloadVersion"]),
    ("logstash.k8s.elastic.co", &["Logstash"]),
    ("mariadb.mmontes.io", &["MariaDB"]),
    ("metrics.keptn.sh", &["Analysis", "KeptnMetric"]),
    ("minio.min.io", &["Tenant"]),
    ("monitoring.coreos.com", &["Prometheus"]),
    ("networking.gke.io", &["ManagedCertificate"]),
    ("networking.k8s.io", &["Ingress"]),
    ("nmstate.io", &["NodeNetworkConfigurationPolicy"]),
    ("notification.toolkit.fluxcd.io", &["Receiver"]),
    ("numaflow.numaproj.io", &["InterStepBufferService", "MonoVertex", "Pipeline", "Vertex"]),
    ("numaplane.numaproj.io", &["ISBServiceRollout", "MonoVertexRollout", "NumaflowControllerRollout", "PipelineRollout"]),
    ("objectbucket.io", &["ObjectBucketClaim"]),
    ("ocs.openshift.io", &["StorageCluster"]),
    ("onepassword.com", &["OnePasswordItem"]),
    ("openfaas.com", &["Function"]),
    ("opentelemetry.io", &["OpenTelemetryCollector"]),
    ("operator.knative.dev", &["KnativeEventing", "KnativeServing"]),
    ("operator.openshift.io", &["IngressController"]),
    ("operators.coreos.com", &["Subscription"]),
    ("pkg.crossplane.io", &["Provider"]),
    ("platform.confluent.io", &["Connect", "Connector", "ControlCenter", "Kafka", "KsqlDB", "SchemaRegistry", "Zookeeper"]),
    ("policy", &["PodDisruptionBudget"]),
    ("policy.open-cluster-management.io", &["CertificatePolicy", "ConfigurationPolicy", "OperatorPolicy", "Policy"]),
    ("postgresql.cnpg.io", &["Cluster"]),
    ("proclaim.dogmatiq.io", &["DNSSDServiceInstance"]),
    ("projectcontour.io", &["ExtensionService", "HTTPProxy"]),
    ("promoter.argoproj.io", &["ArgoCDCommitStatus", "ChangeTransferPolicy", "ClusterScmProvider", "CommitStatus", "GitCommitStatus", "GitRepository", "PromotionStrategy", "PullRequest", "ScmProvider", "TimedCommitStatus", "WebRequestCommitStatus"]),
    ("psmdb.percona.com", &["PerconaServerMongoDB"]),
    ("pulumi.com", &["Stack"]),
    ("pxc.percona.com", &["PerconaXtraDBCluster"]),
    ("rabbitmq.com", &["Binding", "Exchange", "Permission", "Policy", "Queue", "RabbitmqCluster", "Shovel", "User", "Vhost"]),
    ("rds.aws.crossplane.io", &["DBCluster", "DBInstance"]),
    ("rollouts.kruise.io", &["Rollout"]),
    ("route.openshift.io", &["Route"]),
    ("route53.aws.crossplane.io", &["ResourceRecordSet"]),
    ("s3.aws.crossplane.io", &["Bucket"]),
    ("services.cloud.sap.com", &["ServiceBinding", "ServiceInstance"]),
    ("serving.knative.dev", &["Service"]),
    ("serving.kserve.io", &["InferenceService"]),
    ("snapshot.storage.k8s.io", &["VolumeSnapshot", "VolumeSnapshotContent"]),
    ("solr.apache.org", &["SolrCloud"]),
    ("source.toolkit.fluxcd.io", &["Bucket", "GitRepository", "HelmChart", "HelmRepository", "OCIRepository"]),
    ("sparkoperator.k8s.io", &["SparkApplication"]),
    ("spot.io", &["SpotDeployment"]),
    ("stacks.crossplane.io", &["ClusterStackInstall"]),
    ("tower.ansible.com", &["AnsibleJob"]),
    ("trident.netapp.io", &["TridentBackendConfig", "TridentOrchestrator"]),
    ("work.karmada.io", &["ClusterResourceBinding", "ResourceBinding"]),
    ("zookeeper.pravega.io", &["ZookeeperCluster"]),
];

/// Groups all of whose kinds have one.
const GROUPS: &[&str] =
    &["grafana-org-operator.kubitus-project.gitlab.io", "microgateway.airlock.com", "operator.victoriametrics.com"];

/// Ends of groups all of whose kinds have one.
const FAMILIES: &[&str] = &[".cnrm.cloud.google.com", ".crossplane.io", ".services.k8s.aws", ".upbound.io"];

/// Whether the health of an object of a group (empty for the core group) and kind is looked at.
pub(super) fn has_check(group: &str, kind: &str) -> bool {
    let row = KINDS.binary_search_by_key(&group, |(name, _)| name).ok();
    let is_named = row.is_some_and(|at| KINDS[at].1.contains(&kind));
    is_named || GROUPS.contains(&group) || FAMILIES.iter().any(|end| group.ends_with(end))
}

/// What others wait to be ready, and that is of a kind without a health check.
pub(super) fn unwatched(linked: &Linked<'_>) -> BTreeSet<ObjRef> {
    let ready = linked.graph.edges().iter().filter(|edge| edge.need == Need::Ready);
    let is_blind = |at: &ObjRef| {
        let id = &linked.loaded.objects.get(*at).id;
        !has_check(&id.group, &id.kind)
    };
    ready.map(|edge| edge.from).filter(is_blind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for() {
        for (group, kind, has) in [
            ("", "Service", true),
            ("", "ConfigMap", false),
            ("", "Namespace", false),
            ("apps", "Deployment", true),
            ("apiextensions.k8s.io", "CustomResourceDefinition", true),
            ("cert-manager.io", "Certificate", true),
            ("cert-manager.io", "CertificateRequest", false),
            ("example.com", "Certificate", false),
            ("s3.aws.upbound.io", "Bucket", true),
            ("operator.victoriametrics.com", "VMAgent", true),
            ("admissionregistration.k8s.io", "MutatingWebhookConfiguration", false),
            ("policy", "PodDisruptionBudget", true),
            ("split.smi-spec.io", "TrafficSplit", false),
        ] {
            assert_eq!(has_check(group, kind), has, "{kind}.{group}");
        }
    }

    #[test]
    fn the_table_is_sorted_for_the_search() {
        assert!(KINDS.is_sorted_by_key(|(group, _)| group));
        assert!(KINDS.iter().all(|(_, kinds)| kinds.is_sorted()));
    }
}
