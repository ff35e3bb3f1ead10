//! Who an object is.

use std::fmt;
use std::sync::Arc;

/// What an object is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// `metadata.name`.
    Fixed(Arc<str>),
    /// `metadata.generateName`: the API server completes it, so no two are the same object.
    Generated {
        /// What the name will start with.
        prefix: Arc<str>,
        /// Which of the objects that share the prefix, ordered by content, from 0.
        nth: u32,
    },
}

impl Name {
    /// The name, or the prefix of a generated one.
    pub fn text(&self) -> &str {
        match self {
            Name::Fixed(name) => name,
            Name::Generated { prefix, .. } => prefix,
        }
    }
}

/// Group, kind, namespace and name. There is no version in it: every served version of an API shows
/// the same object (`ObjMetadata` in the sources of cli-utils).
///
/// Ordered by group, kind, namespace (none first) and name, as bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// API group; empty for the core group.
    pub group: Arc<str>,
    /// Kind.
    pub kind: Arc<str>,
    /// Namespace it ends up in; none for cluster-scoped objects and where nobody says.
    pub namespace: Option<Arc<str>>,
    /// Name.
    pub name: Name,
}

impl ObjectId {
    /// Whether the name is fixed; others cannot refer to an object whose name is not.
    pub fn is_fixed(&self) -> bool {
        matches!(self.name, Name::Fixed(_))
    }
}

/// `Deployment shop/web`, `Namespace shop`, `Job shop/migrate-*`.
impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.kind)?;
        if let Some(namespace) = &self.namespace {
            write!(f, "{namespace}/")?;
        }
        match &self.name {
            Name::Fixed(name) => f.write_str(name),
            Name::Generated { prefix, .. } => write!(f, "{prefix}*"),
        }
    }
}
