//! What objects make at run time.

use std::sync::Arc;

use super::Target;
use crate::object::ObjRef;

/// An object that somebody in the input makes when it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// What is made.
    pub target: Target,
    /// Who makes it.
    pub maker: ObjRef,
    /// The keys it will have.
    pub keys: ProductKeys,
}

/// What is known of the keys of a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProductKeys {
    /// Nothing.
    Unknown,
    /// These and no others.
    Exactly(Vec<Arc<str>>),
    /// These, and maybe others.
    AtLeast(Vec<Arc<str>>),
}

impl ProductKeys {
    /// Whether the product is known not to have a key.
    pub fn lack(&self, key: &str) -> bool {
        match self {
            ProductKeys::Exactly(keys) => !keys.iter().any(|known| &**known == key),
            ProductKeys::Unknown | ProductKeys::AtLeast(_) => false,
        }
    }
}
