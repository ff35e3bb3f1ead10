//! Findings as JUnit XML, the form that CI servers show as tests: a case a finding, those that refuse are failures.
//!
//! There is no standard; this keeps to what the readers of Jenkins, GitLab and GitHub share: `testsuites`, one
//! `testsuite`, `testcase` with `classname`, `name` and `file`, `failure` with `message` and `type`, `system-out`.
//! An error is a `failure`; a warning is one if the threshold says so; an info is a case that passed with a text.
//! Without findings there is one case that passed, since an empty report is taken for a run that broke off.

use std::fmt::Write as _;
use std::io;

use super::escape;
use crate::finding::{Finding, Findings, Severity, Threshold};
use crate::source::SourceMap;

/// Writes the findings that are left after suppression.
///
/// # Errors
/// What `out` returns.
pub fn write(found: &Findings, sources: &SourceMap, threshold: Threshold, out: &mut dyn io::Write) -> io::Result<()> {
    let findings = found.sorted();
    let fails = |finding: &&&Finding| match finding.severity {
        Severity::Error => true,
        Severity::Warning => threshold == Threshold::Warning,
        Severity::Info => false,
    };
    let failures = findings.iter().filter(fails).count();
    let tests = findings.len().max(1);
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tidegate\" {counts}>\n  \
         <testsuite name=\"tidegate\" {counts}>\n"
    );
    if findings.is_empty() {
        text.push_str("    <testcase classname=\"tidegate\" name=\"no findings\"/>\n");
    }
    findings.iter().for_each(|finding| case(finding, fails(&finding), sources, &mut text));
    text.push_str("  </testsuite>\n</testsuites>\n");
    out.write_all(text.as_bytes())
}

fn case(finding: &Finding, fails: bool, sources: &SourceMap, text: &mut String) {
    let place = finding.place();
    let position = place.map(|place| format!("{}:{}", sources.path(place.file), sources.line_column(place)));
    let about = finding.object.clone().or_else(|| position.clone()).unwrap_or_else(|| "the input".to_owned());
    let name = escape::xml(&format!("{}: {}", finding.rule.id, finding.message));
    // writing to a string cannot fail
    let _ = write!(text, "    <testcase classname=\"{}\" name=\"{name}\"", escape::xml(&about));
    if let Some(place) = place {
        let _ = write!(text, " file=\"{}\"", escape::xml(sources.path(place.file).as_str()));
    }
    let mut body: Vec<String> = position.into_iter().collect();
    body.extend(finding.remedy.iter().map(|remedy| format!("help: {remedy}")));
    body.push(format!("more: tidegate explain {}", finding.rule.id));
    let body = escape::xml(&body.join("\n"));
    let element = match fails {
        true => {
            let message = escape::xml(&finding.message);
            format!("<failure message=\"{message}\" type=\"{} {}\">{body}</failure>", finding.severity, finding.rule.id)
        }
        false => format!("<system-out>{}: {body}</system-out>", finding.severity),
    };
    let _ = writeln!(text, ">\n      {element}\n    </testcase>");
}
