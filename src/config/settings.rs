//! The settings of a run: what the file says, under what the environment and the flags say.

mod limits;
mod resolve;
mod sources;

use std::fmt;

use super::conversion::{ConvertSettings, ServedVersion};
use super::flux::Flux;
use super::mesh::MeshJob;
use super::openapi::OpenApi;
use super::patches::PatchRow;
pub use limits::LimitOverrides;
pub use sources::{ReloadRow, ReloadSettings, SourceRow, VersionedSettings};

use super::references::{ReferenceSettings, StageRow};
use super::table::Spanned;
use super::words::{
    ChecksumMode, EdgeReason, Encrypted, EngineName, External, MeshGate, PolicyGates, ProducerGates, SkipDryRun,
    WaveMode,
};
use crate::finding::{Ignore, SeverityRow, Threshold};
use crate::object::pattern::Pattern;
use crate::object::{GroupKind, Scope};
use crate::source::{Limits, Place};

/// Everything that a run is told beside its input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The namespace of namespaced objects that name none.
    pub namespace: Option<String>,
    /// Whether that namespace is written into them.
    pub write_namespace: bool,
    /// Whether the input is one part of what is deployed together: what it names may be elsewhere.
    pub partial: bool,
    /// What is read.
    pub input: InputSettings,
    /// Who applies the output.
    pub engine: EngineName,
    /// How objects are spread over waves.
    pub waves: Waves,
    /// What of the configuration that workloads read becomes a checksum.
    pub checksums: ChecksumSettings,
    /// Which changes of configuration restart pods.
    pub reload: ReloadSettings,
    /// Configuration that gets a name of its content.
    pub versioned: VersionedSettings,
    /// What objects refer to, beside what the tables know.
    pub references: ReferenceSettings,
    /// What holds for Argo CD alone.
    pub argocd: Argocd,
    /// Kinds in another stage than the table says; no kind has two rows.
    pub stages: Vec<StageRow>,
    /// What templates are rendered with.
    pub templates: TemplateSettings,
    /// Changes of objects, in the order they are made.
    pub patches: Vec<PatchRow>,
    /// What holds for Flux alone.
    pub flux: Flux,
    /// Which waits become gates.
    pub gates: Gates,
    /// What needs what, beside what is inferred.
    pub edges: EdgeSettings,
    /// What becomes of findings.
    pub findings: FindingSettings,
    /// What is to be known of kinds whose CRD is not in the input; no kind has two rows.
    pub kinds: Vec<KindRow>,
    /// What is converted on the way.
    pub convert: ConvertSettings,
    /// Objects that others apply or make.
    pub external: ExternalSettings,
    /// What becomes of what tidegate writes on objects.
    pub writing: Writing,
    /// How much input is too much.
    pub limits: Limits,
    /// What kinds that Kubernetes has built in are held to; never part of a file.
    pub openapi: Option<OpenApi>,
}

/// What becomes of what tidegate writes on objects: waves, sync options, checksums, versioned names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writing {
    /// What an earlier render wrote is taken back, and written anew.
    #[default]
    Anew,
    /// What an earlier render wrote is taken back, and nothing is written.
    Stripped,
    /// Objects are taken as they are: nothing is taken back, and nothing is written.
    AsItIs,
}

/// What is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputSettings {
    /// Whether documents that would be skipped are errors.
    pub strict: bool,
    /// Whether input without any object is no error.
    pub allow_empty: bool,
}

/// How objects are spread over waves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waves {
    /// A band for each stage, or as few waves as gates allow.
    pub mode: WaveMode,
    /// The first wave of each stage.
    pub bands: Bands,
}

/// The first wave of each stage, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// Of the config stage.
    pub config: i64,
    /// Of the crd stage.
    pub crd: i64,
    /// Of the workload stage.
    pub workload: i64,
}

impl Default for Bands {
    fn default() -> Self {
        Bands { config: -20, crd: -10, workload: 0 }
    }
}

/// Shown as `-20, -10, 0`.
impl fmt::Display for Bands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.config, self.crd, self.workload)
    }
}

/// What of the configuration that workloads read becomes a checksum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChecksumSettings {
    /// Which workloads get one.
    pub mode: ChecksumMode,
    /// How ciphertext takes part.
    pub encrypted: Encrypted,
    /// Whether what CSI drivers are told takes part: SecretProviderClasses and the Secret for mounting.
    pub csi: bool,
    /// Whether there must be a key.
    pub require_key: bool,
    /// The key, where one was handed in; never part of a file.
    pub key: Option<ChecksumKey>,
}

