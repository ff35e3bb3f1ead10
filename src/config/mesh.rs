//! The Job that waits for a mesh.

use super::raw::RawMeshJob;
use super::table::Spanned;
use super::words::MeshJobPlacement;

/// What the Job that waits for a mesh is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshJob {
    /// Where it runs.
    pub placement: MeshJobPlacement,
    /// An image that has `sh`, `date`, `nc` and `sleep`.
    pub image: String,
    /// How long it waits, in seconds.
    pub timeout: i64,
    /// Its namespace; the first one of the meshed workloads where it is absent.
    pub namespace: Option<String>,
    /// What of Linkerd must answer, each as `HOST:PORT`; empty for what Linkerd installs.
    pub linkerd: Vec<String>,
    /// What of Istio must answer; empty for what Istio installs.
    pub istio: Vec<String>,
}

impl Default for MeshJob {
    fn default() -> Self {
        MeshJob {
            placement: MeshJobPlacement::default(),
            image: "busybox:1.37.0".to_owned(),
            timeout: 300,
            namespace: None,
            linkerd: Vec::new(),
            istio: Vec::new(),
        }
    }
}

impl MeshJob {
    pub(super) fn resolve(raw: RawMeshJob) -> Self {
        let default = MeshJob::default();
        let value = |set: Option<Spanned<String>>| set.map(|set| set.value);
        let values = |list: Vec<Spanned<String>>| list.into_iter().map(|set| set.value).collect();
        MeshJob {
            placement: raw.placement.map_or(default.placement, |placement| placement.value),
            image: value(raw.image).unwrap_or(default.image),
            timeout: raw.timeout.map_or(default.timeout, |timeout| timeout.value),
            namespace: value(raw.namespace),
            linkerd: values(raw.linkerd),
            istio: values(raw.istio),
        }
    }
}
