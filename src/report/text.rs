//! Findings for people, in the form that compilers have made familiar.
//!
//! Infos come first, a line each; then a block for each error and warning; then how many there are.
//! Every place stands as `path:line:column`. Source text is shown only where it may be, and whatever
//! comes from the input is escaped ([`super::escape`]): no byte of it reaches a terminal as it is.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use super::escape::escape;
use super::snippet::{Snippet, snippet};
use super::{Tally, written};
use crate::finding::{Finding, Findings, Label, Severity};
use crate::source::{Place, SourceMap};

/// How many infos of one rule are shown unless all are asked for.
const INFOS: usize = 10;

/// How the text looks and how much of it there is. Whoever makes it knows the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to write colours, as ANSI escape sequences.
    pub color: bool,
    /// Errors alone.
    pub quiet: bool,
    /// Every info, with its remedy; and for each finding where to read on.
    pub verbose: bool,
    /// Columns of the page: source lines are cut to it, words of ours are not. At least 40 are used.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, quiet: false, verbose: false, width: 120 }
    }
}

/// Writes the findings that are left after suppression; nothing at all if there are none to show.
///
/// # Errors
/// What `out` returns.
pub fn write(found: &Findings, sources: &SourceMap, style: &Style, out: &mut dyn io::Write) -> io::Result<()> {
    let findings = written::findings(found, sources);
    let tally = Tally::of(findings.iter().map(|finding| &**finding));
    let mut page = Page { found, sources, style, out: io::BufWriter::new(out) };
    let (infos, others): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().map(|finding| &**finding).partition(|finding| finding.severity == Severity::Info);
    if !style.quiet {
        page.infos(&infos)?;
        if !infos.is_empty() && !others.is_empty() {
            writeln!(page.out)?;
        }
    }
    for finding in others {
        if !style.quiet || finding.severity == Severity::Error {
            page.block(finding)?;
        }
    }
    let counts = counts(tally, style.quiet);
    if !counts.is_empty() {
        writeln!(page.out, "{}", page.paint(Role::Message, &counts))?;
    }
    page.out.flush()
}

/// The parts that are not empty, escaped, with two spaces between them.
fn joined<'p>(parts: impl IntoIterator<Item = &'p str>) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.map(escape).collect::<Vec<_>>().join("  ")
}

