//! What is not missing because the user says that others bring it. What every cluster has does not come
//! here: a reference to it leads outside.

use globset::{Glob, GlobMatcher};

use crate::config::{ExternalRow, ExternalSettings};
use crate::flow::Target;

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
