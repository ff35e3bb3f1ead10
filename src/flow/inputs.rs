//! What workloads read of configuration, and what of it is in their checksums.

use std::fmt;
use std::sync::Arc;

use crate::object::ObjRef;
use crate::object::reload::Reload;
use crate::source::Place;

/// Everything that one workload's pods read, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadInputs {
    /// The workload.
    pub workload: ObjRef,
    /// The checksum, or why there is none.
    pub stamp: Stamp,
    /// Its sources, by kind and name. A volume that no container mounts is no source.
    pub inputs: Vec<Input>,
}

/// The checksum of a workload, or why it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// The value on its pod template.
    Value(String),
    /// Nothing that it reads takes part.
    Nothing,
    /// It is none of those that get one.
    Not(Unstamped),
}

/// Why a workload is none of those that get a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unstamped {
    /// The settings say so.
    Setting,
    /// There must be a key, and there is none.
    NoKey,
    /// The API server refuses a change of its pod template.
    Immutable,
    /// A change of its pod template restarts nothing, and the configuration does not name its kind.
    NeverRolls,
    /// Its pod template has a fixed name, under which it must not change.
    FixedName,
    /// What it reads is not all in a partial input: it keeps the checksum that it has.
    Partial,
}

/// Shown as a clause about the workload.
impl fmt::Display for Unstamped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unstamped::Setting => "the settings give it none",
            Unstamped::NoKey => "there is no key",
            Unstamped::Immutable => "its pod template cannot be changed",
            Unstamped::NeverRolls => "a change of its pod template restarts nothing",
            Unstamped::FixedName => "its pod template has a fixed name",
            Unstamped::Partial => "something that it reads is not in this part of the input",
        })
    }
}

/// What kind of object a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// A ConfigMap.
    ConfigMap,
    /// A Secret, or what will become one.
    Secret,
    /// A SecretProviderClass of the secrets store CSI driver.
    SecretProviderClass,
}

impl SourceKind {
    /// The kind as manifests write it.
    pub fn name(self) -> &'static str {
        match self {
            SourceKind::ConfigMap => "ConfigMap",
            SourceKind::Secret => "Secret",
            SourceKind::SecretProviderClass => "SecretProviderClass",
        }
    }
}

/// One source of a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its kind.
    pub kind: SourceKind,
    /// Its name; the namespace is the workload's.
    pub name: Arc<str>,
    /// What the input of the run holds of it.
    pub standing: Standing,
    /// Whether a change of it restarts the pods.
    pub reload: Reload,
    /// Who says so.
    pub word: Word,
    /// The ways in which it is read.
    pub readings: Vec<Reading>,
}

impl Input {
    /// Whether any of it is in the checksum of a workload that gets one.
    pub fn takes_part(&self) -> bool {
        self.standing.takes_part() && self.readings.iter().any(|reading| reading.counts)
    }
}

/// What the input holds of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The object, with its content.
    Present(ObjRef),
    /// An object with ciphertext that stands in for it.
    Proxy(ObjRef),
    /// Ciphertext that the settings keep out.
    Encrypted(ObjRef),
    /// Nothing, and the workload does without it.
    Absent,
    /// Nothing, and the workload needs it.
    Missing,
    /// An object that makes it when it runs.
    Product(ObjRef),
    /// The object, under a name of its content: a change of it changes what the workload says.
    Versioned(ObjRef),
    /// The object, whose content somebody fills in at run time.
    Filled(ObjRef, &'static str),
}

impl Standing {
    /// Whether a source of this standing has an entry in checksums.
    pub fn takes_part(self) -> bool {
        matches!(self, Standing::Present(_) | Standing::Proxy(_) | Standing::Absent)
    }

    /// The object of the input that is, or makes, the source.
    pub fn object(self) -> Option<ObjRef> {
        match self {
            Standing::Present(object)
            | Standing::Proxy(object)
            | Standing::Encrypted(object)
            | Standing::Versioned(object)
            | Standing::Product(object)
            | Standing::Filled(object, _) => Some(object),
            Standing::Absent | Standing::Missing => None,
        }
    }
}

/// Who says what a change of a source does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Word {
    /// Nobody.
    #[default]
    Default,
    /// The source, there.
    Source(Place),
    /// The workload, there.
    Workload(Place),
    /// An annotation for another tool that restarts pods, there.
    OtherTool(Place),
    /// The configuration, there.
    Configuration(Place),
}

/// One way in which a source is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Which of the references of the run ([`Linked::references`](super::Linked::references)).
    pub reference: usize,
    /// How.
    pub how: How,
    /// Whether the kubelet brings a change to running pods.
    pub is_refreshed: bool,
    /// Whether it is in the checksum, as far as the policy says.
    pub counts: bool,
}

/// How a container gets at a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// One key, in a variable.
    EnvKey(Arc<str>),
    /// All keys of `data`, as variables.
    EnvFrom,
    /// A volume.
    Volume,
    /// One path of a volume.
    SubPath(Arc<str>),
    /// A path of a volume that is known when the pod starts.
    SubPathExpr,
    /// By a CSI driver.
    Csi,
}

/// Shown as `env KEY`, `envFrom`, `volume`, `subPath PATH`.
impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::EnvKey(key) => write!(f, "env {key}"),
            How::EnvFrom => f.write_str("envFrom"),
            How::Volume => f.write_str("volume"),
            How::SubPath(path) => write!(f, "subPath {path}"),
            How::SubPathExpr => f.write_str("subPathExpr"),
            How::Csi => f.write_str("csi"),
        }
    }
}
