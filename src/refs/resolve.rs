//! What references lead to.

use std::collections::HashMap;

use super::products::Products;
use crate::flow::{Reference, Resolution};
use crate::object::{ObjRef, ObjectSet};

/// Finds the target of every reference among the objects and what they make.
///
/// A target is looked for in its namespace; a reference that names a namespace also finds the only
/// object of that kind and name whose own text says none and to which nobody gave one.
pub(super) fn resolve(references: &mut [Reference], objects: &ObjectSet<'_>, products: &Products) {
    let index = Index::new(objects);
    for reference in references {
        let target = &reference.target;
        let place = (&*target.group, &*target.kind, target.namespace.as_deref(), &*target.name);
        let object = index.find(place);
        let product = products.maker(place);
        reference.leads_to = match (object, product) {
            (Some(object), _) => Resolution::Object(object),
            (None, Some(maker)) => Resolution::Product(maker),
            (None, None) => reference.leads_to,
        };
    }
}

/// Objects by kind, namespace and name.
struct Index<'o> {
    objects: HashMap<(&'o str, &'o str, Option<&'o str>, &'o str), ObjRef>,
}

impl<'o> Index<'o> {
    fn new(objects: &'o ObjectSet<'_>) -> Self {
        let fixed = objects.iter().filter(|(_, object)| object.id.is_fixed());
        let key = |(at, object): (ObjRef, &'o crate::object::Object<'_>)| {
            let id = &object.id;
            ((&*id.group, &*id.kind, id.namespace.as_deref(), id.name.text()), at)
        };
        Index { objects: fixed.map(key).collect() }
    }

    fn find(&self, (group, kind, namespace, name): (&str, &str, Option<&str>, &str)) -> Option<ObjRef> {
        let exact = self.objects.get(&(group, kind, namespace, name));
        let homeless = || namespace.and_then(|_| self.objects.get(&(group, kind, None, name)));
        exact.or_else(homeless).copied()
    }
}
