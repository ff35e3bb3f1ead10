//! The findings of this room, without their places.

use granit_parser::ErrorKind;

use super::message;
use super::tag::Tag;
use crate::finding::rules::{
    LIMIT, NO_JSON_FORM, OVERRIDDEN_MERGE, REFUSED_TAB, ROUNDED_NUMBER, SYNTAX, TEXT_BEHIND_DOCUMENT,
};
use crate::finding::{Finding, shown};

/// A failure of the parser, before or behind the end of the document.
pub(super) fn syntax(kind: &ErrorKind, has_ended: bool, nesting: usize) -> Finding {
    if *kind == ErrorKind::RecursionLimitExceeded {
        return too_deep(nesting);
    }
    if has_ended || *kind == ErrorKind::InvalidDocumentEnd {
        return text_behind();
    }
    let words = message::syntax(kind);
    let finding = Finding::new(&SYNTAX, words.message);
    match words.remedy {
        Some(remedy) => finding.with_remedy(remedy),
        None => finding,
    }
}

pub(super) fn text_behind() -> Finding {
    Finding::new(&TEXT_BEHIND_DOCUMENT, "text stands behind the end of the document")
        .with_remedy("put --- on a line of its own before the text, or delete the text")
}

pub(super) fn too_big(limit: usize) -> Finding {
    let message = format!("the document is bigger than {limit} bytes");
    Finding::new(&LIMIT, message).with_remedy("split it, or raise the limit")
}

pub(super) fn too_deep(limit: usize) -> Finding {
    let message = format!("lists and mappings nest deeper than {limit} levels");
    Finding::new(&LIMIT, message).with_remedy("nest less, or raise the limit")
}

pub(super) fn too_many_copies() -> Finding {
    Finding::new(&LIMIT, "aliases multiply the document too often")
        .with_remedy("write out what is repeated, or raise the limit")
}

/// The name stays unsaid: it may be the start of a password that nobody put in quotes.
pub(super) fn unknown_anchor() -> Finding {
    Finding::new(&SYNTAX, "no anchor of this name is set before this alias")
        .with_remedy("set it with & in this document, or put a value that begins with * in quotes")
}

pub(super) fn inside_itself(alias: &str) -> Finding {
    let name = shown(alias.trim_start_matches('*'));
    Finding::new(&SYNTAX, format!("the value of the anchor {name} holds itself"))
}

pub(super) fn tag_mismatch(tag: Tag) -> Finding {
    let message = match tag {
        Tag::Binary => "!!binary stands before text that is not base64".to_owned(),
        _ => format!("the text does not fit its tag {}", tag.name()),
    };
    Finding::new(&NO_JSON_FORM, message).with_remedy("correct the text, or remove the tag")
}

pub(super) fn not_a_number() -> Finding {
    Finding::new(&NO_JSON_FORM, "JSON has no infinity and no NaN").with_remedy("put the value in quotes if it is text")
}

/// A key that is null or an integer beyond 2^63 - 1.
pub(super) fn scalar_key() -> Finding {
    Finding::new(&NO_JSON_FORM, "this key is null, or a number too large for a key")
        .with_remedy("put the key in quotes if it is text")
}

/// A key that is a list or a mapping.
pub(super) fn collection_key(kind: &str, is_template: bool) -> Finding {
    let (message, remedy) = if is_template {
        let message = "a template {{ … }} stands where a value is expected";
        (message.to_owned(), "render it first, or put the value in quotes")
    } else {
        let message = format!("a key is {kind}; JSON has only strings");
        (message, "use a string for the key")
    };
    Finding::new(&NO_JSON_FORM, message).with_remedy(remedy)
}

pub(super) fn merge_of_no_mapping() -> Finding {
    Finding::new(&NO_JSON_FORM, "<< merges a mapping or a list of mappings, nothing else")
        .with_remedy("give it a mapping, or put \"<<\" in quotes if it is a plain key")
}

pub(super) fn rounded() -> Finding {
    Finding::new(&ROUNDED_NUMBER, "a cluster does not keep all digits of this number")
        .with_remedy("put it in quotes if it is text")
}

pub(super) fn key_overrides(name: &str) -> Finding {
    let message = format!("the key {} overrides a merged one", shown(name));
    Finding::new(&OVERRIDDEN_MERGE, message)
}

pub(super) fn merge_overrides(name: &str) -> Finding {
    let message = format!("the merge overrides the key {}", shown(name));
    Finding::new(&OVERRIDDEN_MERGE, message)
        .with_remedy("write the merge first in its mapping if the other value is meant to win")
}

pub(super) fn tab() -> Finding {
    Finding::new(&REFUSED_TAB, "kubectl refuses a tab here").with_remedy("use spaces")
}
