//! Every row of the table of cases that were measured with kubectl.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::{chunks, parse};
use crate::finding::Findings;
use crate::json;
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

/// What reading a stream gives: the documents as JSON up to the first that fails, and the ids of
/// all findings.
#[derive(Debug, Default)]
struct Outcome {
    documents: Vec<String>,
    failed: bool,
    found: Vec<&'static str>,
}

fn read(text: &str) -> Outcome {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("case.yaml", text));
    let mut found = Findings::default();
    let limits = Limits::default();
    let mut outcome = Outcome::default();
    let mut add = |node: Result<Option<String>, _>| match node {
        Ok(json) if !outcome.failed => outcome.documents.extend(json),
        Ok(_) => {}
        Err(crate::finding::Reported) => outcome.failed = true,
    };
    let write = |node: &_| {
        let mut out = String::new();
        json::write(node, &mut out);
        out
    };
    if json::is_stream(text) {
        let at = DocumentStart { file, offset: 0 };
        for node in json::parse_stream(text, at, &limits, &mut found) {
            add(node.map(|(_, node)| Some(write(&node))));
        }
    } else {
        for chunk in chunks(text) {
            let separator = chunk.check_separator(file, &mut found);
            let node = parse(chunk.text, chunk.start(file), &limits, &mut found);
            add(separator.and(node).map(|node| node.as_ref().map(write)));
        }
    }
    outcome.found = found.sorted().iter().map(|finding| finding.rule.id).collect();
    for finding in found.sorted() {
        let place = finding.place().expect("every finding here has a place");
        assert!(place.end <= text.len() && place.start <= place.end, "{text:?} {finding:?}");
        assert!(text.is_char_boundary(place.start) && text.is_char_boundary(place.end));
    }
    outcome
}

