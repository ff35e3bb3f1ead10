//! The settings of a run: what the file says, under what the environment and the flags say.

use std::fmt;

use super::conversion::{ConvertSettings, ServedVersion};
use super::openapi::OpenApi;
use super::raw::{Raw, RawDependency, RawExternal, RawIgnore, RawIgnoredEdge, RawKind, RawPodTemplate};
use super::table::Spanned;
use super::words::{
    ChecksumMode, EdgeReason, Encrypted, EngineName, External, PolicyGates, ProducerGates, SkipDryRun, WaveMode,
};
use crate::finding::{self, Ignore, Label, Threshold};
use crate::object::pattern::Pattern;
use crate::object::view::pod_template::NamedTemplate;
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
    /// What objects refer to, beside what the tables know.
    pub references: ReferenceSettings,
    /// What holds for Argo CD alone.
    pub argocd: Argocd,
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
    /// How much input is too much.
    pub limits: Limits,
    /// What kinds that Kubernetes has built in are held to; never part of a file.
    pub openapi: Option<OpenApi>,
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

/// What objects refer to, beside what the tables know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReferenceSettings {
    /// Kinds that hold a pod template; no kind has two rows.
    pub pod_templates: Vec<NamedTemplate>,
}

/// Which waits become gates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gates {
    /// Whether pods wait for what makes what they read.
    pub producers: ProducerGates,
    /// Whether anything waits for policy engines.
    pub policies: PolicyGates,
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
    /// The documents of `--openapi`.
    pub openapi: Option<OpenApi>,
    /// `--fail-on`; `--strict` is [`Threshold::Warning`].
    pub fail_on: Option<Threshold>,
    /// Findings to leave out, of any rule. Those of flags and environment add up.
    pub ignore: Vec<Ignore>,
    /// Limits, which a file cannot change.
    pub limits: LimitOverrides,
}

/// Other [`Limits`] than the default ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitOverrides {
    /// For [`Limits::nesting`].
    pub nesting: Option<usize>,
    /// For [`Limits::alias_free`].
    pub alias_free: Option<u64>,
    /// For [`Limits::alias_ratio`].
    pub alias_ratio: Option<u64>,
    /// For [`Limits::document_bytes`].
    pub document_bytes: Option<usize>,
    /// For [`Limits::file_bytes`].
    pub file_bytes: Option<u64>,
    /// For [`Limits::total_bytes`].
    pub total_bytes: Option<u64>,
    /// For [`Limits::objects`].
    pub objects: Option<usize>,
}

impl LimitOverrides {
    /// Limits with those that are given here, the others as they are in `below`.
    fn over(&self, below: &Limits) -> Limits {
        Limits {
            nesting: self.nesting.unwrap_or(below.nesting),
            alias_free: self.alias_free.unwrap_or(below.alias_free),
            alias_ratio: self.alias_ratio.unwrap_or(below.alias_ratio),
            document_bytes: self.document_bytes.unwrap_or(below.document_bytes),
            file_bytes: self.file_bytes.unwrap_or(below.file_bytes),
            total_bytes: self.total_bytes.unwrap_or(below.total_bytes),
            objects: self.objects.unwrap_or(below.objects),
        }
    }
}

