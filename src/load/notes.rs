//! What the reader met and did not read, as findings.

use crate::finding::{Finding, Findings, Label, Severity, rules::files as rules};
use crate::source::{Bound, Encoding, FileId, LinkTrouble, Note, Place, SourceMap, is_kustomization};

/// Pushes one finding for every note (for bad patterns, one a line). `map` is the map that the
/// notes were made with.
pub fn report(notes: &[Note], map: &SourceMap, found: &mut Findings) {
    for note in notes {
        if let Note::Patterns { path, lines } = note {
            for line in lines {
                found.push(pattern(path, line));
            }
        } else if let Some(finding) = finding(note, map) {
            found.push(finding);
        }
    }
}

fn finding(note: &Note, map: &SourceMap) -> Option<Finding> {
    Some(match note {
        Note::Unreadable { path, file, reason } => unreadable(path, *file, reason),
        Note::NotText { file, offset, encoding } => not_text(map, *file, *offset, *encoding),
        Note::TooBig { file, bound, limit } => too_big(map, *file, *bound, *limit),
        Note::Link { path, trouble, refused } => link(path, trouble, *refused),
        Note::Special { path, kind, .. } if is_kustomization(path) => unread_kustomization(
            Finding::new(&rules::SPECIAL_FILE, format!("`{path}` is a {kind} and is not read")),
            path,
        ),
        Note::Special { path, kind, refused } => {
            Finding::new(&rules::SPECIAL_FILE, format!("`{path}` is a {kind} and is not read"))
                .with_severity(severity(*refused))
                .with_remedy("remove it, or leave it out with `.tidegateignore`")
        }
        Note::LinkedFolder { path } => {
            Finding::new(&rules::LINKED_FOLDER, format!("`{path}` is a link to a folder and is not entered"))
        }
        Note::NameNotUtf8 { path } => {
            Finding::new(&rules::NAME_NOT_UTF8, format!("`{path}` is not read: its path is not UTF-8"))
                .with_remedy("rename it, or leave it out with `.tidegateignore`")
        }
        Note::Template { path } => {
            Finding::new(&rules::TEMPLATE, format!("`{path}` is a template by its name, and is not rendered"))
                .with_remedy("call it `*.yaml.tera`, or leave it out with `.tidegateignore`")
        }
        Note::ChartTemplates { path } => chart_templates(path),
        Note::Patterns { .. } => return None,
    })
}

fn pattern(path: &str, (line, why): &(usize, String)) -> Finding {
    Finding::new(&rules::IGNORE_PATTERN, format!("`{path}` line {line} is not a pattern: {why}"))
        .with_remedy("write the line in the syntax of gitignore")
}

fn unreadable(path: &str, file: Option<FileId>, reason: &str) -> Finding {
    let finding = Finding::new(&rules::UNREADABLE, format!("`{path}` cannot be read: {reason}"))
        .with_remedy("correct the path or its permissions, or leave it out with `.tidegateignore`");
    match file {
        Some(file) => finding.with_label(Label::new(Place::file(file))),
        None => finding,
    }
}

/// The message names the place but shows none of the bytes: nobody knows what they are.
fn not_text(map: &SourceMap, file: FileId, offset: u64, encoding: Encoding) -> Finding {
    let path = map.path(file);
    let end = map.file(file).text().len();
    let place = Place { file, start: end, end };
    let line = map.line_column(place).line;
    let (message, remedy) = match encoding {
        Encoding::Utf32 => (
            format!("`{path}` is UTF-32, which is not read (byte order mark at byte 0, line 1)"),
            "save the file as UTF-8",
        ),
        Encoding::Utf16Le | Encoding::Utf16Be => (
            format!("`{path}` is not valid {encoding} at line {line}, byte {offset} of the file"),
            "save the file as UTF-8",
        ),
        Encoding::Utf8 => (
            format!("`{path}` is not valid {encoding} at line {line}, byte {offset} of the file"),
            "save the file as UTF-8 (`iconv -f LATIN1 -t UTF-8` if it is Latin-1)",
        ),
    };
    Finding::new(&rules::NOT_TEXT, message).with_label(Label::new(place)).with_remedy(remedy)
}

