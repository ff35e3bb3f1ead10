//! The configuration as it was written: what a file sets, and where.

mod added;
mod rows;

use std::collections::BTreeMap;

pub use added::{RawConfigVersion, RawFiller, RawMeshJob, RawPatch, RawProducer, RawReferenceField, RawStage};
use rows::DOCUMENT;
pub(in crate::config) use rows::SPEC;

use super::reader::Reader;
use super::schema as json_schema;
use super::settings::Bands;
use super::table::{FieldHelp, Spanned, describe, lay_over};
use super::words::{
    ChecksumMode, EdgeReason, Encrypted, EngineName, External, FluxSource, ForeignReload, MeshGate, PolicyGates,
    ProducerGates, SkipDryRun, SplitVersion, WaveMode,
};
use crate::finding::{Findings, Severity, Threshold, is_near};
use crate::object::reload::Reload;
use crate::object::{GroupKind, Scope};
use crate::source::{DocumentStart, Place};
use crate::tree::{FieldPath, Key, Node};

/// The `apiVersion` of the configuration.
pub const API_VERSION: &str = "tidegate.dev/v1alpha1";

/// The `kind` of the configuration.
pub const KIND: &str = "Tidegate";

/// What a configuration sets; nothing where it is silent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// `apiVersion`: always [`API_VERSION`] where it is set.
    pub api_version: Option<Spanned<String>>,
    /// `kind`: always [`KIND`] where it is set.
    pub kind: Option<Spanned<String>>,
    /// `spec.namespace`.
    pub namespace: Option<Spanned<String>>,
    /// `spec.writeNamespace`.
    pub write_namespace: Option<Spanned<bool>>,
    /// Whether the input is one part of what is deployed together.
    pub partial: Option<Spanned<bool>>,
    /// `spec.input.strict`.
    pub strict_input: Option<Spanned<bool>>,
    /// `spec.input.allowEmpty`.
    pub allow_empty: Option<Spanned<bool>>,
    /// `spec.engine.name`.
    pub engine: Option<Spanned<EngineName>>,
    /// `spec.waves.mode`.
    pub wave_mode: Option<Spanned<WaveMode>>,
    /// `spec.waves.bands`.
    pub bands: RawBands,
    /// `spec.checksums.mode`.
    pub checksum_mode: Option<Spanned<ChecksumMode>>,
    /// `spec.checksums.encrypted`.
    pub encrypted: Option<Spanned<Encrypted>>,
    /// `spec.checksums.csi`.
    pub csi: Option<Spanned<bool>>,
    /// `spec.checksums.requireKey`.
    pub require_key: Option<Spanned<bool>>,
    /// `spec.reload.annotations`.
    pub foreign_reload: Option<Spanned<ForeignReload>>,
    /// `spec.reload.rules`.
    pub reload_rules: Vec<Spanned<RawReload>>,
    /// `spec.versioned.keep`.
    pub keep_versions: Option<Spanned<bool>>,
    /// `spec.versioned.sources`.
    pub versioned: Vec<Spanned<RawSources>>,
    /// `spec.references.podTemplates`.
    pub pod_templates: Vec<Spanned<RawPodTemplate>>,
    /// `spec.references.fields`.
    pub reference_fields: Vec<Spanned<RawReferenceField>>,
    /// `spec.references.producers`.
    pub producers: Vec<Spanned<RawProducer>>,
    /// `spec.references.fillers`.
    pub fillers: Vec<Spanned<RawFiller>>,
    /// `spec.references.configVersions`.
    pub config_versions: Vec<Spanned<RawConfigVersion>>,
    /// `spec.stages`.
    pub stages: Vec<Spanned<RawStage>>,
    /// `spec.engine.argocd.skipDryRun`.
    pub skip_dry_run: Option<Spanned<SkipDryRun>>,
    /// `spec.convert.trafficSplit`.
    pub traffic_split: Option<Spanned<SplitVersion>>,
    /// `spec.convert.weightLimit`.
    pub weight_limit: Option<Spanned<i64>>,
    /// `spec.convert.allowLossy`.
    pub allow_lossy: Option<Spanned<bool>>,
    /// `spec.convert.lenient`.
    pub lenient_weights: Option<Spanned<bool>>,
    /// `spec.templates.values`.
    pub template_values: Vec<Spanned<String>>,
    /// `spec.patches`.
    pub patches: Vec<Spanned<RawPatch>>,
    /// `spec.engine.flux`.
    pub flux: RawFlux,
    /// `spec.gates.producers`.
    pub gate_producers: Option<Spanned<ProducerGates>>,
    /// `spec.gates.policies`.
    pub gate_policies: Option<Spanned<PolicyGates>>,
    /// `spec.gates.mesh`.
    pub gate_mesh: Option<Spanned<MeshGate>>,
    /// `spec.gates.meshJob`.
    pub mesh_job: RawMeshJob,
    /// `spec.edges.dependsOn`.
    pub depends_on: Vec<Spanned<RawDependency>>,
    /// `spec.edges.ignore`.
    pub ignored_edges: Vec<Spanned<RawIgnoredEdge>>,
    /// `spec.findings.failOn`.
    pub fail_on: Option<Spanned<Threshold>>,
    /// `spec.findings.ignore`.
    pub ignore: Vec<Spanned<RawIgnore>>,
    /// `spec.findings.severities`.
    pub severities: Vec<Spanned<RawSeverity>>,
    /// `spec.kinds`.
    pub kinds: Vec<Spanned<RawKind>>,
    /// `spec.external.default`.
    pub external: Option<Spanned<External>>,
    /// `spec.external.objects`.
    pub external_objects: Vec<Spanned<RawExternal>>,
}

