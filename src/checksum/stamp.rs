//! Which workloads get a checksum, and where it is written.

use crate::config::{ChecksumMode, Settings};
use crate::flow::Unstamped;
use crate::object::Object;
use crate::object::annotation::CHECKSUM;
use crate::object::view::pod_template::{self, Restart, is_recreated};
use crate::tree::Node;

/// The pod template of a workload, to write on.
pub(super) fn template_mut<'t, 's>(object: &'t mut Object<'s>, settings: &Settings) -> Option<&'t mut Node<'s>> {
    let held = pod_template::held(&object.id.group, &object.id.kind, &settings.references.pod_templates)?;
    object.tree.at_mut(&held.path)
}

/// Why an object with a pod template gets no checksum; nothing where it gets one.
pub(super) fn refusal(object: &Object<'_>, settings: &Settings) -> Option<Unstamped> {
    let asks = match settings.checksums.mode {
        ChecksumMode::All => true,
        ChecksumMode::Labelled => asks(object),
        ChecksumMode::Off => false,
    };
    if !asks {
        return Some(Unstamped::Setting);
    }
    let held = pod_template::held(&object.id.group, &object.id.kind, &settings.references.pod_templates)?;
    match held.restart {
        Restart::Immutable if !is_recreated(object) => Some(Unstamped::Immutable),
        Restart::Never if !held.is_named => Some(Unstamped::NeverRolls),
        _ if has_fixed_name(object) => Some(Unstamped::FixedName),
        _ => None,
    }
}

/// Whether a workload says `tidegate.dev/checksum: "true"`, as a label or an annotation.
fn asks(object: &Object<'_>) -> bool {
    let says = |field| object.tree.at(&["metadata", field, CHECKSUM]).and_then(Node::as_str) == Some("true");
    says("labels") || says("annotations")
}

/// Knative makes a revision of the template's name and refuses another content under the same name
/// (`serving` `pkg/apis/serving/v1/revision_validation.go`).
fn has_fixed_name(object: &Object<'_>) -> bool {
    let name = object.tree.at(&["spec", "template", "metadata", "name"]).and_then(Node::as_str);
    &*object.id.group == "serving.knative.dev" && name.is_some_and(|name| !name.is_empty())
}
