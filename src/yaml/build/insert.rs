//! Where a finished scalar or collection goes: a key, a value, an item, a merge.

use std::borrow::Cow;

use super::{Anchored, Builder, Pending, Resolved, Style, Tag, anchors, report, tag};
use crate::finding::rules::DUPLICATE_KEY;
use crate::finding::{Reported, duplicate_key};
use crate::source::Span;
use crate::tree::{Key, Mapping, Node, Value};
use crate::yaml::mapping::Set;
use crate::yaml::scalar::is_rounded;

impl<'s> Builder<'s, '_> {
    /// What a scalar is; nothing where it is a key that needs no more: `<<`, or one that was refused.
    pub(super) fn resolve(
        &mut self,
        text: Cow<'s, str>,
        style: Style,
        tag: Option<Tag>,
        span: Span,
    ) -> Result<Option<Resolved<'s>>, Reported> {
        let is_merge = text == "<<" && (tag == Some(Tag::Merge) || tag.is_none() && style == Style::Plain);
        if is_merge && self.is_at_key() {
            self.node_end = span.end() as usize;
            self.set_pending(Pending::Merge(span));
            return Ok(None);
        }
        match tag::resolve(exact(text), style == Style::Plain, tag) {
            Ok(resolved) => Ok(Some(resolved)),
            Err(tag) => {
                self.error(report::tag_mismatch(tag), span)?;
                let is_key = self.is_at_key();
                if is_key {
                    self.set_pending(Pending::Dropped);
                }
                Ok((!is_key).then_some(Resolved::Text(Cow::Borrowed(""))))
            }
        }
    }

    /// Takes a scalar that is written out.
    pub(super) fn scalar(&mut self, resolved: Option<Resolved<'s>>, anchor: usize, span: Span) -> Result<(), Reported> {
        let Some(resolved) = resolved else {
            return Ok(());
        };
        let weight = anchors::weight(&resolved);
        self.budget.write(weight);
        self.node_end = span.end() as usize;
        if anchor != 0 {
            if !self.budget.keep(weight) {
                return Err(self.fail(report::too_many_copies(), span));
            }
            let kept = Anchored::Scalar(resolved.clone());
            self.anchors.keep(anchor, kept, weight);
        }
        self.put(resolved, span)
    }

    /// Puts a scalar where it belongs: as a key or as a value.
    pub(super) fn put(&mut self, resolved: Resolved<'s>, span: Span) -> Result<(), Reported> {
        if self.is_at_key() {
            let pending = match resolved.into_key() {
                Some(name) => Pending::Value(Key { span, name }),
                None => {
                    self.error(report::scalar_key(), span)?;
                    Pending::Dropped
                }
            };
            self.set_pending(pending);
            return Ok(());
        }
        let value = match resolved.into_value() {
            Some(value) => value,
            None => {
                self.error(report::not_a_number(), span)?;
                Value::Null
            }
        };
        if is_rounded(&value) {
            let finding = self.placed(report::rounded(), span);
            self.findings.warning(finding);
        }
        self.push(Node { span, value }, false)
    }

    /// Puts a node where it belongs; `is_copy` for the target of an alias.
    pub(super) fn push(&mut self, node: Node<'s>, is_copy: bool) -> Result<(), Reported> {
        let Some(frame) = self.frames.last() else {
            self.root = Some(node);
            return Ok(());
        };
        if frame.mapping.is_none() {
            self.items.push(node);
            return Ok(());
        }
        match self.set_pending(Pending::Nothing) {
            Pending::Nothing => self.refuse_key(&node),
            Pending::Value(key) => self.set(key, node),
            Pending::Merge(at) => self.merge(at, node, is_copy),
            Pending::Dropped => Ok(()),
        }
    }

    fn is_at_key(&self) -> bool {
        matches!(self.pending(), Some(Pending::Nothing))
    }

    /// Says what the next node of the innermost mapping is; returns what it was.
    fn set_pending(&mut self, pending: Pending<'s>) -> Pending<'s> {
        let mapping = self.frames.last_mut().and_then(|frame| frame.mapping.as_mut());
        match mapping {
            Some(mapping) => std::mem::replace(&mut mapping.pending, pending),
            None => Pending::Dropped,
        }
    }

    fn refuse_key(&mut self, node: &Node<'s>) -> Result<(), Reported> {
        self.set_pending(Pending::Dropped);
        let start = node.span.start as usize;
        let is_template = self.text[..start].ends_with('{') && self.text[start..].starts_with('{');
        let finding = report::collection_key(node.kind(), is_template);
        self.error(finding, node.span)
    }

    /// Sets a key that is written out.
    fn set(&mut self, key: Key<'s>, node: Node<'s>) -> Result<(), Reported> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let (span, name) = (key.span, key.name.clone());
        let set = match &mut frame.mapping {
            Some(mapping) => mapping.set(&mut self.entries, frame.entries, key, node),
            None => Set::Fresh,
        };
        let (Set::Duplicate(other) | Set::Overrides(other)) = set else {
            return Ok(());
        };
        let path = self.path().key(&name);
        let (here, there) = (self.findings.label(span), self.findings.label(other));
        if matches!(set, Set::Duplicate(_)) {
            let finding = duplicate_key(&DUPLICATE_KEY, &name, here, there, path);
            return self.findings.error(finding);
        }
        let finding =
            report::key_overrides(&name).with_label(here.path(path)).with_label(there.text("merged from here"));
        self.findings.warning(finding);
        Ok(())
    }

    /// Merges the mappings of a node into the innermost mapping, as if written at `at`. Of a list
    /// the first mapping wins; an alias may name a mapping only.
    fn merge(&mut self, at: Span, node: Node<'s>, is_copy: bool) -> Result<(), Reported> {
        let span = node.span;
        let Some(mappings) = mergeable(node.value, is_copy) else {
            return self.error(report::merge_of_no_mapping(), span);
        };
        for mapping in mappings {
            for (key, value) in mapping.into_entries() {
                self.merge_entry(at, key, value);
            }
        }
        Ok(())
    }

    fn merge_entry(&mut self, at: Span, key: Key<'s>, value: Node<'s>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let name = key.name.clone();
        let set = match &mut frame.mapping {
            Some(mapping) => mapping.merge(&mut self.entries, frame.entries, key, value),
            None => Set::Fresh,
        };
        let Set::Overrides(other) = set else {
            return;
        };
        let path = self.path().key(&name);
        let finding = report::merge_overrides(&name)
            .with_label(self.findings.label(at).path(path))
            .with_label(self.findings.label(other).text("set here"));
        self.findings.warning(finding);
    }
}

/// A text that takes no more memory than its bytes.
fn exact(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Owned(mut text) => {
            text.shrink_to_fit();
            Cow::Owned(text)
        }
        borrowed => borrowed,
    }
}

/// The mappings to merge, the one that wins last.
fn mergeable<'s>(value: Value<'s>, is_copy: bool) -> Option<Vec<Mapping<'s>>> {
    match value {
        Value::Mapping(mapping) => Some(vec![mapping]),
        Value::Sequence(items) if !is_copy => {
            let mapping = |item: Node<'s>| match item.value {
                Value::Mapping(mapping) => Some(mapping),
                _ => None,
            };
            items.into_iter().rev().map(mapping).collect()
        }
        _ => None,
    }
}
