//! What users add to the tables of references, makers and stages, resolved.

use super::raw::{RawConfigVersion, RawFiller, RawProducer, RawReferenceField, RawStage};
use super::table::Spanned;
use super::words::StageName;
use crate::object::GroupKind;
use crate::object::view::config_version::VersionField;
use crate::object::view::pod_template::NamedTemplate;

/// What objects refer to, beside what the tables know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReferenceSettings {
    /// Kinds that hold a pod template; no kind has two rows.
    pub pod_templates: Vec<NamedTemplate>,
    /// Fields that name other objects.
    pub fields: Vec<ReferenceField>,
    /// Kinds whose objects make others.
    pub producers: Vec<ProducerRow>,
    /// Marks on sources that somebody fills.
    pub fillers: Vec<FillerRow>,
    /// Where ConfigMaps say which version of configuration they are.
    pub config_versions: Vec<VersionField>,
}

/// A field of a kind that holds the name of another object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceField {
    /// Who refers.
    pub kind: GroupKind,
    /// The way to the name: keys with dots between them, `[]` behind a list for each of its items.
    pub path: String,
    /// Who is meant.
    pub to: GroupKind,
    /// The field beside the name that says which key is read.
    pub key: Option<String>,
    /// Whether the referrer does without it.
    pub optional: bool,
    /// Whether the target comes first.
    pub orders: bool,
}

/// What the objects of a kind make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProducerRow {
    /// Who makes.
    pub kind: GroupKind,
    /// What is made.
    pub makes: GroupKind,
    /// Its name, with `*` for the maker's own, where no path says it.
    pub name: Option<String>,
    /// The way to the field that says the name.
    pub path: Option<String>,
    /// Its keys; none where nobody knows.
    pub keys: Vec<String>,
}

/// A mark on a ConfigMap or Secret that is filled at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillerRow {
    /// Where the mark stands in the metadata: `annotations` or `labels`.
    pub field: &'static str,
    /// Its name.
    pub name: String,
    /// The values that count; none for any but the empty one, `false` and `disabled`.
    pub values: Vec<String>,
    /// Who fills it.
    pub by: String,
}

/// The stage of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageRow {
    /// The kind.
    pub kind: GroupKind,
    /// Its stage.
    pub stage: StageName,
}

fn group_kind(group: Option<Spanned<String>>, kind: Option<Spanned<String>>) -> Option<GroupKind> {
    Some(GroupKind::new(group?.value.as_str(), kind?.value.as_str()))
}

/// `KIND`, or `KIND.GROUP`.
fn kind_and_group(text: &str) -> GroupKind {
    let (kind, group) = text.split_once('.').unwrap_or((text, ""));
    GroupKind::new(group, kind)
}

pub(super) fn field(row: RawReferenceField) -> Option<ReferenceField> {
    Some(ReferenceField {
        kind: group_kind(row.group, row.kind)?,
        path: row.path?.value,
        to: kind_and_group(&row.to?.value),
        key: row.key.map(|key| key.value),
        optional: row.optional.is_some_and(|flag| flag.value),
        orders: row.orders.is_none_or(|flag| flag.value),
    })
}

pub(super) fn producer(row: RawProducer) -> Option<ProducerRow> {
    Some(ProducerRow {
        kind: group_kind(row.group, row.kind)?,
        makes: kind_and_group(&row.makes?.value),
        name: row.name.map(|name| name.value),
        path: row.path.map(|path| path.value),
        keys: row.keys.into_iter().map(|key| key.value).collect(),
    })
}

pub(super) fn filler(row: RawFiller) -> Option<FillerRow> {
    let (field, name) = match (row.annotation, row.label) {
        (Some(name), None) => ("annotations", name.value),
        (None, Some(name)) => ("labels", name.value),
        _ => return None,
    };
    let values = row.values.into_iter().map(|value| value.value).collect();
    let by = row.by.map_or_else(|| "whoever reads that mark".to_owned(), |by| by.value);
    Some(FillerRow { field, name, values, by })
}

pub(super) fn stage(row: RawStage) -> Option<StageRow> {
    Some(StageRow { kind: row.group_kind()?, stage: row.stage?.value })
}

pub(super) fn config_version(row: RawConfigVersion) -> Option<VersionField> {
    Some(VersionField { source: row.source?.value.parse().ok()?, key: row.key?.value, pointer: row.pointer?.value })
}
