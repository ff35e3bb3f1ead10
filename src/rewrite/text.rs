//! Converted objects as text, in the documents and files they stand in.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::config::Settings;
use crate::convert::traffic_split;
use crate::edit::{self, Edited, Form, Original};
use crate::finding::rules::rewriting as rules;
use crate::finding::{Finding, Findings, Label};
use crate::load::list;
use crate::object::Object;
use crate::source::{FileId, Place, SourceMap};
use crate::tree::{Node, Value};
use crate::{json, yaml};

use super::document::Document;
use super::item::Item;

/// The new text of every document that changes, none for the others.
pub(super) fn texts(
    documents: &[Document<'_>],
    items: &[Item<'_>],
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Option<String>> {
    let mut texts = vec![None; documents.len()];
    for items in items.chunk_by(|one, next| one.document == next.document) {
        let Some(document) = items.first().and_then(|item| documents.get(item.document)) else { continue };
        if items.iter().any(|item| item.becomes.is_some()) {
            texts[items[0].document] = text(document, items, settings, found);
        }
    }
    texts
}

/// A document with what its items become.
fn text(document: &Document<'_>, items: &[Item<'_>], settings: &Settings, found: &mut Findings) -> Option<String> {
    let read = document.root.as_ref()?;
    let mut changed = read.clone();
    let mut root = read.clone();
    let mut others: &[Object<'_>] = &[];
    for item in items.iter().rev() {
        let Some(objects) = &item.becomes else { continue };
        match (item.path.split_last(), objects.split_first()) {
            (None, Some((first, rest))) => (changed, others) = (first.tree.clone(), rest),
            (Some((nth, path)), _) => put(&mut changed, path, *nth, objects),
            (None, None) => {}
        }
    }
    let Document { at, form, text, .. } = *document;
    for item in items.iter().filter(|item| item.becomes.is_some()) {
        odd_weights(&mut root, item, text);
    }
    let original = Original { text, at, form, root: &root };
    let place = Place { file: at.file, start: document.start, end: document.start };
    let Some(edited) = edit::apply(&original, &changed, &settings.limits) else {
        let message = "no text is read as what this document is to be";
        found.push(Finding::new(&rules::NO_TEXT, message).with_label(Label::new(place)));
        return None;
    };
    comments(&edited, place, found);
    let mut text = edited.text;
    others.iter().for_each(|object| append(&object.tree, form, &mut text));
    (text != document.text).then_some(text)
}

/// Takes the whole weights of a split that are not spelled as one (`1e3`, `0x10`, `010`) for the texts
/// that they are: not every reader takes them for the same number, so they are written anew.
fn odd_weights(root: &mut Node<'_>, item: &Item<'_>, text: &str) {
    let kind = &traffic_split::KIND;
    if !item.object.is(kind.group, kind.kind) {
        return;
    }
    let Some(split) = node_at(root, &item.path) else { return };
    let Some(Value::Sequence(backends)) = split.at_mut(&["spec", "backends"]).map(|node| &mut node.value) else {
        return;
    };
    for weight in backends.iter_mut().filter_map(|backend| backend.mapping_mut()?.get_mut("weight")) {
        let Value::I64(number) = weight.value else { continue };
        let Some(word) = text.get(weight.span.start as usize..weight.span.end() as usize) else { continue };
        if !word.is_empty() && !word.starts_with('*') && word != number.to_string() {
            weight.value = Value::String(word.to_owned().into());
        }
    }
}

/// Says what became of comments.
fn comments(edited: &Edited, place: Place, found: &mut Findings) {
    let lost = edited.lost_comments;
    let lines = if lost == 1 { "1 comment is" } else { &format!("{lost} comments are") };
    let finding = match edited {
        Edited { is_whole: true, .. } => {
            let message = format!("no edit of a part does it: the document is written anew, and {lines} gone");
            Finding::new(&rules::WRITTEN_ANEW, message)
        }
        _ if lost > 0 => {
            let message = format!("{lines} gone with what stood around: a part was removed or moved");
            Finding::new(&rules::LOST_COMMENTS, message)
        }
        _ => return,
    };
    found.push(finding.with_label(Label::new(place)).with_remedy("look at the difference before you commit it"));
}

/// Puts objects in the place of an item of a list. A list of one kind becomes a plain one: its items no
/// longer share the type that it has.
fn put<'s>(root: &mut Node<'s>, path: &[usize], nth: usize, objects: &[Object<'s>]) {
    let Some(holder) = list_at(root, path) else { return };
    let item_type = list::item_type(holder).flatten();
    let Some(mapping) = holder.mapping_mut() else { return };
    if item_type.is_some() {
        mapping.set("apiVersion", Node::text("v1"));
        mapping.set("kind", Node::text("List"));
    }
    let Some(Value::Sequence(items)) = mapping.get_mut("items").map(|node| &mut node.value) else { return };
    for item in items.iter_mut().filter(|_| item_type.is_some()) {
        *item = list::with_type(std::mem::take(item), item_type.as_ref());
    }
    if nth < items.len() {
        items.splice(nth..=nth, objects.iter().map(|object| object.tree.clone()));
    }
}

fn node_at<'n, 's>(root: &'n mut Node<'s>, path: &[usize]) -> Option<&'n mut Node<'s>> {
    let Some((nth, path)) = path.split_last() else { return Some(root) };
    match &mut list_at(root, path)?.mapping_mut()?.get_mut("items")?.value {
        Value::Sequence(items) => items.get_mut(*nth),
        _ => None,
    }
}

fn list_at<'n, 's>(root: &'n mut Node<'s>, path: &[usize]) -> Option<&'n mut Node<'s>> {
    path.iter().try_fold(root, |node, nth| match &mut node.mapping_mut()?.get_mut("items")?.value {
        Value::Sequence(items) => items.get_mut(*nth),
        _ => None,
    })
}

/// Writes one more object behind a document.
fn append(tree: &Node<'_>, form: Form, text: &mut String) {
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut own = String::new();
    match form {
        Form::Yaml => yaml::emit(tree, &mut own),
        Form::Json if text.contains('\n') => json::write_pretty(tree, 4, &mut own),
        Form::Json => json::write(tree, &mut own),
    }
    if !text.ends_with('\n') {
        text.push_str(line_break);
    }
    if form == Form::Yaml {
        text.push_str(&format!("---{line_break}"));
    }
    text.push_str(&own.replace('\n', line_break));
}

/// The new text of every file that changes.
pub(super) fn by_file(sources: &SourceMap, documents: &[(Document<'_>, Option<String>)]) -> BTreeMap<FileId, String> {
    let mut files: BTreeMap<FileId, Vec<(Range<usize>, &str)>> = BTreeMap::new();
    for (document, text) in documents {
        let Some(text) = text else { continue };
        let range = document.at.offset..document.at.offset + document.text.len();
        files.entry(document.at.file).or_default().push((range, text));
    }
    let whole = |(file, parts): (FileId, Vec<(Range<usize>, &str)>)| {
        let old = sources.file(file).text();
        let (mut new, mut from) = (String::with_capacity(old.len()), 0);
        for (range, text) in parts {
            new.push_str(&old[from..range.start]);
            new.push_str(text);
            from = range.end;
        }
        new.push_str(&old[from..]);
        (file, new)
    };
    files.into_iter().map(whole).collect()
}
