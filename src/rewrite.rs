//! Manifests that are converted where they stand: text in, text out.
//!
//! A render makes one stream of all objects; here every file stays a file, every document a document and
//! every list a list, in their order. Objects of the kinds that are converted (`convert::KINDS`, and
//! definitions of apiextensions.k8s.io/v1beta1) become what is asked for, by edits of the text
//! ([`edit`](crate::edit)); every other byte stays. Unlike in a render an object may stand in several
//! files: those of two environments, say.

mod decide;
mod document;
mod item;
mod soften;
mod stream;
mod text;

use std::collections::BTreeMap;

use crate::config::Settings;
use crate::convert::Target;
use crate::finding::Findings;
use crate::load;
use crate::report::conversions::Row;
use crate::source::{FileId, SourceMap};

use decide::Decision;
use document::Document;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// What TrafficSplits become; none for the lowest version that is served and has whole numbers as
    /// weights, as in a render.
    pub target: Option<Target>,
    /// For which ports of a root Service routes are made; empty for all.
    pub ports: &'a [u16],
    /// Whether templates are left as they are, with a warning; they are errors otherwise.
    pub leaves_templates: bool,
}

/// What came of a source map.
#[derive(Debug)]
pub struct Rewritten<'s> {
    /// The new text of every file that changes.
    pub changed: BTreeMap<FileId, String>,
    /// What was converted, in the order of files.
    pub rows: Vec<Row>,
    /// How to go from splits to routes on a cluster, as numbered steps; empty where no routes were made.
    pub steps: String,
    /// The documents, each with its new text where it changes.
    documents: Vec<(Document<'s>, Option<String>)>,
}

/// Converts what is to be converted in the files of a source map. Nothing is written.
///
/// What is wrong with the input goes into `found`; [`Findings::exit_code`] says whether the result may
/// be used. Findings that are about an input as a whole (an object that stands in several files, a
/// kustomization beside manifests) are infos here.
pub fn files<'s>(
    sources: &'s SourceMap,
    settings: &Settings,
    request: &Request<'_>,
    found: &mut Findings,
) -> Rewritten<'s> {
    let loaded = load::objects(sources, settings, found);
    let mut documents = document::read(sources, settings);
    soften::soften(&documents, request, found);
    stream::leave_out(&mut documents, found);
    let mut items = item::items(&documents, &loaded.objects, settings, found);
    let Decision { rows, steps } = decide::decide(&mut items, &loaded.objects, settings, request, found);
    let texts = text::texts(&documents, &items, settings, found);
    let documents: Vec<_> = documents.into_iter().zip(texts).collect();
    Rewritten { changed: text::by_file(sources, &documents), rows, steps, documents }
}

impl Rewritten<'_> {
    /// All manifests as one stream, in the order of files and documents: those that were converted as
    /// they are now, others byte for byte. A single file comes out as the file would; of several, each
    /// document stands behind a line of `---`. What is no manifest is left out.
    pub fn stream(&self, sources: &SourceMap) -> String {
        stream::write(sources, &self.changed, &self.documents)
    }
}
