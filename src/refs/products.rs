//! Who makes what at run time, found by name.

use std::collections::HashMap;

use super::producers;
use crate::flow::Product;
use crate::object::{ObjRef, ObjectSet};

/// Every product of the input.
#[derive(Debug, Default)]
pub(super) struct Products {
    products: Vec<Product>,
    index: HashMap<Place, usize>,
}

/// Group, kind, namespace and name.
type Place = (String, String, Option<String>, String);

impl Products {
    /// Asks the table of producers about every object. Of several makers of one thing the first by
    /// identity counts.
    pub(super) fn new(objects: &ObjectSet<'_>) -> Self {
        let mut products = Products::default();
        for (maker, object) in objects.iter() {
            for product in producers::products(maker, object) {
                let target = &product.target;
                let namespace = target.namespace.as_deref().map(str::to_owned);
                let place = (target.group.to_string(), target.kind.to_string(), namespace, target.name.to_string());
                let at = products.products.len();
                products.index.entry(place).or_insert(at);
                products.products.push(product);
            }
        }
        products
    }

    /// Who makes the object of a group, kind, namespace and name.
    pub(super) fn maker(&self, (group, kind, namespace, name): (&str, &str, Option<&str>, &str)) -> Option<ObjRef> {
        if self.products.is_empty() {
            return None;
        }
        let place = (group.to_owned(), kind.to_owned(), namespace.map(str::to_owned), name.to_owned());
        self.index.get(&place).map(|at| self.products[*at].maker)
    }

    /// All products, in the order of their makers.
    pub(super) fn into_all(self) -> Vec<Product> {
        self.products
    }
}
