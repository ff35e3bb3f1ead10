//! Rows that add to what tidegate knows, and patches: as they were written.

use serde_json::Value as Json;

use crate::config::reader::Reader;
use crate::config::table::Spanned;
use crate::config::words::{MeshJobPlacement, StageName};
use crate::object::GroupKind;
use crate::tree::FieldPath;

/// A row of `spec.references.fields`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawReferenceField {
    /// The API group of the referrer, empty for the core group.
    pub group: Option<Spanned<String>>,
    /// Its kind.
    pub kind: Option<Spanned<String>>,
    /// The way to the name.
    pub path: Option<Spanned<String>>,
    /// `KIND` or `KIND.GROUP` of the target.
    pub to: Option<Spanned<String>>,
    /// The field beside the name that says which key is read.
    pub key: Option<Spanned<String>>,
    /// Whether the referrer does without it.
    pub optional: Option<Spanned<bool>>,
    /// Whether the target comes first.
    pub orders: Option<Spanned<bool>>,
}

/// A row of `spec.references.producers`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawProducer {
    /// The API group of the maker, empty for the core group.
    pub group: Option<Spanned<String>>,
    /// Its kind.
    pub kind: Option<Spanned<String>>,
    /// `KIND` or `KIND.GROUP` of the product.
    pub makes: Option<Spanned<String>>,
    /// The name of the product, with `*` for the maker's own.
    pub name: Option<Spanned<String>>,
    /// The way to the field that says the name.
    pub path: Option<Spanned<String>>,
    /// Its keys.
    pub keys: Vec<Spanned<String>>,
}

/// A row of `spec.references.fillers`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawFiller {
    /// The name of an annotation.
    pub annotation: Option<Spanned<String>>,
    /// The name of a label.
    pub label: Option<Spanned<String>>,
    /// The values that count.
    pub values: Vec<Spanned<String>>,
    /// Who fills it.
    pub by: Option<Spanned<String>>,
}

/// A row of `spec.references.configVersions`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawConfigVersion {
    /// A pattern of ConfigMaps.
    pub source: Option<Spanned<String>>,
    /// The key.
    pub key: Option<Spanned<String>>,
    /// A JSON pointer into its value.
    pub pointer: Option<Spanned<String>>,
}

/// `spec.gates.meshJob`: the Job that waits for a mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawMeshJob {
    /// Where it runs.
    pub placement: Option<Spanned<MeshJobPlacement>>,
    /// Its image.
    pub image: Option<Spanned<String>>,
    /// How long it waits, in seconds.
    pub timeout: Option<Spanned<i64>>,
    /// Its namespace.
    pub namespace: Option<Spanned<String>>,
    /// What of Linkerd must answer.
    pub linkerd: Vec<Spanned<String>>,
    /// What of Istio must answer.
    pub istio: Vec<Spanned<String>>,
}

/// A row of `spec.stages`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawStage {
    /// The API group, empty for the core group.
    pub group: Option<Spanned<String>>,
    /// The kind.
    pub kind: Option<Spanned<String>>,
    /// The stage.
    pub stage: Option<Spanned<StageName>>,
}

impl RawStage {
    /// The group and kind of a row that has both.
    pub fn group_kind(&self) -> Option<GroupKind> {
        let (group, kind) = (self.group.as_ref()?, self.kind.as_ref()?);
        Some(GroupKind::new(group.value.as_str(), kind.value.as_str()))
    }
}

/// A row of `spec.patches`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawPatch {
    /// A pattern of groups.
    pub group: Option<Spanned<String>>,
    /// A pattern of versions.
    pub version: Option<Spanned<String>>,
    /// A pattern of kinds.
    pub kind: Option<Spanned<String>>,
    /// A pattern of namespaces.
    pub namespace: Option<Spanned<String>>,
    /// A pattern of names.
    pub name: Option<Spanned<String>>,
    /// A label selector.
    pub labels: Option<Spanned<String>>,
    /// A merge patch, a mapping.
    pub merge: Option<Spanned<Json>>,
    /// A JSON patch, a list.
    pub json6902: Option<Spanned<Json>>,
    /// A file that holds either.
    pub path: Option<Spanned<String>>,
}

/// A patch says in one way what changes; one that says it in none or in several is refused.
pub(super) fn check_patches(patches: &mut Vec<Spanned<RawPatch>>, reader: &mut Reader<'_>) {
    let path = FieldPath::keys(["spec", "patches"]);
    patches.retain(|patch| {
        let RawPatch { merge, json6902, path: file, .. } = &patch.value;
        let ways = [merge.is_some(), json6902.is_some(), file.is_some()].into_iter().filter(|has| *has).count();
        if ways != 1 {
            let message = format!("a patch of `{path}` must have one of merge, json6902 and path, not {ways} of them");
            reader.push(message, &path, &[patch.place], None);
        }
        ways == 1
    });
}

/// A filler is known by an annotation or by a label.
pub(super) fn check_fillers(fillers: &mut Vec<Spanned<RawFiller>>, reader: &mut Reader<'_>) {
    let path = FieldPath::keys(["spec", "references", "fillers"]);
    fillers.retain(|filler| {
        let is_one = filler.value.annotation.is_some() != filler.value.label.is_some();
        if !is_one {
            let message = format!("a row of `{path}` must have either annotation or label");
            reader.push(message, &path, &[filler.place], None);
        }
        is_one
    });
}
