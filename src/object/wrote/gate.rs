//! What tidegate writes so that nothing starts before a mesh answers: an annotation on a pod template, or an
//! object of its own.

use super::{annotations_mut, drop_if_empty, is_blank, is_empty};
use crate::object::view::mesh::Mesh;
use crate::tree::{Mapping, Node, Value};

/// What holds pods back, as it is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The object is tidegate's as a whole.
    Made,
    /// Linkerd's proxy is ready before the containers start.
    LinkerdAwait,
    /// Linkerd's proxy is a native sidecar.
    LinkerdNative,
    /// Istio's proxy is ready before the containers start.
    IstioHold,
    /// Istio's proxy is a native sidecar.
    IstioNative,
}

/// The name and the value of an annotation.
type Annotation = (&'static str, &'static str);

/// How a gate is recorded, and what it writes on the pod template.
///
/// Names and values: linkerd2 `pkg/k8s/labels.go` and `pkg/inject/inject.go` (`proxy-await` takes `enabled` and
/// `disabled`, `proxy-enable-native-sidecar` a boolean); istio/api `annotation/annotations.yaml`
/// (`proxy.istio.io/config`, `sidecar.istio.io/nativeSidecar`), whose values istio
/// `files/injection-template.yaml` reads.
const GATES: [(&str, Gate, Option<Annotation>); 5] = [
    ("made", Gate::Made, None),
    ("linkerd-await", Gate::LinkerdAwait, Some(("config.linkerd.io/proxy-await", "enabled"))),
    ("linkerd-native", Gate::LinkerdNative, Some(("config.linkerd.io/proxy-enable-native-sidecar", "true"))),
    ("istio-hold", Gate::IstioHold, Some(("proxy.istio.io/config", "holdApplicationUntilProxyStarts: true"))),
    ("istio-native", Gate::IstioNative, Some(("sidecar.istio.io/nativeSidecar", "true"))),
];

impl Gate {
    /// The gate that a word of a record stands for.
    pub(super) fn parse(word: &str) -> Option<Self> {
        GATES.iter().find(|(known, ..)| *known == word).map(|(_, gate, _)| *gate)
    }

    /// The word by which it is recorded.
    pub(super) fn word(self) -> &'static str {
        GATES.iter().find(|(_, gate, _)| *gate == self).map_or("", |(word, ..)| word)
    }

    /// The annotation that holds the pods of a mesh back: by a native sidecar, or by waiting for the proxy.
    pub fn of(mesh: Mesh, is_native: bool) -> Self {
        match (mesh, is_native) {
            (Mesh::Linkerd, false) => Gate::LinkerdAwait,
            (Mesh::Linkerd, true) => Gate::LinkerdNative,
            (Mesh::Istio, false) => Gate::IstioHold,
            (Mesh::Istio, true) => Gate::IstioNative,
        }
    }

    /// The annotation that it is, with its value.
    pub fn annotation(self) -> Option<Annotation> {
        GATES.iter().find(|(_, gate, _)| *gate == self).and_then(|(.., annotation)| *annotation)
    }
}

/// Writes the annotation of a gate on a pod template, as the last key of its annotations. Says whether it is
/// there: not where the gate has none, or where annotations are no mapping.
pub fn write_gate(template: &mut Node<'_>, gate: Gate) -> bool {
    let Some((name, value)) = gate.annotation() else { return false };
    let Some(root) = template.mapping_mut() else { return false };
    if root.get("metadata").is_none_or(is_blank) {
        root.put_first("metadata", Node::made(Value::Mapping(Mapping::default())));
    }
    let Some(annotations) = annotations_mut(template) else { return false };
    annotations.set(name, Node::text(value));
    true
}

/// Takes the annotation of a gate off a pod template, if it still says what was written; annotations and metadata
/// that are left empty go too.
pub fn take_back_gate(template: &mut Node<'_>, gate: Gate) {
    let Some((name, value)) = gate.annotation() else { return };
    let Some(annotations) = template.at_mut(&["metadata", "annotations"]).and_then(Node::mapping_mut) else { return };
    if annotations.get(name).and_then(Node::as_str) != Some(value) {
        return;
    }
    annotations.remove(name);
    drop_if_empty(template);
    if let Some(root) = template.mapping_mut()
        && root.get("metadata").is_some_and(is_empty)
    {
        root.remove("metadata");
    }
}
