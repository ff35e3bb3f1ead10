//! What containers see of a pod's volumes.

use std::collections::HashMap;

use super::path::Part;
use crate::flow::{Mount, VolumeRead};
use crate::object::view::pod_template::containers;
use crate::tree::Node;

/// A pod spec, and which containers mount its volumes how.
pub(super) struct Pod<'n> {
    volumes: &'n [Node<'n>],
    mounts: HashMap<&'n str, Vec<Mount>>,
}

impl<'n> Pod<'n> {
    /// Reads the mounts of every container.
    pub(super) fn new(spec: &'n Node<'n>) -> Self {
        let mut mounts: HashMap<&str, Vec<Mount>> = HashMap::new();
        for (_, _, container) in containers(spec) {
            for mount in container.get("volumeMounts").and_then(Node::items).unwrap_or_default() {
                if let Some(volume) = mount.get("name").and_then(Node::as_str) {
                    mounts.entry(volume).or_default().push(read_mount(mount));
                }
            }
        }
        Pod { volumes: spec.get("volumes").and_then(Node::items).unwrap_or_default(), mounts }
    }

    /// How the source at `way` (from the pod spec: `volumes`, a number, …) is read.
    pub(super) fn read(&self, source: &Node<'_>, way: &[Part<'_>]) -> VolumeRead {
        let volume = way.iter().find_map(|part| match part {
            Part::Index(nth) => self.volumes.get(*nth),
            Part::Key(_) => None,
        });
        let name = volume.and_then(|volume| volume.get("name")).and_then(Node::as_str);
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