fn too_big(map: &SourceMap, file: FileId, bound: Bound, limit: u64) -> Finding {
    let path = map.path(file);
    let message = match bound {
        Bound::File => format!("`{path}` has more than {limit} bytes, the limit for one file"),
        Bound::Total => format!(
            "with `{path}` the input has more than {limit} bytes, the limit for all files; \
             it and the files after it were not read"
        ),
    };
    Finding::new(&rules::TOO_BIG, message)
        .with_label(Label::new(Place::file(file)))
        .with_remedy("leave files that are no manifests out with `.tidegateignore`")
}

fn link(path: &str, trouble: &LinkTrouble, refused: bool) -> Finding {
    let (message, remedy) = match trouble {
        LinkTrouble::Outside => (
            format!("`{path}` leads out of the root and is not read"),
            "put the file inside the root, or give a `--root` that holds both",
        ),
        LinkTrouble::Dangling => (
            format!("`{path}` is a link that leads nowhere and is not read"),
            "restore what it leads to, or remove the link",
        ),
        LinkTrouble::Broken(reason) => {
            (format!("`{path}` is a link that cannot be followed: {reason}"), "remove the link")
        }
    };
    let finding = Finding::new(&rules::LINK, message);
    match is_kustomization(path) {
        true => unread_kustomization(finding, path),
        false => finding.with_severity(severity(refused)).with_remedy(remedy),
    }
}

/// A kustomization that nobody read is an error: it may change everything that lies beside it.
fn unread_kustomization(finding: Finding, path: &str) -> Finding {
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let folder = if folder.is_empty() { "/" } else { folder };
    finding.with_severity(Severity::Error).with_remedy(format!(
        "build the kustomization and pipe the result: `kubectl kustomize {folder} | tidegate render -`"
    ))
}

fn chart_templates(path: &str) -> Finding {
    let chart = match path.strip_suffix("/templates") {
        Some(chart) => chart,
        None if path == "." => "..",
        None => ".",
    };
    Finding::new(&rules::CHART_TEMPLATES, format!("`{path}` holds templates of a Helm chart and is not read"))
        .with_remedy(format!("render the chart and pipe the result: `helm template {chart} | tidegate render -`"))
}

