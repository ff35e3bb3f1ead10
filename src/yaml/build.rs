//! Events to a tree: keys, merges, duplicates, aliases, limits.
//!
//! Nothing recurses: open lists and mappings lie on a stack of frames, their children on two stacks
//! that all frames share, so that a finished collection takes exactly the memory it needs.

mod insert;

use std::ops::Range;

use super::anchors::{self, Anchored, Anchors, Budget};
use super::events::{Event, Events, Failure, Style};
use super::mapping::{Open, Pending};
use super::tag::{self, Resolved, Tag};
use super::{place, report, tabs};
use crate::finding::{DocumentFindings, Finding, Findings, Reported};
use crate::source::{DocumentStart, Limits, Span};
use crate::tree::{FieldPath, Key, Mapping, Node, Value};

/// The depth that no limit raises: whoever walks or drops a tree recurses.
const DEEPEST: usize = 1_000;

/// An open list or mapping.
struct Frame<'s> {
    /// Its first byte.
    start: usize,
    /// Written in brackets of its own.
    bracketed: bool,
    anchor: usize,
    /// The weight of everything before it.
    before: u64,
    /// Where its items and its entries begin on the stacks.
    items: usize,
    entries: usize,
    /// What a mapping needs; nothing for a list.
    mapping: Option<Open<'s>>,
}

/// Builds the tree of one document.
pub(super) struct Builder<'s, 'f> {
    text: &'s str,
    nesting: usize,
    findings: DocumentFindings<'f>,
    frames: Vec<Frame<'s>>,
    items: Vec<Node<'s>>,
    entries: Vec<(Key<'s>, Node<'s>)>,
    anchors: Anchors<'s>,
    budget: Budget,
    /// The last byte at which an alias could begin: no anchor behind it is worth a copy.
    last_alias: usize,
    has_tabs: bool,
    /// The byte behind the last token, and whether that is a plain scalar.
    token_end: usize,
    after_plain: bool,
    /// The byte behind the last key or value.
    node_end: usize,
    open_brackets: usize,
    has_ended: bool,
    root: Option<Node<'s>>,
}

impl<'s, 'f> Builder<'s, 'f> {
    /// A builder for the document `text` that begins at `at`.
    pub(super) fn new(text: &'s str, at: DocumentStart, limits: &Limits, found: &'f mut Findings) -> Self {
        Builder {
            text,
            nesting: limits.nesting.min(DEEPEST),
            findings: DocumentFindings::new(at, found),
            frames: Vec::with_capacity(16),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: Anchors::default(),
            budget: Budget::new(limits),
            last_alias: memchr::memrchr(b'*', text.as_bytes()).unwrap_or(0),
            has_tabs: memchr::memchr(b'\t', text.as_bytes()).is_some(),
            token_end: 0,
            after_plain: false,
            node_end: 0,
            open_brackets: 0,
            has_ended: false,
            root: None,
        }
    }

