//! A mapping under construction: duplicates and merges.

use std::collections::BTreeMap;

use crate::source::Span;
use crate::tree::{Key, KeyIndex, Node};

/// What the next value of a mapping belongs to.
#[derive(Default)]
pub(super) enum Pending<'s> {
    /// The next node is a key.
    #[default]
    Nothing,
    /// The value of this key.
    Value(Key<'s>),
    /// What `<<` at these bytes merges.
    Merge(Span),
    /// The value of a key that was refused.
    Dropped,
}

/// What is known of a mapping beside its entries, which lie on the builder's stack.
#[derive(Default)]
pub(super) struct Open<'s> {
    pub(super) pending: Pending<'s>,
    index: KeyIndex<'s>,
    /// The entries that a merge set, and where each key was written out before, if it was.
    merged: BTreeMap<usize, Option<Span>>,
}

/// What became of an entry.
pub(super) enum Set {
    /// It is new, or says nothing that matters.
    Fresh,
    /// The key was written out before, at these bytes: the entry is refused.
    Duplicate(Span),
    /// A merged and another entry have the same key; the other key is at these bytes.
    Overrides(Span),
}

type Entries<'s> = Vec<(Key<'s>, Node<'s>)>;

impl<'s> Open<'s> {
    /// Sets a key that is written out. `first` is where the mapping's entries begin.
    pub(super) fn set(&mut self, entries: &mut Entries<'s>, first: usize, key: Key<'s>, value: Node<'s>) -> Set {
        let Some(at) = self.index.position(&entries[first..], &key.name) else {
            return self.push(entries, first, key, value);
        };
        let old = entries[first + at].0.span;
        match self.merged.remove(&at) {
            None => Set::Duplicate(old),
            Some(Some(written)) => Set::Duplicate(written),
            Some(None) => {
                entries[first + at] = (key, value);
                Set::Overrides(old)
            }
        }
    }

    /// Sets a key that a merge brings: it wins over whatever stands above it.
    pub(super) fn merge(&mut self, entries: &mut Entries<'s>, first: usize, key: Key<'s>, value: Node<'s>) -> Set {
        let Some(at) = self.index.position(&entries[first..], &key.name) else {
            self.merged.insert(entries.len() - first, None);
            return self.push(entries, first, key, value);
        };
        let old = entries[first + at].0.span;
        self.merged.entry(at).or_insert(Some(old));
        entries[first + at] = (key, value);
        Set::Overrides(old)
    }

    fn push(&mut self, entries: &mut Entries<'s>, first: usize, key: Key<'s>, value: Node<'s>) -> Set {
        entries.push((key, value));
        self.index.pushed(&entries[first..]);
        Set::Fresh
    }
}
