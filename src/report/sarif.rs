//! Findings as SARIF 2.1.0 (OASIS), for code scanning: one run, its rules, a result a finding.
//!
//! Only what the standard requires or a reader shows is written. A level is `error`, `warning` or `note`; columns count
//! characters. Paths become relative URI references; a finding without a place has no location. No source text is in it.

use std::io;

use serde_json::{Map, Value, json};

use super::escape;
use crate::finding::{Finding, Findings, Label, Rule, Severity, fingerprint};
use crate::source::{Place, SourceMap};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes the findings that are left after suppression: one SARIF log, indented, and a line break.
///
/// # Errors
/// What `out` returns.
pub fn write(found: &Findings, sources: &SourceMap, out: &mut dyn io::Write) -> io::Result<()> {
    let findings = found.sorted();
    let mut rules: Vec<&Rule> = findings.iter().map(|finding| finding.rule).collect();
    rules.sort_unstable_by_key(|rule| rule.id);
    rules.dedup_by_key(|rule| rule.id);
    let index = |rule: &Rule| rules.binary_search_by_key(&rule.id, |rule| rule.id).unwrap_or(0);
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, index(finding.rule), sources)).collect();
    let driver = json!({
        "name": "tidegate",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
    });
    let run = json!({ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    writeln!(out, "{}", escape::json(&format!("{log:#}")))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn described(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.explanation },
        "help": { "text": rule.explanation, "markdown": rule.explanation },
        "defaultConfiguration": { "level": level(rule.severity) },
    })
}

fn result(finding: &Finding, index: usize, sources: &SourceMap) -> Value {
    let message = match &finding.remedy {
        Some(remedy) => format!("{}\nHelp: {remedy}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": { "text": message },
        "partialFingerprints": { "tidegate/v1": fingerprint(finding, sources) },
    });
    let logical = finding.object.as_ref().map(|object| json!([{ "fullyQualifiedName": object, "kind": "object" }]));
    let mut location = Map::new();
    if let Some(label) = finding.labels.first() {
        location.insert("physicalLocation".to_owned(), physical(label.place, sources));
    }
    location.extend(logical.map(|logical| ("logicalLocations".to_owned(), logical)));
    if !location.is_empty() {
        result["locations"] = json!([location]);
    }
    let related: Vec<Value> = finding.labels.iter().skip(1).map(|label| related(label, sources)).collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    result
}

fn related(label: &Label, sources: &SourceMap) -> Value {
    let mut value = json!({ "physicalLocation": physical(label.place, sources) });
    if !label.text.is_empty() {
        value["message"] = json!({ "text": label.text });
    }
    value
}

fn physical(place: Place, sources: &SourceMap) -> Value {
    let start = sources.line_column(place);
    let mut region = json!({ "startLine": start.line, "startColumn": start.column });
    if place.start < place.end {
        let end = sources.line_column(Place { start: place.end, ..place });
        region["endLine"] = json!(end.line);
        region["endColumn"] = json!(end.column);
    }
    json!({ "artifactLocation": { "uri": uri(sources.path(place.file).as_str()) }, "region": region })
}

/// A path as a URI reference (RFC 3986): what is no unreserved character is written by its bytes, and a first part
/// with a colon would be a scheme.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_reference_that_no_reader_takes_for_another() {
        for (path, wanted) in [
            ("./a/b.yaml", "a/b.yaml"),
            ("a b#c?d%.yaml", "a%20b%23c%3Fd%25.yaml"),
            ("javascript:alert(1)", "javascript%3Aalert%281%29"),
            ("<stdin>", "%3Cstdin%3E"),
            ("é\u{202e}", "%C3%A9%E2%80%AE"),
        ] {
            assert_eq!(uri(path), wanted);
        }
    }
}
