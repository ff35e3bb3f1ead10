//! The documents of all files, by their bytes.

use crate::config::Settings;
use crate::edit::Form;
use crate::finding::Findings;
use crate::source::{DocumentStart, FileId, Role, SourceMap};
use crate::tree::Node;
use crate::{json, yaml};

/// Kinds of which a document must hold one to be looked into.
const KINDS: &[&str] = &["TrafficSplit", "HTTPRouteGroup", "TrafficTarget", "CustomResourceDefinition"];

/// A document of a file.
#[derive(Debug)]
pub(super) struct Document<'s> {
    /// Where its text begins, and its spans count from.
    pub(super) at: DocumentStart,
    pub(super) form: Form,
    pub(super) text: &'s str,
    /// The first byte of its root in the file; where its text begins if it holds nothing.
    pub(super) start: usize,
    /// Its tree, if it may hold what is converted.
    pub(super) root: Option<Node<'s>>,
    /// Whether it is a template: its text cannot be read, and holds `{{`.
    pub(super) is_template: bool,
    /// Whether it may hold what is converted.
    pub(super) is_looked_into: bool,
    /// Whether it is no part of a stream: no manifest.
    pub(super) is_left_out: bool,
}

/// Cuts every file that holds manifests into its documents. What is wrong with them has been said by
/// whoever loaded them.
pub(super) fn read<'s>(sources: &'s SourceMap, settings: &Settings) -> Vec<Document<'s>> {
    let mut documents = Vec::new();
    for (file, source) in sources.iter().filter(|(_, source)| source.readable && source.role == Role::Manifests) {
        match json::is_stream(source.text()) {
            true => values(file, source.text(), settings, &mut documents),
            false => chunks(file, source.text(), settings, &mut documents),
        }
    }
    documents
}

fn chunks<'s>(file: FileId, text: &'s str, settings: &Settings, documents: &mut Vec<Document<'s>>) {
    for chunk in yaml::chunks(text) {
        let at = chunk.start(file);
        let read = yaml::parse(chunk.text, at, &settings.limits, &mut Findings::default());
        let is_template = read.is_err() && chunk.text.contains("{{");
        let document = Document::new(at, Form::Yaml, chunk.text, read.ok().flatten());
        documents.push(Document { is_template, ..document });
    }
}

fn values<'s>(file: FileId, text: &'s str, settings: &Settings, documents: &mut Vec<Document<'s>>) {
    let start = DocumentStart { file, offset: 0 };
    for value in json::parse_stream(text, start, &settings.limits, &mut Findings::default()) {
        let Ok((at, root)) = value else { continue };
        let text = &text[at.offset..at.offset + root.span.end() as usize];
        documents.push(Document::new(at, Form::Json, text, Some(root)));
    }
}

impl<'s> Document<'s> {
    fn new(at: DocumentStart, form: Form, text: &'s str, root: Option<Node<'s>>) -> Self {
        let start = at.offset + root.as_ref().map_or(0, |root| root.span.start as usize);
        let is_looked_into = KINDS.iter().any(|kind| memchr::memmem::find(text.as_bytes(), kind.as_bytes()).is_some());
        let is_left_out = root.is_none() && text.trim().is_empty();
        let root = root.filter(|_| is_looked_into);
        Document { at, form, text, start, root, is_template: false, is_looked_into, is_left_out }
    }
}
