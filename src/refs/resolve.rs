//! What references lead to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::former::Former;
use super::outside::is_outside;
use super::table::is_cluster_scoped;
use crate::flow::{Products, Reference, Resolution, Target};
use crate::object::view::source;
use crate::object::{ObjRef, Object, ObjectSet};

/// Finds the target of every reference among the objects and what they make.
///
/// A target is looked for in its namespace; a reference that names a namespace also finds the only
/// object of that kind and name whose own text says none and to which nobody gave one. A
/// cluster-scoped referrer that names no namespace means one that its controller was told: it finds
/// the only object of that kind and name, and misses none.
///
/// Where kustomize renames objects and has not renamed what refers to them yet, a former name leads to
/// its object.
///
/// A ConfigMap or Secret without data that an object of the input makes is only a place for the
/// product: a reference to it leads to the maker. The objects of such places come back with the
/// numbers of the references that name them.
pub(super) fn resolve(
    references: &mut [Reference],
    objects: &ObjectSet<'_>,
    products: &Products,
) -> Vec<(usize, ObjRef)> {
    let index = Index::new(objects);
    let former = Former::new(objects);
    let mut placeholders = Vec::new();
    let mut anywhere = None;
    for (nth, reference) in references.iter_mut().enumerate() {
        let object = index.find(&reference.target).or_else(|| former.find(reference, objects));
        let maker = products.maker(&reference.target);
        reference.leads_to = match (object, maker) {
            (Some(object), Some(maker)) if maker != object && source::is_empty(objects.get(object)) => {
                placeholders.push((nth, object));
                Resolution::Product(maker)
            }
            (Some(object), _) => Resolution::Object(object),
            (None, Some(maker)) => Resolution::Product(maker),
            (None, None) if is_told_elsewhere(reference, objects) => {
                let anywhere = anywhere.get_or_insert_with(|| Anywhere::new(objects));
                anywhere.only(&reference.target).map_or(Resolution::Outside, Resolution::Object)
            }
            (None, None) if is_outside(&reference.target) => Resolution::Outside,
            (None, None) => reference.leads_to,
        };
    }
    placeholders
}

/// The group that serves a kind today, of those that once served it: old manifests and references to
/// them mean the same object (`apps` and `networking.k8s.io` took over from `extensions`).
fn home<'g>(group: &'g str, kind: &str) -> &'g str {
    match (group, kind) {
        ("extensions", "DaemonSet" | "Deployment" | "ReplicaSet") => "apps",
        ("extensions", "Ingress" | "NetworkPolicy") => "networking.k8s.io",
        ("extensions", "PodSecurityPolicy") => "policy",
        _ => group,
    }
}

/// Whether only the referrer's controller knows the namespace of the target.
fn is_told_elsewhere(reference: &Reference, objects: &ObjectSet<'_>) -> bool {
    let (target, from) = (&reference.target, &objects.get(reference.from).id);
    target.namespace.is_none()
        && is_cluster_scoped(&from.group, &from.kind)
        && !is_cluster_scoped(&target.group, &target.kind)
}

/// Objects by kind, namespace and name.
struct Index<'o> {
    objects: HashMap<(&'o str, &'o str, Option<&'o str>, &'o str), ObjRef>,
}

impl<'o> Index<'o> {
    fn new(objects: &'o ObjectSet<'_>) -> Self {
        let key = |(at, object): (ObjRef, &'o Object<'_>)| {
            let id = &object.id;
            ((home(&id.group, &id.kind), &*id.kind, id.namespace.as_deref(), id.name.text()), at)
        };
        Index { objects: fixed(objects).map(key).collect() }
    }

    fn find(&self, target: &Target) -> Option<ObjRef> {
        let group = home(&target.group, &target.kind);
        let at = |namespace| self.objects.get(&(group, &*target.kind, namespace, &*target.name));
        let namespace = target.namespace.as_deref();
        at(namespace).or_else(|| namespace.and_then(|_| at(None))).copied()
    }
}

/// Objects by kind and name, where there is only one of that name.
struct Anywhere<'o> {
    objects: HashMap<(&'o str, &'o str, &'o str), Option<ObjRef>>,
}

impl<'o> Anywhere<'o> {
    fn new(objects: &'o ObjectSet<'_>) -> Self {
        let mut found = HashMap::new();
        for (at, object) in fixed(objects) {
            let id = &object.id;
            match found.entry((home(&id.group, &id.kind), &*id.kind, id.name.text())) {
                Entry::Vacant(entry) => drop(entry.insert(Some(at))),
                Entry::Occupied(mut entry) => drop(entry.insert(None)),
            }
        }
        Anywhere { objects: found }
    }

    fn only(&self, target: &Target) -> Option<ObjRef> {
        let group = home(&target.group, &target.kind);
        self.objects.get(&(group, &*target.kind, &*target.name)).copied().flatten()
    }
}

/// The objects whose names are known.
fn fixed<'o, 's>(objects: &'o ObjectSet<'s>) -> impl Iterator<Item = (ObjRef, &'o Object<'s>)> {
    objects.iter().filter(|(_, object)| object.id.is_fixed())
}
