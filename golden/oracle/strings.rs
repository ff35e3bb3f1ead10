//! Ten thousand awkward strings, written by `yaml::emit` as values, items and keys, come back the
//! same from kubectl, PyYAML (YAML 1.1, both of its loaders) and ruamel.yaml (YAML 1.2).

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};
use tidegate::tree::{Key, Mapping, Node, Value};

use crate::awkward::Awkward;
use crate::place::{root, skip};

const STRINGS: usize = 10_000;
/// Strings a document: few enough to find a bad one soon, many enough to start kubectl seldom.
const BATCH: usize = 500;
/// Failures shown of one reader.
const SHOWN: usize = 10;

/// Why a reader did not give a document back.
enum Failure {
    /// The reader is not installed: no verdict.
    Absent(String),
    /// It refuses the document.
    Refused(String),
}

/// Something that reads a YAML document into JSON.
trait Reader {
    fn read(&mut self, yaml: &str) -> Result<Json, Failure>;
}

#[test]
fn strings_come_back_the_same_from_kubectl() {
    compare("kubectl", &mut Kubectl);
}

#[test]
fn strings_come_back_the_same_from_pyyaml_with_libyaml() {
    compare("PyYAML with libyaml", &mut Python::new("pyyaml-c"));
}

#[test]
fn strings_come_back_the_same_from_pure_pyyaml() {
    compare("PyYAML", &mut Python::new("pyyaml-pure"));
}

#[test]
fn strings_come_back_the_same_from_yaml_1_2() {
    compare("ruamel.yaml", &mut Python::new("ruamel-1.2"));
}

#[test]
fn the_strings_are_the_same_on_every_run() {
    let strings = Awkward::new(1).take_distinct(STRINGS);
    assert_eq!(strings, Awkward::new(1).take_distinct(STRINGS));
    assert_eq!(strings.iter().collect::<HashSet<_>>().len(), STRINGS);
}

/// Reads all strings and the numbers with one reader and shows what it takes for something else.
fn compare(name: &str, reader: &mut dyn Reader) {
    let strings = Awkward::new(1).take_distinct(STRINGS);
    let mut shown = Vec::new();
    let absent = match answer(reader, &numbers()) {
        Ok(None) => strings.chunks(BATCH).try_for_each(|batch| narrow(reader, batch, &mut shown)).err(),
        Ok(Some(answer)) => {
            shown.push(answer);
            None
        }
        Err(reason) => Some(reason),
    };
    if let Some(reason) = absent {
        skip(&format!("oracle of strings, {name}"), &reason);
    }
    assert!(shown.is_empty(), "{name}:\n{}", shown.join("\n"));
}

/// Halves a document that does not come back until it holds one string.
fn narrow(reader: &mut dyn Reader, strings: &[String], shown: &mut Vec<String>) -> Result<(), String> {
    if shown.len() >= SHOWN {
        return Ok(());
    }
    match (answer(reader, &document(strings))?, strings) {
        (None, _) => Ok(()),
        (Some(answer), [text]) => {
            shown.push(format!("{text:?}: {answer}"));
            Ok(())
        }
        (Some(answer), _) => {
            let before = shown.len();
            let (left, right) = strings.split_at(strings.len() / 2);
            narrow(reader, left, shown)?;
            narrow(reader, right, shown)?;
            if shown.len() == before {
                shown.push(format!("only together, {} strings: {answer}", strings.len()));
            }
            Ok(())
        }
    }
}

/// What a reader makes of a document that does not come back the same; the reason where the reader
/// is absent.
fn answer(reader: &mut dyn Reader, wanted: &Json) -> Result<Option<String>, String> {
    let yaml = yaml(wanted);
    match reader.read(&yaml) {
        Ok(read) if same(&read, wanted) => Ok(None),
        Ok(read) => Ok(Some(format!("{read}\n{yaml}"))),
        Err(Failure::Refused(error)) => Ok(Some(format!("{error}\n{yaml}"))),
        Err(Failure::Absent(reason)) => Err(reason),
    }
}

/// A document that holds each string as a value, an item and a key, in every surrounding that
/// changes its indentation or what stands beside it.
fn document(strings: &[String]) -> Json {
    let named = |make: &dyn Fn(&String) -> Json| -> Json {
        let entries = strings.iter().enumerate();
        entries.map(|(nth, text)| (format!("v{nth}"), make(text))).collect::<serde_json::Map<_, _>>().into()
    };
    let keyed = |make: &dyn Fn(&String) -> Json| -> Json {
        strings.iter().map(|text| (text.clone(), make(text))).collect::<serde_json::Map<_, _>>().into()
    };
    let each = |make: &dyn Fn(&String) -> Json| -> Json { strings.iter().map(make).collect() };
    json!({
        "apiVersion": "tidegate.dev/v1",
        "kind": "Strings",
        "metadata": {"name": "strings"},
        "spec": {
            "values": named(&|text| json!(text)),
            "items": strings,
            "keys": keyed(&|text| json!(text)),
            "nested": each(&|text| json!([[text], text])),
            "objects": each(&|text| {
                let mut entry = serde_json::Map::new();
                entry.insert(text.clone(), json!([text]));
                entry.into()
            }),
        },
    })
}

