//! Helm: the post-renderer of Helm 3, a program, and that of Helm 4, a plugin.

use std::path::Path;
use std::process::Command;

use super::{checksums, host, printed, write};
use crate::place::{copy_file, path_with_tidegate, root};

const CHART: &str = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";
const TEMPLATE: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {mode: {{ .Values.mode | default \"fast\" }}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: 'example.org/web:1', envFrom: [{configMapRef: {name: {{ .Release.Name }}}}]}
";

fn chart(folder: &Path) {
    write(&folder.join("chart/Chart.yaml"), CHART);
    write(&folder.join("chart/templates/all.yaml"), TEMPLATE);
}

#[test]
fn runs_behind_helm_3() {
    let Some(helm) = host("helm 3", "helm3") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    chart(folder.path());
    let arguments = ["--post-renderer-args=render", "--post-renderer-args=--engine=kubectl", "--post-renderer-args=-"];
    let with = |values: &'static str| {
        let mut args = vec!["template", "shop", "chart", "--set", values, "--post-renderer", "tidegate"];
        args.extend(arguments);
        printed(&helm, &args, folder.path())
    };
    let (fast, slow) = (with("mode=fast"), with("mode=slow"));
    assert!(checksums(&fast).len() == 1 && checksums(&fast) != checksums(&slow), "{fast}");
    assert!(!fast.contains("sync-wave"), "{fast}");
}

#[test]
fn runs_behind_helm_4() {
    let Some(helm) = host("helm 4", "helm4") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    chart(folder.path());
    copy_file(&root().join("deploy/helm/plugin.yaml"), &folder.path().join("plugins/tidegate/plugin.yaml"));
    let template = |chart: &str| {
        Command::new(&helm)
            .args(["template", "shop", chart, "--post-renderer", "tidegate"])
            .current_dir(folder.path())
            .env("PATH", path_with_tidegate())
            .env("HOME", folder.path())
            .env("HELM_PLUGINS", folder.path().join("plugins"))
            .output()
            .expect("helm starts")
    };
    let out = template("chart");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(checksums(&text).len(), 1, "{text}");
    write(
        &folder.path().join("chart/templates/all.yaml"),
        &TEMPLATE.replace("data: {mode:", "data: {mode: [1], other:"),
    );
    let out = template("chart");
    // Helm 4 says that the plugin failed, and drops what it said (docs/hosts.md tells how to see it)
    assert!(!out.status.success() && out.stdout.is_empty(), "an error stops Helm");
}
