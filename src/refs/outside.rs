//! What is never missing: the cluster has it, or somebody who sets clusters up.

use super::row::GroupKindName;
use crate::flow::Target;

/// Kinds that a cluster brings along, or that are made once for all that runs there.
const KINDS: &[GroupKindName] = &[
    ("", "Namespace"),
    ("", "Node"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("certificates.k8s.io", "ClusterTrustBundle"),
];

/// Objects that a controller of the cluster makes in every namespace: kube-controller-manager
/// (`rootcacertpublisher`, `serviceaccounts`), OpenShift's service CA operator, istiod.
const EVERYWHERE: &[(GroupKindName, &str)] = &[
    (("", "ConfigMap"), "kube-root-ca.crt"),
    (("", "ConfigMap"), "openshift-service-ca.crt"),
    (("", "ConfigMap"), "istio-ca-root-cert"),
    (("", "ServiceAccount"), "default"),
];

/// Objects of one namespace that every cluster has: the Services of the API server and of DNS, and what
/// aggregated API servers read.
const IN_PLACE: &[(GroupKindName, &str, &str)] = &[
    (("", "ConfigMap"), "kube-system", "extension-apiserver-authentication"),
    (("", "Service"), "default", "kubernetes"),
    (("", "Service"), "kube-system", "kube-dns"),
];

/// ClusterRoles that the API server makes (`bootstrappolicy`), but for `system:*`.
const CLUSTER_ROLES: &[&str] = &["cluster-admin", "admin", "edit", "view"];

/// Whether nobody expects the target in the input.
pub(super) fn is_outside(target: &Target) -> bool {
    let (group, kind, name) = (&*target.group, &*target.kind, &*target.name);
    let namespace = target.namespace.as_deref();
    KINDS.contains(&(group, kind))
        || kind.ends_with("Class") && kind != "SecretProviderClass"
        || is_cluster_wide_source(kind)
        || EVERYWHERE.contains(&((group, kind), name))
        || namespace.is_some_and(|namespace| IN_PLACE.contains(&((group, kind), namespace, name)))
        || group == "rbac.authorization.k8s.io" && is_bootstrap_role(kind, namespace, name)
}

/// ClusterIssuer, AWSPCAClusterIssuer, ClusterSecretStore and the like.
fn is_cluster_wide_source(kind: &str) -> bool {
    kind.contains("Cluster") && (kind.ends_with("Issuer") || kind.ends_with("Store"))
}

fn is_bootstrap_role(kind: &str, namespace: Option<&str>, name: &str) -> bool {
    match kind {
        "ClusterRole" => CLUSTER_ROLES.contains(&name) || name.starts_with("system:"),
        "Role" => namespace == Some("kube-system"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(group: &str, kind: &str, namespace: Option<&str>, name: &str) -> bool {
        let namespace = namespace.map(Into::into);
        is_outside(&Target { group: group.into(), kind: kind.into(), namespace, name: name.into() })
    }

    #[test]
    fn what_the_cluster_makes_is_outside() {
        let rbac = "rbac.authorization.k8s.io";
        for (group, kind, namespace, name) in [
            ("", "ConfigMap", Some("shop"), "kube-root-ca.crt"),
            ("", "ConfigMap", Some("shop"), "openshift-service-ca.crt"),
            ("", "ConfigMap", Some("shop"), "istio-ca-root-cert"),
            ("", "ServiceAccount", Some("shop"), "default"),
            ("", "Service", Some("default"), "kubernetes"),
            ("", "Namespace", None, "shop"),
            (rbac, "ClusterRole", None, "edit"),
            (rbac, "ClusterRole", None, "system:auth-delegator"),
            (rbac, "Role", Some("kube-system"), "extension-apiserver-authentication-reader"),
            ("storage.k8s.io", "StorageClass", None, "fast"),
            ("gateway.networking.k8s.io", "GatewayClass", None, "istio"),
            ("cert-manager.io", "ClusterIssuer", None, "letsencrypt"),
            ("external-secrets.io", "ClusterSecretStore", None, "vault"),
            ("apiextensions.k8s.io", "CustomResourceDefinition", None, "params.example.com"),
        ] {
            assert!(outside(group, kind, namespace, name), "{kind} {name}");
        }
    }

    #[test]
    fn what_users_make_is_not() {
        let rbac = "rbac.authorization.k8s.io";
        for (group, kind, namespace, name) in [
            ("", "ConfigMap", Some("shop"), "settings"),
            ("", "ServiceAccount", Some("shop"), "web"),
            ("", "Service", Some("shop"), "kubernetes"),
            (rbac, "ClusterRole", None, "viewer"),
            (rbac, "Role", Some("shop"), "edit"),
            ("cert-manager.io", "Issuer", Some("shop"), "letsencrypt"),
            ("external-secrets.io", "SecretStore", Some("shop"), "vault"),
            ("example.com", "ClusterRole", None, "edit"),
        ] {
            assert!(!outside(group, kind, namespace, name), "{kind} {name}");
        }
    }
}
