//! Cases in files: `golden/<area>/<case>.toml` with `.in/` (what the command finds), `.out/` (what it leaves),
//! `.stdin`, `.stdout` and `.stderr` beside it.

use crate::place::{files, path_with_tidegate, root, say, tidegate};

/// Marks a case that explains itself.
const WHY: &str = "why = \"";

/// Every case runs in a copy of its folder, so that none can change its own input.
const SANDBOX: &str = "fs.sandbox = true";

#[test]
fn every_case_does_what_its_files_say() {
    let cases = cases();
    say(&format!("golden cases: {}", cases.len()));
    if cases.is_empty() {
        return;
    }
    trycmd::TestCases::new()
        .env("PATH", path_with_tidegate().to_string_lossy())
        .env("KUBECONFIG", "/dev/null")
        .env("TIDEGATE_KUBECTL", root().join("golden/apply/kubectl").to_string_lossy())
        .register_bin("tidegate", tidegate())
        .default_bin_name("tidegate")
        .case(root().join("golden/*/*.toml"))
        .run();
}

#[test]
fn every_case_says_why_and_runs_in_a_copy() {
    let mut faults = Vec::new();
    for case in cases() {
        let text = std::fs::read_to_string(root().join(&case)).expect("case is UTF-8");
        let why = text.lines().find_map(|line| line.strip_prefix(WHY));
        if why.is_none_or(|why| why.len() < 2) {
            faults.push(format!("{case}: no line `{WHY}…\"`"));
        }
        if !text.lines().any(|line| line == SANDBOX) {
            faults.push(format!("{case}: no line `{SANDBOX}`"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_file_of_a_case_has_its_case() {
    let cases = cases();
    let orphans: Vec<String> =
        files(true).into_iter().filter(|file| case_of(file).is_some_and(|case| !cases.contains(&case))).collect();
    assert!(orphans.is_empty(), "files without their case:\n{}", orphans.join("\n"));
}

/// `golden/<area>/<case>.toml`, sorted.
fn cases() -> Vec<String> {
    files(true)
        .into_iter()
        .filter(|f| f.ends_with(".toml") && f.starts_with("golden/") && f.matches('/').count() == 2)
        .collect()
}

/// The case that a file belongs to.
fn case_of(file: &str) -> Option<String> {
    let mut parts = file.splitn(4, '/');
    let (Some("golden"), Some(area), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let stem = match parts.next() {
        Some(_) => [".in", ".out"].iter().find_map(|end| name.strip_suffix(end)),
        None => [".stdin", ".stdout", ".stderr"].iter().find_map(|end| name.strip_suffix(end)),
    }?;
    Some(format!("golden/{area}/{stem}.toml"))
}
