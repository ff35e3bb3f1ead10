//! Revisions of git as the old side: what is read, what a repository cannot make tidegate do, and what is refused.

use std::path::Path;
use std::process::{Command, Output};

use crate::place::{on_path, skip, tidegate};

const APP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: shop}\ndata: {a: '1'}\n";
const MADE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made, namespace: shop}\ndata: {a: '{{ a }}'}\n";
const CONFIG: &str = "apiVersion: tidegate.dev/v1alpha1\nkind: Tidegate\nspec:\n  templates: {values: [values.yaml]}\n  \
                      patches:\n  - {target: {name: app}, path: patch.yaml}\n";

/// A repository with one commit: an application with a template, values and a patch, and links.
fn repository(test: &str) -> Option<tempfile::TempDir> {
    if on_path("git").is_none() {
        skip(test, "git is not installed");
        return None;
    }
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let files = [
        ("apps/shop/app.yaml", APP),
        ("apps/shop/made.yaml.tera", MADE),
        ("apps/shop/values.yaml", "a: '1'\n"),
        ("apps/shop/patch.yaml", "data: {patched: '1'}\n"),
        ("apps/shop/tidegate.yaml", CONFIG),
        ("apps/shop/left/out.yaml", "kind: no\n"),
        ("apps/shop/.tidegateignore", "/left\n"),
        ("apps/shop/.hidden/a.yaml", "kind: no\n"),
        ("apps/other/app.yaml", APP),
    ];
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    git(folder.path(), &["init", "-q"]);
    commit(folder.path());
    Some(folder)
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

fn git(folder: &Path, args: &[&str]) {
    let who = ["-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(folder).args(who).args(args).output().expect("git runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "a"]);
}

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(tidegate()).current_dir(folder).args(args).output().expect("tidegate runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().expect("it ends by itself"), text(stdout), text(stderr))
}

#[test]
fn a_revision_is_rendered_with_all_that_it_holds() {
    let Some(folder) = repository("a_revision_is_rendered_with_all_that_it_holds") else { return };
    let folder = folder.path();
    let same = (0, "nothing differs\n".to_owned(), String::new());
    assert_eq!(run(folder, &["diff", "git:HEAD", "apps/shop"]), same);
    assert_eq!(run(&folder.join("apps/shop"), &["diff", "git:HEAD", "."]), same);
    assert_eq!(run(folder, &["diff", "git:HEAD:apps/other", "git:HEAD:apps/other/app.yaml"]), same);
    assert_eq!(run(folder, &["check", "--previous", "git:HEAD", "apps/shop"]), (0, String::new(), String::new()));
    write(folder, "apps/shop/values.yaml", "a: '2'\n");
    write(folder, "apps/shop/patch.yaml", "data: {patched: '2'}\n");
    let (code, out, _) = run(folder, &["diff", "git:HEAD", "apps/shop"]);
    let changed: Vec<&str> = out.lines().filter(|line| line.contains("-  ") || line.contains("+  ")).collect();
    assert_eq!(
        changed,
        ["    -  patched: \"1\"", "    +  patched: \"2\"", "    -  a: \"1\"", "    +  a: \"2\""],
        "{out}"
    );
    assert_eq!(code, 1);
    assert!(out.contains("--- git:HEAD:apps/shop/app.yaml:1\n"), "{out}");
    // what is new was nothing
    write(folder, "apps/new/app.yaml", APP);
    let (code, out, _) = run(folder, &["diff", "git:HEAD", "apps/new"]);
    assert_eq!((code, out.lines().next()), (1, Some("+ ConfigMap shop/app")));
}

#[test]
fn names_that_are_none_are_refused() {
    let Some(folder) = repository("names_that_are_none_are_refused") else { return };
    for (old, why) in [
        ("git:nope", "git knows none of this name"),
        ("git:--all", "git knows none of this name"),
        ("git:", "its name is empty"),
        ("git:HEAD:apps/gone", "the revision has no `apps/gone`"),
        ("git:HEAD:../apps", "`../apps` is no path from the root of the repository"),
        ("git:HEAD:/etc", "`/etc` is no path from the root of the repository"),
    ] {
        let (code, out, err) = run(folder.path(), &["diff", old, "apps/shop"]);
        assert_eq!((code, out.as_str()), (2, ""), "{old}");
        assert!(err.contains(why) && err.lines().count() == 1, "{old}: {err}");
    }
    let outside = tempfile::tempdir().expect("a temporary folder is made");
    write(outside.path(), "a/app.yaml", APP);
    let (code, _, err) = run(outside.path(), &["diff", "git:HEAD", "a"]);
    assert!(code == 2 && err.contains("not a git repository"), "{err}");
}

/// A repository comes from somebody, with its configuration, its hooks and its attributes.
#[cfg(unix)]
#[test]
fn nothing_that_a_repository_names_is_run_and_no_link_leads_out() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let Some(folder) = repository("nothing_that_a_repository_names_is_run_and_no_link_leads_out") else { return };
    let folder = folder.path();
    let secret = tempfile::tempdir().expect("a temporary folder is made");
    write(secret.path(), "secret.yaml", &APP.replace("'1'", "hunter2"));
    symlink(secret.path().join("secret.yaml"), folder.join("apps/other/out.yaml")).expect("linked");
    symlink("../../../../../../../../etc/passwd", folder.join("apps/other/up.yaml")).expect("linked");
    symlink("round.yaml", folder.join("apps/other/round.yaml")).expect("linked");
    symlink("../shop/app.yaml", folder.join("apps/other/beside.yaml")).expect("linked");
    symlink("app.yaml", folder.join("apps/other/again.yaml")).expect("linked");
    commit(folder);
    let (program, ran) = (secret.path().join("program"), secret.path().join("ran"));
    std::fs::write(&program, format!("#!/bin/sh\ntouch {}\n", ran.display())).expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("set");
    let named = program.display().to_string();
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.gitProxy",
        "diff.external",
        "diff.mine.textconv",
        "filter.mine.smudge",
        "filter.mine.process",
        "alias.ls-tree",
        "pager.ls-tree",
    ] {
        git(folder, &["config", key, &named]);
    }
    std::fs::write(folder.join(".git/info/attributes"), "*.yaml filter=mine diff=mine\n").expect("written");
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"] {
        std::fs::copy(&program, folder.join(".git/hooks").join(hook)).expect("copied");
    }
    let (code, out, err) = run(folder, &["diff", "git:HEAD:apps/other", "apps/other/app.yaml"]);
    assert_eq!((code, out.as_str()), (0, "nothing differs\n"), "{err}");
    let (_, out, err) = run(folder, &["diff", "git:HEAD:apps/other", "apps/new"]);
    assert!(!out.contains("hunter2") && !err.contains("hunter2"));
    assert!(!ran.exists(), "a program of the repository was started");
}
