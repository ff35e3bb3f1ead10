//! Stages: what is configuration, what defines kinds, and what runs.

use crate::flow::{Linked, Stage};
use crate::object::ObjectId;

/// The kinds of the first two stages, by group. Classes stand here only if Kubernetes itself serves
/// their kind: a GatewayClass or VolumeSnapshotClass is a custom resource and cannot go before its
/// CRD. Groups that Kubernetes once served the same kind in count, too.
const TABLE: &[(&str, &[&str], Stage)] = &[
    (
        "",
        &["ConfigMap", "LimitRange", "Namespace", "PersistentVolume", "ResourceQuota", "Secret", "ServiceAccount"],
        Stage::Config,
    ),
    ("apiextensions.k8s.io", &["CustomResourceDefinition"], Stage::Crd),
    ("extensions", &["NetworkPolicy"], Stage::Config),
    ("networking.k8s.io", &["IngressClass", "NetworkPolicy"], Stage::Config),
    ("node.k8s.io", &["RuntimeClass"], Stage::Config),
    ("rbac.authorization.k8s.io", &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"], Stage::Config),
    ("resource.k8s.io", &["DeviceClass", "ResourceClass"], Stage::Config),
    ("scheduling.k8s.io", &["PriorityClass"], Stage::Config),
    ("storage.k8s.io", &["CSIDriver", "StorageClass", "VolumeAttributesClass"], Stage::Config),
];

/// The stage of an object, where nothing stronger moves it: what the settings say of its kind, or else
/// the table.
pub(super) fn own_stage(id: &ObjectId, linked: &Linked<'_>) -> Stage {
    let configured = linked.stages.iter().find(|(kind, _)| kind.group == id.group && kind.kind == id.kind);
    configured.map_or_else(|| table_stage(&id.group, &id.kind), |(_, stage)| *stage)
}

/// The stage of a kind, where nothing stronger moves an object. The group is empty for the core
/// group.
fn table_stage(group: &str, kind: &str) -> Stage {
    let row = TABLE.iter().find(|(name, kinds, _)| *name == group && kinds.contains(&kind));
    row.map_or(Stage::Workload, |(_, _, stage)| *stage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::scope::builtin;

    #[test]
    fn the_group_decides_the_stage() {
        for (group, kind, stage) in [
            ("", "ConfigMap", Stage::Config),
            ("", "Namespace", Stage::Config),
            ("", "PersistentVolume", Stage::Config),
            ("", "PersistentVolumeClaim", Stage::Workload),
            ("", "Service", Stage::Workload),
            ("acme.example.org", "ConfigMap", Stage::Workload),
            ("networking.k8s.io", "NetworkPolicy", Stage::Config),
            ("networking.k8s.io", "Ingress", Stage::Workload),
            ("networking.istio.io", "NetworkPolicy", Stage::Workload),
            ("rbac.authorization.k8s.io", "RoleBinding", Stage::Config),
            ("authorization.openshift.io", "RoleBinding", Stage::Workload),
            ("storage.k8s.io", "VolumeAttributesClass", Stage::Config),
            ("storage.k8s.io", "CSINode", Stage::Workload),
            ("resource.k8s.io", "DeviceClass", Stage::Config),
            ("snapshot.storage.k8s.io", "VolumeSnapshotClass", Stage::Workload),
            ("gateway.networking.k8s.io", "GatewayClass", Stage::Workload),
            ("apiextensions.k8s.io", "CustomResourceDefinition", Stage::Crd),
            ("admissionregistration.k8s.io", "MutatingWebhookConfiguration", Stage::Workload),
            ("apiregistration.k8s.io", "APIService", Stage::Workload),
        ] {
            assert_eq!(table_stage(group, kind), stage, "{kind}.{group}");
        }
    }

    /// A row for a kind that Kubernetes does not serve would be a slip of the pen.
    #[test]
    fn every_kind_of_the_table_is_a_builtin_one() {
        for (group, kinds, _) in TABLE {
            for kind in *kinds {
                assert!(builtin(group, kind).is_some(), "{kind}.{group}");
            }
        }
    }

    #[test]
    fn every_builtin_class_is_configuration() {
        for (group, kind) in [
            ("networking.k8s.io", "IngressClass"),
            ("node.k8s.io", "RuntimeClass"),
            ("resource.k8s.io", "DeviceClass"),
            ("scheduling.k8s.io", "PriorityClass"),
            ("storage.k8s.io", "StorageClass"),
            ("storage.k8s.io", "VolumeAttributesClass"),
        ] {
            assert_eq!(table_stage(group, kind), Stage::Config, "{kind}.{group}");
        }
    }
}
