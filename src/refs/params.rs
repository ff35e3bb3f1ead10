//! Parameters of admission policies: a binding names an object of the kind that its policy says.

use std::collections::HashMap;

use crate::flow::{Read, Reference, Resolution, Target};
use crate::object::gvk::split_api_version;
use crate::object::{Object, ObjectSet};
use crate::tree::{FieldPath, Node};

const GROUP: &str = "admissionregistration.k8s.io";

/// Policies and the bindings that put them to work.
const KINDS: [(&str, &str); 2] = [
    ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
    ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"),
];

/// Group and kind of the parameters that a policy takes; nothing for one without, and for other kinds.
pub(super) fn kind<'o>(policy: &'o Object<'_>) -> Option<(&'o str, &'o str)> {
    if &*policy.id.group != GROUP || !KINDS.iter().any(|(kind, _)| *kind == &*policy.id.kind) {
        return None;
    }
    let text = |field| policy.tree.at(&["spec", "paramKind", field]).and_then(Node::as_str);
    let (group, _) = split_api_version(text("apiVersion")?).ok()?;
    Some((group, text("kind")?))
}

/// Adds the references of bindings to parameters, in their place among the others.
pub(super) fn extract(objects: &ObjectSet<'_>, references: &mut Vec<Reference>) {
    let before = references.len();
    for (policy, binding) in KINDS {
        let policies: HashMap<&str, _> =
            objects.of_kind(GROUP, policy).map(|(_, policy)| (policy.id.name.text(), kind(policy))).collect();
        for (from, object) in objects.of_kind(GROUP, binding) {
            let text = |path: &[&str]| object.tree.at(path).and_then(Node::as_str).filter(|text| !text.is_empty());
            let policy = text(&["spec", "policyName"]).and_then(|name| policies.get(name).copied().flatten());
            let (Some((group, kind)), Some(name)) = (policy, text(&["spec", "paramRef", "name"])) else { continue };
            let namespace = text(&["spec", "paramRef", "namespace"]).map(Into::into);
            let action = text(&["spec", "paramRef", "parameterNotFoundAction"]);
            let path = FieldPath::keys(["spec", "paramRef", "name"]);
            references.push(Reference {
                from,
                target: Target { group: group.into(), kind: kind.into(), namespace, name: name.into() },
                row: "spec.paramRef.name",
                place: object.place_of(&path),
                path,
                optional: action == Some("Allow"),
                read: Read::No,
                orders: true,
                leads_to: Resolution::Missing,
            });
        }
    }
    if references.len() > before {
        references.sort_by_key(|reference| reference.from);
    }
}
