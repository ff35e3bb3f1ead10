//! What references lead to.

use std::collections::HashMap;

use crate::flow::{Products, Reference, Resolution, Target};
use crate::object::view::source;
use crate::object::{ObjRef, Object, ObjectSet};

/// Finds the target of every reference among the objects and what they make.
///
/// A target is looked for in its namespace; a reference that names a namespace also finds the only
/// object of that kind and name whose own text says none and to which nobody gave one. A ConfigMap
/// or Secret without data that an object of the input makes is only a place for the product: a
/// reference to it leads to the maker. The objects of such places come back with the numbers of the
/// references that name them.
pub(super) fn resolve(
    references: &mut [Reference],
    objects: &ObjectSet<'_>,
    products: &Products,
) -> Vec<(usize, ObjRef)> {
    let index = Index::new(objects);
    let mut placeholders = Vec::new();
    for (nth, reference) in references.iter_mut().enumerate() {
        let object = index.find(&reference.target);
        let maker = products.maker(&reference.target);
        reference.leads_to = match (object, maker) {
            (Some(object), Some(maker)) if maker != object && source::is_empty(objects.get(object)) => {
                placeholders.push((nth, object));
                Resolution::Product(maker)
            }
            (Some(object), _) => Resolution::Object(object),
            (None, Some(maker)) => Resolution::Product(maker),
            (None, None) => reference.leads_to,
        };
    }
    placeholders
}

/// Objects by kind, namespace and name.
struct Index<'o> {
    objects: HashMap<(&'o str, &'o str, Option<&'o str>, &'o str), ObjRef>,
}

impl<'o> Index<'o> {
    fn new(objects: &'o ObjectSet<'_>) -> Self {
        let fixed = objects.iter().filter(|(_, object)| object.id.is_fixed());
        let key = |(at, object): (ObjRef, &'o Object<'_>)| {
            let id = &object.id;
            ((&*id.group, &*id.kind, id.namespace.as_deref(), id.name.text()), at)
        };
        Index { objects: fixed.map(key).collect() }
    }

    fn find(&self, target: &Target) -> Option<ObjRef> {
        let at = |namespace| self.objects.get(&(&*target.group, &*target.kind, namespace, &*target.name));
        let namespace = target.namespace.as_deref();
        at(namespace).or_else(|| namespace.and_then(|_| at(None))).copied()
    }
}