fn severity(refused: bool) -> Severity {
    if refused { Severity::Error } else { Severity::Warning }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Threshold;
    use crate::source::{Input, Limits, ReadOptions, Side, read};

    fn text(notes: &[Note], map: &SourceMap) -> String {
        let mut found = Findings::default();
        report(notes, map, &mut found);
        let lines = found.sorted().into_iter().map(|finding| {
            let at = finding.place().map(|place| map.line_column(place));
            let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
            let (id, severity) = (finding.rule.id, finding.severity);
            let remedy = finding.remedy.as_deref().unwrap_or("nothing to do");
            format!("{id} {severity}{at}: {} ({remedy})\n", finding.message)
        });
        lines.collect()
    }

    fn exit(note: Note) -> u8 {
        let mut found = Findings::default();
        report(&[note], &SourceMap::default(), &mut found);
        found.exit_code(Threshold::Never)
    }

    #[test]
    fn paths_are_told_with_what_to_do() {
        let path = || "k8s/a.yaml".to_owned();
        let link = |trouble, refused| Note::Link { path: path(), trouble, refused };
        let notes = [
            Note::Unreadable { path: path(), file: None, reason: "permission denied".to_owned() },
            link(LinkTrouble::Outside, true),
            link(LinkTrouble::Dangling, false),
            link(LinkTrouble::Broken("too many levels".to_owned()), false),
            Note::Special { path: path(), kind: "named pipe", refused: false },
            Note::LinkedFolder { path: path() },
            Note::NameNotUtf8 { path: "caf\\xE9.yaml".to_owned() },
            Note::Template { path: path() },
            Note::ChartTemplates { path: "web/templates".to_owned() },
            Note::ChartTemplates { path: "templates".to_owned() },
            Note::Patterns {
                path: ".tidegateignore".to_owned(),
                lines: vec![(2, "why".to_owned()), (5, "why not".to_owned())],
            },
        ];
        insta::assert_snapshot!(text(&notes, &SourceMap::default()), @r"
        TG010 error: `k8s/a.yaml` cannot be read: permission denied (correct the path or its permissions, or leave it out with `.tidegateignore`)
        TG013 warning: `k8s/a.yaml` is a link that cannot be followed: too many levels (remove the link)
        TG013 warning: `k8s/a.yaml` is a link that leads nowhere and is not read (restore what it leads to, or remove the link)
        TG013 error: `k8s/a.yaml` leads out of the root and is not read (put the file inside the root, or give a `--root` that holds both)
        TG014 warning: `k8s/a.yaml` is a named pipe and is not read (remove it, or leave it out with `.tidegateignore`)
        TG015 info: `k8s/a.yaml` is a link to a folder and is not entered (nothing to do)
        TG016 error: `caf\xE9.yaml` is not read: its path is not UTF-8 (rename it, or leave it out with `.tidegateignore`)
        TG017 warning: `k8s/a.yaml` is a template by its name, and is not rendered (call it `*.yaml.tera`, or leave it out with `.tidegateignore`)
        TG018 warning: `.tidegateignore` line 2 is not a pattern: why (write the line in the syntax of gitignore)
        TG018 warning: `.tidegateignore` line 5 is not a pattern: why not (write the line in the syntax of gitignore)
        TG019 warning: `templates` holds templates of a Helm chart and is not read (render the chart and pipe the result: `helm template . | tidegate render -`)
        TG019 warning: `web/templates` holds templates of a Helm chart and is not read (render the chart and pipe the result: `helm template web | tidegate render -`)
        ");
    }

    #[test]
    fn what_is_refused_stops_the_run_whatever_the_threshold() {
        let special = |refused| Note::Special { path: "p".to_owned(), kind: "device", refused };
        assert_eq!(exit(special(false)), 0);
        assert_eq!(exit(special(true)), 3);
        assert_eq!(exit(Note::NameNotUtf8 { path: "n".to_owned() }), 3);
        assert_eq!(exit(Note::Template { path: "t".to_owned() }), 0);
    }

    #[test]
    fn a_kustomization_that_was_not_read_stops_the_run() {
        for name in ["kustomization.yaml", "k8s/kustomization.yml", "k8s/Kustomization"] {
            let path = || name.to_owned();
            assert_eq!(exit(Note::Special { path: path(), kind: "named pipe", refused: false }), 3, "{name}");
            for trouble in [LinkTrouble::Outside, LinkTrouble::Dangling] {
                assert_eq!(exit(Note::Link { path: path(), trouble, refused: false }), 3, "{name}");
            }
        }
        let path = "k8s/my-kustomization.yaml".to_owned();
        assert_eq!(exit(Note::Link { path, trouble: LinkTrouble::Outside, refused: false }), 0);
    }

    #[test]
    fn wrong_bytes_are_told_by_place_and_not_shown() {
        let limits = Limits { file_bytes: 64, ..Limits::default() };
        let options = ReadOptions { limits: &limits, root: None, strict_links: false, side: Side::New };
        let big = Input::Text { name: "big.yaml".to_owned(), text: "x".repeat(65) };
        let mut stdin = &b"a: 1\nb: caf\xe9 secret\n"[..];
        let reading = read(&[Input::Stdin, big], &options, &mut stdin).unwrap();
        insta::assert_snapshot!(text(&reading.notes, &reading.map), @r"
        TG011 error at 2:7: `<stdin>` is not valid UTF-8 at line 2, byte 11 of the file (save the file as UTF-8 (`iconv -f LATIN1 -t UTF-8` if it is Latin-1))
        TG012 error at 1:1: `big.yaml` has more than 64 bytes, the limit for one file (leave files that are no manifests out with `.tidegateignore`)
        ");
    }
}
