//! kpt: functions imperative and declarative, and the pipe of source and sink.

use std::path::PathBuf;
use std::process::Command;

use super::{change_config, checksums, folder, printed, read, run, write};
use crate::place::{on_path, path_with_tidegate, skip};

const KPTFILE: &str = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n  annotations:\n    \
                       config.kubernetes.io/local-config: \"true\"\npipeline:\n  mutators:\n  - exec: tidegate fn\n    \
                       configMap: {waves: minimal}\n";

/// kpt as `.ci/hosts` builds it, of the module that `kpt/go.mod` pins: that program has the function commands alone, and
/// any other, of whatever version, has `version`. Says that the test is skipped where the first one on `PATH` is not it.
fn pinned(test: &str) -> Option<PathBuf> {
    let Some(kpt) = on_path("kpt") else {
        skip(test, "no kpt on PATH");
        return None;
    };
    let out = Command::new(&kpt).arg("version").output().expect("kpt starts");
    if out.status.success() {
        skip(test, &format!("{} is not the pinned kpt, which .ci/hosts builds", kpt.display()));
        return None;
    }
    Some(kpt)
}

#[test]
fn evaluates_in_place_and_keeps_comments() {
    let Some(kpt) = pinned("kpt fn eval") else { return };
    let folder = folder();
    printed(&kpt, &["fn", "eval", "input", "--exec", "tidegate fn"], folder.path());
    let (app, base) = (read(&folder.path().join("input/app.yaml")), read(&folder.path().join("input/base.yaml")));
    assert!(
        app.contains("# octal, as everybody writes it") && base.contains("# quoted: without quotes"),
        "{app}{base}"
    );
    assert_eq!(checksums(&app).len(), 1, "{app}");
    assert!(base.contains("argocd.argoproj.io/sync-wave: \"-20\"") && !app.contains("internal."), "{base}");
    // a second time there is nothing left to change
    printed(&kpt, &["fn", "eval", "input", "--exec", "tidegate fn"], folder.path());
    assert_eq!(
        (app, base),
        (read(&folder.path().join("input/app.yaml")), read(&folder.path().join("input/base.yaml")))
    );
}

#[test]
fn takes_parameters_of_the_command_line() {
    let Some(kpt) = pinned("kpt parameters") else { return };
    let folder = folder();
    let args = ["fn", "eval", "input", "--exec", "tidegate fn", "-o", "unwrap", "--", "engine=kubectl"];
    let out = printed(&kpt, &args, folder.path());
    assert!(checksums(&out).len() == 1 && !out.contains("sync-wave"), "{out}");
}

#[test]
fn renders_a_package() {
    let Some(kpt) = pinned("kpt fn render") else { return };
    let folder = folder();
    write(&folder.path().join("input/Kptfile"), KPTFILE);
    let out = printed(&kpt, &["fn", "render", "input", "--allow-exec", "-o", "unwrap"], folder.path());
    assert!(checksums(&out).len() == 1 && out.contains("kind: Kptfile"), "{out}");
    let before = checksums(&out).join("");
    change_config(folder.path());
    let out = printed(&kpt, &["fn", "render", "input", "--allow-exec", "-o", "unwrap"], folder.path());
    assert_ne!(before, checksums(&out).join(""));
}

#[test]
fn stands_between_source_and_sink() {
    let Some(kpt) = pinned("kpt source and sink") else { return };
    let folder = folder();
    let script =
        format!("set -euo pipefail; {kpt} fn source input | tidegate fn | {kpt} fn sink out", kpt = kpt.display());
    let out = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("PATH", path_with_tidegate())
        .env("HOME", folder.path())
        .output()
        .expect("bash starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let app = read(&folder.path().join("out/app.yaml"));
    assert!(checksums(&app).len() == 1 && !app.contains("internal.config"), "{app}");
    // sink leaves out no comment that source sent, and neither may what stands between
    let base = read(&folder.path().join("out/base.yaml"));
    assert!(
        app.contains("# octal, as everybody writes it") && base.contains("# quoted: without quotes"),
        "{app}{base}"
    );
}

#[test]
fn an_error_leaves_the_files_alone_and_shows_its_results() {
    let Some(kpt) = pinned("kpt error") else { return };
    let folder = folder();
    let path = folder.path().join("input/base.yaml");
    write(&path, &read(&path).replace("CURRENCY: EUR", "CURRENCY: [EUR]"));
    let before = read(&path);
    let out = run(&kpt, &["fn", "eval", "input", "--exec", "tidegate fn"], folder.path());
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success());
    assert!(said.contains("[error] v1/ConfigMap/shop/shop data.CURRENCY: data.CURRENCY"), "{said}");
    assert_eq!(read(&path), before);
}
