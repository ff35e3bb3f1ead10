//! What tidegate writes is what kubectl reads from the input, but for what tidegate says it wrote.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value};

use crate::corpus::{Unit, corpus, each, input, objects, run, said, units};
use crate::place::{below, root, say, skip};

/// Names that the walk leaves to the tools they belong to.
const TOOL_FILES: &[&str] =
    &["kustomization.yaml", "kustomization.yml", "Kustomization", "Chart.yaml", "Kptfile", "skaffold.yaml"];

/// Where tidegate records what it wrote outside of its own keys.
const WROTE: &str = "tidegate.dev/wrote";
const OWN: &str = "tidegate.dev/";
const WAVE: &str = "argocd.argoproj.io/sync-wave";
const OPTIONS: &str = "argocd.argoproj.io/sync-options";

#[test]
fn every_unit_comes_out_as_kubectl_reads_it() {
    let test = "oracle of the corpus";
    let Some(corpus) = corpus(test) else { return };
    let Some(version) = kubectl_version() else {
        return skip(test, "no kubectl on PATH");
    };
    let units = units();
    let results = each(&units, |unit| compare(&corpus, unit));
    let faults: Vec<&String> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    let same: usize = results.iter().flatten().sum();
    say(&format!("oracle: {} units, {same} objects the same as kubectl {version} reads them", units.len()));
    assert!(
        faults.is_empty(),
        "{} units:\n{}",
        faults.len(),
        faults.iter().map(|f| f.as_str()).collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn only_what_is_recorded_is_taken_off() {
    let ours = serde_json::json!({
        "metadata": {"annotations": {WROTE: "sync-wave=-20;sync-options=ServerSideApply=true", WAVE: "-20",
            OPTIONS: "Prune=false,ServerSideApply=true"}},
        "spec": {"template": {"metadata": {"annotations": {"tidegate.dev/checksum": "1"}}, "spec": {}}},
    });
    let theirs = serde_json::json!({
        "metadata": {"annotations": {OPTIONS: "Prune=false"}},
        "spec": {"template": {"spec": {}}},
    });
    assert_eq!(without_ours(ours), without_ours(theirs));
    let user = serde_json::json!({"metadata": {"annotations": {WAVE: "3", OPTIONS: "ServerSideApply=true"}}});
    assert_eq!(without_ours(user.clone()), user);
}

/// The client's version; `None` where there is none.
fn kubectl_version() -> Option<String> {
    let output = Command::new("kubectl").args(["version", "--client", "-o", "json"]).output().ok()?;
    let version: Value = serde_json::from_slice(&output.stdout).ok()?;
    version["clientVersion"]["gitVersion"].as_str().map(str::to_owned)
}

/// Compares both sides of one unit; how many objects were equal.
fn compare(corpus: &Path, unit: &Unit) -> Result<usize, String> {
    let path = &unit.path;
    let input = input(corpus, unit);
    let theirs = by_id(kubectl(&manifests(&input.path), None).map_err(|e| format!("{path}: {e}"))?);
    // what is converted is another object than kubectl reads
    let config = root().join("golden/oracle/as-written.yaml");
    let output = run(&["render", "-c", config.to_str().expect("the path is UTF-8")], &[&input.path]);
    if !output.status.success() {
        return Err(format!("{path}: {}", said(&output)));
    }
    let ours = by_id(kubectl(&[], Some(&output.stdout)).map_err(|e| format!("{path}: our output: {e}"))?);
    if theirs.len() != unit.objects {
        return Err(format!("{path}: kubectl reads {} objects, the table has {}", theirs.len(), unit.objects));
    }
    let ids = |side: &BTreeMap<String, Value>| side.keys().cloned().collect::<Vec<_>>();
    if ids(&ours) != ids(&theirs) {
        return Err(format!("{path}: other objects:\n  ours {:?}\n  kubectl {:?}", ids(&ours), ids(&theirs)));
    }
    let mut same = 0;
    for (id, object) in theirs {
        if ours[&id] != object {
            return Err(format!("{path}: {id}:\n  ours    {}\n  kubectl {object}", ours[&id]));
        }
        same += 1;
    }
    Ok(same)
}

/// The manifests of a file or a folder, as the walk finds them.
fn manifests(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let read = |file: &String| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let ends = [".yaml", ".yml", ".json"].iter().any(|end| name.ends_with(end));
        ends && !TOOL_FILES.contains(&name)
    };
    below(path, "").iter().filter(|file| read(file)).map(|file| path.join(file)).collect()
}

/// What kubectl reads from files or from a text, without a cluster. Lists come out as their items.
fn kubectl(files: &[PathBuf], stdin: Option<&[u8]>) -> Result<Vec<Value>, String> {
    let mut command = Command::new("kubectl");
    command.args(["patch", "--local", "--type=merge", "-p", "{}", "-o", "json"]);
    let mut text = tempfile::tempfile().expect("a temporary file is made");
    match stdin {
        Some(bytes) => {
            use std::io::{Seek as _, Write as _};
            text.write_all(bytes).and_then(|()| text.rewind()).expect("the file is written");
            command.args(["-f", "-"]).stdin(Stdio::from(text));
        }
        None => {
            for file in files {
                command.arg("-f").arg(file);
            }
        }
    }
    let output = command.env("KUBECONFIG", "/dev/null").output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("kubectl: {}", String::from_utf8_lossy(&output.stderr)));
    }
    objects(&output.stdout)
}

