//! Text to documents, the way kubectl splits it.

use crate::config::Settings;
use crate::finding::{Finding, Findings, rules};
use crate::flow::Unread;
use crate::load::{judge, secrecy, ytt};
use crate::source::{DocumentStart, FileId, Place, Span};
use crate::tree::Node;
use crate::{json, yaml};

/// One document that was read.
#[derive(Debug)]
pub(super) struct Document<'s> {
    /// Where the spans of the tree count from.
    pub at: DocumentStart,
    /// The document's value.
    pub root: Node<'s>,
}

/// Documents of a run, and those that could not be read.
#[derive(Debug, Default)]
pub(super) struct Documents<'s> {
    pub read: Vec<Document<'s>>,
    pub unread: Vec<Unread<'s>>,
}

impl<'s> Documents<'s> {
    /// Reads all documents of a file's text. A text whose first character is `{` is a stream of JSON
    /// values, any other is YAML, as in the stream decoder of apimachinery (`util/yaml/decoder.go`).
    pub(super) fn add(&mut self, file: FileId, text: &'s str, settings: &Settings, found: &mut Findings) {
        let start = DocumentStart { file, offset: 0 };
        if json::is_stream(text) {
            self.add_json(start, text, settings, found);
            return;
        }
        // text behind what was no separator, or no document, may belong to what was before it
        let (mut cut, mut torn, mut hidden) = (false, false, false);
        let mut code = Code::default();
        for chunk in yaml::chunks(text) {
            let at = chunk.start(file);
            let place = at.place(Span::new(0, chunk.text.len()));
            let unread = Unread { place, text: Some(chunk.text) };
            if chunk.check_separator(file, found).is_err() {
                self.unread.push(unread);
                (cut, torn) = (true, true);
            }
            let mut own = Findings::default();
            match yaml::parse(chunk.text, at, &settings.limits, &mut own) {
                Ok(Some(root)) if code.makes(&root, at, chunk.text, found) => self.unread.push(unread),
                Ok(Some(root)) => {
                    let has_kind = root.get("kind").is_some_and(|kind| kind.as_str().is_some());
                    if !torn && (has_kind || !hidden) {
                        hidden = !secrecy::show_source(&root, at, chunk.text, found);
                    }
                    self.read.push(Document { at, root });
                }
                Ok(None) => code.look(None, at, chunk.text),
                Err(_) => {
                    if !torn {
                        secrecy::show_unread(place, chunk.text, found);
                    }
                    torn |= !found.may_show(place);
                    self.unread.push(unread);
                    explain_template(chunk.text, &mut own);
                }
            }
            if cut {
                own = without_keys(own);
            }
            found.append(own);
        }
    }

    fn add_json(&mut self, start: DocumentStart, text: &'s str, settings: &Settings, found: &mut Findings) {
        for document in json::parse_stream(text, start, &settings.limits, found) {
            match document {
                Ok((at, root)) => {
                    let end = root.span.end() as usize;
                    secrecy::show_source(&root, at, &text[at.offset - start.offset..][..end], found);
                    self.read.push(Document { at, root });
                }
                Err(_) => {
                    let place = start.place(Span::new(0, text.len()));
                    secrecy::show_unread(place, text, found);
                    self.unread.push(Unread { place, text: Some(text) });
                }
            }
        }
    }
}

/// Code of ytt in a file, wherever it stands: an annotation counts for the document behind it.
#[derive(Debug, Default)]
struct Code {
    first: Option<Place>,
    said: bool,
}

impl Code {
    fn look(&mut self, root: Option<&Node<'_>>, at: DocumentStart, text: &str) {
        if self.first.is_none() {
            self.first = ytt::code(root, text).map(|span| at.place(span));
        }
    }

    /// Whether a document would be a manifest, but for the code; that is said once a file.
    fn makes(&mut self, root: &Node<'_>, at: DocumentStart, text: &str, found: &mut Findings) -> bool {
        self.look(Some(root), at, text);
        let Some(place) = self.first.filter(|_| root.mapping().is_some_and(judge::claims_to_be_a_manifest)) else {
            return false;
        };
        if !self.said {
            found.push(ytt::unrendered(place));
        }
        self.said = true;
        true
    }
}

/// Findings that tell no key of their document: it may be the text of a Secret.
fn without_keys(mut found: Findings) -> Findings {
    for rule in rules::all() {
        found.replace(rule, |mut finding| {
            finding.labels.iter_mut().for_each(|label| label.path = None);
            Finding { message: rule.summary.to_owned(), remedy: None, ..finding }
        });
    }
    found
}

/// A document that does not parse and holds `{{` is a template that nobody rendered: says that
/// instead of what the YAML reader stumbled over.
fn explain_template(text: &str, found: &mut Findings) {
    let Some(at) = text.find("{{") else { return };
    let line = 1 + text[..at].matches('\n').count();
    found.replace(&rules::SYNTAX, |syntax| Finding {
        message: format!(
            "a template that was not rendered: the document holds `{{{{` (its line {line}) and is no YAML"
        ),
        rule: &rules::objects::TEMPLATE,
        remedy: Some("render it first and pipe the result: `helm template CHART | tidegate render -`".to_owned()),
        ..syntax
    });
}