/// The key of keyed checksums. Nothing shows its bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct ChecksumKey(Vec<u8>);

impl ChecksumKey {
    /// A key of these bytes; nothing of none, which would keep nothing secret.
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        (!bytes.is_empty()).then_some(ChecksumKey(bytes))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for ChecksumKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChecksumKey")
    }
}

/// What templates are rendered with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateSettings {
    /// Files with values, in the order in which they go over one another: paths from the folder of
    /// the configuration, which stay below it.
    pub values: Vec<Spanned<String>>,
}

/// Which waits become gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gates {
    /// Whether pods wait for what makes what they read.
    pub producers: ProducerGates,
    /// Whether anything waits for policy engines.
    pub policies: PolicyGates,
    /// What holds meshed pods back until their control plane answers.
    pub mesh: MeshGate,
    /// What the Job that waits for a mesh is made of.
    pub mesh_job: MeshJob,
}

/// What holds for Argo CD alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Argocd {
    /// On which custom resources it goes on without their definition.
    pub skip_dry_run: SkipDryRun,
}

/// What needs what, beside what is inferred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeSettings {
    /// What waits until something else is ready.
    pub depends_on: Vec<EdgeRow>,
    /// Inferred edges that do not hold.
    pub ignore: Vec<EdgeRow>,
}

/// Edges between the objects of two patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeRow {
    /// What comes first.
    pub from: Pattern,
    /// What waits for it.
    pub to: Pattern,
    /// Why it would; none for any reason.
    pub reason: Option<EdgeReason>,
    /// Where the row stands.
    pub place: Place,
}

/// What becomes of findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingSettings {
    /// The severity from which on findings refuse the output.
    pub fail_on: Threshold,
    /// Findings that the file leaves out: never those of rules that only an operator may suppress.
    pub ignore: Vec<Ignore>,
    /// Findings that a flag or the operator's environment leaves out: of any rule.
    pub ignore_by_operator: Vec<Ignore>,
    /// Other severities: those of the file, then those of environment and flags; of several for one rule the last counts.
    pub severities: Vec<SeverityRow>,
}

/// What is to be known of a kind whose CRD is not in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindRow {
    /// The kind.
    pub kind: GroupKind,
    /// Whether its objects live in namespaces.
    pub scope: Scope,
}

/// Objects that others apply or make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalSettings {
    /// What is thought of those that are not listed.
    pub default: External,
    /// Those that are never missing.
    pub objects: Vec<ExternalRow>,
}

/// Objects that are never missing. Namespace and name are patterns (`*`, `?`, `[…]`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalRow {
    /// The API group, empty for the core group; none for any.
    pub group: Option<String>,
    /// The kind.
    pub kind: String,
    /// The namespace; none for any, and for none.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
}

/// What flags, or the operator's environment, say: nothing where they are silent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--namespace`, `TIDEGATE_NAMESPACE`.
    pub namespace: Option<String>,
    /// `--write-namespace`.
    pub write_namespace: Option<bool>,
    /// Whether the input is one part of what is deployed together.
    pub partial: Option<bool>,
    /// Whether skipped documents are errors.
    pub strict_input: Option<bool>,
    /// `--allow-empty`.
    pub allow_empty: Option<bool>,
    /// `--engine`.
    pub engine: Option<EngineName>,
    /// `--waves`.
    pub wave_mode: Option<WaveMode>,
    /// The bytes of `--checksum-key-file`, `TIDEGATE_CHECKSUM_KEY_FILE`.
    pub checksum_key: Option<ChecksumKey>,
    /// `--api-versions`, `TIDEGATE_API_VERSIONS`.
    pub api_versions: Option<Vec<ServedVersion>>,
    /// `--strip`, `--rendered`.
    pub writing: Option<Writing>,
    /// The documents of `--openapi`.
    pub openapi: Option<OpenApi>,
    /// `--fail-on`; `--strict` is [`Threshold::Warning`].
    pub fail_on: Option<Threshold>,
    /// Findings to leave out, of any rule. Those of flags and environment add up.
    pub ignore: Vec<Ignore>,
    /// Other severities for the findings of rules.
    pub severities: Vec<SeverityRow>,
    /// Limits, which a file cannot change.
    pub limits: LimitOverrides,
}
