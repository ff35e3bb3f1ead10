//! What workloads read, for people and programs: `tidegate check --audit`.
//!
//! The JSON, version 1; every field is present, `null` where there is nothing:
//!
//! ```text
//! schemaVersion     1; a field may be added to a version, none is removed or changes its meaning
//! workloads         list, by identity; those that read nothing are left out
//!   workload        "Kind namespace/name"
//!   checksum        whether there is one on its pod template
//!   why             why there is none; or null
//!   sources         list, by kind and name
//!     kind, name    of the ConfigMap, Secret or SecretProviderClass; it is in the workload's namespace
//!     inChecksum    "yes", "in part" or "no"
//!     why           what is special about that; or null
//!     policy        "restart", "hot" or "ignore"
//!     by            who says so: "default", "source", "workload", "otherTool" (an annotation of Reloader or
//!                   wave) or "configuration"
//!     byPlace       {file, line, column}; or null
//!     reads         list: {how, refreshed, path, file, line, column}; refreshed: whether the kubelet
//!                   brings a change to running pods
//! ```
//!
//! It holds no value, and no checksum of one.

use std::fmt::Write as _;

use serde::Serialize;

use super::escape;
use crate::flow::{Input, Planned, Reload, Stamp, Standing, Word, WorkloadInputs};
use crate::source::{Place, SourceMap};

/// What the audit looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Text,
    /// For programs.
    Json,
    /// A table in Markdown.
    Markdown,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Audit {
    schema_version: u32,
    workloads: Vec<Workload>,
}

#[derive(Serialize)]
struct Workload {
    workload: String,
    checksum: bool,
    why: Option<String>,
    sources: Vec<Source>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    kind: &'static str,
    name: String,
    in_checksum: &'static str,
    why: Option<String>,
    policy: &'static str,
    by: &'static str,
    by_place: Option<At>,
    reads: Vec<Reading>,
}

