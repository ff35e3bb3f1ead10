//! What findings say, over every case: at a token that is there, with no value of a Secret, and gone when their rule is
//! switched off.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::corpus::run;
use crate::place::{files, root, say, tidegate};

/// Rules about output for Flux.
const ENGINE_FLUX: &[&str] = &["TG702", "TG703", "TG704"];

/// Rules whose findings may have no place: they are of the input as a whole, or of what is not in it.
const OF_THE_WHOLE: &[&str] = &["TG013", "TG015", "TG017", "TG019", "TG020", "TG408"];

/// The folders of cases: what their commands find.
fn inputs() -> Vec<PathBuf> {
    let mut folders: Vec<String> = files(true)
        .iter()
        .filter(|file| file.starts_with("golden/"))
        .filter_map(|file| file.split_once(".in/").map(|(folder, _)| format!("{folder}.in")))
        .collect();
    folders.dedup();
    folders.into_iter().map(|folder| root().join(folder)).collect()
}

/// `tidegate ARGS` in a folder.
fn run_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(tidegate());
    command.args(args).current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TIDEGATE_")) {
        command.env_remove(name);
    }
    command.output().expect("tidegate starts")
}

/// Why a place is none, if it is none.
fn wrong_place(folder: &Path, finding: &Value) -> Option<String> {
    let (Some(file), Some(line), Some(column)) =
        (finding["file"].as_str(), finding["line"].as_u64(), finding["column"].as_u64())
    else {
        let id = finding["id"].as_str().unwrap_or_default();
        return (!OF_THE_WHOLE.contains(&id)).then(|| "no place".to_owned());
    };
    if finding["endLine"].is_null() {
        return None; // a place without an extent is the start of what it is about
    }
    let bytes = std::fs::read(folder.join(file)).unwrap_or_default();
    if bytes.contains(&0) {
        return None; // UTF-16, whose places count in the text that it holds
    }
    let text = String::from_utf8_lossy(&bytes);
    let at = text.split('\n').nth(usize::try_from(line).unwrap_or(0).saturating_sub(1));
    let found = at.and_then(|text| text.chars().nth(usize::try_from(column).unwrap_or(0).saturating_sub(1)));
    match found {
        Some(c) if !c.is_whitespace() || finding["id"] == "TG009" => None,
        other => Some(format!("{file}:{line}:{column} is {other:?}")),
    }
}

#[test]
fn every_finding_points_at_a_token() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for folder in inputs() {
        let output = run_in(&folder, &["check", ".", "-o", "json"]);
        let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else { continue };
        for finding in report["findings"].as_array().into_iter().flatten() {
            count += 1;
            let related = finding["related"].as_array().into_iter().flatten();
            for place in std::iter::once(finding).chain(related) {
                if let Some(fault) = wrong_place(&folder, place) {
                    faults.push(format!("{}: {}: {fault}", folder.display(), finding["id"]));
                }
            }
        }
    }
    say(&format!("places: {count} findings of golden cases"));
    assert!(count > 200, "{count} findings");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Values that stand in Secrets and nowhere else, as text and as base64.
const PLANTED: &[&str] =
    &["Tr0ub4dor-plain", "VHIwdWI0ZG9yLWI2NA", "Tr0ub4dor-b64", "Tr0ub4dor-env", "Tr0ub4dor-typed", "Tr0ub4dor-broken"];

/// Secrets with every kind of fault around them.
const SECRETS: &[(&str, &str)] = &[
    (
        "secret.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop, lables: {a: b}}\ntype: Opaque\n\
         data:\n  b64: VHIwdWI0ZG9yLWI2NA==\n  bad: Tr0ub4dor-plain\nstringData:\n  password: Tr0ub4dor-plain\n  \
         nested: {a: Tr0ub4dor-typed}\n  port: 8080\n",
    ),
    (
        "near.yaml",
        "apiVersion: v1\nkind: Secert\nmetadata: {name: near, namespace: shop}\nstringData: {password: Tr0ub4dor-plain}\n\
         ---\nkind: Secret\nmetadata: {name: nearly}\nstringData: {password: Tr0ub4dor-plain}\n",
    ),
    (
        "twice.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: twice, namespace: shop}\nstringData: {a: Tr0ub4dor-plain}\n---\n\
         apiVersion: v1\nkind: Secret\nmetadata: {name: twice, namespace: shop}\nstringData: {a: Tr0ub4dor-b64}\n",
    ),
    (
        "app.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  template:\n    spec:\n      \
         containers:\n      - name: web\n        env:\n        - {name: DB_PASSWORD, value: Tr0ub4dor-env}\n        \
         - name: A\n          valueFrom: {secretKeyRef: {name: db, key: passwrod}}\n",
    ),
    (
        "swagger.json",
        r#"{"definitions": {"S": {"type": "object", "properties": {"type": {"type": "string"}, "data": {"type": "object",
        "additionalProperties": {"type": "string", "pattern": "^x$", "maxLength": 2}}, "stringData": {"type": "object",
        "additionalProperties": {"type": "string", "enum": ["Tr0ub4dor"]}}},
        "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Secret"}]}}}"#,
    ),
];

