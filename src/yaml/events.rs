//! The parser's events, in our words: a thin adapter, so that another parser could take its place.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser as granit;

use super::place;
use super::tag::Tag;

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes.
    Plain,
    /// In quotes.
    Quoted,
    /// Behind `|` or `>`.
    Block,
}

/// What comes next in the text. An anchor of 0 is none.
#[derive(Debug)]
pub(super) enum Event<'s> {
    DocumentStart,
    Scalar {
        text: Cow<'s, str>,
        style: Style,
        anchor: usize,
        tag: Option<Tag>,
    },
    SequenceStart {
        block: bool,
        anchor: usize,
    },
    MappingStart {
        block: bool,
        anchor: usize,
    },
    /// The end of the innermost list or mapping.
    End,
    Alias(usize),
    /// An alias whose name no anchor before it has.
    UnknownAlias,
    DocumentEnd,
    /// What is no part of a document.
    Other,
}

/// Why and where the parser gave up.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) kind: granit::ErrorKind,
    /// Byte of the text.
    pub(super) at: usize,
}

/// The events of a text with the bytes that each covers.
///
/// The bytes of a block scalar begin at its first line of content, those of an unindented list
/// behind its first dash, and a block collection ends where the next token begins.
pub(super) struct Events<'s> {
    parser: granit::Parser<'s, granit::StrInput<'s>>,
    text: &'s str,
}

impl<'s> Events<'s> {
    /// Reads `text`, which nests at most `nesting` levels.
    pub(super) fn new(text: &'s str, nesting: usize) -> Self {
        let options = granit::options! {
            emit_comments: false,
            emit_unresolved_aliases: true,
            flow_nesting_limit: nesting,
            block_nesting_limit: nesting,
        };
        Events { parser: granit::Parser::new_from_str_with_options(text, options), text }
    }

    fn failure(&self, error: &granit::ScanError) -> Failure {
        let at = error.marker().byte_offset().unwrap_or(0);
        Failure { kind: error.kind().clone(), at: place::culprit(self.text, at.min(self.text.len()), error.kind()) }
    }
}

impl<'s> Iterator for Events<'s> {
    type Item = Result<(Event<'s>, Range<usize>), Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self.parser.next()? {
            Ok((event, span)) => Ok((ours(event), span.byte_range().unwrap_or(0..0))),
            Err(error) => Err(self.failure(&error)),
        })
    }
}

fn ours(event: granit::Event<'_>) -> Event<'_> {
    let is_block = |style| style == granit::StructureStyle::Block;
    match event {
        granit::Event::Scalar(text, style, anchor, tag) => Event::Scalar {
            text,
            style: match style {
                granit::ScalarStyle::Plain => Style::Plain,
                granit::ScalarStyle::Literal | granit::ScalarStyle::Folded => Style::Block,
                _ => Style::Quoted,
            },
            anchor,
            tag: tag.map(|tag| Tag::new(tag.handle(), tag.suffix())),
        },
        granit::Event::SequenceStart(style, anchor, _) => Event::SequenceStart { block: is_block(style), anchor },
        granit::Event::MappingStart(style, anchor, _) => Event::MappingStart { block: is_block(style), anchor },
        granit::Event::SequenceEnd | granit::Event::MappingEnd => Event::End,
        granit::Event::Alias(anchor) => Event::Alias(anchor),
        granit::Event::UnresolvedAlias(_) => Event::UnknownAlias,
        granit::Event::DocumentStart(..) => Event::DocumentStart,
        granit::Event::DocumentEnd => Event::DocumentEnd,
        _ => Event::Other,
    }
}
