//! What is never missing: every cluster has it, or the user says that others bring it.

use globset::{Glob, GlobMatcher};

use crate::config::{ExternalRow, ExternalSettings};
use crate::flow::Target;

const RBAC: &str = "rbac.authorization.k8s.io";

/// What a cluster makes itself: group, kind, namespace (none for any), name (`*` at its end for any
/// that begins so).
static MADE_BY_CLUSTER: &[(&str, &str, Option<&str>, &str)] = &[
    ("", "ConfigMap", None, "kube-root-ca.crt"),
    ("", "ConfigMap", None, "openshift-service-ca.crt"),
    ("", "ConfigMap", None, "istio-ca-root-cert"),
    ("", "ConfigMap", Some("kube-system"), "extension-apiserver-authentication"),
    ("", "Namespace", None, "*"),
    ("", "Service", Some("default"), "kubernetes"),
    ("", "Service", Some("kube-system"), "kube-dns"),
    ("", "ServiceAccount", None, "default"),
    ("apiextensions.k8s.io", "CustomResourceDefinition", None, "*"),
    (RBAC, "ClusterRole", None, "cluster-admin"),
    (RBAC, "ClusterRole", None, "admin"),
    (RBAC, "ClusterRole", None, "edit"),
    (RBAC, "ClusterRole", None, "view"),
    (RBAC, "ClusterRole", None, "system:*"),
    (RBAC, "Role", Some("kube-system"), "*"),
];

/// What whoever runs the cluster brings: classes, and issuers and stores that serve every namespace.
fn is_of_the_platform(kind: &str) -> bool {
    kind.ends_with("Class") || kind.contains("Cluster") && (kind.ends_with("Issuer") || kind.ends_with("Store"))
}

fn is_made_by_cluster(target: &Target) -> bool {
    MADE_BY_CLUSTER.iter().any(|(group, kind, namespace, name)| {
        let is_named = match name.strip_suffix('*') {
            Some(start) => target.name.starts_with(start),
            None => &*target.name == *name,
        };
        (*group, *kind) == (&*target.group, &*target.kind)
            && namespace.is_none_or(|namespace| target.namespace.as_deref() == Some(namespace))
            && is_named
    })
}

/// What is expected to be there although the input does not hold it.
pub(super) struct Expected<'c> {
    rows: Vec<(&'c ExternalRow, Option<GlobMatcher>, GlobMatcher)>,
}

impl<'c> Expected<'c> {
    /// With the rows of the configuration, whose patterns were read before.
    pub(super) fn new(external: &'c ExternalSettings) -> Self {
        let glob = |pattern: &str| Glob::new(pattern).ok().map(|glob| glob.compile_matcher());
        let row = |row: &'c ExternalRow| {
            let namespace = match &row.namespace {
                Some(pattern) => Some(glob(pattern)?),
                None => None,
            };
            Some((row, namespace, glob(&row.name)?))
        };
        Expected { rows: external.objects.iter().filter_map(row).collect() }
    }

    /// Whether a target is never missing.
    pub(super) fn has(&self, target: &Target) -> bool {
        is_of_the_platform(&target.kind) || is_made_by_cluster(target) || self.is_external(target)
    }

    fn is_external(&self, target: &Target) -> bool {
        self.rows.iter().any(|(row, namespace, name)| {
            let here = target.namespace.as_deref().unwrap_or("");
            row.kind == *target.kind
                && row.group.as_ref().is_none_or(|group| **group == *target.group)
                && namespace.as_ref().is_none_or(|glob| glob.is_match(here))
                && name.is_match(&*target.name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(group: &str, kind: &str, namespace: &str, name: &str) -> Target {
        let namespace = Some(namespace).filter(|text| !text.is_empty()).map(Into::into);
        Target { group: group.into(), kind: kind.into(), namespace, name: name.into() }
    }

    #[test]
    fn what_every_cluster_has_is_never_missing() {
        let settings = ExternalSettings::default();
        let has = |group, kind, namespace, name| Expected::new(&settings).has(&target(group, kind, namespace, name));
        assert!(has("", "ConfigMap", "shop", "kube-root-ca.crt"));
        assert!(has(RBAC, "ClusterRole", "", "system:auth-delegator"));
        assert!(has(RBAC, "Role", "kube-system", "extension-apiserver-authentication-reader"));
        assert!(has("cert-manager.io", "ClusterIssuer", "", "letsencrypt"));
        assert!(has("awspca.cert-manager.io", "AWSPCAClusterIssuer", "", "x"));
        assert!(has("storage.k8s.io", "StorageClass", "", "fast"));
        assert!(!has(RBAC, "ClusterRole", "", "viewer"));
        assert!(!has(RBAC, "Role", "shop", "reader"));
        assert!(!has("cert-manager.io", "Issuer", "shop", "ca"));
        assert!(!has("", "ServiceAccount", "shop", "default-x"));
    }

    #[test]
    fn users_list_what_others_bring() {
        let row = |group: Option<&str>, namespace: Option<&str>| ExternalSettings {
            objects: vec![ExternalRow {
                group: group.map(Into::into),
                kind: "Secret".into(),
                namespace: namespace.map(Into::into),
                name: "tls-*".into(),
            }],
            ..ExternalSettings::default()
        };
        let tls = target("", "Secret", "shop", "tls-web");
        assert!(Expected::new(&row(None, None)).has(&tls));
        assert!(Expected::new(&row(Some(""), Some("sh?p"))).has(&tls));
        assert!(!Expected::new(&row(Some("x.io"), None)).has(&tls));
        assert!(!Expected::new(&row(None, Some("prod"))).has(&tls));
        assert!(!Expected::new(&row(None, None)).has(&target("", "ConfigMap", "shop", "tls-web")));
        assert!(!Expected::new(&row(None, None)).has(&target("", "Secret", "shop", "web")));
    }
}
