//! Packages of the Operator Lifecycle Manager, and the groups whose CRDs they bring.

/// Package, groups (`*.` for those below, too). Names are those of the catalogs (operatorhub.io, Red
/// Hat's and the certified and community ones), groups those of the CRDs that the bundles own.
static PACKAGES: &[(&str, &[&str])] = &[
    ("advanced-cluster-management", &["operator.open-cluster-management.io"]),
    ("amq-streams", &["core.strimzi.io", "kafka.strimzi.io"]),
    ("ansible-automation-platform-operator", &["*.ansible.com"]),
    ("argocd-operator", &["argoproj.io"]),
    ("authorino-operator", &["authorino.kuadrant.io", "operator.authorino.kuadrant.io"]),
    ("awx-operator", &["awx.ansible.com"]),
    ("camel-k", &["camel.apache.org"]),
    ("cert-manager", &["acme.cert-manager.io", "cert-manager.io"]),
    ("cloud-native-postgresql", &["postgresql.k8s.enterprisedb.io"]),
    ("cloudnative-pg", &["postgresql.cnpg.io"]),
    ("cluster-logging", &["logging.openshift.io", "observability.openshift.io"]),
    ("cluster-observability-operator", &["monitoring.rhobs", "observability.openshift.io", "perses.dev"]),
    ("community-kubevirt-hyperconverged", &["hco.kubevirt.io"]),
    ("compliance-operator", &["compliance.openshift.io"]),
    ("datagrid", &["infinispan.org"]),
    ("devspaces", &["org.eclipse.che"]),
    ("devworkspace-operator", &["controller.devfile.io", "workspace.devfile.io"]),
    ("eclipse-che", &["org.eclipse.che"]),
    ("elastic-cloud-eck", &["*.k8s.elastic.co"]),
    ("elasticsearch-eck-operator-certified", &["*.k8s.elastic.co"]),
    (
        "external-secrets-operator",
        &["external-secrets.io", "generators.external-secrets.io", "operator.external-secrets.io"],
    ),
    ("file-integrity-operator", &["fileintegrity.openshift.io"]),
    ("flux", &["*.toolkit.fluxcd.io"]),
    ("gatekeeper-operator-product", &["operator.gatekeeper.sh"]),
    ("gpu-operator-certified", &["nvidia.com"]),
    ("grafana-operator", &["grafana.integreatly.org"]),
    ("group-sync-operator", &["redhatcop.redhat.io"]),
    ("infinispan", &["infinispan.org"]),
    ("jaeger", &["jaegertracing.io"]),
    ("jaeger-product", &["jaegertracing.io"]),
    ("keda", &["keda.sh"]),
    ("kernel-module-management", &["kmm.sigs.x-k8s.io"]),
    ("keycloak-operator", &["k8s.keycloak.org", "keycloak.org"]),
    ("kiali", &["kiali.io"]),
    ("kiali-ossm", &["kiali.io"]),
    ("knative-operator", &["operator.knative.dev"]),
    ("kuadrant-operator", &["kuadrant.io"]),
    ("kubernetes-nmstate-operator", &["nmstate.io"]),
    ("kubevirt-hyperconverged", &["hco.kubevirt.io"]),
    ("local-storage-operator", &["local.storage.openshift.io"]),
    ("loki-operator", &["loki.grafana.com"]),
    ("lvms-operator", &["lvm.topolvm.io"]),
    ("mariadb-operator", &["k8s.mariadb.com"]),
    ("mcg-operator", &["noobaa.io"]),
    ("metallb-operator", &["metallb.io"]),
    ("minio-operator", &["minio.min.io", "sts.min.io"]),
    ("mongodb-atlas-kubernetes", &["atlas.mongodb.com"]),
    ("mongodb-enterprise", &["mongodb.com"]),
    ("mongodb-kubernetes", &["mongodb.com"]),
    ("multicluster-engine", &["multicluster.openshift.io"]),
    ("namespace-configuration-operator", &["redhatcop.redhat.io"]),
    ("netobserv-operator", &["flows.netobserv.io"]),
    ("nfd", &["nfd.k8s-sigs.io", "nfd.openshift.io"]),
    ("node-healthcheck-operator", &["remediation.medik8s.io"]),
    ("node-maintenance-operator", &["nodemaintenance.medik8s.io"]),
    ("numaresources-operator", &["nodetopology.openshift.io"]),
    ("oadp-operator", &["oadp.openshift.io", "velero.io"]),
    ("ocs-operator", &["ocs.openshift.io"]),
    ("odf-operator", &["ceph.rook.io", "noobaa.io", "ocs.openshift.io", "odf.openshift.io"]),
    ("opendatahub-operator", &["*.opendatahub.io"]),
    ("openshift-custom-metrics-autoscaler-operator", &["keda.sh"]),
    ("openshift-gitops-operator", &["argoproj.io", "pipelines.openshift.io"]),
    (
        "openshift-pipelines-operator-rh",
        &["operator.tekton.dev", "pipelinesascode.tekton.dev", "tekton.dev", "triggers.tekton.dev"],
    ),
    ("opentelemetry-operator", &["opentelemetry.io"]),
    ("opentelemetry-product", &["opentelemetry.io"]),
    ("percona-postgresql-operator", &["pgv2.percona.com"]),
    ("percona-server-mongodb-operator", &["psmdb.percona.com"]),
    ("percona-xtradb-cluster-operator", &["pxc.percona.com"]),
    ("postgres-operator", &["acid.zalan.do"]),
    ("postgresql", &["postgres-operator.crunchydata.com"]),
    ("prometheus", &["monitoring.coreos.com"]),
    ("ptp-operator", &["ptp.openshift.io"]),
    ("quay-operator", &["quay.redhat.com"]),
    ("rabbitmq-cluster-operator", &["rabbitmq.com"]),
    ("rabbitmq-messaging-topology-operator", &["rabbitmq.com"]),
    ("redhat-oadp-operator", &["oadp.openshift.io", "velero.io"]),
    ("rhacs-operator", &["platform.stackrox.io"]),
    ("rhbk-operator", &["k8s.keycloak.org"]),
    ("rhdh", &["rhdh.redhat.com"]),
    ("rhods-operator", &["*.opendatahub.io"]),
    ("rhsso-operator", &["keycloak.org"]),
    ("rook-ceph", &["ceph.rook.io"]),
    ("sailoperator", &["*.istio.io", "sailoperator.io"]),
    ("security-profiles-operator", &["security-profiles-operator.x-k8s.io"]),
    ("self-node-remediation", &["self-node-remediation.medik8s.io"]),
    ("serverless-operator", &["operator.knative.dev", "operator.serverless.openshift.io"]),
    ("servicemeshoperator", &["*.istio.io", "maistra.io"]),
    ("servicemeshoperator3", &["*.istio.io", "sailoperator.io"]),
    ("sriov-network-operator", &["sriovnetwork.openshift.io"]),
    ("strimzi-kafka-operator", &["core.strimzi.io", "kafka.strimzi.io"]),
    ("tektoncd-operator", &["operator.tekton.dev"]),
    ("tempo-operator", &["tempo.grafana.com"]),
    ("tempo-product", &["tempo.grafana.com"]),
    ("tigera-operator", &["operator.tigera.io"]),
    ("topology-aware-lifecycle-manager", &["ran.openshift.io"]),
    ("trident-operator", &["trident.netapp.io"]),
    ("vault-config-operator", &["redhatcop.redhat.io"]),
    ("vault-secrets-operator", &["secrets.hashicorp.com"]),
    ("volsync", &["volsync.backube"]),
    ("volsync-product", &["volsync.backube"]),
    ("web-terminal", &["controller.devfile.io", "workspace.devfile.io"]),
];

/// The groups of a package; none for one that is not known.
pub(super) fn groups_of_package(name: &str) -> &'static [&'static str] {
    let at = PACKAGES.binary_search_by_key(&name, |(package, _)| package);
    at.map_or(&[], |at| PACKAGES[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_for_the_search() {
        assert!(PACKAGES.is_sorted_by_key(|(package, _)| *package));
        assert_eq!(groups_of_package("cert-manager"), ["acme.cert-manager.io", "cert-manager.io"]);
        assert_eq!(groups_of_package("nothing"), [""; 0]);
    }
}
