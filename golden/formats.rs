//! The forms of findings, over the input of every golden case: each is what its reader takes it for, and tells nothing
//! that must not be told.
//!
//! JSON is validated against `docs/findings.schema.json`, and SARIF against the schema of OASIS where `SARIF_SCHEMA` names
//! a copy of it, by the Python package jsonschema; where that is not there, the checks written here remain.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::place::{files, root, say, skip, tidegate};

/// The inputs of the golden cases.
fn inputs() -> Vec<PathBuf> {
    let mut folders: Vec<String> = files(true)
        .into_iter()
        .filter(|file| file.starts_with("golden/"))
        .filter_map(|file| Some(file.split_once(".in/")?.0.to_owned() + ".in"))
        .collect();
    folders.dedup();
    folders.into_iter().map(|folder| root().join(folder)).collect()
}

/// What `check -o FORM` prints about a folder.
fn findings(input: &Path, form: &str) -> String {
    let mut command = Command::new(tidegate());
    command.current_dir(input).args(["check", ".", "--allow-empty", "-o", form]).stderr(Stdio::null());
    String::from_utf8(command.output().expect("tidegate runs").stdout).expect("findings are UTF-8")
}

/// What is printed about every input that tidegate accepts on a command line.
fn all(form: &str) -> Vec<(PathBuf, String)> {
    let printed = inputs().into_iter().map(|input| (input.clone(), findings(&input, form)));
    let printed: Vec<_> = printed.filter(|(_, text)| !text.is_empty()).collect();
    assert!(printed.len() > 100, "{} outputs", printed.len());
    printed
}

/// Writes documents, one a line, and lets Python judge them against a schema; what is wrong, or nothing where there is no
/// jsonschema.
fn judged(schema: &Path, documents: &[(PathBuf, Value)]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let lines: String = documents.iter().map(|(_, document)| format!("{document}\n")).collect();
    let file = folder.path().join("documents");
    std::fs::write(&file, lines).expect("written");
    let script = "import json, sys\ntry:\n import jsonschema\nexcept ImportError:\n sys.exit(77)\n\
                  schema = json.load(open(sys.argv[1]))\nkind = jsonschema.validators.validator_for(schema)\n\
                  kind.check_schema(schema)\nfor nth, line in enumerate(open(sys.argv[2])):\n \
                  for error in kind(schema).iter_errors(json.loads(line)):\n  print(nth, error.json_path, error.message)\n";
    let output = Command::new("python3").args(["-c", script]).arg(schema).arg(&file).output().ok()?;
    if output.status.code() == Some(77) {
        return None;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn parsed(printed: Vec<(PathBuf, String)>) -> Vec<(PathBuf, Value)> {
    let value = |text: &str| serde_json::from_str(text).expect("it is JSON");
    printed.into_iter().map(|(input, text)| (input, value(&text))).collect()
}

#[test]
fn json_is_what_its_schema_says() {
    let documents = parsed(all("json"));
    let schema = root().join("docs/findings.schema.json");
    match judged(&schema, &documents) {
        None => skip("findings against their schema", "no Python package jsonschema"),
        Some(faults) => {
            assert_eq!(faults, "", "against the schema");
            // the schema refuses what is not of it
            let mut wrong = documents[0].1.clone();
            wrong["findings"] = serde_json::json!([{ "id": "TG1", "severity": "bad" }]);
            assert_ne!(judged(&schema, &[(PathBuf::new(), wrong)]).unwrap_or_default(), "");
            say(&format!("findings: {} documents are what the schema says", documents.len()));
        }
    }
}

#[test]
fn sarif_is_what_code_scanning_takes() {
    let documents = parsed(all("sarif"));
    let mut results = 0;
    for (input, document) in &documents {
        let run = &document["runs"][0];
        assert_eq!(document["version"], "2.1.0");
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        for result in run["results"].as_array().expect("results") {
            let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
            assert_eq!(rules[index]["id"], result["ruleId"], "{}", input.display());
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
            assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
            let locations = result["locations"].as_array().into_iter().chain(result["relatedLocations"].as_array());
            for location in locations.flatten().filter(|location| !location["physicalLocation"].is_null()) {
                let physical = &location["physicalLocation"];
                let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
                assert!(uri.is_ascii() && !uri.contains([' ', ':', '<', '\\']), "{uri}");
                let number = |key: &str| physical["region"][key].as_u64();
                let (line, column) = (number("startLine").expect("a line"), number("startColumn").expect("a column"));
                assert!(line > 0 && column > 0);
                let end = number("endLine").zip(number("endColumn"));
                assert!(end.is_none_or(|end| end >= (line, column)), "{physical}");
            }
            results += 1;
        }
    }
    say(&format!("SARIF: {} logs, {results} results", documents.len()));
    let Some(schema) = std::env::var_os("SARIF_SCHEMA") else {
        return skip("SARIF against the schema of OASIS", "SARIF_SCHEMA names no copy of it");
    };
    match judged(Path::new(&schema), &documents) {
        None => skip("SARIF against the schema of OASIS", "no Python package jsonschema"),
        Some(faults) => assert_eq!(faults, "", "against the schema"),
    }
}

#[test]
fn junit_is_xml_whose_counts_are_right() {
    let printed = all("junit");
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    for (nth, (_, text)) in printed.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{nth}.xml")), text).expect("written");
    }
    let script = "import sys, glob\nfrom xml.etree import ElementTree\nfor file in glob.glob(sys.argv[1] + '/*.xml'):\n \
                  suite = ElementTree.parse(file).getroot().find('testsuite')\n cases = suite.findall('testcase')\n \
                  assert len(cases) == int(suite.get('tests')) > 0, file\n \
                  assert len(suite.findall('testcase/failure')) == int(suite.get('failures')), file\n";
    match Command::new("python3").args(["-c", script]).arg(folder.path()).output() {
        Err(_) => skip("JUnit as XML", "no python3 on PATH"),
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            say(&format!("JUnit: {} reports", printed.len()));
        }
    }
}

#[test]
fn every_line_for_github_is_one_command() {
    for (input, text) in all("github").into_iter() {
        for line in text.lines() {
            let command = ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start));
            assert!(command && line.matches("::").count() >= 2, "{}: {line}", input.display());
            let properties = line[2..].split("::").next().unwrap_or_default();
            assert!(properties.contains("title=TG"), "{line}");
        }
    }
}

#[test]
fn no_form_tells_the_value_of_a_secret() {
    const PLANTED: &str = "pLaNtEd0123";
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let text = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\ndata: {{k: '!{PLANTED}'}}\nstringData:\n  j: [{PLANTED}]\n\
         ---\napiVersion: v1\nkind: Secret\nmetadata: {{name: b}}\nstringData: {{k: {PLANTED}, k: {PLANTED}}}\n"
    );
    std::fs::write(folder.path().join("a.yaml"), text).expect("written");
    for form in ["text", "json", "sarif", "junit", "github"] {
        let printed = findings(folder.path(), form);
        assert!(printed.contains("TG002") && !printed.contains(PLANTED), "{form}: {printed}");
    }
}
