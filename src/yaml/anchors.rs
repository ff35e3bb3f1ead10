//! Anchored nodes, and how much copies of them may add to a document.

use std::collections::HashMap;

use super::scalar::Scalar;
use super::tag::Resolved;
use crate::source::Limits;
use crate::tree::Node;

/// What an anchor names.
pub(super) enum Anchored<'s> {
    /// A node that has not ended: an alias to it would hold itself.
    Open,
    /// A scalar; whether it becomes a key or a value is seen at the alias.
    Scalar(Resolved<'s>),
    /// A list or a mapping.
    Node(Node<'s>),
}

/// The anchors of a document, with the weight of each.
#[derive(Default)]
pub(super) struct Anchors<'s> {
    kept: HashMap<usize, (Anchored<'s>, u64)>,
}

impl<'s> Anchors<'s> {
    /// Sets what an anchor names; a new meaning of a name has a new number.
    pub(super) fn keep(&mut self, anchor: usize, node: Anchored<'s>, weight: u64) {
        self.kept.insert(anchor, (node, weight));
    }

    /// What an anchor names and what a copy of it weighs.
    pub(super) fn get(&self, anchor: usize) -> Option<(&Anchored<'s>, u64)> {
        self.kept.get(&anchor).map(|(node, weight)| (node, *weight))
    }
}

/// How much is written in a document and how much copies have added, in nodes.
pub(super) struct Budget {
    free: u64,
    ratio: u64,
    written: u64,
    added: u64,
    kept: u64,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Budget { free: limits.alias_free, ratio: limits.alias_ratio, written: 0, added: 0, kept: 0 }
    }

    /// Counts nodes that are written out.
    pub(super) fn write(&mut self, weight: u64) {
        self.written += weight;
    }

    /// The weight of all nodes up to now: of a node that ends, less what it was at its start.
    pub(super) fn total(&self) -> u64 {
        self.written + self.added
    }

    /// Counts a copy that an alias puts into the tree; false where it is too much.
    pub(super) fn add(&mut self, weight: u64) -> bool {
        self.added = self.added.saturating_add(weight);
        self.allows(self.added)
    }

    /// Counts a copy that is kept for aliases; false where it is too much.
    pub(super) fn keep(&mut self, weight: u64) -> bool {
        self.kept = self.kept.saturating_add(weight);
        self.allows(self.kept)
    }

    fn allows(&self, copies: u64) -> bool {
        copies <= self.free || copies <= self.written.saturating_mul(self.ratio)
    }
}

/// What a scalar weighs: one node, and one more for every 64 bytes. Text that a copy shares with the
/// source counts as well: it is written out once for each alias.
pub(super) fn weight(scalar: &Resolved<'_>) -> u64 {
    let bytes = match scalar {
        Resolved::Text(text) => text.len(),
        Resolved::Other(Scalar::Digits(digits)) => digits.len(),
        Resolved::Other(_) => 0,
    };
    1 + bytes as u64 / 64
}
