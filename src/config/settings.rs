//! The settings of a run: what the file says, under what the environment and the flags say.

use std::fmt;

use super::raw::{Raw, RawExternal, RawIgnore, RawKind};
use super::table::Spanned;
use super::words::{EngineName, External, WaveMode};
use crate::finding::{self, Ignore, Label, Threshold};
use crate::object::{GroupKind, Scope};
use crate::source::Limits;

/// Everything that a run is told beside its input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The namespace of namespaced objects that name none.
    pub namespace: Option<String>,
    /// Whether that namespace is written into them.
    pub write_namespace: bool,
    /// What is read.
    pub input: InputSettings,
    /// Who applies the output.
    pub engine: EngineName,
    /// How objects are spread over waves.
    pub waves: Waves,
    /// What becomes of findings.
    pub findings: FindingSettings,
    /// What is to be known of kinds whose CRD is not in the input; no kind has two rows.
    pub kinds: Vec<KindRow>,
    /// Objects that others apply or make.
    pub external: ExternalSettings,
    /// How much input is too much.
    pub limits: Limits,
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
    /// Whether skipped documents are errors.
    pub strict_input: Option<bool>,
    /// `--allow-empty`.
    pub allow_empty: Option<bool>,
    /// `--engine`.
    pub engine: Option<EngineName>,
    /// `--waves`.
    pub wave_mode: Option<WaveMode>,
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
            input: InputSettings {
                strict: pick(flags.strict_input, env.strict_input, file.strict_input).unwrap_or_default(),
                allow_empty: pick(flags.allow_empty, env.allow_empty, file.allow_empty).unwrap_or_default(),
            },
            engine: pick(flags.engine, env.engine, file.engine).unwrap_or_default(),
            waves: Waves {
                mode: pick(flags.wave_mode, env.wave_mode, file.wave_mode).unwrap_or_default(),
                bands: file.bands.resolve(),
            },
            findings: FindingSettings {
                fail_on: pick(flags.fail_on, env.fail_on, file.fail_on).unwrap_or_default(),
                ignore: rows(file.ignore, ignore),
                ignore_by_operator,
            },
            kinds: rows(file.kinds, kind_row),
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

fn kind_row(row: RawKind) -> Option<KindRow> {
    Some(KindRow { kind: row.group_kind()?, scope: row.scope?.value })
}

fn external_row(row: RawExternal) -> Option<ExternalRow> {
    let value = |set: Option<Spanned<String>>| set.map(|set| set.value);
    let (group, namespace) = (value(row.group), value(row.namespace));
    Some(ExternalRow { group, kind: row.kind?.value, namespace, name: row.name?.value })
}
