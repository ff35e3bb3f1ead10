//! Settings about sources: which restart pods, and which get a name of their content.

use crate::config::raw::{RawReload, RawSources};
use crate::config::table::Spanned;
use crate::config::words::ForeignReload;
use crate::object::Object;
use crate::object::labels::LabelSelector;
use crate::object::pattern::Pattern;
use crate::object::reload::Reload;
use crate::source::Place;

/// Which changes of configuration restart pods, where `tidegate.dev/reload` says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReloadSettings {
    /// What the annotations of Reloader and wave mean.
    pub annotations: ForeignReload,
    /// Policies; the first row that fits counts.
    pub rules: Vec<ReloadRow>,
}

/// A policy for some sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReloadRow {
    /// The sources.
    pub sources: SourceRow,
    /// The workloads that read them; any where there is none.
    pub workload: Option<Pattern>,
    /// What a change does.
    pub policy: Reload,
}

/// ConfigMaps and Secrets, by pattern and labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRow {
    /// Kind, namespace and name.
    pub pattern: Pattern,
    /// Labels that they must have.
    pub labels: Option<LabelSelector>,
    /// Where the row stands.
    pub place: Place,
}

impl SourceRow {
    /// Whether an object is one of them.
    pub fn matches(&self, object: &Object<'_>) -> bool {
        self.pattern.matches(&object.id) && self.labels.as_ref().is_none_or(|labels| labels.matches(object))
    }
}

/// Configuration that gets a name of its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionedSettings {
    /// Whether old versions are never pruned.
    pub keep: bool,
    /// Sources that are versioned unless their annotation says otherwise.
    pub sources: Vec<SourceRow>,
}

pub(super) fn reload_row(row: RawReload) -> Option<ReloadRow> {
    let workload = row.workload.map(|workload| workload.value.parse()).transpose().ok()?;
    Some(ReloadRow { sources: source(row.source?, row.labels)?, workload, policy: row.policy?.value })
}

fn source(source: Spanned<String>, labels: Option<Spanned<String>>) -> Option<SourceRow> {
    let labels = labels.map(|labels| labels.value.parse()).transpose().ok()?;
    Some(SourceRow { pattern: source.value.parse().ok()?, labels, place: source.place })
}

pub(super) fn source_row(row: RawSources) -> Option<SourceRow> {
    source(row.source?, row.labels)
}
