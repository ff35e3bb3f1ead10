//! From what a file, the environment and the flags say to the settings.

use super::super::conversion::{ConvertSettings, ServedVersion};
use super::super::flux::Flux;
use super::super::patches::patch_row;
use super::super::raw::{
    Raw, RawDependency, RawExternal, RawIgnore, RawIgnoredEdge, RawKind, RawPodTemplate, RawSeverity,
};
use super::super::references::{self, ReferenceSettings};
use super::super::table::Spanned;
use super::super::words::EdgeReason;
use super::sources::{self, ReloadSettings, VersionedSettings};
use super::*;
use crate::finding::{self, Ignore, Label, SeverityRow};
use crate::object::view::pod_template::NamedTemplate;
use crate::source::Limits;

impl Settings {
    /// The settings of a run. A flag beats the environment, the environment beats the file, and the
    /// file beats the default; limits come from flags and environment alone.
    pub fn resolve(file: Option<Raw>, env: Overrides, flags: Overrides) -> Settings {
        let mut file = file.unwrap_or_default();
        let limits = flags.limits.over(&env.limits.over(&Limits::default()));
        let severities = rows(std::mem::take(&mut file.severities), severity).into_iter();
        let severities = severities.chain(env.severities).chain(flags.severities).collect();
        let api_versions = flags.api_versions.filter(|given| !given.is_empty()).or(env.api_versions);
        let ignore_by_operator = env.ignore.into_iter().chain(flags.ignore).collect();
        let checksums = checksums(&mut file, flags.checksum_key.or(env.checksum_key));
        let (reloads, versions) = (reload(&mut file), versioned(&mut file));
        let (named, conversion) = (references(&mut file), convert(&mut file, api_versions));
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
            checksums,
            reload: reloads,
            versioned: versions,
            references: named,
            convert: conversion,
            stages: rows(file.stages, references::stage),
            templates: TemplateSettings { values: file.template_values },
            patches: rows(file.patches, patch_row),
            argocd: Argocd { skip_dry_run: pick(None, None, file.skip_dry_run).unwrap_or_default() },
            flux: Flux::resolve(file.flux),
            gates: Gates {
                producers: pick(None, None, file.gate_producers).unwrap_or_default(),
                policies: pick(None, None, file.gate_policies).unwrap_or_default(),
                mesh: pick(None, None, file.gate_mesh).unwrap_or_default(),
                mesh_job: MeshJob::resolve(file.mesh_job),
            },
            edges: EdgeSettings {
                depends_on: rows(file.depends_on, dependency),
                ignore: rows(file.ignored_edges, ignored_edge),
            },
            findings: FindingSettings {
                fail_on: pick(flags.fail_on, env.fail_on, file.fail_on).unwrap_or_default(),
                ignore: rows(file.ignore, ignore),
                ignore_by_operator,
                severities,
            },
            kinds: rows(file.kinds, kind_row),
            external: ExternalSettings {
                default: file.external.map(|set| set.value).unwrap_or_default(),
                objects: rows(file.external_objects, external_row),
            },
            openapi: flags.openapi.or(env.openapi),
            writing: flags.writing.or(env.writing).unwrap_or_default(),
            limits,
        }
    }
}

fn checksums(file: &mut Raw, key: Option<ChecksumKey>) -> ChecksumSettings {
    ChecksumSettings {
        mode: pick(None, None, std::mem::take(&mut file.checksum_mode)).unwrap_or_default(),
        encrypted: pick(None, None, std::mem::take(&mut file.encrypted)).unwrap_or_default(),
        csi: pick(None, None, std::mem::take(&mut file.csi)).unwrap_or_default(),
        require_key: pick(None, None, std::mem::take(&mut file.require_key)).unwrap_or_default(),
        key,
    }
}

fn reload(file: &mut Raw) -> ReloadSettings {
    ReloadSettings {
        annotations: pick(None, None, std::mem::take(&mut file.foreign_reload)).unwrap_or_default(),
        rules: rows(std::mem::take(&mut file.reload_rules), sources::reload_row),
    }
}

fn versioned(file: &mut Raw) -> VersionedSettings {
    VersionedSettings {
        keep: pick(None, None, std::mem::take(&mut file.keep_versions)).unwrap_or_default(),
        sources: rows(std::mem::take(&mut file.versioned), sources::source_row),
    }
}

fn references(file: &mut Raw) -> ReferenceSettings {
    ReferenceSettings {
        pod_templates: rows(std::mem::take(&mut file.pod_templates), pod_template),
        fields: rows(std::mem::take(&mut file.reference_fields), references::field),
        producers: rows(std::mem::take(&mut file.producers), references::producer),
        fillers: rows(std::mem::take(&mut file.fillers), references::filler),
        config_versions: rows(std::mem::take(&mut file.config_versions), references::config_version),
    }
}

fn convert(file: &mut Raw, api_versions: Option<Vec<ServedVersion>>) -> ConvertSettings {
    ConvertSettings {
        traffic_split: pick(None, None, std::mem::take(&mut file.traffic_split)).unwrap_or_default(),
        weight_limit: pick(None, None, std::mem::take(&mut file.weight_limit))
            .and_then(|limit| u64::try_from(limit).ok()),
        allow_lossy: pick(None, None, std::mem::take(&mut file.allow_lossy)).unwrap_or_default(),
        lenient: pick(None, None, std::mem::take(&mut file.lenient_weights)).unwrap_or_default(),
        api_versions: api_versions.unwrap_or_default(),
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

fn severity(row: RawSeverity) -> Option<SeverityRow> {
    let rule = row.rule?;
    Some(SeverityRow { place: Some(rule.place), rule: rule.value, severity: row.severity?.value, operator: false })
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