#[derive(Serialize)]
struct At {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Reading {
    how: String,
    refreshed: bool,
    path: String,
    #[serde(flatten)]
    at: At,
}

/// The audit of a plan. It ends with a line break.
pub fn audit(planned: &Planned<'_>, sources: &SourceMap, form: Form) -> String {
    let workloads = planned.inputs.iter().map(|inputs| workload(inputs, planned, sources)).collect();
    let audit = Audit { schema_version: 1, workloads };
    match form {
        Form::Text => text(&audit),
        Form::Markdown => markdown(&audit),
        Form::Json => {
            let text = serde_json::to_string_pretty(&audit).unwrap_or_default();
            format!("{}\n", escape::json(&text))
        }
    }
}

fn workload(inputs: &WorkloadInputs, planned: &Planned<'_>, sources: &SourceMap) -> Workload {
    let why = match &inputs.stamp {
        Stamp::Value(_) => None,
        Stamp::Nothing => Some("nothing that it reads takes part".to_owned()),
        Stamp::Not(why) => Some(why.to_string()),
    };
    Workload {
        workload: planned.linked.loaded.objects.get(inputs.workload).id.to_string(),
        checksum: why.is_none(),
        why,
        sources: inputs.inputs.iter().map(|input| source(input, &inputs.stamp, planned, sources)).collect(),
    }
}

fn source(input: &Input, stamp: &Stamp, planned: &Planned<'_>, sources: &SourceMap) -> Source {
    let at = |place: Place| {
        let place = sources.written(place);
        let start = sources.line_column(place);
        At { file: sources.path(place.file).to_string(), line: start.line, column: start.column }
    };
    let (by, by_place) = match input.word {
        Word::Default => ("default", None),
        Word::Source(place) => ("source", Some(at(place))),
        Word::Workload(place) => ("workload", Some(at(place))),
        Word::OtherTool(place) => ("otherTool", Some(at(place))),
        Word::Configuration(place) => ("configuration", Some(at(place))),
    };
    let reads = input.readings.iter().map(|reading| {
        let reference = &planned.linked.references[reading.reference];
        let (how, path) = (reading.how.to_string(), reference.path.to_string());
        Reading { how, refreshed: reading.is_refreshed, path, at: at(reference.place) }
    });
    let counted = input.readings.iter().filter(|reading| reading.counts).count();
    let in_checksum = match counted {
        _ if matches!(stamp, Stamp::Not(_)) || !input.standing.takes_part() => "no",
        0 => "no",
        all if all == input.readings.len() => "yes",
        _ => "in part",
    };
    Source {
        kind: input.kind.name(),
        name: input.name.to_string(),
        in_checksum,
        why: why(input, counted, planned),
        policy: input.reload.word(),
        by,
        by_place,
        reads: reads.collect(),
    }
}

/// What is special about the part that a source takes.
fn why(input: &Input, counted: usize, planned: &Planned<'_>) -> Option<String> {
    let name = |object| &planned.linked.loaded.objects.get(object).id;
    Some(match (input.standing, input.reload) {
        (Standing::Missing, _) => "it is not in the input".to_owned(),
        (Standing::Product(maker), _) => format!("{} makes it", name(maker)),
        (Standing::Filled(_, who), _) => format!("{who} fills it at run time"),
        (Standing::Versioned(_), _) => "it has a name of its content, so that a change restarts the pods".to_owned(),
        (Standing::Encrypted(_), _) => "it is encrypted, and ciphertext takes no part".to_owned(),
        (_, Reload::Ignore) => "it is ignored".to_owned(),
        (_, Reload::Hot) if counted < input.readings.len() => "the kubelet refreshes it".to_owned(),
        (Standing::Proxy(holder), _) => format!("the ciphertext of {} stands in for it", name(holder)),
        (Standing::Absent, _) => "it counts as absent: it is optional, and not in the input".to_owned(),
        (Standing::Present(_), _) => return None,
    })
}

impl Source {
    /// The cells of a row: source, ways, refreshed, policy, in the checksum.
    fn cells(&self) -> [String; 5] {
        let mut ways: Vec<&str> = Vec::new();
        for read in &self.reads {
            if !ways.contains(&&*read.how) {
                ways.push(&read.how);
            }
        }
        let refreshed = match self.reads.iter().filter(|read| read.refreshed).count() {
            0 => "never refreshed",
            all if all == self.reads.len() => "refreshed",
            _ => "refreshed in part",
        };
        let by = match &self.by_place {
            Some(at) => format!("{}, {}:{}", self.by, at.file, at.line),
            None => self.by.to_owned(),
        };
        let in_checksum = match &self.why {
            Some(why) => format!("{}: {why}", self.in_checksum),
            None => self.in_checksum.to_owned(),
        };
        let policy = format!("{} ({by})", self.policy);
        [format!("{} {}", self.kind, self.name), ways.join(", "), refreshed.to_owned(), policy, in_checksum]
    }
}

impl Workload {
    fn head(&self) -> String {
        match &self.why {
            None => self.workload.clone(),
            Some(why) => format!("{}: no checksum, {why}", self.workload),
        }
    }
}

/// A block for each workload, its columns aligned.
fn text(audit: &Audit) -> String {
    let mut out = String::new();
    for workload in &audit.workloads {
        let rows: Vec<[String; 5]> = workload.sources.iter().map(Source::cells).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2), width(3)];
        out.push_str(&format!("{}\n", escape::escape(&workload.head())));
        for row in &rows {
            let mut line = String::from(" ");
            for (cell, width) in row.iter().zip(widths) {
                // writing to a string cannot fail
                let _ = write!(line, " {cell:width$} ");
            }
            let _ = write!(line, " in the checksum: {}", row[4]);
            out.push_str(&format!("{}\n", escape::escape(&line)));
        }
    }
    if out.is_empty() {
        out.push_str("no workload reads a ConfigMap or Secret\n");
    }
    out
}

fn markdown(audit: &Audit) -> String {
    let mut out = String::from("| workload | source | read | kubelet | policy | in the checksum |\n");
    out.push_str("|---|---|---|---|---|---|\n");
    for workload in &audit.workloads {
        for source in &workload.sources {
            let cells = std::iter::once(workload.head()).chain(source.cells());
            let cells: Vec<String> = cells.map(|cell| escape::escape(&cell).replace('|', "\\|")).collect();
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
    }
    out
}