/// `2 errors, 1 warning`, without what there is none of; empty where there is nothing to count.
fn counts(tally: Tally, quiet: bool) -> String {
    let warnings = if quiet { 0 } else { tally.warnings };
    let parts = [(tally.errors, "error"), (warnings, "warning")];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts = parts.map(|(number, word)| match number {
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// What a stretch of text is, which decides its colour.
#[derive(Clone, Copy)]
enum Role {
    Severity(Severity),
    Message,
    Frame,
    Related,
    Remedy,
}

impl Role {
    /// Parameters of the ANSI sequence "select graphic rendition".
    fn sgr(self) -> &'static str {
        match self {
            Role::Severity(Severity::Error) => "1;31",
            Role::Severity(Severity::Warning) => "1;33",
            Role::Severity(Severity::Info) => "1;36",
            Role::Message => "1",
            Role::Frame | Role::Related => "1;34",
            Role::Remedy => "1;32",
        }
    }
}

struct Page<'a> {
    found: &'a Findings,
    sources: &'a SourceMap,
    style: &'a Style,
    out: io::BufWriter<&'a mut dyn io::Write>,
}

impl Page<'_> {
    /// Text in the colour of its role.
    fn paint(&self, role: Role, text: &str) -> String {
        match self.style.color {
            true => format!("\u{1b}[{}m{text}\u{1b}[0m", role.sgr()),
            false => text.to_owned(),
        }
    }

    /// `severity[id]`.
    fn head(&self, finding: &Finding) -> String {
        let head = format!("{}[{}]", finding.severity, finding.rule.id);
        self.paint(Role::Severity(finding.severity), &head)
    }

    /// `path:line:column`.
    fn position(&self, place: Place) -> String {
        let path = self.sources.path(place.file).as_str();
        format!("{}:{}", escape(path), self.sources.line_column(place))
    }

    /// Infos of one rule together, at most [`INFOS`] of each unless all are asked for.
    fn infos(&mut self, infos: &[&Finding]) -> io::Result<()> {
        let mut by_rule: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for info in infos {
            by_rule.entry(info.rule.id).or_default().push(info);
        }
        for (id, infos) in by_rule {
            let shown = match self.style.verbose {
                true => infos.len(),
                false => infos.len().min(INFOS),
            };
            for info in &infos[..shown] {
                self.info(info)?;
            }
            match infos[shown..].iter().map(|info| info.count).sum::<u64>() {
                0 => {}
                more => writeln!(self.out, "… and {more} more of {id} (-v shows all)")?,
            }
        }
        Ok(())
    }

    fn info(&mut self, info: &Finding) -> io::Result<()> {
        let head = self.head(info);
        let mut labels = info.labels.iter();
        let at = match (labels.next(), &info.object) {
            (Some(label), _) => format!("{}: ", self.position(label.place)),
            (None, Some(object)) => format!("{}: ", escape(object)),
            (None, None) => String::new(),
        };
        write!(self.out, "{head}: {at}{}", escape(&info.message))?;
        for label in labels {
            let at = self.position(label.place);
            write!(self.out, " ({})", joined([at.as_str(), &label.text]))?;
        }
        writeln!(self.out)?;
        match &info.remedy {
            Some(remedy) if self.style.verbose => self.note(2, "help", remedy),
            _ => Ok(()),
        }
    }

    fn block(&mut self, finding: &Finding) -> io::Result<()> {
        let head = self.head(finding);
        let message = self.paint(Role::Message, &format!(": {}", escape(&finding.message)));
        writeln!(self.out, "{head}{message}")?;
        let lines = finding.labels.iter().map(|label| self.sources.line_column(label.place).line);
        let gutter = lines.max().unwrap_or(0).to_string().len().max(2);
        for (nth, label) in finding.labels.iter().enumerate() {
            self.label(finding, nth, label, gutter)?;
        }
        if let (Some(object), []) = (&finding.object, &finding.labels[..]) {
            self.note(gutter, "object", object)?;
        }
        if let Some(remedy) = &finding.remedy {
            self.note(gutter, "help", remedy)?;
        }
        if self.style.verbose {
            let read_on = format!("tidegate explain {}", finding.rule.id);
            self.note(gutter, "more", &read_on)?;
        }
        writeln!(self.out)
    }

    /// The place of a label and, where it may be shown, its source line.
    fn label(&mut self, finding: &Finding, nth: usize, label: &Label, gutter: usize) -> io::Result<()> {
        let columns = self.style.width.max(40).saturating_sub(gutter + 3);
        let snippet = snippet(self.found, self.sources, label.place, columns);
        let is_first = nth == 0;
        let object = finding.object.as_deref().filter(|_| is_first);
        let path = label.path.as_ref().filter(|path| is_first || finding.labels[0].path.as_ref() != Some(*path));
        let path = path.map(ToString::to_string);
        // beside the carets if there are any
        let text = Some(label.text.as_str()).filter(|_| snippet.is_none());
        let arrow = self.paint(Role::Frame, if is_first { "-->" } else { ":::" });
        let parts = [object, path.as_deref(), text];
        let position = self.position(label.place);
        let parts = std::iter::once(position.as_str()).chain(parts.into_iter().flatten());
        writeln!(self.out, "{:gutter$}{arrow} {}", "", joined(parts))?;
        match snippet {
            Some(snippet) => self.source(finding, nth, label, &snippet, gutter),
            None => Ok(()),
        }
    }

    fn source(
        &mut self,
        finding: &Finding,
        nth: usize,
        label: &Label,
        snippet: &Snippet,
        gutter: usize,
    ) -> io::Result<()> {
        let (caret, role) = match nth {
            0 => ("^", Role::Severity(finding.severity)),
            _ => ("-", Role::Related),
        };
        let line = self.sources.line_column(label.place).line;
        let number = self.paint(Role::Frame, &format!("{line:>gutter$} |"));
        let empty = self.paint(Role::Frame, &format!("{:gutter$} |", ""));
        let marks = format!("{} {}", caret.repeat(snippet.carets), escape(&label.text));
        let marks = self.paint(role, marks.trim_end());
        writeln!(self.out, "{empty}")?;
        writeln!(self.out, "{number} {}", snippet.text)?;
        writeln!(self.out, "{empty} {:before$}{marks}", "", before = snippet.before)
    }

    /// A line about the finding as a whole.
    fn note(&mut self, gutter: usize, name: &str, text: &str) -> io::Result<()> {
        let equals = self.paint(Role::Frame, "=");
        let name = self.paint(Role::Remedy, name);
        writeln!(self.out, "{:gutter$} {equals} {name}: {}", "", escape(text))
    }
}

#[cfg(test)]
mod tests;
