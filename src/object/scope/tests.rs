#![allow(clippy::disallowed_methods, reason = "the corpus is read file by file")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;

#[test]
fn rows_are_sorted_and_no_kind_has_two() {
    for rows in TABLES {
        for pair in rows.windows(2) {
            let key = |row: &Row| (row.0, row.1);
            assert!(key(&pair[0]) < key(&pair[1]), "{pair:?}");
        }
    }
    let mut kinds: Vec<_> = TABLES.concat();
    kinds.sort_by_key(|row| (row.0, row.1));
    let twice = kinds.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1);
    assert_eq!(twice, None);
}

#[test]
fn the_group_decides() {
    assert_eq!(builtin("", "Namespace"), Some(Scope::Cluster));
    assert_eq!(builtin("", "Service"), Some(Scope::Namespaced));
    assert_eq!(builtin("apps", "Namespace"), None);
    assert_eq!(builtin("rbac.authorization.k8s.io", "ClusterRole"), Some(Scope::Cluster));
    assert_eq!(builtin("split.smi-spec.io", "TrafficSplit"), Some(Scope::Namespaced));
    assert_eq!(builtin("constraints.gatekeeper.sh", "K8sAnything"), Some(Scope::Cluster));
    assert_eq!(builtin("acme.example.org", "Tenant"), None);
}

/// Every kind of the newest Kubernetes that the typed crate knows has a row, and the right one.
#[cfg(feature = "kube")]
mod typed {
    use k8s_openapi::api::{
        admissionregistration, apiserverinternal, apps, authentication, authorization, autoscaling, batch,
        certificates, coordination, core, discovery, events, flowcontrol, lifecycle, networking, node, policy, rbac,
        resource, scheduling, storage, storagemigration,
    };
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
    use k8s_openapi::kube_aggregator::pkg::apis::apiregistration;
    use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope, Resource};

    use super::*;

    trait Known {
        const SCOPE: Scope;
    }
    impl Known for ClusterResourceScope {
        const SCOPE: Scope = Scope::Cluster;
    }
    impl Known for NamespaceResourceScope {
        const SCOPE: Scope = Scope::Namespaced;
    }

    fn agrees<T: Resource<Scope: Known>>() {
        let known = find(builtin::ROWS, T::GROUP, T::KIND);
        let scope = <T::Scope as Known>::SCOPE;
        assert_eq!(known, Some(scope), "{}.{}", T::KIND, T::GROUP);
    }

    macro_rules! agree {
        ($($version:path { $($kind:ident)* })*) => { $($({ use $version as version; agrees::<version::$kind>(); })*)* };
    }

    #[test]
    fn builtin_rows_agree_with_kubernetes() {
        agree! {
            admissionregistration::v1 {
                MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration
                ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration
            }
            apiextensions::v1 { CustomResourceDefinition }
            apiregistration::v1 { APIService }
            apiserverinternal::v1alpha1 { StorageVersion }
            apps::v1 { ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet }
            authentication::v1 { SelfSubjectReview TokenReview }
            authorization::v1 {
                LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
            }
            autoscaling::v2 { HorizontalPodAutoscaler }
            batch::v1 { CronJob Job }
            certificates::v1 { CertificateSigningRequest ClusterTrustBundle PodCertificateRequest }
            coordination::v1 { Lease }
            coordination::v1beta1 { LeaseCandidate }
            core::v1 {
                Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume
                PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service
                ServiceAccount
            }
            discovery::v1 { EndpointSlice }
            events::v1 { Event }
            flowcontrol::v1 { FlowSchema PriorityLevelConfiguration }
            lifecycle::v1alpha1 { Eviction EvictionRequest }
            networking::v1 { IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR }
            node::v1 { RuntimeClass }
            policy::v1 { PodDisruptionBudget }
            rbac::v1 { ClusterRole ClusterRoleBinding Role RoleBinding }
            resource::v1 { DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice }
            resource::v1alpha3 { ResourcePoolStatusRequest }
            scheduling::v1 { PriorityClass }
            scheduling::v1alpha3 { CompositePodGroup PodGroup Workload }
            storage::v1 {
                CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass
            }
            storagemigration::v1 { StorageVersionMigration }
        }
    }
}

/// `spec.scope` of every CRD of a text, by group and kind. Only the block form that projects
/// publish is read: enough to compare with.
fn crds_of(text: &str, found: &mut BTreeMap<(String, String), Scope>) {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().chain(["---"]) {
        if !line.starts_with("---") {
            lines.push(line);
            continue;
        }
        let value = |field: &str| {
            let mut values = lines.iter().filter_map(|line| line.strip_prefix(field));
            values.next().map(|value| value.trim().trim_matches(['"', '\'']))
        };
        let scope = match value("  scope:") {
            Some("Cluster") => Some(Scope::Cluster),
            Some("Namespaced") => Some(Scope::Namespaced),
            _ => None,
        };
        if value("kind:") == Some("CustomResourceDefinition")
            && let (Some(group), Some(kind), Some(scope)) = (value("  group:"), value("    kind:"), scope)
        {
            found.insert((group.to_owned(), kind.to_owned()), scope);
        }
        lines.clear();
    }
}

fn crds_below(folder: &Path, found: &mut BTreeMap<(String, String), Scope>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            crds_below(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            crds_of(&text, found);
        }
    }
}

#[test]
fn custom_rows_agree_with_published_crds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        println!("SKIP: ../shared/corpus is absent, no CRD to compare with");
        return;
    }
    let mut found = BTreeMap::new();
    crds_below(&corpus, &mut found);
    let mut agreed = 0;
    for ((group, kind), scope) in &found {
        if let Some(known) = builtin(group, kind) {
            assert_eq!(known, *scope, "{kind}.{group}");
            agreed += 1;
        }
    }
    assert!(agreed >= 60, "only {agreed} of {} CRDs have a row", found.len());
}
