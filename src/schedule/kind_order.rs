//! The order in which engines apply the kinds of one wave.

/// Argo CD's order inside a wave. It looks at the kind alone, whatever the group.
///
/// Source: `init` of argo-cd, gitops-engine/pkg/sync/sync_tasks.go.
const ARGOCD: [&str; 35] = [
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
];

/// The rank of a kind in Argo CD's order: 0 goes first; kinds that it does not name share the last
/// rank, where it sorts by name.
pub(super) fn argocd(kind: &str) -> u8 {
    let rank = ARGOCD.iter().position(|named| *named == kind);
    u8::try_from(rank.unwrap_or(ARGOCD.len())).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_kinds_come_in_order_and_all_others_after_them() {
        let ranks: Vec<u8> = ARGOCD.iter().map(|kind| argocd(kind)).collect();
        assert!(ranks.is_sorted() && ranks.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(argocd("Namespace") < argocd("ConfigMap"));
        assert!(argocd("ConfigMap") < argocd("CustomResourceDefinition"));
        assert!(argocd("CronJob") < argocd("Ingress"));
        assert!(argocd("APIService") < argocd("PriorityClass"));
        assert_eq!(argocd("PriorityClass"), argocd("TrafficSplit"));
        assert_eq!(argocd("namespace"), argocd("TrafficSplit"));
    }
}