/// `spec.waves.bands`: the first wave of each stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawBands {
    /// Of the config stage.
    pub config: Option<Spanned<i64>>,
    /// Of the crd stage.
    pub crd: Option<Spanned<i64>>,
    /// Of the workload stage.
    pub workload: Option<Spanned<i64>>,
}

/// `spec.engine.flux`: where Flux finds the output, and how it applies it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawFlux {
    /// What the names of the Kustomizations begin with.
    pub name: Option<Spanned<String>>,
    /// The namespace of the Kustomizations.
    pub namespace: Option<Spanned<String>>,
    /// The kind of the source.
    pub source_kind: Option<Spanned<FluxSource>>,
    /// The name of the source.
    pub source_name: Option<Spanned<String>>,
    /// The namespace of the source.
    pub source_namespace: Option<Spanned<String>>,
    /// Where the output folder lies in the source.
    pub path: Option<Spanned<String>>,
    /// How often Flux looks.
    pub interval: Option<Spanned<String>>,
    /// How long Flux waits until all is ready.
    pub timeout: Option<Spanned<String>>,
    /// Whether Flux removes what the folder no longer holds.
    pub prune: Option<Spanned<bool>>,
}

/// A row of `spec.findings.ignore`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawIgnore {
    /// The rule's id.
    pub rule: Option<Spanned<String>>,
    /// The object, as findings name it.
    pub object: Option<Spanned<String>>,
    /// Why; for readers of the file.
    pub reason: Option<Spanned<String>>,
}

/// A row of `spec.findings.severities`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSeverity {
    /// The rule's id.
    pub rule: Option<Spanned<String>>,
    /// The severity of its findings.
    pub severity: Option<Spanned<Severity>>,
}

/// A row of `spec.edges.dependsOn`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawDependency {
    /// A pattern of what comes first.
    pub from: Option<Spanned<String>>,
    /// A pattern of what waits.
    pub to: Option<Spanned<String>>,
}

/// A row of `spec.edges.ignore`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawIgnoredEdge {
    /// A pattern of what would come first.
    pub from: Option<Spanned<String>>,
    /// A pattern of what would wait.
    pub to: Option<Spanned<String>>,
    /// Why it would.
    pub reason: Option<Spanned<EdgeReason>>,
}

/// A row of `spec.reload.rules`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawReload {
    /// A pattern of sources.
    pub source: Option<Spanned<String>>,
    /// Labels that the sources must have.
    pub labels: Option<Spanned<String>>,
    /// A pattern of the workloads that read them.
    pub workload: Option<Spanned<String>>,
    /// What a change does.
    pub policy: Option<Spanned<Reload>>,
}

/// A row of `spec.versioned.sources`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawSources {
    /// A pattern of sources.
    pub source: Option<Spanned<String>>,
    /// Labels that the sources must have.
    pub labels: Option<Spanned<String>>,
}

/// A row of `spec.kinds`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawKind {
    /// The API group, empty for the core group.
    pub group: Option<Spanned<String>>,
    /// The kind.
    pub kind: Option<Spanned<String>>,
    /// Whether its objects live in namespaces.
    pub scope: Option<Spanned<Scope>>,
}

/// A row of `spec.references.podTemplates`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawPodTemplate {
    /// The API group, empty for the core group.
    pub group: Option<Spanned<String>>,
    /// The kind.
    pub kind: Option<Spanned<String>>,
    /// The way to the template, with dots between the keys.
    pub path: Option<Spanned<String>>,
}

impl RawPodTemplate {
    /// The group and kind of a row that has both.
    pub fn group_kind(&self) -> Option<GroupKind> {
        let (group, kind) = (self.group.as_ref()?, self.kind.as_ref()?);
        Some(GroupKind::new(group.value.as_str(), kind.value.as_str()))
    }
}

/// A row of `spec.external.objects`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawExternal {
    /// The API group, empty for the core group.
    pub group: Option<Spanned<String>>,
    /// The kind.
    pub kind: Option<Spanned<String>>,
    /// A pattern of namespaces.
    pub namespace: Option<Spanned<String>>,
    /// A pattern of names.
    pub name: Option<Spanned<String>>,
}

