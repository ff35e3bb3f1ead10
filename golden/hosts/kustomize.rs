//! kustomize: as a function, as a plugin of the old kind, and before a pipe.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{change_config, checksums, folder, host, printed, read, run, write};
use crate::place::{on_path, path_with_tidegate, skip, tidegate};

const RESOURCES: &str = "resources: [input/app.yaml, input/base.yaml, input/vouchers.yaml]\n";
const BUILD: [&str; 4] = ["build", "--enable-alpha-plugins", "--enable-exec", "."];

/// A kustomization that renames everything and runs tidegate, with these settings.
fn overlay(folder: &Path, spec: &str) {
    let function = "config.kubernetes.io/function: |\n      exec: {path: tidegate, args: [fn]}";
    write(&folder.join("tidegate-function.yaml"), &config(spec, function));
    let text = format!("namePrefix: pre-\n{RESOURCES}transformers: [tidegate-function.yaml]\n");
    write(&folder.join("kustomization.yaml"), &text);
}

fn config(spec: &str, annotation: &str) -> String {
    format!(
        "apiVersion: tidegate.dev/v1alpha1\nkind: Tidegate\nmetadata:\n  name: tidegate\n  annotations:\n    {annotation}\nspec: {spec}\n"
    )
}

#[test]
fn runs_as_a_function_of_kustomize() {
    let Some(kustomize) = host("kustomize function", "kustomize") else { return };
    let folder = folder();
    overlay(folder.path(), "{}");
    let out = printed(&kustomize, &BUILD, folder.path());
    assert!(out.contains("argocd.argoproj.io/sync-wave: \"-20\"") && out.contains("name: pre-shop"), "{out}");
    assert!(!out.contains("internal.config.kubernetes.io") && !out.contains("kind: Tidegate"), "{out}");
    let before = checksums(&out).join(" ");
    assert_eq!(before.len(), 64, "one workload reads configuration: {out}");
    change_config(folder.path());
    let changed = printed(&kustomize, &BUILD, folder.path());
    assert_ne!(before, checksums(&changed).join(" "), "what the workload reads has changed");
}

#[test]
fn a_function_that_has_nothing_to_write_changes_not_a_byte() {
    let Some(kustomize) = host("kustomize identity", "kustomize") else { return };
    let folder = folder();
    overlay(folder.path(), "{engine: {name: kubectl}, checksums: {mode: 'off'}}");
    let with = printed(&kustomize, &BUILD, folder.path());
    write(&folder.path().join("kustomization.yaml"), &format!("namePrefix: pre-\n{RESOURCES}"));
    assert_eq!(with, printed(&kustomize, &["build", "."], folder.path()));
}

#[test]
fn names_with_a_hash_are_still_mended_behind_the_function() {
    let Some(kustomize) = host("kustomize hashes", "kustomize") else { return };
    let folder = folder();
    overlay(folder.path(), "{}");
    let app =
        read(&folder.path().join("input/app.yaml")).replace("name: shop\n        ports", "name: made\n        ports");
    write(&folder.path().join("input/app.yaml"), &app);
    let path = folder.path().join("kustomization.yaml");
    write(&path, &format!("{}configMapGenerator: [{{name: made, namespace: shop, literals: [a=b]}}]\n", read(&path)));
    let out = printed(&kustomize, &BUILD, folder.path());
    let hashed = out.lines().find_map(|line| line.trim().strip_prefix("name: pre-made-")).expect("a name with a hash");
    assert_eq!(out.matches(hashed).count(), 2, "the generated object and what reads it: {out}");
    assert_eq!(checksums(&out).len(), 1, "{out}");
}

#[test]
fn an_error_stops_kustomize_and_is_said() {
    let Some(kustomize) = host("kustomize error", "kustomize") else { return };
    let folder = folder();
    overlay(folder.path(), "{wave: {}}");
    let out = run(&kustomize, &BUILD, folder.path());
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success() && out.stdout.is_empty());
    assert!(said.contains("unknown field `spec.wave`") && said.contains("did you mean `waves`?"), "{said}");
}

#[test]
fn runs_as_a_plugin_of_the_old_kind_where_there_are_no_functions() {
    for name in ["kustomize", "kubectl"] {
        let Some(program) = host("plugin of the old kind", name) else { continue };
        let folder = folder();
        let home = folder.path().join("plugins");
        let place = home.join("tidegate.dev/v1alpha1/tidegate/Tidegate");
        write(&place.with_file_name("README"), "");
        std::os::unix::fs::symlink(tidegate(), &place).expect("the link is made");
        write(&folder.path().join("config.yaml"), &config("{waves: {mode: minimal}}", "a: b"));
        write(
            &folder.path().join("kustomization.yaml"),
            &format!("namePrefix: pre-\n{RESOURCES}transformers: [config.yaml]\n"),
        );
        let verb = if name == "kubectl" { "kustomize" } else { "build" };
        let out = Command::new(program)
            .args([verb, "--enable-alpha-plugins", "."])
            .current_dir(folder.path())
            .env("KUSTOMIZE_PLUGIN_HOME", &home)
            .env("HOME", folder.path())
            .output()
            .expect("the program starts");
        let text = String::from_utf8_lossy(&out.stdout);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{name}: {said}");
        assert!(text.contains("argocd.argoproj.io/sync-wave") && checksums(&text).len() == 1, "{name}: {text}");
    }
}

#[test]
fn takes_what_kustomize_prints() {
    let kustomize =
        on_path("kubectl").map(|kubectl| (kubectl, "kustomize")).or_else(|| Some((on_path("kustomize")?, "build")));
    let Some((kustomize, verb)) = kustomize else { return skip("kustomize pipe", "no kubectl or kustomize on PATH") };
    let folder = folder();
    write(&folder.path().join("kustomization.yaml"), &format!("namePrefix: pre-\n{RESOURCES}"));
    let built = printed(&kustomize, &[verb, "."], folder.path());
    write(&folder.path().join("built.yaml"), &built);
    let stdin = std::fs::File::open(folder.path().join("built.yaml")).expect("the file is there");
    let out = Command::new(tidegate())
        .args(["render", "-"])
        .env("PATH", path_with_tidegate())
        .stdin(Stdio::from(stdin))
        .output()
        .expect("tidegate starts");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && checksums(&text).len() == 1, "{text}");
}
