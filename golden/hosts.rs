//! tidegate inside the programs that run it: kustomize, kpt, Helm, and as Argo CD's plugin server starts it. A test
//! skips, and says so, where its program is not installed; `.ci/hosts` builds them.

mod cmp;
mod helm;
mod kpt;
mod kustomize;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::place::{copy_file, on_path, path_with_tidegate, root, skip};

/// The program of a host; says that the test is skipped where it is not there.
fn host(test: &str, name: &str) -> Option<PathBuf> {
    let found = on_path(name);
    if found.is_none() {
        skip(test, &format!("no {name} on PATH"));
    }
    found
}

/// A folder with the manifests of the first example in `input/`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    for file in ["app.yaml", "base.yaml", "vouchers.yaml"] {
        let from = root().join("examples/01-quickstart/input").join(file);
        copy_file(&from, &folder.path().join("input").join(file));
    }
    folder
}

/// Runs a program in a folder, with tidegate first on `PATH` and a home of its own.
fn run(program: &Path, args: &[&str], folder: &Path) -> Output {
    Command::new(program)
        .args(args)
        .current_dir(folder)
        .env("PATH", path_with_tidegate())
        .env("HOME", folder)
        .output()
        .expect("the program starts")
}

/// What a program prints; panics with what it says where it fails.
fn printed(program: &Path, args: &[&str], folder: &Path) -> String {
    let out = run(program, args, folder);
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{} {args:?}: {said}", program.display());
    String::from_utf8(out.stdout).expect("manifests are UTF-8")
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is made");
    std::fs::write(path, text).expect("the file is written");
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

/// Changes a value that the Deployment of the example reads.
fn change_config(folder: &Path) {
    let path = folder.join("input/base.yaml");
    let text = read(&path);
    let changed = text.replacen("CURRENCY: EUR", "CURRENCY: SEK", 1);
    assert_ne!(changed, text, "the example has the value");
    write(&path, &changed);
}

/// The checksums in manifests, in order.
fn checksums(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.trim().strip_prefix("tidegate.dev/config-checksum: ")).collect()
}