impl Settings {
    /// The settings of a run. A flag beats the environment, the environment beats the file, and the
    /// file beats the default; limits come from flags and environment alone.
    pub fn resolve(file: Option<Raw>, env: Overrides, flags: Overrides) -> Settings {
        let file = file.unwrap_or_default();
        let limits = flags.limits.over(&env.limits.over(&Limits::default()));
        let ignore_by_operator = env.ignore.into_iter().chain(flags.ignore).collect();
        Settings {
            namespace: pick(flags.namespace, env.namespace, file.namespace),
            write_namespace: pick(flags.write_namespace, env.write_namespace, file.write_namespace).unwrap_or_default(),
            partial: pick(flags.partial, env.partial, file.partial).unwrap_or_default(),
            input: InputSettings {
                strict: pick(flags.strict_input, env.strict_input, file.strict_input).unwrap_or_default(),
                allow_empty: pick(flags.allow_empty, env.allow_empty, file.allow_empty).unwrap_or_default(),
            },
            engine: pick(flags.engine, env.engine, file.engine).unwrap_or_default(),
            waves: Waves {
                mode: pick(flags.wave_mode, env.wave_mode, file.wave_mode).unwrap_or_default(),
                bands: file.bands.resolve(),
            },
            checksums: ChecksumSettings {
                mode: pick(None, None, file.checksum_mode).unwrap_or_default(),
                encrypted: pick(None, None, file.encrypted).unwrap_or_default(),
                csi: pick(None, None, file.csi).unwrap_or_default(),
                require_key: pick(None, None, file.require_key).unwrap_or_default(),
                key: flags.checksum_key.or(env.checksum_key),
            },
            references: ReferenceSettings { pod_templates: rows(file.pod_templates, pod_template) },
            argocd: Argocd { skip_dry_run: pick(None, None, file.skip_dry_run).unwrap_or_default() },
            gates: Gates {
                producers: pick(None, None, file.gate_producers).unwrap_or_default(),
                policies: pick(None, None, file.gate_policies).unwrap_or_default(),
            },
            edges: EdgeSettings {
                depends_on: rows(file.depends_on, dependency),
                ignore: rows(file.ignored_edges, ignored_edge),
            },
            findings: FindingSettings {
                fail_on: pick(flags.fail_on, env.fail_on, file.fail_on).unwrap_or_default(),
                ignore: rows(file.ignore, ignore),
                ignore_by_operator,
            },
            kinds: rows(file.kinds, kind_row),
            convert: ConvertSettings {
                traffic_split: pick(None, None, file.traffic_split).unwrap_or_default(),
                weight_limit: pick(None, None, file.weight_limit).and_then(|limit| u64::try_from(limit).ok()),
                allow_lossy: pick(None, None, file.allow_lossy).unwrap_or_default(),
                lenient: pick(None, None, file.lenient_weights).unwrap_or_default(),
                api_versions: flags
                    .api_versions
                    .filter(|given| !given.is_empty())
                    .or(env.api_versions)
                    .unwrap_or_default(),
            },
            openapi: flags.openapi.or(env.openapi),
            external: ExternalSettings {
                default: file.external.map(|set| set.value).unwrap_or_default(),
                objects: rows(file.external_objects, external_row),
            },
            limits,
        }
    }
}

/// The value that counts, if anybody gives one.
fn pick<V>(flag: Option<V>, env: Option<V>, file: Option<Spanned<V>>) -> Option<V> {
    flag.or(env).or(file.map(|set| set.value))
}

/// The rows of a list that are whole; a row that is not has its finding.
fn rows<R, V>(rows: Vec<Spanned<R>>, resolve: fn(R) -> Option<V>) -> Vec<V> {
    rows.into_iter().filter_map(|row| resolve(row.value)).collect()
}

fn ignore(row: RawIgnore) -> Option<Ignore> {
    let rule = row.rule?;
    Some(Ignore {
        label: Some(Label::new(rule.place)),
        id: rule.value,
        reason: row.reason.map(|reason| reason.value).unwrap_or_default(),
        scope: row
            .object
            .map_or(finding::Scope::Everything, |object| finding::Scope::Object { name: object.value, place: None }),
        operator: false,
    })
}

fn pod_template(row: RawPodTemplate) -> Option<NamedTemplate> {
    let path = row.path.as_ref()?.value.split('.').map(str::to_owned).collect();
    Some(NamedTemplate { kind: row.group_kind()?, path })
}

fn dependency(row: RawDependency) -> Option<EdgeRow> {
    edge_row(row.from?, row.to?, None)
}

fn ignored_edge(row: RawIgnoredEdge) -> Option<EdgeRow> {
    edge_row(row.from?, row.to?, row.reason.map(|reason| reason.value))
}

fn edge_row(from: Spanned<String>, to: Spanned<String>, reason: Option<EdgeReason>) -> Option<EdgeRow> {
    Some(EdgeRow { from: from.value.parse().ok()?, to: to.value.parse().ok()?, reason, place: from.place })
}

fn kind_row(row: RawKind) -> Option<KindRow> {
    Some(KindRow { kind: row.group_kind()?, scope: row.scope?.value })
}

fn external_row(row: RawExternal) -> Option<ExternalRow> {
    let value = |set: Option<Spanned<String>>| set.map(|set| set.value);
    let (group, namespace) = (value(row.group), value(row.namespace));
    Some(ExternalRow { group, kind: row.kind?.value, namespace, name: row.name?.value })
}
