//! All manifests as one stream.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Findings;
use crate::finding::rules::objects;
use crate::source::{FileId, SourceMap};

use super::document::Document;

/// Marks documents that are no manifests: what the load skipped, it said.
pub(super) fn leave_out(documents: &mut [Document<'_>], found: &Findings) {
    let is_skipped = |rule| rule == &objects::NOT_A_MANIFEST || rule == &objects::NOT_APPLIED;
    let skipped: BTreeSet<(FileId, usize)> = found
        .sorted()
        .iter()
        .filter(|finding| is_skipped(finding.rule))
        .filter_map(|finding| finding.place().map(|place| (place.file, place.start)))
        .collect();
    for document in documents {
        document.is_left_out |= skipped.contains(&(document.at.file, document.start));
    }
}

/// Writes all documents that are not left out.
pub(super) fn write(
    sources: &SourceMap,
    changed: &BTreeMap<FileId, String>,
    documents: &[(Document<'_>, Option<String>)],
) -> String {
    let is_blank = |document: &Document<'_>| document.text.trim().is_empty();
    let files: BTreeSet<FileId> = documents.iter().map(|(document, _)| document.at.file).collect();
    let is_whole = documents.iter().all(|(document, _)| !document.is_left_out || is_blank(document));
    if let (Some(file), 1, true) = (files.first(), files.len(), is_whole) {
        return changed.get(file).map_or_else(|| sources.file(*file).text().to_owned(), String::clone);
    }
    let mut out = String::new();
    for (document, text) in documents.iter().filter(|(document, _)| !document.is_left_out) {
        let text = text.as_deref().unwrap_or(document.text);
        // a stream that begins with a brace would be read as JSON to its end
        if !out.is_empty() || text.trim_start().starts_with('{') {
            out.push_str("---\n");
        }
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}
