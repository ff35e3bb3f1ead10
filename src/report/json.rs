//! Findings for programs.
//!
//! `docs/findings.schema.json` has it as a JSON Schema. The schema, version 1; every field is present unless said otherwise, `null` where there is nothing:
//!
//! ```text
//! schemaVersion      1; a field may be added to a version, none is removed or changes its meaning
//! findings           list, sorted by file, place, rule and message; those without a place come last
//!   id               rule, "TG101"
//!   severity         "error", "warning" or "info"
//!   message          what is wrong, one line that can stand alone
//!   object           "Kind namespace/name" or "Kind name", or null
//!   file             path as the user gave it, `/` between folders, "<stdin>"; or null: no place
//!   line, column     of the first character, from 1, a column counts characters; or null: no place
//!   endLine,         of the character behind the last one; absent where the place has no extent
//!   endColumn
//!   path             field, "spec.containers[0].image"; or null
//!   remedy           what to do; or null
//!   related          list of {file, line, column, path, text}: other places, and what is there
//!   docs             where the rule is documented
//! summary            {errors, warnings, infos}: how many findings there are of each severity
//! ```
//!
//! Of very many findings of one rule only the first are listed; one without a place says how many more
//! there are, and `summary` counts them all.
//!
//! It holds no source text. Characters that a terminal obeys or hides are written as `\u` escapes.

use std::io;

use serde::Serialize;

use super::{Tally, docs, escape, written};
use crate::finding::{Finding, Findings, Label};
use crate::source::{Place, SourceMap};

/// What `schemaVersion` is.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'f> {
    schema_version: u32,
    findings: Vec<Entry<'f>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    errors: u64,
    warnings: u64,
    infos: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'f> {
    id: &'static str,
    severity: &'static str,
    message: &'f str,
    object: Option<&'f str>,
    file: Option<&'f str>,
    line: Option<u32>,
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
    path: Option<String>,
    remedy: Option<&'f str>,
    related: Vec<Related<'f>>,
    docs: String,
}

#[derive(Serialize)]
struct Related<'f> {
    file: &'f str,
    line: u32,
    column: u32,
    path: Option<String>,
    text: &'f str,
}

/// Writes the findings that are left after suppression: one JSON object, 2 spaces a level, and a
/// line break.
///
/// # Errors
/// What `out` returns.
pub fn write(found: &Findings, sources: &SourceMap, out: &mut dyn io::Write) -> io::Result<()> {
    let findings = written::findings(found, sources);
    let tally = Tally::of(findings.iter().map(|finding| &**finding));
    let report = Report {
        schema_version: SCHEMA_VERSION,
        findings: findings.iter().map(|finding| entry(finding, sources)).collect(),
        summary: Summary { errors: tally.errors, warnings: tally.warnings, infos: tally.infos },
    };
    let text = serde_json::to_string_pretty(&report)?;
    writeln!(out, "{}", escape::json(&text))
}

fn entry<'f>(finding: &'f Finding, sources: &'f SourceMap) -> Entry<'f> {
    let first = finding.labels.first();
    let place = first.map(|label| label.place);
    let start = place.map(|place| sources.line_column(place));
    let extent = place.filter(|place| place.start < place.end);
    let end = extent.map(|place| sources.line_column(Place { start: place.end, ..place }));
    Entry {
        id: finding.rule.id,
        severity: finding.severity.word(),
        message: &finding.message,
        object: finding.object.as_deref(),
        file: place.map(|place| sources.path(place.file).as_str()),
        line: start.map(|start| start.line),
        column: start.map(|start| start.column),
        end_line: end.map(|end| end.line),
        end_column: end.map(|end| end.column),
        path: first.and_then(path),
        remedy: finding.remedy.as_deref(),
        related: finding.labels.iter().skip(1).map(|label| related(label, sources)).collect(),
        docs: docs(finding.rule),
    }
}

fn related<'f>(label: &'f Label, sources: &'f SourceMap) -> Related<'f> {
    let start = sources.line_column(label.place);
    Related {
        file: sources.path(label.place.file).as_str(),
        line: start.line,
        column: start.column,
        path: path(label),
        text: &label.text,
    }
}

fn path(label: &Label) -> Option<String> {
    label.path.as_ref().map(ToString::to_string).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests;
