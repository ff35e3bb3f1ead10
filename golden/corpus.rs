//! Real installations: every unit of `corpus.tsv` renders, and to what it did before; no file of the corpus breaks the
//! binary. `cargo bless` writes the columns that tidegate decides; what kubectl counted it never touches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::place::{below, copy_file, root, say, shared, skip, tidegate};

/// The fewest units that still are the corpus.
const LEAST: usize = 60;

/// Exit codes that are no answer: an internal error and a panic that got away.
const BROKEN: &[i32] = &[4, 101];

/// One installation.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// A file or a folder, relative to the corpus.
    pub(crate) path: String,
    /// Names of files and folders below it that are left out.
    pub(crate) exclude: Vec<String>,
    /// How many objects kubectl reads, equal ones counted once.
    pub(crate) objects: usize,
    waves: String,
    findings: String,
}

/// The units of `corpus.tsv`.
pub(crate) fn units() -> Vec<Unit> {
    let table = std::fs::read_to_string(root().join("golden/corpus.tsv")).expect("the table is there");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [path, exclude, objects, waves, findings] = cells[..] else {
            panic!("corpus.tsv: five columns: {row}");
        };
        Unit {
            path: path.to_owned(),
            exclude: exclude.split(' ').filter(|e| *e != "-").map(str::to_owned).collect(),
            objects: objects.parse().expect("objects is a number"),
            waves: waves.to_owned(),
            findings: findings.to_owned(),
        }
    })
    .collect()
}

/// Where a unit is read from: in place, or in a copy without what it excludes.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    _copy: Option<tempfile::TempDir>,
}

/// Lays out the input of a unit.
pub(crate) fn input(corpus: &Path, unit: &Unit) -> Input {
    let path = corpus.join(&unit.path);
    if unit.exclude.is_empty() {
        return Input { path, _copy: None };
    }
    let copy = tempfile::tempdir().expect("a temporary folder is made");
    for file in below(&path, "") {
        if !file.split('/').any(|part| unit.exclude.iter().any(|e| e == part)) {
            copy_file(&path.join(&file), &copy.path().join(&file));
        }
    }
    Input { path: copy.path().to_owned(), _copy: Some(copy) }
}

/// `tidegate ARGS`, with none of the environment that it reads.
pub(crate) fn run(args: &[&str], paths: &[&Path]) -> Output {
    let mut command = Command::new(tidegate());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TIDEGATE_") {
            command.env_remove(name);
        }
    }
    command.args(args).args(paths).output().expect("tidegate starts")
}

/// Runs `work` for each item on all cores; results in the order of the items.
pub(crate) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(at) else {
                            return mine;
                        };
                        mine.push((at, work(item)));
                    }
                })
            })
            .collect();
        handles.into_iter().flat_map(|h| h.join().expect("a worker ends")).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The corpus, or a skip that says why not.
pub(crate) fn corpus(test: &str) -> Option<PathBuf> {
    let found = shared("corpus");
    if found.is_none() {
        skip(test, "no ../shared/corpus beside the checkout");
    }
    found
}

#[test]
fn the_table_of_units_is_a_corpus() {
    let units = units();
    assert!(units.len() >= LEAST, "{} units", units.len());
    assert!(units.iter().all(|u| u.objects > 0), "a unit without objects");
    let mut paths: Vec<&str> = units.iter().map(|u| u.path.as_str()).collect();
    assert!(paths.is_sorted(), "sorted by path");
    paths.dedup();
    assert_eq!(paths.len(), units.len(), "each once");
    if let Some(corpus) = shared("corpus") {
        for file in below(&corpus.join("linkerd2"), "linkerd2/") {
            let listed = !file.ends_with(".golden") || paths.contains(&file.as_str());
            assert!(listed, "{file}: an install output that is no unit");
        }
    }
}