    /// Reads the text; nothing where it holds no document, or one that is null.
    pub(super) fn build(mut self, limits: &Limits) -> Result<Option<Node<'s>>, Reported> {
        if self.text.len() > limits.document_bytes {
            return Err(self.fail(report::too_big(limits.document_bytes), Span::default()));
        }
        for event in Events::new(self.text, self.nesting) {
            match event {
                Ok((event, range)) => self.take(event, range)?,
                Err(failure) => return Err(self.give_up(&failure)),
            }
        }
        self.look_for_tabs(self.text.len());
        let root = self.root.take().filter(|root| !root.is_null());
        self.findings.usable(root)
    }

    fn take(&mut self, event: Event<'s>, range: Range<usize>) -> Result<(), Reported> {
        let span = Span::new(range.start, range.end);
        match event {
            Event::Scalar { text, style, anchor, tag } => {
                let span = self.scalar_span(style, range);
                let resolved = self.resolve(text, style, tag, span)?;
                self.scalar(resolved, anchor, span)
            }
            Event::SequenceStart { block, anchor } => self.open(None, block, anchor, range),
            Event::MappingStart { block, anchor } => self.open(Some(Open::default()), block, anchor, range),
            Event::End => self.close(range),
            Event::Alias(anchor) => self.alias(anchor, range),
            Event::UnknownAlias => Err(self.fail(report::unknown_anchor(), span)),
            Event::DocumentStart if self.has_ended => Err(self.fail(report::text_behind(), span)),
            Event::DocumentStart => {
                if self.text[range.clone()] == *"---" {
                    self.token_end = range.end;
                }
                Ok(())
            }
            Event::DocumentEnd => {
                self.look_for_tabs(range.start);
                self.token_end = range.end;
                self.after_plain = false;
                self.has_ended = true;
                Ok(())
            }
            Event::Other => Ok(()),
        }
    }

    /// The bytes of a scalar, of which the parser gives `range`; goes on behind it.
    fn scalar_span(&mut self, style: Style, range: Range<usize>) -> Span {
        let is_missing = style == Style::Plain && range.is_empty();
        if is_missing {
            let at = match self.pending() {
                Some(Pending::Value(_)) => place::missing_value(self.text, self.node_end),
                _ => range.start,
            };
            return Span::new(at, at);
        }
        let token = match style {
            Style::Block => place::block_scalar(self.text, self.token_end, range.clone()),
            _ => range.clone(),
        };
        self.token(token.start, range.end, style == Style::Plain);
        if style == Style::Block && self.has_tabs {
            let indent = self.column(range.start);
            self.refuse_tabs(range.start, tabs::refused_in_block(&self.text[range], indent));
        }
        Span::new(token.start, token.end)
    }

    /// Goes on behind a token from `start` to `end`.
    fn token(&mut self, start: usize, end: usize, is_plain: bool) {
        self.look_for_tabs(start);
        self.token_end = end;
        self.after_plain = is_plain;
    }

    /// Warns of tabs between the last token and the byte `until` that kubectl refuses.
    fn look_for_tabs(&mut self, until: usize) {
        if !self.has_tabs || self.open_brackets > 0 {
            return;
        }
        let Some(gap) = self.text.get(self.token_end..until) else {
            return;
        };
        if memchr::memchr(b'\t', gap.as_bytes()).is_none() {
            return;
        }
        let line_start = self.token_end - self.column(self.token_end);
        let before = &self.text[line_start..self.token_end];
        let innermost = self.frames.last();
        let indent = innermost.map_or(0, |frame| self.column(frame.start) + 1);
        let tabs = tabs::refused(gap, before, self.after_plain.then_some(indent));
        self.refuse_tabs(self.token_end, tabs);
    }

    /// Warns of tabs, counted from `from`.
    fn refuse_tabs(&mut self, from: usize, tabs: Vec<usize>) {
        for tab in tabs {
            let span = Span::new(from + tab, from + tab + 1);
            let label = self.findings.label(span);
            self.findings.warning(report::tab().with_label(label));
        }
    }

    fn column(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at];
        at - memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1)
    }

    fn open(
        &mut self,
        mapping: Option<Open<'s>>,
        block: bool,
        anchor: usize,
        range: Range<usize>,
    ) -> Result<(), Reported> {
        let span = Span::new(range.start, range.end);
        if self.frames.len() >= self.nesting {
            return Err(self.fail(report::too_deep(self.nesting), span));
        }
        // `[a: b]` holds a mapping without brackets, and not in block style either
        let bracketed = !block && matches!(&self.text[range.clone()], "[" | "{");
        if bracketed {
            self.token(range.start, range.end, false);
            self.open_brackets += 1;
        }
        let is_value = matches!(self.pending(), Some(Pending::Value(_) | Pending::Merge(_)));
        let start = if block && mapping.is_none() && is_value {
            place::first_dash(self.text, self.token_end, range.start)
        } else {
            range.start
        };
        if anchor != 0 {
            self.anchors.keep(anchor, Anchored::Open, 0);
        }
        self.frames.push(Frame {
            start,
            bracketed,
            anchor,
            before: self.budget.total(),
            items: self.items.len(),
            entries: self.entries.len(),
            mapping,
        });
        self.budget.write(1);
        Ok(())
    }

    /// Ends the innermost list or mapping; `range` is its bracket, or begins at the next token.
    fn close(&mut self, range: Range<usize>) -> Result<(), Reported> {
        self.token(range.start, range.end, false);
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        if frame.bracketed {
            self.open_brackets -= 1;
            self.node_end = range.end;
        }
        let node = Node {
            span: Span::new(frame.start, self.node_end.max(frame.start)),
            value: match frame.mapping {
                None => Value::Sequence(self.items.drain(frame.items..).collect()),
                Some(_) => {
                    let entries = self.entries.drain(frame.entries..).collect();
                    Value::Mapping(Mapping::new(entries))
                }
            },
        };
        if frame.anchor != 0 && self.last_alias >= self.node_end {
            let weight = self.budget.total() - frame.before;
            if !self.budget.keep(weight) {
                return Err(self.fail(report::too_many_copies(), node.span));
            }
            let kept = Anchored::Node(node.clone());
            self.anchors.keep(frame.anchor, kept, weight);
        }
        self.push(node, false)
    }

    fn alias(&mut self, anchor: usize, range: Range<usize>) -> Result<(), Reported> {
        let span = Span::new(range.start, range.end);
        self.token(range.start, range.end, false);
        self.node_end = range.end;
        let name = &self.text[range];
        let Some((anchored, weight)) = self.anchors.get(anchor) else {
            return Err(self.fail(report::unknown_anchor(), span));
        };
        if !self.budget.add(weight) {
            return Err(self.fail(report::too_many_copies(), span));
        }
        match anchored {
            Anchored::Open => Err(self.fail(report::inside_itself(name), span)),
            Anchored::Scalar(scalar) => self.put(scalar.clone(), span),
            Anchored::Node(node) => {
                let value = node.value.clone();
                self.push(Node { span, value }, true)
            }
        }
    }

    fn pending(&self) -> Option<&Pending<'s>> {
        let mapping = self.frames.last()?.mapping.as_ref()?;
        Some(&mapping.pending)
    }

    /// The field that is being read.
    fn path(&self) -> FieldPath {
        let mut path = FieldPath::default();
        for (nth, frame) in self.frames.iter().enumerate() {
            match &frame.mapping {
                None => {
                    let next = self.frames.get(nth + 1);
                    let items = next.map_or(self.items.len(), |next| next.items);
                    path.push_index(items - frame.items);
                }
                Some(Open { pending: Pending::Value(key), .. }) => path.push_key(&key.name),
                Some(_) => {}
            }
        }
        path
    }

    fn placed(&self, finding: Finding, span: Span) -> Finding {
        let label = self.findings.label(span).path(self.path());
        finding.with_label(label)
    }

    fn give_up(&mut self, failure: &Failure) -> Reported {
        let finding = report::syntax(&failure.kind, self.has_ended, self.nesting);
        let mut finding = self.placed(finding, Span::new(failure.at, failure.at));
        let open = self.frames.iter().rev().find(|frame| frame.bracketed);
        if let Some(Frame { start, .. }) = open.filter(|frame| frame.start != failure.at) {
            let bracket = self.findings.label(Span::new(*start, start + 1));
            finding = finding.with_label(bracket.text("this bracket is open"));
        }
        self.findings.fatal(finding)
    }

    fn fail(&mut self, finding: Finding, span: Span) -> Reported {
        let finding = self.placed(finding, span);
        self.findings.fatal(finding)
    }

    fn error(&mut self, finding: Finding, span: Span) -> Result<(), Reported> {
        let finding = self.placed(finding, span);
        self.findings.error(finding)
    }
}
