//! What containers see of a pod's volumes.

use std::collections::HashMap;

use super::path::Part;
use crate::flow::{Mount, VolumeRead};
use crate::object::view::pod_template::containers;
use crate::tree::Node;

/// A pod spec, and which containers mount its volumes how.
pub(super) struct Pod<'n> {
    volumes: &'n [Node<'n>],
    /// The names of volumes that the controller replaces by claims of its own.
    replaced: Vec<&'n str>,
    mounts: HashMap<&'n str, Vec<Mount>>,
}

impl<'n> Pod<'n> {
    /// Reads the mounts of every container. A claim template of the object that makes the pods takes
    /// the place of a volume of its name (`updateStorage` in kubernetes, pkg/controller/statefulset).
    pub(super) fn new(spec: &'n Node<'n>, maker: &'n Node<'n>) -> Self {
        let templates = maker.at(&["spec", "volumeClaimTemplates"]).and_then(Node::items).unwrap_or_default();
        let replaced = templates.iter().filter_map(|claim| claim.at(&["metadata", "name"])?.as_str()).collect();
        let mut mounts: HashMap<&str, Vec<Mount>> = HashMap::new();
        for (_, _, container) in containers(spec) {
            for mount in container.get("volumeMounts").and_then(Node::items).unwrap_or_default() {
                if let Some(volume) = mount.get("name").and_then(Node::as_str) {
                    mounts.entry(volume).or_default().push(read_mount(mount));
                }
            }
        }
        Pod { replaced, volumes: spec.get("volumes").and_then(Node::items).unwrap_or_default(), mounts }
    }

    /// The name of the volume that a way (from the pod spec: `volumes`, a number, …) leads through.
    fn volume(&self, way: &[Part<'_>]) -> Option<&'n str> {
        let [Part::Key("volumes"), Part::Index(nth), ..] = way else { return None };
        self.volumes.get(*nth)?.get("name")?.as_str()
    }

    /// Whether what stands at `way` is in a volume that pods never get.
    pub(super) fn is_replaced(&self, way: &[Part<'_>]) -> bool {
        self.volume(way).is_some_and(|name| self.replaced.contains(&name))
    }

    /// How the source at `way` (from the pod spec: `volumes`, a number, …) is read.
    pub(super) fn read(&self, source: &Node<'_>, way: &[Part<'_>]) -> VolumeRead {
        let name = self.volume(way);
        let mounts = name.and_then(|name| self.mounts.get(name)).cloned().unwrap_or_default();
        VolumeRead { items: items(source), mounts }
    }
}

fn read_mount(mount: &Node<'_>) -> Mount {
    let text = |field| mount.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
    match (text("subPathExpr"), text("subPath")) {
        (Some(_), _) => Mount::SubPathExpr,
        (None, Some(path)) => Mount::SubPath(path.into()),
        (None, None) => Mount::Whole,
    }
}

/// `items` of a source; an empty list is the same as none (all keys), as in the kubelet.
fn items(source: &Node<'_>) -> Option<Vec<(std::sync::Arc<str>, std::sync::Arc<str>)>> {
    let items = source.get("items").and_then(Node::items).filter(|items| !items.is_empty())?;
    let text = |item: &Node<'_>, field| item.get(field).and_then(Node::as_str).map(Into::into);
    Some(items.iter().filter_map(|item| Some((text(item, "key")?, text(item, "path")?))).collect())
}
