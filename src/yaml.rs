//! YAML: text to trees, as kubectl reads it, and trees to text, as every reader reads it.
//!
//! A stream is cut into [`chunks`] first; [`parse`] makes a tree of one. Both follow kubectl where
//! YAML leaves a choice, and are stricter where kubectl loses data without a word: duplicate keys,
//! and text behind the end of a document, are errors. [`emit()`] writes a tree, [`emit_kyaml`]
//! in the form that leaves least to a reader.

mod anchors;
mod build;
#[cfg(test)]
mod cases;
mod chunk;
mod emit;
mod events;
mod fast;
mod mapping;
mod message;
mod place;
mod report;
mod scalar;
mod tabs;
mod tag;
#[cfg(test)]
mod tests;

pub use chunk::{Chunk, chunks};
pub(crate) use emit::is_unprintable;
pub use emit::{emit, emit_kyaml};

use crate::finding::{Findings, Reported};
use crate::source::{DocumentStart, Limits};
use crate::tree::Node;

/// Reads the text of one [`Chunk`], whose first byte is at `at`; spans count from there.
///
/// Nothing comes back for a text without a document (blank, or comments alone) and for a document
/// that is null: kubectl skips both. The tree borrows from the text what it can.
///
/// # Errors
/// When the text cannot be read as kubectl reads it, or passes a limit. What is wrong has been
/// pushed to `found`: all of it that can be told apart, not only the first. Warnings are pushed
/// whether reading succeeds or not.
pub fn parse<'s>(
    text: &'s str,
    at: DocumentStart,
    limits: &Limits,
    found: &mut Findings,
) -> Result<Option<Node<'s>>, Reported> {
    match fast::parse(text, limits) {
        Some(root) => Ok(root),
        None => parse_full(text, at, limits, found),
    }
}

/// [`parse`] by the parser of all YAML, which also finds the words for what is wrong.
pub(crate) fn parse_full<'s>(
    text: &'s str,
    at: DocumentStart,
    limits: &Limits,
    found: &mut Findings,
) -> Result<Option<Node<'s>>, Reported> {
    build::Builder::new(text, at, limits, found).build(limits)
}
