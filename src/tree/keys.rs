//! Finding a key in a mapping under construction.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Key, Node};

/// Finds a key among entries that grow: by comparing while they are few, by hash when not.
#[derive(Default)]
pub(crate) struct KeyIndex<'s> {
    hashed: Option<HashMap<Cow<'s, str>, usize>>,
}

impl<'s> KeyIndex<'s> {
    const FEW: usize = 16;

    /// Where the key stands in the entries, which must be those that were pushed.
    pub(crate) fn position(&self, entries: &[(Key<'s>, Node<'s>)], name: &str) -> Option<usize> {
        match &self.hashed {
            Some(hashed) => hashed.get(name).copied(),
            None => entries.iter().position(|(key, _)| key.name == name),
        }
    }

    /// Takes note of the last of the entries: call it after each push.
    pub(crate) fn pushed(&mut self, entries: &[(Key<'s>, Node<'s>)]) {
        let named = |(at, (key, _)): (usize, &(Key<'s>, Node<'s>))| (key.name.clone(), at);
        match (&mut self.hashed, entries.last()) {
            (Some(hashed), Some(last)) => {
                hashed.extend([named((entries.len() - 1, last))]);
            }
            (None, _) if entries.len() > Self::FEW => {
                self.hashed = Some(entries.iter().enumerate().map(named).collect());
            }
            _ => {}
        }
    }
}
