//! What objects make at run time.

use std::sync::Arc;

use super::Target;
use crate::object::ObjRef;

/// An object that somebody in the input makes, or writes into, when it runs: mostly a ConfigMap or
/// Secret, but also a Service or a claim, for which nobody waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// What is made. Its namespace counts only where `reach` is [`Reach::Namespace`].
    pub target: Target,
    /// Where it is made.
    pub reach: Reach,
    /// Who makes it.
    pub maker: ObjRef,
    /// The keys that the maker writes.
    pub keys: ProductKeys,
    /// Whether the maker makes the object; else it only writes into one that somebody else makes.
    pub creates: bool,
}

/// Where a product is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// In the namespace of the target; in none, where that says none.
    #[default]
    Namespace,
    /// In every namespace, or in those that the maker selects by labels which nobody knows offline.
    Everywhere,
}

/// What is known of the keys that a maker writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProductKeys {
    /// Nothing.
    #[default]
    Unknown,
    /// No others than these; some may be missing (a `ca.crt` that the issuer does not have).
    Exactly(Vec<Arc<str>>),
    /// These, and maybe others.
    AtLeast(Vec<Arc<str>>),
}

impl ProductKeys {
    /// Whether the product is known not to have a key.
    pub fn lack(&self, key: &str) -> bool {
        match self {
            ProductKeys::Exactly(_) => !self.name(key),
            ProductKeys::Unknown | ProductKeys::AtLeast(_) => false,
        }
    }

    /// Whether a key is among those that are known.
    pub fn name(&self, key: &str) -> bool {
        self.known().iter().any(|known| &**known == key)
    }

    /// The keys that are known.
    pub fn known(&self) -> &[Arc<str>] {
        match self {
            ProductKeys::Unknown => &[],
            ProductKeys::Exactly(keys) | ProductKeys::AtLeast(keys) => keys,
        }
    }
}

/// Every product of an input, by maker, and found by what is made.
#[derive(Debug, Default)]
pub struct Products {
    all: Vec<Product>,
    /// Indices of `all`, by [`key`].
    order: Vec<usize>,
}

/// What a product is found by.
type Key<'p> = (&'p str, &'p str, &'p str, Reach, Option<&'p str>);

fn key(product: &Product) -> Key<'_> {
    let Target { group, kind, namespace, name } = &product.target;
    let namespace = namespace.as_deref().filter(|_| product.reach == Reach::Namespace);
    (group, kind, name, product.reach, namespace)
}

impl Products {
    /// Takes products in the order of their makers.
    pub fn new(all: Vec<Product>) -> Self {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|a, b| key(&all[*a]).cmp(&key(&all[*b])));
        Products { all, order }
    }

    /// All products, by maker.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Product> {
        self.all.iter()
    }

    /// Every product that is what a reference means, or will be: one in its namespace, one that is
    /// made everywhere, or one of a maker that nobody gave a namespace.
    pub fn of<'p>(&'p self, target: &'p Target) -> impl Iterator<Item = &'p Product> {
        let Target { group, kind, namespace, name } = target;
        let at = |reach, namespace| self.range((group, kind, name, reach, namespace));
        let namespace = namespace.as_deref();
        let homeless = namespace.map(|_| at(Reach::Namespace, None)).unwrap_or_default();
        let found = [at(Reach::Namespace, namespace), at(Reach::Everywhere, None), homeless];
        found.into_iter().flatten().map(|index| &self.all[*index])
    }

    /// Who makes what a reference means; of several the first by identity. Somebody who only writes
    /// into it does not make it.
    pub fn maker(&self, target: &Target) -> Option<ObjRef> {
        self.of(target).filter(|product| product.creates).map(|product| product.maker).min()
    }

    fn range(&self, wanted: Key<'_>) -> &[usize] {
        let start = self.order.partition_point(|at| key(&self.all[*at]) < wanted);
        let end = self.order.partition_point(|at| key(&self.all[*at]) <= wanted);
        &self.order[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(maker: usize, namespace: Option<&str>, reach: Reach, creates: bool) -> Product {
        let target = target(namespace);
        Product { target, reach, maker: ObjRef::new(maker), keys: ProductKeys::Unknown, creates }
    }

    fn target(namespace: Option<&str>) -> Target {
        let namespace = namespace.map(Into::into);
        Target { group: "".into(), kind: "Secret".into(), namespace, name: "tls".into() }
    }

    #[test]
    fn products_are_found_by_what_is_made() {
        let products = Products::new(vec![
            product(0, Some("a"), Reach::Namespace, false),
            product(1, Some("a"), Reach::Namespace, true),
            product(2, Some("b"), Reach::Namespace, true),
            product(3, Some("x"), Reach::Everywhere, true),
            product(4, None, Reach::Namespace, true),
        ]);
        let makers = |namespace| products.of(&target(namespace)).map(|p| p.maker.index()).collect::<Vec<_>>();
        assert_eq!(makers(Some("a")), [0, 1, 3, 4]);
        assert_eq!(makers(Some("c")), [3, 4]);
        assert_eq!(makers(None), [4, 3]);
        assert_eq!(products.maker(&target(Some("a"))), Some(ObjRef::new(1)));
        assert_eq!(Products::default().maker(&target(None)), None);
    }

    #[test]
    fn a_key_is_missing_only_where_all_keys_are_known() {
        let keys = || vec!["tls.crt".into()];
        assert!(ProductKeys::Exactly(keys()).lack("ca"));
        assert!(!ProductKeys::Exactly(keys()).lack("tls.crt"));
        assert!(!ProductKeys::AtLeast(keys()).lack("ca"));
        assert!(!ProductKeys::Unknown.lack("ca"));
    }
}
