//! Checksums that are known from elsewhere: worked examples of bytes and values, whole outputs, real installations.

use std::borrow::Cow;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tidegate::checksum::bytes::{Entry, Keys, State, Tag, encode, value};
use tidegate::config::ChecksumKey;

use crate::corpus::{corpus, objects, run};
use crate::place::{say, shared, skip};

/// Where the value stands in a pod template.
const CHECKSUM: &str = "tidegate.dev/config-checksum";

/// A file of `../shared/design`, or a skip that says why not.
fn design(test: &str, file: &str) -> Option<String> {
    let Some(folder) = shared("design") else {
        skip(test, "no ../shared/design beside the checkout");
        return None;
    };
    Some(std::fs::read_to_string(folder.join(file)).expect("the file is there"))
}

#[test]
fn bytes_and_values_are_those_of_the_worked_examples() {
    let Some(text) = design("checksum bytes", "hash-cases.json") else { return };
    let cases: Vec<Value> = serde_json::from_str(&text).expect("the file is JSON");
    assert!(cases.len() >= 12, "{} cases", cases.len());
    for case in &cases {
        let name = case["case"].as_str().expect("a name");
        let entries = case["sources"].as_array().expect("sources").iter().map(entry).collect();
        let bytes = encode(entries);
        assert_eq!(hex(&bytes), case["bytes"].as_str().expect("bytes"), "{name}");
        let key = case["key"].as_str().and_then(|key| ChecksumKey::new(key.as_bytes().to_vec()));
        assert_eq!(value(&bytes, key.as_ref()), case["value"].as_str().expect("a value"), "{name}");
    }
    say(&format!("checksum bytes: {} cases", cases.len()));
}

fn entry(source: &Value) -> Entry<'_> {
    let text = |field: &str| source[field].as_str().expect("text");
    let keys = || -> Keys<'_> {
        let keys = source["keys"].as_object().expect("keys").iter();
        keys.map(|(key, value)| (key.as_str(), value.as_str().map(|hex| Cow::Owned(unhex(hex))))).collect()
    };
    let state = match text("state") {
        "A" => State::Absent,
        "X" => State::Proxy(keys()),
        _ => State::Present(keys()),
    };
    let tag = if text("tag") == "C" { Tag::ConfigMap } else { Tag::Secret };
    Entry { tag, name: Cow::Borrowed(text("name")), state }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16).expect("a digit")).collect();
    digits.chunks(2).map(|pair| u8::try_from(16 * pair[0] + pair[1]).expect("a byte")).collect()
}

/// The YAML blocks of a section of the worked examples.
fn blocks<'t>(text: &'t str, section: &str) -> Vec<&'t str> {
    let start = text.find(section).expect("the section is there");
    let rest = &text[start + section.len()..];
    let section = &rest[..rest.find("\n## ").unwrap_or(rest.len())];
    let fences = section.split("```yaml\n").skip(1);
    fences.map(|block| block.split("```").next().unwrap_or("")).collect()
}