/// Objects by identity without version, what tidegate wrote taken off; equal ones become one.
fn by_id(objects: Vec<Value>) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for object in objects {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let (metadata, api_version) = (&object["metadata"], text(&object["apiVersion"]));
        let group = api_version.rsplit_once('/').map_or("", |(group, _)| group).to_owned();
        let object_name = match metadata["name"].as_str() {
            Some(name) => name.to_owned(),
            None => format!("{}*{}", text(&metadata["generateName"]), object["spec"]),
        };
        let id = [group, text(&object["kind"]), text(&metadata["namespace"]), object_name].join("|");
        found.insert(id, without_ours(object));
    }
    found
}

/// Takes off tidegate's own annotations and, where it records that it wrote them, its wave and sync options. Maps that
/// are empty then, or were before, are gone on both sides.
fn without_ours(mut object: Value) -> Value {
    if let Some(annotations) = object["metadata"]["annotations"].as_object_mut() {
        let wrote = annotations.get(WROTE).and_then(Value::as_str).unwrap_or("").to_owned();
        for entry in wrote.split(';') {
            match entry.split_once('=') {
                Some(("sync-wave", wave)) if annotations.get(WAVE).is_some_and(|w| w == wave) => {
                    annotations.remove(WAVE);
                }
                Some(("sync-options", options)) => take_options(annotations, options),
                _ => {}
            }
        }
    }
    tidy(&mut object);
    object
}

fn take_options(annotations: &mut Map<String, Value>, ours: &str) {
    let all = annotations.get(OPTIONS).and_then(Value::as_str).unwrap_or("").to_owned();
    let ours: Vec<&str> = ours.split(',').collect();
    let rest: Vec<&str> = all.split(',').filter(|option| !ours.contains(option)).collect();
    annotations.remove(OPTIONS);
    if !rest.is_empty() {
        annotations.insert(OPTIONS.to_owned(), rest.join(",").into());
    }
}

fn tidy(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(map) => {
            if let Some(Value::Object(annotations)) = map.get_mut("annotations") {
                annotations.retain(|key, _| !key.starts_with(OWN));
            }
            map.values_mut().for_each(tidy);
            map.retain(|key, value| {
                let empty = value.as_object().is_some_and(Map::is_empty) || value.is_null();
                !(empty && (key == "annotations" || key == "metadata"))
            });
        }
        _ => {}
    }
}
