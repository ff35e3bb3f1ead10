//! Kubernetes objects: a tree, an identity, and where both came from.

pub mod annotation;
pub mod gvk;
mod id;
pub mod labels;
pub mod order;
mod patched;
pub mod pattern;
pub mod plural;
pub mod reload;
pub mod renaming;
pub mod scope;
mod set;
pub mod size;
pub mod view;
pub mod wrote;

use std::sync::Arc;

pub use gvk::GroupKind;
pub use id::{Name, ObjectId};
pub use patched::Patched;
pub use scope::Scope;
pub use set::{ObjRef, ObjectSet};

use crate::source::{DocumentStart, Place, Span};
use crate::tree::{FieldPath, Key, Node, Step};

/// One object of the input, or one that a step made.
#[derive(Clone, Debug)]
pub struct Object<'s> {
    /// Who it is. The namespace is the one it ends up in, which its text may leave out.
    pub id: ObjectId,
    /// The API version without the group: `v1`.
    pub version: Arc<str>,
    /// Its whole text as a mapping.
    pub tree: Node<'s>,
    /// Where it came from.
    pub origin: Origin,
    /// What of it patches wrote.
    pub patched: Patched,
}

/// Where an object came from. File order lives only here; it serves messages, never output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The document whose text the spans of the tree count in.
    pub document: DocumentStart,
}

impl<'s> Object<'s> {
    /// The value under `metadata.annotations`, if it is a string.
    pub fn annotation(&self, name: &str) -> Option<&str> {
        self.tree.at(&["metadata", "annotations"])?.get(name)?.as_str()
    }

    /// The whole object's place.
    pub fn place(&self) -> Place {
        self.origin.document.place(self.tree.span)
    }

    /// The place of the field at a path, or of the nearest part of the path that is written out:
    /// the value where it has bytes, else its key, else what holds it; for what a patch wrote, the patch.
    pub fn place_of(&self, path: &FieldPath) -> Place {
        if let Some(place) = self.patched.place(path.steps()) {
            return place;
        }
        let mut node = &self.tree;
        let mut span = node.span;
        for step in path.steps() {
            let next: Option<(Option<&Key<'s>>, &Node<'s>)> = match step {
                Step::Key(name) => node.mapping().and_then(|m| m.entry(name)).map(|(key, value)| (Some(key), value)),
                Step::Index(index) => node.items().and_then(|items| items.get(*index)).map(|item| (None, item)),
            };
            let Some((key, value)) = next else { break };
            node = value;
            let written = [Some(value.span), key.map(|key| key.span)];
            if let Some(found) = written.into_iter().flatten().find(|span| span.len > 0) {
                span = found;
            }
        }
        self.origin.document.place(span)
    }

    /// What [`Object::place_of`] gives for an entry of a mapping that the caller is at, at `path`,
    /// without the walk: to ask for each entry of a large mapping costs no more than the mapping.
    pub fn place_of_entry(&self, key: &Key<'s>, value: &Node<'s>, path: &FieldPath) -> Place {
        let written = [value.span, key.span].into_iter().find(|span| span.len > 0);
        written.map_or_else(|| self.place_of(path), |span| self.place_at(span, path))
    }

    /// The place of bytes that stand at `path`; for what a patch wrote, the patch.
    pub fn place_at(&self, span: Span, path: &FieldPath) -> Place {
        self.patched.place(path.steps()).unwrap_or_else(|| self.origin.document.place(span))
    }

    /// `group/version`, or `version` alone in the core group: what `apiVersion` says.
    pub fn api_version(&self) -> String {
        match &*self.id.group {
            "" => self.version.to_string(),
            group => format!("{group}/{}", self.version),
        }
    }

    /// Whether this is of a group and kind, in whatever version.
    pub fn is(&self, group: &str, kind: &str) -> bool {
        &*self.id.group == group && &*self.id.kind == kind
    }
}
