//! The table of producers: which kinds make which objects.

use crate::flow::Product;
use crate::object::{ObjRef, Object};

/// What an object makes when it runs.
pub(super) fn products(_maker: ObjRef, _object: &Object<'_>) -> Vec<Product> {
    Vec::new()
}
