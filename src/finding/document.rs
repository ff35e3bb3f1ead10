//! Findings about one document, for the rooms that read.

use super::{Finding, Findings, Label, Reported, Rule};
use crate::source::{DocumentStart, Span};
use crate::tree::FieldPath;

/// Errors after which reading a document gives up, and warnings after which it stays silent: more
/// help nobody, and an input must not be able to fill the memory with them.
const ENOUGH: usize = 100;

/// Pushes what is found in one document and remembers whether the document can be used.
pub(crate) struct DocumentFindings<'f> {
    at: DocumentStart,
    found: &'f mut Findings,
    errors: usize,
    warnings: usize,
}

impl<'f> DocumentFindings<'f> {
    /// Findings of the document that begins at `at`.
    pub(crate) fn new(at: DocumentStart, found: &'f mut Findings) -> Self {
        DocumentFindings { at, found, errors: 0, warnings: 0 }
    }

    /// A label for bytes of the document.
    pub(crate) fn label(&self, span: Span) -> Label {
        Label::new(self.at.place(span))
    }

    /// Pushes an error that ends reading.
    pub(crate) fn fatal(&mut self, finding: Finding) -> Reported {
        self.errors += 1;
        self.found.push(finding);
        Reported
    }

    /// Pushes an error; fails when there have been enough of them.
    pub(crate) fn error(&mut self, finding: Finding) -> Result<(), Reported> {
        let reported = self.fatal(finding);
        if self.errors < ENOUGH { Ok(()) } else { Err(reported) }
    }

    /// Pushes a warning, unless there have been enough of them.
    pub(crate) fn warning(&mut self, finding: Finding) {
        self.warnings += 1;
        if self.warnings <= ENOUGH {
            self.found.push(finding);
        }
    }

    /// What was read, if there was no error.
    pub(crate) fn usable<T>(&self, read: T) -> Result<T, Reported> {
        if self.errors == 0 { Ok(read) } else { Err(Reported) }
    }
}

/// A key given twice in one mapping: `second` is refused, `first` is where it stands already.
pub(crate) fn duplicate_key(rule: &'static Rule, name: &str, second: Label, first: Label, path: FieldPath) -> Finding {
    Finding::new(rule, format!("duplicate key {}", shown(name)))
        .with_label(second.path(path.clone()))
        .with_label(first.path(path).text("first set here"))
        .with_remedy("remove one of the two, or merge their values into one")
}

/// A key in quotes for a message, cut where it is long.
pub(crate) fn shown(name: &str) -> String {
    const LONGEST: usize = 100;
    match name.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{:?}…", &name[..cut]),
        None => format!("{name:?}"),
    }
}