#[test]
fn every_unit_renders_to_what_it_did_before() {
    let Some(corpus) = corpus("corpus units") else {
        return;
    };
    let units = units();
    let now: Vec<Result<Unit, String>> = each(&units, |unit| render(&corpus, unit));
    let mut faults: Vec<String> = now.iter().filter_map(|n| n.as_ref().err().cloned()).collect();
    if std::env::var_os("TRYCMD").is_some_and(|v| v == "overwrite") {
        bless(&units, &now);
    } else {
        let pairs = units.iter().zip(&now);
        faults.extend(pairs.filter_map(|(then, now)| differs(then, now.as_ref().ok()?)));
    }
    let objects: usize = now.iter().flatten().map(|u| u.objects).sum();
    say(&format!("corpus: {} of {} units rendered, {objects} objects", now.iter().flatten().count(), units.len()));
    assert!(faults.is_empty(), "{} units:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_file_of_the_corpus_breaks_the_binary() {
    let Some(corpus) = corpus("corpus files") else {
        return;
    };
    let files = below(&corpus, "");
    assert!(files.len() > 1_000, "{} files", files.len());
    let codes = each(&files, |file| {
        let output = run(&["render"], &[&corpus.join(file)]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    });
    let mut counts: BTreeMap<Option<i32>, usize> = BTreeMap::new();
    let mut broken = Vec::new();
    for (file, (code, stderr)) in files.iter().zip(codes) {
        *counts.entry(code).or_default() += 1;
        if code.is_none_or(|code| BROKEN.contains(&code)) {
            broken.push(format!("{file}: exit {code:?}: {}", stderr.lines().last().unwrap_or("")));
        }
    }
    say(&format!("corpus: {} files read one by one, by exit code {counts:?}", files.len()));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// What a unit renders to: the columns of the table.
fn render(corpus: &Path, unit: &Unit) -> Result<Unit, String> {
    let input = input(corpus, unit);
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let findings = folder.path().join("findings.json");
    let file = findings.to_str().expect("temporary paths are UTF-8");
    let output = run(&["render", "-o", "json", "--findings-file", file], &[&input.path]);
    if output.status.code() != Some(0) {
        return Err(format!("{}: {}", unit.path, said(&output)));
    }
    let objects = objects(&output.stdout).map_err(|e| format!("{}: output: {e}", unit.path))?;
    let text = std::fs::read_to_string(&findings).unwrap_or_default();
    let waves = counted(objects.iter().map(wave));
    let ids = ids(&text).map_err(|e| format!("{}: findings: {e}", unit.path))?;
    Ok(Unit { objects: objects.len(), waves, findings: counted(ids.into_iter()), ..unit.clone() })
}

/// How a run ended and the first lines of what it said.
pub(crate) fn said(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = stderr.lines().take(4).collect();
    format!("{}: {}", output.status, lines.join("\n  "))
}

/// The objects of a JSON text: one after the other, or in Lists.
pub(crate) fn objects(text: &[u8]) -> Result<Vec<Value>, String> {
    let mut found = Vec::new();
    for value in serde_json::Deserializer::from_slice(text).into_iter::<Value>() {
        match value.map_err(|e| e.to_string())? {
            Value::Array(items) => found.extend(items),
            Value::Object(mut list) if list.get("kind").is_some_and(|k| k == "List") => {
                let items = list.get_mut("items").and_then(Value::as_array_mut);
                found.append(items.ok_or("a List without items")?);
            }
            object => found.push(object),
        }
    }
    Ok(found)
}

fn wave(object: &Value) -> i64 {
    let wave = &object["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"];
    wave.as_str().and_then(|w| w.parse().ok()).unwrap_or(0)
}

fn ids(findings: &str) -> Result<Vec<String>, String> {
    if findings.is_empty() {
        return Ok(Vec::new());
    }
    let report: Value = serde_json::from_str(findings).map_err(|e| e.to_string())?;
    let list = report["findings"].as_array().ok_or("no list of findings")?;
    let id = |finding: &Value| finding["id"].as_str().map(str::to_owned).ok_or_else(|| finding.to_string());
    list.iter().map(id).collect()
}

/// `value:count` of each value, in order; `-` for none.
fn counted<T: Ord + std::fmt::Display>(values: impl Iterator<Item = T>) -> String {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let cells: Vec<String> = counts.iter().map(|(value, n)| format!("{value}:{n}")).collect();
    if cells.is_empty() { "-".to_owned() } else { cells.join(" ") }
}

fn differs(then: &Unit, now: &Unit) -> Option<String> {
    let cells = |u: &Unit| format!("{} objects, waves {}, findings {}", u.objects, u.waves, u.findings);
    let (then_cells, now_cells) = (cells(then), cells(now));
    (then_cells != now_cells).then(|| format!("{}:\n  was {then_cells}\n  is  {now_cells}", then.path))
}

/// Writes the columns that tidegate decides.
fn bless(units: &[Unit], now: &[Result<Unit, String>]) {
    let path = root().join("golden/corpus.tsv");
    let table = std::fs::read_to_string(&path).expect("the table is there");
    let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
    for (unit, now) in units.iter().zip(now) {
        let Ok(now) = now else { continue };
        let start = format!("{}\t", unit.path);
        let line = lines.iter_mut().find(|l| l.starts_with(&start)).expect("the unit has its line");
        let cells: Vec<&str> = line.split('\t').collect();
        *line = [cells[0], cells[1], cells[2], &now.waves, &now.findings].join("\t");
    }
    std::fs::write(&path, lines.join("\n") + "\n").expect("the table is written");
}
