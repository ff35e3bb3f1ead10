//! Objects to another version of their API.
//!
//! A kind has a hub, the shape of its newest version, and one spoke a version: how the version is read into
//! the hub, how it is written out of it, and what it cannot hold. [`KINDS`] lists the kinds, and each kind
//! lists its spokes. [`one`] converts an object, [`tree`] a tree that is no [`Object`] yet; [`apply()`] is the
//! step of a render.
//!
//! What does not change keeps its node, and so its place in the source: only what a conversion made
//! anew stands nowhere.

mod apply;
mod carried;
pub mod crd_v1beta1;
mod definitions;
mod error;
pub mod http_route_group;
pub mod metadata;
mod options;
mod outcome;
pub mod plan;
mod served;
mod spoke;
#[cfg(test)]
mod tests;
pub mod traffic_split;
pub mod weight;

pub use apply::{apply, passed_through};
pub(crate) use apply::{assumed, bring, found_unserved, groups, header_form, left_alone, stay};
pub use carried::ANNOTATION;
pub(crate) use definitions::judge;
pub use error::{Problem, Refusal};
pub use options::{HeaderForm, Lossy, Metadata, Options, Target, Version};
pub use outcome::{Loss, Note, NoteKind, Report, WeightChange};
pub use served::{Served, served};
pub use spoke::{Kind, Spoke};

use crate::object::Object;
use crate::tree::Node;

/// Every kind whose versions are converted, each listed once.
pub static KINDS: &[&Kind] = &[&http_route_group::KIND, &traffic_split::KIND];

/// The kind of a group and a name, if its versions are converted.
pub fn kind(group: &str, kind: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|row| (row.group, row.kind) == (group, kind))
}

/// Converts an object to a version of its API: gives the object, and what happened to it.
///
/// An object that has the version already is gone through as well: its weights are judged, its metadata
/// treated as the options say.
///
/// # Errors
/// Everything that stands against it, with the fields ([`Refusal::path`]) whose places
/// [`Object::place_of`] knows: a kind or a version that is not converted, a weight that is none, a
/// field that the target cannot hold (unless the options allow its loss).
pub fn one<'s>(object: &Object<'s>, target: Version, options: &Options) -> Result<(Object<'s>, Report), Vec<Refusal>> {
    let (tree, report) = tree(&object.tree, target, options)?;
    let converted = Object { version: target.word().into(), tree, ..object.clone() };
    Ok((converted, report))
}

/// [`one`], for the tree of an object: `apiVersion` and `kind` are read from it.
///
/// # Errors
/// As those of [`one`].
pub fn tree<'s>(tree: &Node<'s>, target: Version, options: &Options) -> Result<(Node<'s>, Report), Vec<Refusal>> {
    spoke::convert(tree, target, options)
}