fn render(input: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    std::fs::write(folder.path().join("all.yaml"), input).expect("the input is written");
    let args: Vec<&str> = ["render"].into_iter().chain(args.iter().copied()).collect();
    run(&args, &[folder.path()])
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

#[test]
fn the_first_worked_example_comes_out_byte_for_byte() {
    let Some(text) = design("first worked example", "worked-examples.md") else { return };
    let blocks = blocks(&text, "\n## 1. ");
    let (input, wanted) = (blocks[0], blocks[1]);
    assert_eq!(out(&render(input, &[])), wanted);
    let documents: Vec<&str> = wanted.split("---\n").collect();
    assert_eq!(out(&render(input, &["--stage", "config"])), documents[..2].join("---\n"));
    let no_crds = render(input, &["--stage", "crd"]);
    assert_eq!(out(&no_crds), "");
    assert!(!no_crds.stderr.is_empty());
    assert_eq!(out(&render(input, &["--stage", "workload"])), documents[2..].join("---\n"));
    // neither the minimal waves nor kubectl need an annotation on the objects themselves
    let plain =
        |line: &&str| !["  annotations:", "    argocd.", "    tidegate.dev/wrote"].iter().any(|a| line.starts_with(a));
    let bare: String = wanted.lines().filter(plain).flat_map(|line| [line, "\n"]).collect();
    assert_eq!(out(&render(input, &["--engine", "kubectl"])), bare);
    assert_eq!(out(&render(input, &["--waves", "minimal"])), bare);
    assert_eq!(out(&render(wanted, &[])), wanted);
}

#[test]
fn what_changes_in_the_first_worked_example_changes_what_it_should() {
    let Some(text) = design("changes of the first worked example", "worked-examples.md") else { return };
    let blocks = blocks(&text, "\n## 1. ");
    let (input, wanted) = (blocks[0], blocks[1]);
    let other = out(&render(&input.replace("LOG_LEVEL: debug", "LOG_LEVEL: info"), &[]));
    let changed: Vec<&str> = other.lines().zip(wanted.lines()).filter(|(a, b)| a != b).map(|(a, _)| a.trim()).collect();
    assert!(matches!(changed[..], ["LOG_LEVEL: info", checksum] if checksum.starts_with(CHECKSUM)), "{changed:?}");
    let labelled = input.replace("  name: web-config\n", "  name: web-config\n  labels:\n    a: b\n");
    let labels = |line: &&str| !["  labels:", "    a: b"].contains(line);
    let other: Vec<String> = out(&render(&labelled, &[])).lines().filter(labels).map(str::to_owned).collect();
    let wanted: Vec<&str> = wanted.lines().filter(labels).collect();
    assert_eq!(other, wanted);
}

#[test]
fn the_third_worked_example_has_the_value_that_it_says() {
    let Some(text) = design("third worked example", "worked-examples.md") else { return };
    let input = blocks(&text, "\n## 3. ")[0];
    let stamped = stamped(&render(input, &["-o", "json"]));
    let value = "47d9dafcd79212cf46b7e9489cb69c2a2321fcc76781d9769d87d56fe771c73c";
    assert_eq!(stamped, [("Deployment linkerd-proxy-injector".to_owned(), value.to_owned())]);
    let hot = input.replace(
        "  name: linkerd-config\n  namespace: linkerd\n",
        "  name: linkerd-config\n  namespace: linkerd\n  annotations:\n    tidegate.dev/reload: hot\n",
    );
    assert_ne!(hot, input);
    assert_eq!(self::stamped(&render(&hot, &["-o", "json"])), []);
}

/// Kind, name and checksum of every object that has one.
fn stamped(output: &Output) -> Vec<(String, String)> {
    out(output);
    let objects = objects(&output.stdout).expect("output is JSON");
    let of = |object: &Value| {
        let spec = &object["spec"];
        let template = [&spec["template"], &spec["jobTemplate"]["spec"]["template"]];
        let value = template.iter().find_map(|template| template["metadata"]["annotations"][CHECKSUM].as_str())?;
        let name = object["metadata"]["name"].as_str()?;
        Some((format!("{} {name}", object["kind"].as_str()?), value.to_owned()))
    };
    objects.iter().filter_map(of).collect()
}

#[test]
fn every_dashboard_of_grafana_takes_part() {
    let Some(corpus) = corpus("dashboards of Grafana") else { return };
    let path = corpus.join("kube-prometheus");
    let audit = audit(&path);
    let grafana = audit["workloads"].as_array().expect("workloads").iter();
    let grafana =
        grafana.filter(|workload| workload["workload"] == "Deployment monitoring/grafana").collect::<Vec<_>>();
    let sources = grafana[0]["sources"].as_array().expect("sources");
    let dashboards: Vec<&str> = sources
        .iter()
        .filter(|source| source["inChecksum"] == "yes")
        .filter_map(|source| source["name"].as_str())
        .filter(|name| name.starts_with("grafana-dashboard-"))
        .collect();
    let definitions = path.join("manifests/grafana-dashboardDefinitions.yaml");
    let definitions = std::fs::read_to_string(definitions).expect("the dashboards are there");
    let defined = definitions.matches("name: grafana-dashboard-").count();
    assert!(defined > 30, "{defined} dashboards");
    assert_eq!(dashboards.len(), defined, "{dashboards:?}");
}

#[test]
fn rollouts_get_checksums() {
    let Some(corpus) = corpus("Rollouts") else { return };
    let audit = audit(&corpus.join("argo-rollouts"));
    let workloads = audit["workloads"].as_array().expect("workloads").iter();
    let rollouts: Vec<&Value> = workloads
        .filter(|workload| workload["workload"].as_str().is_some_and(|name| name.starts_with("Rollout ")))
        .collect();
    assert!(rollouts.iter().any(|rollout| rollout["checksum"] == true), "{rollouts:?}");
    for rollout in rollouts {
        let takes_part = |source: &Value| source["inChecksum"] != "no";
        let any = rollout["sources"].as_array().is_some_and(|sources| sources.iter().any(takes_part));
        assert_eq!(rollout["checksum"], any, "{rollout}");
    }
}

fn audit(path: &Path) -> Value {
    let output = run(&["check", "--audit", "-o", "json"], &[path]);
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}
