//! Findings as workflow commands of GitHub Actions, which shows them beside the lines they are about:
//! `::error file=a.yaml,line=1,col=2,endLine=1,endColumn=5,title=TG101::message`.
//!
//! Escaping is that of the runner (actions/toolkit, `core/src/command.ts`): `%`, CR and LF in a message, `:` and `,`
//! too in a property. Nothing of an input can begin a command of its own.

use std::fmt::Write as _;
use std::io;

use super::escape;
use crate::finding::{Finding, Findings, Severity};
use crate::source::{Place, SourceMap};

/// Writes the findings that are left after suppression, a line each.
///
/// # Errors
/// What `out` returns.
pub fn write(found: &Findings, sources: &SourceMap, out: &mut dyn io::Write) -> io::Result<()> {
    let lines: String = found.sorted().iter().map(|finding| line(finding, sources)).collect();
    out.write_all(lines.as_bytes())
}

fn line(finding: &Finding, sources: &SourceMap) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut line = format!("::{command} ");
    if let Some(place) = finding.place() {
        let start = sources.line_column(place);
        // writing to a string cannot fail
        let _ = write!(
            line,
            "file={},line={},col={},",
            property(sources.path(place.file).as_str()),
            start.line,
            start.column
        );
        if place.start < place.end {
            let end = sources.line_column(Place { start: place.end, ..place });
            let _ = write!(line, "endLine={},endColumn={},", end.line, end.column);
        }
    }
    let remedy = finding.remedy.as_ref().map(|remedy| format!("\nhelp: {remedy}")).unwrap_or_default();
    let object = finding.object.as_ref().map(|object| format!(" ({object})")).unwrap_or_default();
    let title = property(&format!("{}{object}", finding.rule.id));
    let _ = writeln!(line, "title={title}::{}", message(&format!("{}{remedy}", finding.message)));
    line
}

/// A message, whose line breaks stay.
fn message(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(|line| escape::escape(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
