//! Names that objects had before kustomize renamed them.
//!
//! kustomize runs functions between its own renaming (`namePrefix`, `nameSuffix`, `namespace`) and the
//! mending of what refers to the renamed objects, so that a function sees `pre-settings` beside a
//! Deployment that still says `settings`. It keeps the former names in annotations
//! (`api/internal/utils/annotations.go`): lists with commas, the oldest first, one entry a change.

use std::collections::HashMap;

use crate::flow::Reference;
use crate::object::annotation::{PREFIXES, PREVIOUS_NAMES, PREVIOUS_NAMESPACES, SUFFIXES};
use crate::object::{ObjRef, Object, ObjectSet};

/// What kustomize calls the namespace of an object that names none.
const NO_NAMESPACE: &str = "default";

/// Objects by kind and a name that they had.
pub(super) struct Former<'o> {
    objects: HashMap<(&'o str, &'o str, &'o str), Vec<ObjRef>>,
}

impl<'o> Former<'o> {
    pub(super) fn new(objects: &'o ObjectSet<'_>) -> Self {
        let mut former: HashMap<_, Vec<ObjRef>> = HashMap::new();
        for (at, object) in objects.iter() {
            for name in list(object, PREVIOUS_NAMES).filter(|name| *name != object.id.name.text()) {
                let known = former.entry((&*object.id.group, &*object.id.kind, name)).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        Former { objects: former }
    }

    /// The object that a reference meant before it was renamed: in the same namespace, now or then. Of
    /// several the one that was renamed as the referrer was; none where that is not one alone.
    pub(super) fn find(&self, reference: &Reference, objects: &ObjectSet<'_>) -> Option<ObjRef> {
        let target = &reference.target;
        let known = self.objects.get(&(&*target.group, &*target.kind, &*target.name))?;
        let namespace = target.namespace.as_deref();
        let here = known.iter().filter(|at| was_in(objects.get(**at), namespace));
        let here: Vec<ObjRef> = here.copied().collect();
        let from = objects.get(reference.from);
        let alike: Vec<ObjRef> = here.iter().filter(|at| is_renamed_alike(objects.get(**at), from)).copied().collect();
        match (&alike[..], &here[..]) {
            ([one], _) | ([], [one]) => Some(*one),
            _ => None,
        }
    }
}

/// Whether an object is, or was, in a namespace.
fn was_in(object: &Object<'_>, namespace: Option<&str>) -> bool {
    object.id.namespace.as_deref() == namespace
        || list(object, PREVIOUS_NAMESPACES).any(|former| former == namespace.unwrap_or(NO_NAMESPACE))
}

/// Whether two objects went through the same renaming.
fn is_renamed_alike(one: &Object<'_>, other: &Object<'_>) -> bool {
    [PREFIXES, SUFFIXES].iter().all(|name| one.annotation(name) == other.annotation(name))
}

fn list<'o>(object: &'o Object<'_>, annotation: &str) -> impl Iterator<Item = &'o str> {
    object.annotation(annotation).unwrap_or_default().split(',').filter(|entry| !entry.is_empty())
}
