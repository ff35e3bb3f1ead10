//! The tree of one document: spanned, key order kept, no syntax.
//!
//! A scalar holds what Kubernetes reads it as: `0644` is the number 420, `yes` is true, the keys of
//! a mapping are strings. A tree borrows its strings from the source text and owns only what
//! differs from it (escapes, folded lines, values that a step wrote).

mod keys;
mod number;
mod path;

use std::borrow::Cow;

pub(crate) use keys::KeyIndex;
pub use path::{FieldPath, Step};

use crate::source::Span;

/// A value and where it stands.
#[derive(Clone, Debug, Default)]
pub struct Node<'s> {
    /// Its bytes in the document, style included; empty for a value that a step made.
    pub span: Span,
    /// The value.
    pub value: Value<'s>,
}

/// What a node is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value<'s> {
    /// `null`, `~`, or nothing.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that fits; floats without a fraction are integers too, as Kubernetes reads them.
    I64(i64),
    /// An integer from 2^63 to 2^64 - 1.
    U64(u64),
    /// A finite number with a fraction, or beyond 2^63.
    F64(f64),
    /// An integer of more digits than fit, in plain decimal digits: kept, though a cluster rounds it.
    Number(Box<str>),
    /// Text.
    String(Cow<'s, str>),
    /// A list.
    Sequence(Vec<Node<'s>>),
    /// A mapping, in the order it was written.
    Mapping(Mapping<'s>),
}

/// A key of a mapping and where it stands.
#[derive(Clone, Debug)]
pub struct Key<'s> {
    /// Its bytes in the document, quotes included; empty for a key that a step made.
    pub span: Span,
    /// The key as Kubernetes reads it.
    pub name: Cow<'s, str>,
}

/// The entries of a mapping in order. Readers refuse duplicates; so must whoever changes one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping<'s> {
    entries: Vec<(Key<'s>, Node<'s>)>,
}

/// Equal values are equal nodes, wherever they stand.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// Equal names are equal keys, wherever they stand.
impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<'s> Node<'s> {
    /// A node that stands nowhere in the source.
    pub fn made(value: Value<'s>) -> Self {
        Node { span: Span::default(), value }
    }

    /// A string that stands nowhere in the source.
    pub fn text(text: impl Into<Cow<'s, str>>) -> Self {
        Node::made(Value::String(text.into()))
    }

    /// The text of a string node; nothing for any other.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean of a boolean node.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The integer of a node that holds one that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self.value {
            Value::I64(value) => Some(value),
            _ => None,
        }
    }

    /// The items of a list; nothing for any other node.
    pub fn items(&self) -> Option<&[Node<'s>]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The mapping of a mapping node.
    pub fn mapping(&self) -> Option<&Mapping<'s>> {
        match &self.value {
            Value::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The mapping of a mapping node, to change it.
    pub fn mapping_mut(&mut self) -> Option<&mut Mapping<'s>> {
        match &mut self.value {
            Value::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The value under a key; nothing where this is no mapping or has no such key.
    pub fn get(&self, name: &str) -> Option<&Node<'s>> {
        self.mapping()?.get(name)
    }

    /// The value at the end of a path, if every step of it is there.
    pub fn follow(&self, path: &FieldPath) -> Option<&Node<'s>> {
        path.steps().iter().try_fold(self, |node, step| match step {
            Step::Key(name) => node.get(name),
            Step::Index(index) => node.items()?.get(*index),
        })
    }

    /// The value at a chain of keys.
    pub fn at(&self, names: &[&str]) -> Option<&Node<'s>> {
        names.iter().try_fold(self, |node, name| node.get(name))
    }

    /// The value at a chain of keys, to change it.
    pub fn at_mut(&mut self, names: &[&str]) -> Option<&mut Node<'s>> {
        names.iter().try_fold(self, |node, name| node.mapping_mut()?.get_mut(name))
    }

    /// Whether this is null. Kubernetes takes a null field for an absent one.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// What this is, in the words of a message: `a string`, `a number`, …
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::I64(_) | Value::U64(_) | Value::F64(_) | Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }
}

