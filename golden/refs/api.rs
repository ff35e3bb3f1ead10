//! The fields that rows name are fields of the Kubernetes API: what is written there comes back out
//! of the types of `k8s-openapi`, which drop what they do not know.

use k8s_openapi::api::{
    admissionregistration::v1 as admission, apps::v1 as apps, autoscaling::v2 as autoscaling, batch::v1 as batch,
    core::v1 as core, discovery::v1 as discovery, networking::v1 as networking, rbac::v1 as rbac,
    resource::v1 as resource, storage::v1 as storage,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1 as apiextensions;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1 as apiregistration;
use serde_json::{Map, Value, json};
use tidegate::refs::{RowInfo, rows};

use super::form::{cases, get, put, steps};
use crate::place::say;

/// Paths of rows whose field was dropped from the API, or is of an older version than the types.
const OLDER: &[(&str, &str)] = &[
    ("Ingress", "spec.backend.resource.name"),
    ("Ingress", "spec.backend.serviceName"),
    ("Ingress", "spec.rules[].http.paths[].backend.serviceName"),
    ("CustomResourceDefinition", "spec.conversion.webhookClientConfig.service.name"),
    ("HorizontalPodAutoscaler", "spec.metrics[].object.target.name"),
    ("ResourceClaim", "spec.devices.requests[].deviceClassName"),
    ("ResourceClaim", "spec.parametersRef.name"),
    ("ResourceClaim", "spec.resourceClassName"),
    ("ResourceClaimTemplate", "spec.spec.devices.requests[].deviceClassName"),
    ("ResourceClaimTemplate", "spec.spec.parametersRef.name"),
    ("ResourceClaimTemplate", "spec.spec.resourceClassName"),
];

/// What a value of a type keeps of a JSON value.
fn through<T: serde::de::DeserializeOwned + serde::Serialize>(value: Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(serde_json::from_value::<T>(value)?)
}

/// The same for the type of a kind; nothing for a kind that has none.
fn typed(group: &str, kind: &str, value: Value) -> Option<Result<Value, serde_json::Error>> {
    macro_rules! kinds {
        ($(($group:literal, $kind:literal, $type:ty)),* $(,)?) => {
            match (group, kind) {
                $(($group, $kind) => Some(through::<$type>(value)),)*
                _ => None,
            }
        };
    }
    kinds! {
        ("", "Endpoints", core::Endpoints),
        ("", "Node", core::Node),
        ("", "PersistentVolume", core::PersistentVolume),
        ("", "PersistentVolumeClaim", core::PersistentVolumeClaim),
        ("", "Pod", core::Pod),
        ("", "PodTemplate", core::PodTemplate),
        ("", "ReplicationController", core::ReplicationController),
        ("", "ResourceQuota", core::ResourceQuota),
        ("", "Secret", core::Secret),
        ("", "ServiceAccount", core::ServiceAccount),
        ("admissionregistration.k8s.io", "MutatingWebhookConfiguration", admission::MutatingWebhookConfiguration),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", admission::ValidatingAdmissionPolicyBinding),
        ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration", admission::ValidatingWebhookConfiguration),
        ("apiextensions.k8s.io", "CustomResourceDefinition", apiextensions::CustomResourceDefinition),
        ("apiregistration.k8s.io", "APIService", apiregistration::APIService),
        ("apps", "DaemonSet", apps::DaemonSet),
        ("apps", "Deployment", apps::Deployment),
        ("apps", "ReplicaSet", apps::ReplicaSet),
        ("apps", "StatefulSet", apps::StatefulSet),
        ("autoscaling", "HorizontalPodAutoscaler", autoscaling::HorizontalPodAutoscaler),
        ("batch", "CronJob", batch::CronJob),
        ("batch", "Job", batch::Job),
        ("discovery.k8s.io", "EndpointSlice", discovery::EndpointSlice),
        ("networking.k8s.io", "Ingress", networking::Ingress),
        ("networking.k8s.io", "IngressClass", networking::IngressClass),
        ("rbac.authorization.k8s.io", "ClusterRole", rbac::ClusterRole),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding", rbac::ClusterRoleBinding),
        ("rbac.authorization.k8s.io", "Role", rbac::Role),
        ("rbac.authorization.k8s.io", "RoleBinding", rbac::RoleBinding),
        ("resource.k8s.io", "ResourceClaim", resource::ResourceClaim),
        ("resource.k8s.io", "ResourceClaimTemplate", resource::ResourceClaimTemplate),
        ("storage.k8s.io", "CSIStorageCapacity", storage::CSIStorageCapacity),
        ("storage.k8s.io", "StorageClass", storage::StorageClass),
        ("storage.k8s.io", "VolumeAttachment", storage::VolumeAttachment),
    }
}

#[test]
fn the_rows_of_pods_are_fields_of_a_pod_spec() {
    let mut count = 0;
    for info in rows().filter(|info| (info.group, info.kind) == ("", "Pod")) {
        let path = steps(info.path.strip_prefix("spec.").expect("a pod's rows are in its spec"));
        let mut spec = json!({"containers": []});
        put(&mut spec, &path, json!("target"), Map::new());
        let kept = through::<core::PodSpec>(spec).unwrap_or_else(|e| panic!("{}: {e}", info.path));
        assert_eq!(get(&kept, &path), Some(&json!("target")), "{}", info.path);
        count += 1;
    }
    assert!(count >= 40, "{count} rows");
}

#[test]
fn the_rows_of_built_in_kinds_are_fields_of_their_types() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for info in rows() {
        match survives(info) {
            None => continue,
            Some(Ok(kept)) if kept != OLDER.contains(&(info.kind, info.path)) => {}
            Some(verdict) => faults.push(format!("{} {}: {verdict:?}", info.kind, info.path)),
        }
        count += 1;
    }
    say(&format!("references: {count} rows are fields of k8s-openapi's types"));
    assert!(faults.is_empty() && count > 450, "{count} rows, {}", faults.join("\n"));
}

/// Whether the type of a row's kind keeps the name that the row reads.
fn survives(info: RowInfo) -> Option<Result<bool, serde_json::Error>> {
    let case = cases(info).swap_remove(0);
    let mut referrer = case.referrer("target", "target", false);
    if info.group == "autoscaling" {
        referrer["apiVersion"] = json!("autoscaling/v2");
    }
    let kept = typed(info.group, info.kind, referrer)?;
    Some(kept.map(|kept| get(&kept, &steps(info.path)) == Some(&json!("target"))))
}
