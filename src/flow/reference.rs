//! References: what an object names.

use std::sync::Arc;

use crate::object::ObjRef;
use crate::source::Place;
use crate::tree::FieldPath;

/// Who is meant by a reference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// API group; empty for the core group.
    pub group: Arc<str>,
    /// Kind.
    pub kind: Arc<str>,
    /// Namespace; none for cluster-scoped kinds and where nobody says.
    pub namespace: Option<Arc<str>>,
    /// Name.
    pub name: Arc<str>,
}

/// How containers read a ConfigMap or Secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// Not at all: the reference only orders.
    No,
    /// One key, into an environment variable, when a container starts.
    EnvKey(Arc<str>),
    /// All keys of `data`, into the environment, when a container starts.
    EnvFrom,
    /// A volume.
    Volume(VolumeRead),
    /// Outside a pod: the key that a custom resource names; none means all.
    Field(Option<FieldKey>),
}

/// A key that a field beside the name of the source says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldKey {
    /// The field.
    pub field: Arc<str>,
    /// The key.
    pub key: Arc<str>,
}

/// What containers see of a volume's source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeRead {
    /// The keys that the volume shows and the paths it shows them at; none means all keys, each at
    /// its own name.
    pub items: Option<Vec<(Arc<str>, Arc<str>)>>,
    /// Where containers mount the volume; no mount means that nobody reads it.
    pub mounts: Vec<Mount>,
}

/// One mount of a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mount {
    /// The whole volume, which the kubelet keeps up to date.
    Whole,
    /// One path of it (`subPath`), never refreshed.
    SubPath(Arc<str>),
    /// A path that is known when the pod starts (`subPathExpr`), never refreshed.
    SubPathExpr,
}

/// What a reference leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// An object of the input.
    Object(ObjRef),
    /// What an object of the input makes.
    Product(ObjRef),
    /// Nothing in the input, and nobody expects it there: the cluster or somebody else makes it.
    Outside,
    /// Nothing in the input.
    Missing,
}

/// One reference of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Who refers.
    pub from: ObjRef,
    /// Who is meant.
    pub target: Target,
    /// The row of the table that found it, by its path.
    pub row: &'static str,
    /// The field that holds the name.
    pub path: FieldPath,
    /// Where the name stands.
    pub place: Place,
    /// Whether the referrer does without it.
    pub optional: bool,
    /// How containers read it.
    pub read: Read,
    /// Whether it puts the target before the referrer.
    pub orders: bool,
    /// What it leads to.
    pub leads_to: Resolution,
}