#[test]
fn no_verb_shows_a_value_of_a_secret() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    for (name, text) in SECRETS {
        std::fs::write(folder.path().join(name), text).expect("the file is written");
    }
    let broken =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: broken}\nstringData:\n  a: 'Tr0ub4dor-broken\n  b: [\n";
    let shown = |args: &[&str], counts_output: bool| {
        let output = run_in(folder.path(), args);
        let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
        if counts_output {
            text += &String::from_utf8_lossy(&output.stdout);
        }
        let found: Vec<_> = PLANTED.iter().filter(|value| text.contains(*value)).collect();
        assert!(found.is_empty(), "{args:?} shows {found:?}:\n{text}");
        text.len()
    };
    for is_broken in [false, true] {
        if is_broken {
            std::fs::write(folder.path().join("broken.yaml"), broken).expect("the file is written");
        }
        for verb in [
            &["check", "."] as &[&str],
            &["check", ".", "-v"],
            &["check", ".", "-o", "json"],
            &["check", ".", "--audit"],
            &["check", ".", "--audit", "-o", "json"],
            &["check", ".", "--audit", "-o", "md"],
            &["check", "app.yaml", "secret.yaml", "twice.yaml", "--openapi", "swagger.json"],
            &["check", "secret.yaml", "--openapi", "swagger.json", "-o", "json"],
            &["plan", "."],
            &["plan", ".", "-o", "json"],
            &["render", ".", "-o", "name", "--fail-on", "never"],
            &["cmp", "doctor", "."],
        ] {
            assert!(shown(verb, true) > 0, "{verb:?} says something");
        }
        for findings in ["text", "json"] {
            for fail_on in ["error", "never"] {
                shown(&["render", ".", "--findings", findings, "--fail-on", fail_on, "-v"], false);
            }
        }
    }
    // and what is looked for would be found
    let rendered = run(&["render", "--fail-on", "never"], &[&folder.path().join("app.yaml")]);
    assert!(String::from_utf8_lossy(&rendered.stdout).contains("Tr0ub4dor-env"));
}

#[test]
fn a_check_that_is_switched_off_fails_its_case() {
    let folders = inputs();
    let mut faults = Vec::new();
    let rules: Vec<_> = tidegate::check::ALL.iter().flat_map(|check| check.rules.iter()).collect();
    for rule in &rules {
        let mark = format!("[{}]", rule.id);
        let told = |folder: &&PathBuf| {
            let case = folder.with_extension("");
            let read = |end: &str| std::fs::read_to_string(case.with_extension(end)).unwrap_or_default();
            ["toml", "stdout", "stderr"].iter().any(|end| read(end).contains(&mark))
        };
        let Some(folder) = folders.iter().find(told) else {
            if !NEEDS_A_FEATURE.contains(&rule.id) {
                faults.push(format!("{}: no case expects it", rule.id));
            }
            continue;
        };
        if rule.id == "TG704" {
            continue; // it is about output that is one stream, which `check` has not
        }
        let mut args = vec!["check", "."];
        if ENGINE_FLUX.contains(&rule.id) {
            args.extend(["--engine", "flux"]);
        }
        if folder.join("swagger.json").exists() {
            args.extend(["--openapi", "swagger.json"]);
        }
        let says = |args: &[&str]| String::from_utf8_lossy(&run_in(folder, args).stdout).contains(&mark);
        let with = says(&args);
        args.extend(["--ignore", rule.id]);
        if !with || says(&args) {
            faults.push(format!("{}: {} does not tell whether it is on", rule.id, folder.display()));
        }
    }
    say(&format!("checks: {} rules switched off one by one", rules.len()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Rules that are found only by a build with a feature, or in inputs that are too large for a case: unit tests have them.
const NEEDS_A_FEATURE: &[&str] = &["TG546", "TG549"];
