//! Groups, versions and kinds.

use std::fmt;
use std::sync::Arc;

/// A group and a kind, without a version: versions are ways to write the same object. The core
/// group is the empty string. Shown as `Deployment.apps`, and `ConfigMap` for the core group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKind {
    /// The API group: `apps`, or nothing for the core group.
    pub group: Arc<str>,
    /// The kind: `Deployment`.
    pub kind: Arc<str>,
}

impl GroupKind {
    /// A group (empty for the core group) and a kind, taken as they are.
    pub fn new(group: impl Into<Arc<str>>, kind: impl Into<Arc<str>>) -> Self {
        GroupKind { group: group.into(), kind: kind.into() }
    }

    /// The same with a version, in kube's own type.
    #[cfg(feature = "kube")]
    pub fn with_version(&self, version: &str) -> kube_core::gvk::GroupVersionKind {
        kube_core::gvk::GroupVersionKind::gvk(&self.group, version, &self.kind)
    }
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        match &*self.group {
            "" => Ok(()),
            group => write!(f, ".{group}"),
        }
    }
}

/// The group and kind of a versioned one.
#[cfg(feature = "kube")]
impl From<&kube_core::gvk::GroupVersionKind> for GroupKind {
    fn from(gvk: &kube_core::gvk::GroupVersionKind) -> Self {
        GroupKind::new(gvk.group.as_str(), gvk.kind.as_str())
    }
}

/// Why a text is no `apiVersion`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiVersionError {
    /// Nothing at all.
    #[error("it is empty")]
    Empty,
    /// More than one `/`.
    #[error("it has more than one `/`")]
    Slashes,
    /// The part before the `/`.
    #[error("its group is no DNS subdomain (lower case letters, digits, `-` and `.`, at most 253 characters)")]
    Group,
    /// The part behind the `/`, or the whole where there is none.
    #[error(
        "its version is no DNS label (a lower case letter, then lower case letters, digits and `-`, at most 63 characters)"
    )]
    Version,
}

/// Splits an `apiVersion` into group and version: `apps/v1` → (`apps`, `v1`), `v1` → (``, `v1`).
///
/// # Errors
/// For text that no API server can serve: the shape is that of `ParseGroupVersion`
/// (k8s.io/apimachinery, pkg/runtime/schema), group and version are held to what the API server
/// demands of a CRD (`IsDNS1123Subdomain` and `IsDNS1035Label`, pkg/util/validation). An empty group
/// before the `/` is refused, too: it is a slip, never a way to write the core group.
pub fn split_api_version(text: &str) -> Result<(&str, &str), ApiVersionError> {
    let (group, version) = match text.split_once('/') {
        None if text.is_empty() => return Err(ApiVersionError::Empty),
        None => ("", text),
        Some((_, version)) if version.contains('/') => return Err(ApiVersionError::Slashes),
        Some((group, _)) if !is_dns_subdomain(group) => return Err(ApiVersionError::Group),
        Some(parts) => parts,
    };
    if is_dns_1035_label(version) { Ok((group, version)) } else { Err(ApiVersionError::Version) }
}

/// Whether a text can be a kind: a DNS label but for its case (the rule for the kind of a CRD).
pub fn is_kind(text: &str) -> bool {
    is_dns_1035_label(&text.to_ascii_lowercase())
}

/// Whether a text is a DNS subdomain by RFC 1123, as API groups and most names are: labels of lower
/// case letters, digits and inner `-`, joined by `.`, at most 253 characters.
pub fn is_dns_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

/// Whether a text is a DNS label by RFC 1123, as a namespace is: lower case letters, digits and
/// inner `-`, at most 63 characters.
pub fn is_dns_label(text: &str) -> bool {
    text.len() <= 63 && is_label(text)
}

/// Whether a text is a DNS label by RFC 1035: one that starts with a letter.
fn is_dns_1035_label(text: &str) -> bool {
    is_dns_label(text) && text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// A label of any length: Kubernetes bounds those of a subdomain only together.
fn is_label(text: &str) -> bool {
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(alphanumeric)
        && bytes.last().is_some_and(alphanumeric)
        && bytes.iter().all(|byte| *byte == b'-' || alphanumeric(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_api_version_is_a_group_and_a_version() {
        for (text, parts) in [
            ("v1", ("", "v1")),
            ("apps/v1", ("apps", "v1")),
            ("split.smi-spec.io/v1alpha2", ("split.smi-spec.io", "v1alpha2")),
            ("3scale.net/v1", ("3scale.net", "v1")),
        ] {
            assert_eq!(split_api_version(text), Ok(parts), "{text}");
        }
        let long = "a".repeat(254) + "/v1";
        for (text, error) in [
            ("", ApiVersionError::Empty),
            ("a/b/v1", ApiVersionError::Slashes),
            ("//", ApiVersionError::Slashes),
            ("/v1", ApiVersionError::Group),
            ("Apps/v1", ApiVersionError::Group),
            ("apps_x/v1", ApiVersionError::Group),
            (".apps/v1", ApiVersionError::Group),
            ("-apps/v1", ApiVersionError::Group),
            (&long, ApiVersionError::Group),
            ("apps/", ApiVersionError::Version),
            ("apps/1", ApiVersionError::Version),
            ("V1", ApiVersionError::Version),
            ("v1.2", ApiVersionError::Version),
            ("v1 ", ApiVersionError::Version),
            ("v1-", ApiVersionError::Version),
            ("vü", ApiVersionError::Version),
        ] {
            assert_eq!(split_api_version(text), Err(error), "{text}");
        }
    }

    #[test]
    fn kinds_and_namespaces_are_labels() {
        assert!(is_kind("TrafficSplit") && is_kind("K8sRequiredLabels"));
        assert!(!is_kind("") && !is_kind("Traffic Split") && !is_kind("3Scale"));
        assert!(is_dns_label("team-1") && is_dns_label("1"));
        assert!(!is_dns_label("Team") && !is_dns_label("a.b") && !is_dns_label(&"a".repeat(64)));
        assert!(is_dns_subdomain(&"a".repeat(64)));
    }

    #[test]
    fn a_group_and_kind_is_shown_as_kubectl_does() {
        assert_eq!(GroupKind::new("apps", "Deployment").to_string(), "Deployment.apps");
        assert_eq!(GroupKind::new("", "ConfigMap").to_string(), "ConfigMap");
    }

    #[cfg(feature = "kube")]
    #[test]
    fn kube_types_go_both_ways() {
        let kind = GroupKind::new("apps", "Deployment");
        let gvk = kind.with_version("v1");
        assert_eq!(gvk.api_version(), "apps/v1");
        assert_eq!(GroupKind::from(&gvk), kind);
    }
}
