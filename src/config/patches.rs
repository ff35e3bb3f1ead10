//! Patches as they are resolved: which objects, and what changes in them.

use globset::{Glob, GlobMatcher};
use serde_json::Value as Json;

use super::raw::RawPatch;
use super::table::Spanned;
use crate::object::Object;
use crate::object::labels::LabelSelector;
use crate::source::Place;

/// A change of every object of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchRow {
    /// Which objects.
    pub target: PatchTarget,
    /// What changes.
    pub body: PatchBody,
    /// Where the patch stands in the configuration.
    pub place: Place,
}

/// What a patch changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchBody {
    /// A JSON merge patch (RFC 7386), and where it stands.
    Merge(Json, Place),
    /// A JSON patch (RFC 6902), and where it stands.
    Json6902(Json, Place),
    /// A file that nobody has read yet: its path, from the folder of the configuration and below it.
    File(Spanned<String>),
    /// A file that cannot be read; there is a finding.
    Unread,
}

/// Conditions that all must hold; without any, a target is every object.
#[derive(Clone, Debug, Default)]
pub struct PatchTarget {
    group: Option<GlobMatcher>,
    version: Option<GlobMatcher>,
    kind: Option<GlobMatcher>,
    namespace: Option<GlobMatcher>,
    name: Option<GlobMatcher>,
    labels: Option<LabelSelector>,
}

/// Equal patterns are equal targets.
impl PartialEq for PatchTarget {
    fn eq(&self, other: &Self) -> bool {
        let globs = |target: &Self| {
            let all = [&target.group, &target.version, &target.kind, &target.namespace, &target.name];
            all.map(|glob| glob.as_ref().map(|glob| glob.glob().clone()))
        };
        globs(self) == globs(other) && self.labels == other.labels
    }
}

impl Eq for PatchTarget {}

impl PatchTarget {
    /// Whether an object is meant. An object without a namespace has the empty one.
    pub fn matches(&self, object: &Object<'_>) -> bool {
        let is = |glob: &Option<GlobMatcher>, text: &str| glob.as_ref().is_none_or(|glob| glob.is_match(text));
        is(&self.group, &object.id.group)
            && is(&self.version, &object.version)
            && is(&self.kind, &object.id.kind)
            && is(&self.namespace, object.id.namespace.as_deref().unwrap_or(""))
            && is(&self.name, object.id.name.text())
            && self.labels.as_ref().is_none_or(|labels| labels.matches(object))
    }
}

/// A row that says one thing; what is wrong with others has its finding.
pub(super) fn patch_row(row: RawPatch) -> Option<PatchRow> {
    let glob = |text: Option<Spanned<String>>| match text {
        Some(text) => Glob::new(&text.value).ok().map(|glob| Some(glob.compile_matcher())),
        None => Some(None),
    };
    let (body, place) = match (row.merge, row.json6902, row.path) {
        (Some(merge), None, None) => (PatchBody::Merge(merge.value, merge.place), merge.place),
        (None, Some(patch), None) => (PatchBody::Json6902(patch.value, patch.place), patch.place),
        (None, None, Some(path)) => {
            let place = path.place;
            (PatchBody::File(path), place)
        }
        _ => return None,
    };
    let target = PatchTarget {
        group: glob(row.group)?,
        version: glob(row.version)?,
        kind: glob(row.kind)?,
        namespace: glob(row.namespace)?,
        name: glob(row.name)?,
        labels: row.labels.map(|labels| labels.value.parse()).transpose().ok()?,
    };
    Some(PatchRow { target, body, place })
}