impl<'s> Key<'s> {
    /// A key that stands nowhere in the source.
    pub fn made(name: impl Into<Cow<'s, str>>) -> Self {
        Key { span: Span::default(), name: name.into() }
    }
}

impl<'s> Mapping<'s> {
    /// A mapping of these entries, which hold no key twice.
    pub fn new(entries: Vec<(Key<'s>, Node<'s>)>) -> Self {
        Mapping { entries }
    }

    /// The entries in order.
    pub fn entries(&self) -> &[(Key<'s>, Node<'s>)] {
        &self.entries
    }

    /// The entries in order, to change values.
    pub fn entries_mut(&mut self) -> &mut [(Key<'s>, Node<'s>)] {
        &mut self.entries
    }

    /// The entries, taken out.
    pub fn into_entries(self) -> Vec<(Key<'s>, Node<'s>)> {
        self.entries
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|(key, _)| key.name == name)
    }

    /// The entry of a key.
    pub fn entry(&self, name: &str) -> Option<&(Key<'s>, Node<'s>)> {
        self.entries.iter().find(|(key, _)| key.name == name)
    }

    /// The value under a key.
    pub fn get(&self, name: &str) -> Option<&Node<'s>> {
        self.entry(name).map(|(_, value)| value)
    }

    /// The value under a key, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node<'s>> {
        let at = self.position(name)?;
        Some(&mut self.entries[at].1)
    }

    /// Sets a key: in place where it is, as the last entry where it is not.
    pub fn set(&mut self, name: impl Into<Cow<'s, str>>, value: Node<'s>) {
        let name = name.into();
        match self.position(&name) {
            Some(at) => self.entries[at].1 = value,
            None => self.entries.push((Key::made(name), value)),
        }
    }

    /// Puts a key before all others; it leaves the place it had.
    pub fn put_first(&mut self, name: impl Into<Cow<'s, str>>, value: Node<'s>) {
        let key = Key::made(name);
        self.remove(&key.name);
        self.entries.insert(0, (key, value));
    }

    /// Takes a key out and returns its value; the other entries keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Node<'s>> {
        let at = self.position(name)?;
        Some(self.entries.remove(at).1)
    }

    /// The mapping under a key, made (as the last entry) where it is absent or null. Nothing where
    /// the key holds something else.
    pub fn mapping_at(&mut self, name: &'static str) -> Option<&mut Mapping<'s>> {
        if self.get(name).is_none_or(Node::is_null) {
            self.remove(name);
            self.set(name, Node::made(Value::Mapping(Mapping::default())));
        }
        self.get_mut(name)?.mapping_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory goals rest on these sizes: a manifest is mostly nodes.
    #[test]
    fn nodes_are_compact() {
        assert_eq!(size_of::<Node<'_>>(), 40);
        assert_eq!(size_of::<(Key<'_>, Node<'_>)>(), 72);
    }

    #[test]
    fn trees_are_equal_wherever_they_stand() {
        let read = Mapping::new(vec![(
            Key { span: Span::new(3, 4), name: "a".into() },
            Node { span: Span::new(6, 7), value: Value::I64(1) },
        )]);
        let made = |name| Mapping::new(vec![(Key::made(name), Node::made(Value::I64(1)))]);
        assert_eq!(read, made("a"));
        assert_ne!(read, made("b"));
    }

    #[test]
    fn set_keeps_the_place_of_a_key_and_appends_new_ones() {
        let mut mapping = Mapping::default();
        for name in ["a", "b", "c"] {
            mapping.set(name, Node::text(name));
        }
        mapping.set("b", Node::text("changed"));
        assert_eq!(mapping.remove("a"), Some(Node::text("a")));
        mapping.set("a", Node::text("last"));
        let keys: Vec<_> = mapping.entries().iter().map(|(key, _)| key.name.as_ref()).collect();
        assert_eq!(keys, ["b", "c", "a"]);
    }
}
