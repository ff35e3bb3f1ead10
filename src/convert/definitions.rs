//! What definitions in the input serve, and what they drop although objects are stored in it.

use std::collections::BTreeSet;

use super::served::{self, served_by};
use crate::finding::rules::conversion as rules;
use crate::finding::{Finding, Findings, Label};
use crate::object::{Object, ObjectSet};
use crate::tree::{FieldPath, Node};

/// Judges every definition of the input.
pub(crate) fn judge(objects: &ObjectSet<'_>, found: &mut Findings) {
    for (_, definition) in served::definitions(objects) {
        dropped(definition, found);
        let versions = served_by(definition);
        let Some((group, kind)) = served::defines(definition).filter(|_| !versions.is_empty()) else { continue };
        for (_, object) in objects.of_kind(group, kind).filter(|(_, object)| !versions.contains(&*object.version)) {
            found.push(not_served(object, definition, &versions));
        }
    }
}

/// The versions of a definition as a related place.
pub(super) fn versions_label(definition: &Object<'_>, text: &str) -> Label {
    let path = FieldPath::keys(["spec", "versions"]);
    Label::new(definition.place_of(&path)).path(path).text(text)
}

fn not_served(object: &Object<'_>, definition: &Object<'_>, versions: &BTreeSet<String>) -> Finding {
    let path = FieldPath::keys(["apiVersion"]);
    let served = versions.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let message = format!("{} has version {}, and its definition serves {served}", object.id, object.version);
    let remedy = match super::kind(&object.id.group, &object.id.kind) {
        Some(_) => {
            format!("bring it to a version that is served (`convert.trafficSplit`), or serve {}", object.version)
        }
        None => format!("write it in a version that is served, or serve {}", object.version),
    };
    Finding::new(&rules::NOT_SERVED, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_label(versions_label(definition, "what is served"))
        .with_remedy(remedy)
}

/// Stored versions that a definition does not list any more.
fn dropped(definition: &Object<'_>, found: &mut Findings) {
    let list = |path: &[&str]| definition.tree.at(path).and_then(Node::items).unwrap_or_default();
    let mut listed: BTreeSet<&str> =
        list(&["spec", "versions"]).iter().filter_map(|item| item.get("name")?.as_str()).collect();
    // apiextensions.k8s.io/v1beta1 may have one version alone
    listed.extend(definition.tree.at(&["spec", "version"]).and_then(Node::as_str));
    for (index, stored) in list(&["status", "storedVersions"]).iter().enumerate() {
        let Some(version) = stored.as_str().filter(|version| !listed.contains(version)) else { continue };
        let path = FieldPath::keys(["status", "storedVersions"]).index(index);
        let message = format!("{} drops version {version}, in which objects are stored", definition.id);
        found.push(
            Finding::new(&rules::STORED_VERSION, message)
                .with_object(&definition.id)
                .with_label(Label::new(definition.place_of(&path)).path(path))
                .with_label(versions_label(definition, "what is left"))
                .with_remedy(format!(
                    "keep {version} with `served: false` until every object was written anew and it is out of \
                     `status.storedVersions`; `tidegate convert --plan` writes the steps down"
                )),
        );
    }
}