/// Numbers that every reader can hold, under the fields of [`document`].
fn numbers() -> Json {
    json!({
        "apiVersion": "tidegate.dev/v1",
        "kind": "Strings",
        "metadata": {"name": "numbers"},
        "spec": {"items": [
            0, -1, 420, i64::MAX, i64::MIN, 0.1, -2.5, 1e19, 1.5e20, 1e21, -1.5e300, 2.5e-6, 1e-7, 5e-324,
            f64::MAX, true, false,
        ]},
    })
}

/// Whether two documents are equal; numbers by value, as `1` and `1.0` are one to Kubernetes.
fn same(read: &Json, wanted: &Json) -> bool {
    match (read, wanted) {
        (Json::Number(read), Json::Number(wanted)) => {
            read == wanted || (wanted.is_f64() && read.as_f64() == wanted.as_f64())
        }
        (Json::Array(read), Json::Array(wanted)) => {
            read.len() == wanted.len() && read.iter().zip(wanted).all(|(read, wanted)| same(read, wanted))
        }
        (Json::Object(read), Json::Object(wanted)) => {
            read.len() == wanted.len()
                && wanted.iter().all(|(key, wanted)| read.get(key).is_some_and(|read| same(read, wanted)))
        }
        _ => read == wanted,
    }
}

fn yaml(document: &Json) -> String {
    let mut out = String::new();
    tidegate::yaml::emit(&node(document), &mut out);
    out
}

fn node(json: &Json) -> Node<'_> {
    Node::made(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(value), _) => Value::I64(value),
            (None, value) => Value::F64(value.expect("a number is an integer or a float")),
        },
        Json::String(text) => Value::String(text.into()),
        Json::Array(items) => Value::Sequence(items.iter().map(node).collect()),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(name, value)| (Key::made(name), node(value)));
            Value::Mapping(Mapping::new(entries.collect()))
        }
    })
}

/// kubectl's reader, by a patch that changes nothing and asks no cluster.
struct Kubectl;

impl Reader for Kubectl {
    fn read(&mut self, yaml: &str) -> Result<Json, Failure> {
        let file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file is made");
        std::fs::write(file.path(), yaml).expect("the file is written");
        let output = Command::new("kubectl")
            .args(["patch", "--local", "--type", "merge", "-p", "{}", "-o", "json", "-f"])
            .arg(file.path())
            .env("KUBECONFIG", "/dev/null")
            .output()
            .map_err(|error| Failure::Absent(format!("kubectl: {error}")))?;
        if !output.status.success() {
            return Err(Failure::Refused(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| Failure::Refused(error.to_string()))
    }
}

/// A started reader with its input and output.
type Process = (Child, ChildStdin, BufReader<ChildStdout>);

/// A reader of `strings.py`, started at the first document.
struct Python {
    reader: &'static str,
    process: Option<Process>,
}

impl Python {
    fn new(reader: &'static str) -> Self {
        Python { reader, process: None }
    }

    fn start(&self) -> Result<Process, Failure> {
        let mut child = Command::new("python3")
            .arg(root().join("golden/oracle/strings.py"))
            .arg(self.reader)
            .env("PYTHONUTF8", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::Absent(format!("python3: {error}")))?;
        let stdin = child.stdin.take().expect("it is a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Ok((child, stdin, stdout))
    }
}

impl Reader for Python {
    fn read(&mut self, yaml: &str) -> Result<Json, Failure> {
        let (child, mut stdin, mut stdout) = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        // A reader that is not installed ends at once: the write fails or the answer is empty.
        let mut line = String::new();
        let written = writeln!(stdin, "{}", json!(yaml)).and_then(|()| stdout.read_line(&mut line));
        if !matches!(written, Ok(1..)) {
            drop(stdin);
            let output = child.wait_with_output().expect("it was started");
            let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            assert_eq!(output.status.code(), Some(3), "{}: {reason}", self.reader);
            return Err(Failure::Absent(reason));
        }
        self.process = Some((child, stdin, stdout));
        let mut answer: Json =
            serde_json::from_str(&line).map_err(|error| Failure::Refused(format!("{error}: {line}")))?;
        match answer["error"].as_str() {
            Some(error) => Err(Failure::Refused(error.to_owned())),
            None => Ok(answer["value"].take()),
        }
    }
}
