//! Patterns of objects: by kind, group, namespace and name.

use std::fmt;
use std::str::FromStr;

use globset::{Glob, GlobMatcher};

use super::ObjectId;

/// `KIND[.GROUP]`, `KIND[.GROUP]/NAME` or `KIND[.GROUP]/NAMESPACE/NAME`; every part may hold `*`, `?`
/// and `[…]`, the kind ignores case, and a kind without a group is of any group.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    kind: GlobMatcher,
    group: Option<GlobMatcher>,
    namespace: Option<GlobMatcher>,
    name: Option<GlobMatcher>,
}

/// A pattern that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// More than three parts.
    #[error("a pattern is KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME")]
    Parts,
    /// A part that is no glob.
    #[error("{0}")]
    Glob(#[from] globset::Error),
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let glob = |part: &str| Glob::new(part).map(|glob| glob.compile_matcher());
        let (kind, namespace, name) = match text.split('/').collect::<Vec<_>>()[..] {
            [kind] => (kind, None, None),
            [kind, name] => (kind, None, Some(name)),
            [kind, namespace, name] => (kind, Some(namespace), Some(name)),
            _ => return Err(PatternError::Parts),
        };
        let (kind, group) = match kind.split_once('.') {
            Some((kind, group)) => (kind, Some(glob(&group.to_ascii_lowercase())?)),
            None => (kind, None),
        };
        Ok(Pattern {
            text: text.to_owned(),
            kind: glob(&kind.to_ascii_lowercase())?,
            group,
            namespace: namespace.map(glob).transpose()?,
            name: name.map(glob).transpose()?,
        })
    }
}

/// Equal texts are equal patterns.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

/// Shown as it was written.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Pattern {
    /// Whether an object is meant.
    pub fn matches(&self, id: &ObjectId) -> bool {
        let namespace = id.namespace.as_deref().unwrap_or("");
        self.kind.is_match(id.kind.to_ascii_lowercase())
            && self.group.as_ref().is_none_or(|group| group.is_match(&*id.group))
            && self.namespace.as_ref().is_none_or(|glob| glob.is_match(namespace))
            && self.name.as_ref().is_none_or(|glob| glob.is_match(id.name.text()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Name;
    use super::*;

    #[test]
    fn every_part_can_be_a_glob() {
        let id = ObjectId {
            group: "apps".into(),
            kind: "Deployment".into(),
            namespace: Some("shop".into()),
            name: Name::Fixed("web".into()),
        };
        let takes = |pattern: &str| pattern.parse::<Pattern>().unwrap().matches(&id);
        for pattern in ["deployment", "Deployment/web", "deployment.apps/shop/w*", "*/shop/*", "*.apps"] {
            assert!(takes(pattern), "{pattern}");
        }
        for pattern in ["Secret", "Deployment/other", "Deployment.extensions", "*/other/*", "shop/web"] {
            assert!(!takes(pattern), "{pattern}");
        }
        assert!("a/b/c/d".parse::<Pattern>().is_err());
    }
}
