//! What holds for Flux alone.

use super::raw::RawFlux;
use super::table::Spanned;
use super::words::FluxSource;

/// What holds for Flux alone: where it finds the output, and how it applies it. The defaults are what
/// `flux bootstrap` sets up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flux {
    /// What the names of the Kustomizations begin with; the name of the output folder where it is absent.
    pub name: Option<String>,
    /// The namespace of the Kustomizations.
    pub namespace: String,
    /// The kind of the source.
    pub source_kind: FluxSource,
    /// The name of the source.
    pub source_name: String,
    /// The namespace of the source; that of the Kustomizations where it is absent.
    pub source_namespace: Option<String>,
    /// Where the output folder lies in the source; as it was named where it is absent.
    pub path: Option<String>,
    /// How often Flux looks, as a Go duration.
    pub interval: String,
    /// How long Flux waits until all is ready, as a Go duration.
    pub timeout: String,
    /// Whether Flux removes what the folder no longer holds.
    pub prune: bool,
}

impl Default for Flux {
    fn default() -> Self {
        Flux {
            name: None,
            namespace: "flux-system".to_owned(),
            source_kind: FluxSource::default(),
            source_name: "flux-system".to_owned(),
            source_namespace: None,
            path: None,
            interval: "10m".to_owned(),
            timeout: "5m".to_owned(),
            prune: false,
        }
    }
}

impl Flux {
    pub(super) fn resolve(raw: RawFlux) -> Self {
        let default = Flux::default();
        let value = |set: Option<Spanned<String>>| set.map(|set| set.value);
        Flux {
            name: value(raw.name),
            namespace: value(raw.namespace).unwrap_or(default.namespace),
            source_kind: raw.source_kind.map_or(default.source_kind, |kind| kind.value),
            source_name: value(raw.source_name).unwrap_or(default.source_name),
            source_namespace: value(raw.source_namespace),
            path: value(raw.path),
            interval: value(raw.interval).unwrap_or(default.interval),
            timeout: value(raw.timeout).unwrap_or(default.timeout),
            prune: raw.prune.is_some_and(|prune| prune.value),
        }
    }
}
