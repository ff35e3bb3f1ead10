//! Patches in files of their own.

use crate::config::PatchBody;
use crate::finding::{Finding, Findings, Label, rules};
use crate::source::{FileId, Limits, Place};
use crate::{json, yaml};

use super::json6902;

/// Reads the text of a file with one patch, in YAML or JSON: a mapping is a merge patch, a list is a
/// JSON patch. Nothing where it cannot be read; what is wrong has been pushed.
pub fn read(text: &str, file: FileId, limits: &Limits, found: &mut Findings) -> Option<PatchBody> {
    let mut wrong = |place: Place, message: String| {
        found.push(Finding::new(&rules::CONFIG, message).with_label(Label::new(place)));
    };
    let mut documents = Vec::new();
    for chunk in yaml::chunks(text) {
        let mut reading = Findings::default();
        let at = chunk.start(file);
        let read =
            chunk.check_separator(file, &mut reading).and_then(|()| yaml::parse(chunk.text, at, limits, &mut reading));
        match read {
            Ok(node) => documents.extend(node.map(|node| (at.place(node.span), node))),
            Err(_) => {
                let first = reading.sorted().first().map(|first| (first.place(), first.message.clone()));
                let (place, message) = first.unwrap_or((None, "it cannot be read".to_owned()));
                wrong(place.unwrap_or(Place::file(file)), format!("the patch: {message}"));
                return None;
            }
        }
    }
    let [(place, node)] = &documents[..] else {
        let message = format!("a file with a patch has one document, not {}", documents.len());
        wrong(Place::file(file), message);
        return None;
    };
    let value = json::to_value(node);
    match (node.mapping().is_some(), json6902::operations(&value)) {
        (true, _) => Some(PatchBody::Merge(value, *place)),
        (false, _) if node.items().is_none() => {
            wrong(*place, format!("a patch is a mapping (RFC 7386) or a list (RFC 6902), not {}", node.kind()));
            None
        }
        (false, Ok(_)) => Some(PatchBody::Json6902(value, *place)),
        (false, Err(why)) => {
            wrong(*place, format!("the patch is wrong: {why}"));
            None
        }
    }
}