impl RawBands {
    /// The bands with the defaults of those that are not set.
    pub fn resolve(&self) -> Bands {
        let default = Bands::default();
        let wave = |band: &Option<Spanned<i64>>, default| band.as_ref().map_or(default, |b| b.value);
        Bands {
            config: wave(&self.config, default.config),
            crd: wave(&self.crd, default.crd),
            workload: wave(&self.workload, default.workload),
        }
    }
}

impl RawKind {
    /// The group and kind of a row that has both.
    pub fn group_kind(&self) -> Option<GroupKind> {
        let (group, kind) = (self.group.as_ref()?, self.kind.as_ref()?);
        Some(GroupKind::new(group.value.as_str(), kind.value.as_str()))
    }
}

impl Raw {
    /// This configuration over another one: what it is silent about is as it is there. A list counts as a
    /// whole.
    #[must_use]
    pub fn over(mut self, mut below: Raw) -> Raw {
        lay_over(DOCUMENT, &mut self, &mut below);
        self
    }
}

/// Every field of the configuration, sections before what they hold.
pub fn fields() -> Vec<FieldHelp> {
    let mut rows = Vec::new();
    describe(DOCUMENT, "", &mut rows);
    rows
}

/// The JSON Schema of the configuration, 2 spaces a level and a line break at the end.
pub fn schema() -> String {
    format!("{:#}\n", json_schema::document(DOCUMENT))
}

/// Reads a configuration from the root of its document, which begins at `at`.
///
/// Whatever is wrong becomes a finding, and the rest counts. Nothing comes back for an object of
/// another kind or version: its fields may mean anything, and nothing more is said about it.
pub fn from_node(node: &Node<'_>, at: DocumentStart, found: &mut Findings) -> Option<Raw> {
    let mut raw = Raw::default();
    let mut reader = Reader::new(at, found);
    let other = other_object(node);
    for (key, value) in &other {
        reader.field(DOCUMENT, key, value, &mut raw);
    }
    if !other.is_empty() {
        return None;
    }
    reader.mapping(DOCUMENT, node, &mut raw);
    node.mapping()?;
    check_bands(&mut raw.bands, &mut reader);
    let (kinds, templates) = (&["spec", "kinds"], &["spec", "references", "podTemplates"]);
    check_kinds(kinds, &mut raw.kinds, RawKind::group_kind, &mut reader);
    check_kinds(templates, &mut raw.pod_templates, RawPodTemplate::group_kind, &mut reader);
    added::check_patches(&mut raw.patches, &mut reader);
    added::check_fillers(&mut raw.fillers, &mut reader);
    check_kinds(&["spec", "stages"], &mut raw.stages, RawStage::group_kind, &mut reader);
    Some(raw)
}

/// The entries that say that an object is something else; a slip of the pen says nothing.
fn other_object<'n, 's>(node: &'n Node<'s>) -> Vec<&'n (Key<'s>, Node<'s>)> {
    let is_other = |(key, expected)| {
        let entry = node.mapping()?.entry(key)?;
        let text = entry.1.as_str()?;
        (text != expected && !is_near(text, expected)).then_some(entry)
    };
    [("apiVersion", API_VERSION), ("kind", KIND)].into_iter().filter_map(is_other).collect()
}

/// Bands must ascend, those that are not set counting with their defaults; else none of them counts.
fn check_bands(bands: &mut RawBands, reader: &mut Reader<'_>) {
    let Bands { config, crd, workload } = bands.resolve();
    if config < crd && crd < workload {
        return;
    }
    let message =
        format!("`spec.waves.bands` must ascend from config to crd to workload, not {config}, {crd}, {workload}");
    let set = [&bands.config, &bands.crd, &bands.workload];
    let places: Vec<_> = set.into_iter().flatten().map(|band| band.place).collect();
    let path = FieldPath::keys(["spec", "waves", "bands"]);
    let remedy = Some(format!("without them the bands are {}", Bands::default()));
    reader.push(message, &path, &places, remedy);
    *bands = RawBands::default();
}

/// A kind has one row; later ones are refused.
fn check_kinds<R>(
    list: &[&str],
    rows: &mut Vec<Spanned<R>>,
    group_kind: fn(&R) -> Option<GroupKind>,
    reader: &mut Reader<'_>,
) {
    let mut first: BTreeMap<GroupKind, Place> = BTreeMap::new();
    let path = FieldPath::keys(list.iter().copied());
    rows.retain(|row| {
        let Some(kind) = group_kind(&row.value) else {
            return false;
        };
        let Some(before) = first.get(&kind) else {
            first.insert(kind, row.place);
            return true;
        };
        let message = format!("`{path}` has two rows for {kind}");
        let remedy = Some("keep one of them".to_owned());
        reader.push(message, &path, &[row.place, *before], remedy);
        false
    });
}
