//! Findings that are known: a run says only what is new.
//!
//! A baseline is a file of findings as they were once. Findings are known again by rule, object (or file, where there is
//! no object), field and message, not by line: text moves. Each entry counts once; more of the same are new.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::rules::output::IDLE_BASELINE;
use super::{Finding, Findings, Severity};
use crate::source::SourceMap;

/// What `schemaVersion` is.
const SCHEMA_VERSION: u32 = 1;

/// Findings by what they are known again by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeMap<Known, u64>,
}

/// What a finding is known again by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    id: String,
    severity: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    object: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    path: Option<String>,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    schema_version: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    known: Known,
    count: u64,
}

/// Text that is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not of the form.
    #[error("it is no baseline that tidegate wrote: {0}")]
    Form(#[from] serde_json::Error),
    /// It is of a later form.
    #[error("its schemaVersion is {0}, and this version of tidegate reads {SCHEMA_VERSION}")]
    Version(u32),
}

impl Baseline {
    /// The findings of a run that a baseline can hold: those that can be suppressed.
    pub fn of(found: &Findings, sources: &SourceMap) -> Self {
        let mut known: BTreeMap<Known, u64> = BTreeMap::new();
        for finding in found.sorted().into_iter().filter(|finding| finding.rule.is_suppressible()) {
            *known.entry(self::known(finding, sources)).or_default() += finding.count;
        }
        Baseline { known }
    }

    /// How many findings it holds.
    pub fn len(&self) -> u64 {
        self.known.values().sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is not what [`Baseline::write`] writes.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let file: File = serde_json::from_str(text)?;
        match file.schema_version {
            SCHEMA_VERSION => {
                Ok(Baseline { known: file.findings.into_iter().map(|entry| (entry.known, entry.count)).collect() })
            }
            other => Err(BaselineError::Version(other)),
        }
    }

    /// The text of a file: JSON in a fixed order, `{schemaVersion, findings: [{id, severity, object?, file?, path?,
    /// message, count}]}`.
    ///
    /// # Errors
    /// When JSON cannot hold it, which is never.
    pub fn write(&self) -> Result<String, BaselineError> {
        let entries = self.known.iter().map(|(known, count)| Entry { known: known.clone(), count: *count });
        let file = File { schema_version: SCHEMA_VERSION, findings: entries.collect() };
        Ok(format!("{}\n", serde_json::to_string_pretty(&file)?))
    }
}

fn known(finding: &Finding, sources: &SourceMap) -> Known {
    let first = finding.labels.first();
    let file = first.filter(|_| finding.object.is_none()).map(|label| sources.path(label.place.file).to_string());
    Known {
        id: finding.rule.id.to_owned(),
        severity: finding.severity.word().to_owned(),
        object: finding.object.clone(),
        file,
        path: first.and_then(|label| label.path.as_ref()).map(ToString::to_string),
        message: finding.message.clone(),
    }
}

/// 32 hexadecimal digits by which readers know a finding again: the same while rule, object (or file), field and
/// message are.
pub fn fingerprint(finding: &Finding, sources: &SourceMap) -> String {
    let Known { id, object, file, path, message, .. } = known(finding, sources);
    let parts = [Some(id), object, file, path, Some(message)];
    let parts: Vec<String> =
        parts.into_iter().map(|part| part.map_or("-".to_owned(), |part| format!("+{part}"))).collect();
    Sha256::digest(parts.join("\0")).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl Findings {
    /// Leaves out the findings that a baseline knows. What it knows and what is no longer found is said in one info. To
    /// be called when all else is done.
    pub fn leave_out_known(&mut self, baseline: &Baseline, sources: &SourceMap) {
        let mut left = baseline.known.clone();
        self.retain(|finding| {
            let known = known(finding, sources);
            match left.get_mut(&known) {
                Some(count) if *count >= finding.count && finding.rule.is_suppressible() => {
                    *count -= finding.count;
                    false
                }
                _ => true,
            }
        });
        let idle: u64 = left.values().sum();
        if idle > 0 {
            let finding = Finding::new(
                &IDLE_BASELINE,
                format!("{idle} of {} entries of the baseline match no finding", baseline.len()),
            );
            self.push(finding.with_remedy("write it anew with `--write-baseline`").with_severity(Severity::Info));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Label, Threshold, rules};
    use crate::source::{Place, SourceFile};

    #[test]
    fn what_is_known_is_left_out_wherever_it_moved_and_once_an_entry() {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("a.yaml", "abc\n"));
        let at = |start| Label::new(Place { file, start, end: start + 1 });
        let of = |object: &str, start| {
            Finding::new(&rules::order::WAVE_AGAINST_EDGE, "m").with_object(object).with_label(at(start))
        };
        let mut old = Findings::default();
        old.push(of("Job a", 0));
        old.push(of("Job gone", 0));
        old.push(Finding::new(&rules::SYNTAX, "never known").with_label(at(1)));
        let baseline = Baseline::of(&old, &sources);
        assert_eq!(baseline.len(), 2);
        let baseline = Baseline::read(&baseline.write().unwrap()).unwrap();
        let mut new = Findings::default();
        new.push(of("Job a", 2));
        new.push(of("Job a", 3));
        new.push(of("Job b", 0));
        new.push(Finding::new(&rules::SYNTAX, "never known").with_label(at(1)));
        new.push(of("Job gone", 0).with_severity(Severity::Error));
        new.leave_out_known(&baseline, &sources);
        let left: Vec<_> = new
            .sorted()
            .iter()
            .map(|f| (f.rule.id, f.object.clone().unwrap_or_default(), f.place().map(|p| p.start)))
            .collect();
        let text = |text: &str| text.to_owned();
        assert_eq!(
            left,
            [
                ("TG202", text("Job b"), Some(0)),
                ("TG202", text("Job gone"), Some(0)),
                ("TG001", text(""), Some(1)),
                ("TG202", text("Job a"), Some(3)),
                ("TG705", text(""), None),
            ]
        );
        assert_eq!(new.exit_code(Threshold::Never), 3);
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        for text in
            ["", "{}", r#"{"schemaVersion":2,"findings":[]}"#, r#"{"schemaVersion":1,"findings":[{"id":"TG001"}]}"#]
        {
            assert!(Baseline::read(text).is_err(), "{text}");
        }
    }
}
