//! Annotations that make a mesh hold containers back.

use super::Meshed;
use crate::config::Settings;
use crate::flow::Loaded;
use crate::object::view::mesh::Mesh;
use crate::object::view::pod_template::{self, Restart, is_recreated};
use crate::object::wrote::{Gate, write_gate};
use crate::tree::Node;

/// Writes the gate of its mesh on every meshed workload whose pod template may change and
/// says nothing of it. A word of the user stays, on the template or, for Linkerd, on the Namespace, from which pods
/// inherit it.
pub(super) fn annotate(loaded: &mut Loaded<'_>, meshed: &[Meshed], is_native: bool, settings: &Settings) {
    for workload in meshed {
        let gate = Gate::of(workload.mesh, is_native);
        let Some((name, _)) = gate.annotation() else { continue };
        let object = loaded.objects.get(workload.at);
        let Some(held) = pod_template::held(&object.id.group, &object.id.kind, &settings.references.pod_templates)
        else {
            continue;
        };
        let is_fixed = held.restart == Restart::Immutable && !is_recreated(object);
        let inherits = workload.mesh == Mesh::Linkerd
            && loaded.objects.namespace_of(object).is_some_and(|namespace| namespace.annotation(name).is_some());
        let annotations = object.tree.at(&held.path).and_then(|template| template.at(&["metadata", "annotations"]));
        let says = annotations.and_then(|annotations| annotations.get(name)).is_some_and(|value| !value.is_null());
        if is_fixed || inherits || says {
            continue;
        }
        let path = held.path;
        let template: Option<&mut Node<'_>> = loaded.objects.get_mut(workload.at).tree.at_mut(&path);
        if template.is_some_and(|template| write_gate(template, gate)) {
            loaded.gates.insert(workload.at, gate);
        }
    }
}
