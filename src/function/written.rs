//! The answer as text.
//!
//! A list with comments, as kpt sends one, is changed in its text, so that the comments come back with it. Any other
//! one, and one in braces, is written anew as block YAML.

use crate::edit::{self, Form, Original};
use crate::finding::Findings;
use crate::json;
use crate::load::resource_list::Answer;
use crate::source::{FileId, Limits, SourceMap, Span};
use crate::tree::{Node, Value};
use crate::yaml;

/// The text of an answer to the list in a file.
pub(super) fn text(answer: &Answer<'_>, list: FileId, sources: &SourceMap, limits: &Limits) -> String {
    let mut out = String::new();
    match answer {
        Answer::List(root) => match commented(root, list, sources, limits) {
            Some(text) => out = text,
            None => yaml::emit(root, &mut out),
        },
        Answer::Documents(documents) => {
            for (nth, document) in documents.iter().enumerate() {
                if nth > 0 {
                    out.push_str("---\n");
                }
                yaml::emit(document, &mut out);
            }
        }
    }
    out
}

/// The text that the host sent with the changes in it; nothing where it has no comments, or no edit of parts does it.
fn commented(answer: &Node<'_>, list: FileId, sources: &SourceMap, limits: &Limits) -> Option<String> {
    let text = sources.file(list).text();
    if json::is_stream(text) || !has_comments(text) {
        return None;
    }
    let mut unsaid = Findings::default();
    for chunk in yaml::chunks(text) {
        let at = chunk.start(list);
        if let Some(root) = yaml::parse(chunk.text, at, limits, &mut unsaid).ok()? {
            return edited(&Original { text: chunk.text, at, form: Form::Yaml, root: &root }, answer, limits);
        }
    }
    None
}

/// First what goes is taken out, so that what stays is compared with what it becomes: an item of the answer has the span
/// of the one that it comes from.
fn edited(original: &Original<'_>, answer: &Node<'_>, limits: &Limits) -> Option<String> {
    let left: Vec<Span> = items(answer).iter().map(|item| item.span).collect();
    let mut kept = original.root.clone();
    if let Some(Value::Sequence(items)) = kept.at_mut(&["items"]).map(|node| &mut node.value) {
        items.retain(|item| left.contains(&item.span));
    }
    if items(&kept).len() == items(original.root).len() {
        return in_parts(original, answer, limits);
    }
    let text = in_parts(original, &kept, limits)?;
    let root = yaml::parse(&text, original.at, limits, &mut Findings::default()).ok()??;
    in_parts(&Original { text: &text, root: &root, ..*original }, answer, limits)
}

fn in_parts(original: &Original<'_>, changed: &Node<'_>, limits: &Limits) -> Option<String> {
    edit::apply(original, changed, limits).filter(|edited| !edited.is_whole).map(|edited| edited.text)
}

fn items<'n, 's>(list: &'n Node<'s>) -> &'n [Node<'s>] {
    list.get("items").and_then(Node::items).unwrap_or_default()
}

/// Whether a text may hold a comment: a `#` where a line begins or behind a blank. One in a text of several lines counts,
/// too: an edit is right there as well.
fn has_comments(text: &str) -> bool {
    memchr::memchr_iter(b'#', text.as_bytes())
        .any(|at| at == 0 || matches!(text.as_bytes()[at - 1], b' ' | b'\t' | b'\n'))
}