/// Rows that the table leaves to argument, or whose column contradicts a rule above the table:
/// id, what we give (documents, or an error), and why.
const DECIDED: &[(&str, &str, &str)] = &[
    ("s213", r#"["Aé😀\u001b\u0007\u0000\u0085\u00a0\u2028\u2029/"]"#, "escapes of YAML 1.2 are accepted"),
    ("s232", r#"["😀"]"#, "surrogate pairs are accepted, as in JSON"),
    ("s237", r#"["\u0085x"]"#, "NEL is content"),
    ("s239", "TG001", "a byte order mark inside a document is refused"),
    ("s281", r#"[{"1.2345679e+20":"a"}]"#, "as kubectl does"),
    ("s286", "TG002", "kubectl picks one of the two at random"),
    ("s288", "TG002", "kubectl picks one of the two at random"),
    ("s290", "TG006", "a null key is refused before it can be a duplicate"),
    ("s291", "TG001", "an escape that YAML does not know"),
    ("s292", "TG001", "a comment needs a blank before it"),
    ("anchor across docs", "TG001", "as kubectl does: anchors end with their document"),
    ("nel", r#"[{"a":"x\u0085y"}]"#, "NEL is content"),
    ("ls", r#"[{"a":"x\u2028y"}]"#, "LS is content"),
    ("directive 1.2", "TG001", "kubectl cuts the directive off its document"),
    ("directive 1.3", "TG001", "kubectl cuts the directive off its document"),
    ("directive unknown", "TG001", "kubectl cuts the directive off its document"),
    ("tab after dash", r#"[{"a":["b"]}] TG009"#, "accepted, with a warning"),
    ("tab blank line", r#"[{"a":1,"b":2}] TG009"#, "accepted, with a warning"),
    ("tab in flow", "TG001", "a tab indents a line"),
    ("--- col0 in block root", "TG004", "as kubectl does"),
    ("empty docs", r#"[{"a":1}]"#, "documents that are null are skipped; kubectl asks for a kind"),
    ("only ---", "[]", "kubectl shows the header that the test added"),
    ("json esc", r#"[{"a":"é/😀"}]"#, "JSON goes through the JSON reader"),
    ("yaml then json", r#"[{}, {"metadata":{"name":"b"},"a":1,"u":"é/"}]"#, "the escapes of JSON are accepted in YAML"),
    ("json dup", "TG002", "duplicates are an error in JSON, too"),
];

fn table() -> Option<String> {
    let file = shared("design/yaml-cases.tsv")?;
    Some(std::fs::read_to_string(file).unwrap())
}

/// A document as the table writes it: apiVersion, kind and metadata are dropped there.
fn canonical(json: &Json) -> Json {
    match json {
        Json::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(key, value)| (key.clone(), canonical(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(entries.into_iter().collect())
        }
        Json::Array(items) => Json::Array(items.iter().map(canonical).collect()),
        Json::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

fn without_header(json: Json, is_header: bool) -> Json {
    match json {
        Json::Object(mut entries) if is_header => {
            for key in ["apiVersion", "kind"] {
                entries.shift_remove(key);
            }
            let named = entries.get("metadata").and_then(Json::as_object);
            if named.is_some_and(|metadata| metadata.keys().eq(["name"]) && metadata["name"] == "a") {
                entries.shift_remove("metadata");
            }
            Json::Object(entries)
        }
        other => other,
    }
}

fn documents(outcome: &Outcome, is_header: bool) -> Vec<Json> {
    outcome
        .documents
        .iter()
        .map(|json| canonical(&without_header(serde_json::from_str(json).unwrap(), is_header)))
        .collect()
}

struct Row<'t> {
    kind: &'t str,
    id: &'t str,
    text: String,
    kubectl: &'t str,
    ours: &'t str,
}

/// The text of a row: JSON escapes, and `(key of N characters)` for what the table abbreviates.
fn unescape(cell: &str) -> String {
    let cell = match cell.split_once(" characters) ") {
        Some((count, rest)) => {
            let count: usize = count.trim_start_matches("(key of ").parse().unwrap();
            let behind = rest.trim_start_matches('k');
            let quote = if behind.starts_with("\\\"") { "\\\"" } else { "" };
            let count = count - quote.len();
            format!("{quote}{}{behind}", "k".repeat(count))
        }
        None => cell.to_owned(),
    };
    serde_json::from_str(&format!("\"{cell}\"")).unwrap()
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table.lines().skip(1).filter_map(|line| {
        let cells: Vec<_> = line.split('\t').collect();
        (cells[0] != "bytes").then(|| Row {
            kind: cells[0],
            id: cells[1],
            text: unescape(cells[2]),
            kubectl: cells[3],
            ours: cells[4],
        })
    })
}

fn stream(row: &Row<'_>) -> String {
    if row.kind != "scalar" {
        return row.text.clone();
    }
    let end = if row.text.ends_with('\n') { "" } else { "\n" };
    format!("v: {}{end}", row.text)
}

fn check(row: &Row<'_>) -> Result<(), String> {
    let outcome = read(&stream(row));
    let mut documents = documents(&outcome, !row.kubectl.contains("apiVersion"));
    if row.kind == "scalar" {
        documents = documents.into_iter().map(|document| document["v"].clone()).collect();
    }
    let expect = |holds: bool| holds.then_some(()).ok_or(format!("{} {}: {outcome:?}", row.id, row.text));
    if let Some((_, given, _)) = DECIDED.iter().find(|(id, ..)| *id == row.id) {
        let (json, rule) = given.split_once(" TG").unwrap_or((given, ""));
        if json.starts_with("TG") {
            return expect(outcome.failed && outcome.found.iter().all(|id| *id == json));
        }
        let expected = canonical(&serde_json::from_str(json).unwrap());
        let found = if rule.is_empty() { vec![] } else { vec![format!("TG{rule}")] };
        return expect(!outcome.failed && json!(documents) == expected && outcome.found == found);
    }
    match row.ours {
        "same" => expect(
            agrees(row, &outcome, &documents) && outcome.found.iter().all(|id| *id == "TG007") || fails(row, &outcome),
        ),
        "same, with a warning: merged key overridden" => expect(
            agrees(row, &outcome, &documents)
                && outcome.found.iter().all(|id| *id == "TG008")
                && !outcome.found.is_empty(),
        ),
        "digits kept" => expect(agrees(row, &outcome, &documents) && outcome.found == ["TG007"]),
        "error: duplicate key" => expect(outcome.failed && outcome.found.contains(&"TG002")),
        "error: text after the end of a document" => expect(outcome.found == ["TG003"]),
        other => Err(format!("{}: nobody knows what {other:?} means", row.id)),
    }
}

fn fails(row: &Row<'_>, outcome: &Outcome) -> bool {
    row.kubectl.contains("ERR") && outcome.failed
}

fn agrees(row: &Row<'_>, outcome: &Outcome, documents: &[Json]) -> bool {
    if row.kubectl.contains("ERR") || outcome.failed {
        return false;
    }
    if row.kubectl == "(no document)" {
        return documents.is_empty();
    }
    if row.kubectl == "null" && documents.is_empty() {
        return true;
    }
    let mut cells = row.kubectl.split(" ;; ");
    let all = documents.iter().zip(&outcome.documents).all(|(document, text)| {
        let cell = cells.next().unwrap_or("");
        match serde_json::from_str(cell) {
            Ok(expected) => canonical(&expected) == *document,
            Err(_) => cell.len() > 50 && text.starts_with(cell), // cut in the table
        }
    });
    all && cells.next().is_none()
}

#[test]
fn every_row_of_the_table_holds() {
    let Some(table) = table() else {
        return;
    };
    let results: Vec<_> = rows(&table).map(|row| check(&row)).collect();
    println!("{} rows of yaml-cases.tsv ran", results.len());
    let failures: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(results.len() > 400);
    for (id, ..) in DECIDED {
        assert!(rows(&table).any(|row| row.id == *id), "{id} is no row");
    }
}

/// A folder or file of the shared material, from the manifest's folder upwards.
fn shared(path: &str) -> Option<PathBuf> {
    let start = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let found = start.ancestors().map(|folder| folder.join("shared").join(path)).find(|path| path.exists());
    if found.is_none() {
        println!("SKIP: ../shared/{path} is not there");
    }
    found
}

/// What kubectl reads from files; nothing, said loudly, where there is no kubectl. An error of
/// kubectl is what it says.
fn kubectl(files: &[PathBuf]) -> Option<Result<Vec<Json>, String>> {
    let mut command = std::process::Command::new("kubectl");
    command.env("KUBECONFIG", "/dev/null");
    command.args(["patch", "--local", "--type=merge", "-p", "{}", "-o", "json"]);
    for file in files {
        command.arg("-f").arg(file);
    }
    let Ok(output) = command.output() else {
        println!("SKIP: kubectl is not there");
        return None;
    };
    if !output.status.success() {
        return Some(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let values = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    Some(Ok(values.map(|value| canonical(&value.unwrap())).collect()))
}

const HEADER: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

#[test]
fn kubectl_still_reads_the_scalars_of_the_table() {
    let Some(table) = table() else {
        return;
    };
    let scalars: Vec<_> = rows(&table).filter(|row| row.kind == "scalar").collect();
    let (bad, good): (Vec<_>, Vec<_>) = scalars.iter().partition(|row| row.kubectl.starts_with("ERR"));
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let all: Vec<_> = good.iter().map(|row| format!("{HEADER}{}", stream(row))).collect();
    let Some(read) = kubectl(&[file("good.yaml", &all.join("---\n"))]) else {
        return;
    };
    let read = read.unwrap();
    assert_eq!(read.len(), good.len());
    for (row, document) in good.iter().zip(&read) {
        let expected = canonical(&serde_json::from_str(row.kubectl).unwrap());
        let random = ["s286", "s287", "s288", "s289"].contains(&row.id);
        assert!(random || document["v"] == expected, "{} {}", row.id, row.text);
    }
    for row in bad.iter().step_by(3) {
        let file = file("bad.yaml", &format!("{HEADER}{}", stream(row)));
        assert!(kubectl(&[file]).unwrap().is_err(), "{} {}", row.id, row.text);
    }
    println!("{} scalars asked of kubectl", good.len() + bad.len().div_ceil(3));
}

/// Files of real projects, the same wherever the test runs.
fn corpus() -> Vec<PathBuf> {
    let Some(folder) = shared("corpus") else {
        return Vec::new();
    };
    let walk = ignore::WalkBuilder::new(folder).standard_filters(false).sort_by_file_path(Ord::cmp).build();
    let files = walk.map(|entry| entry.unwrap().into_path());
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "golden");
    files.filter(is_yaml).collect()
}

/// The objects of a stream as kubectl takes them apart: lists by their items. Nothing where an
/// object has no name.
fn objects(outcome: &Outcome) -> Option<Vec<Json>> {
    let mut objects = Vec::new();
    for document in &outcome.documents {
        let document = canonical(&serde_json::from_str(document).unwrap());
        match document.get("items") {
            Some(Json::Array(items)) if document["kind"].as_str()?.ends_with("List") => objects.extend(items.clone()),
            _ => objects.push(document),
        }
    }
    let is_named = |object: &Json| {
        object["metadata"]["name"].is_string() && object["kind"].is_string() && object["apiVersion"].is_string()
    };
    objects.iter().all(is_named).then_some(objects)
}

#[test]
fn real_files_read_as_kubectl_reads_them() {
    let mut compared = 0;
    let mut batch = (Vec::new(), Vec::new());
    let mut ask = |(files, ours): &mut (Vec<PathBuf>, Vec<Json>)| {
        let theirs = kubectl(files)?.unwrap();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "one of {files:?}");
        }
        assert_eq!(ours.len(), theirs.len(), "{files:?}");
        compared += ours.len();
        files.clear();
        ours.clear();
        Some(())
    };
    for path in corpus().into_iter().step_by(12) {
        let text = std::fs::read_to_string(&path).unwrap();
        let outcome = read(&text);
        // kubectl refuses the escape \/, which is read here on purpose
        if outcome.failed || text.len() > 300_000 || text.contains("\\/") {
            continue;
        }
        if let Some(objects) = objects(&outcome).filter(|objects| !objects.is_empty()) {
            batch.0.push(path);
            batch.1.extend(objects);
        }
        if batch.0.len() == 10 && ask(&mut batch).is_none() {
            return;
        }
    }
    if !batch.0.is_empty() && ask(&mut batch).is_none() {
        return;
    }
    println!("{compared} objects compared with kubectl");
}

#[test]
fn line_breaks_do_not_change_what_is_read() {
    let mut files = 0;
    for path in corpus().into_iter().skip(5).step_by(12) {
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains('\r') || text.len() > 300_000 {
            continue;
        }
        let (unix, dos) = (read(&text), read(&text.replace('\n', "\r\n")));
        assert_eq!(unix.documents, dos.documents, "{path:?}");
        assert_eq!(unix.found, dos.found, "{path:?}");
        files += 1;
    }
    println!("{files} files read twice");
}
