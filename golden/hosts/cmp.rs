//! The plugin as argocd-cmp-server starts it (`cmpserver/plugin/plugin.go` of Argo CD): in a fresh copy of the
//! application's repository that came through a tar and lost its file modes, with the environment of the sidecar and of the
//! call and no other, nothing on standard input, in a process group of its own that is killed at the deadline; standard
//! output is the answer, whole or none.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::{checksums, folder, read, write};
use crate::place::{root, tidegate};

/// What the server adds for an application at `apps/shop`.
const CALL: &[(&str, &str)] = &[
    ("ARGOCD_APP_NAME", "shop"),
    ("ARGOCD_APP_NAMESPACE", "shop"),
    ("ARGOCD_APP_PROJECT_NAME", "default"),
    ("ARGOCD_APP_REVISION", "0123456789abcdef0123456789abcdef01234567"),
    ("ARGOCD_APP_SOURCE_PATH", "apps/shop"),
    ("ARGOCD_APP_SOURCE_REPO_URL", "https://git.example.com/shop.git"),
    ("ARGOCD_APP_SOURCE_TARGET_REVISION", "main"),
    ("KUBE_VERSION", "1.37"),
    ("KUBE_API_VERSIONS", "v1,v1/Pod,apps/v1,apps/v1/Deployment"),
    ("ARGOCD_APP_PARAMETERS", "null"),
];

/// A repository with the application at `apps/shop`, as the server unpacks it.
fn copy(prepare: impl Fn(&Path)) -> tempfile::TempDir {
    let repository = folder();
    std::fs::create_dir_all(repository.path().join("apps")).expect("the folder is made");
    std::fs::rename(repository.path().join("input"), repository.path().join("apps/shop")).expect("the folder moves");
    prepare(repository.path());
    let work = tempfile::tempdir().expect("a temporary folder is made");
    let script = format!("tar -C '{}' -cf - . | tar -C '{}' -xf -", repository.path().display(), work.path().display());
    assert!(Command::new("bash").args(["-c", &script]).status().expect("bash starts").success());
    modes(work.path());
    work
}

/// 0755 for folders, 0644 for files.
fn modes(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the folder is read").flatten() {
        let kind = entry.file_type().expect("the kind is known");
        let mode = if kind.is_dir() { 0o755 } else { 0o644 };
        if !kind.is_symlink() {
            std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(mode)).expect("the mode is set");
        }
        if kind.is_dir() {
            modes(&entry.path());
        }
    }
}

/// Starts what plugin.yaml names, with more variables over those of the call.
fn generate(work: &Path, more: &[(&str, &str)]) -> Command {
    let plugin = Command::new(tidegate()).args(["cmp", "plugin-yaml"]).output().expect("tidegate starts");
    let plugin = String::from_utf8_lossy(&plugin.stdout).into_owned();
    let words = plugin.split_once("command: [").and_then(|(_, rest)| rest.split_once(']')).expect("a command").0;
    let words: Vec<&str> = words.split(", ").collect();
    assert_eq!(words[0], "tidegate");
    let mut command = Command::new(tidegate());
    command
        .args(&words[1..])
        .current_dir(work.join("apps/shop"))
        .env_clear()
        .envs(CALL.iter().copied().chain(more.iter().copied()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command
}

fn answer(work: &Path, more: &[(&str, &str)]) -> Output {
    generate(work, more).output().expect("tidegate starts")
}

#[test]
fn answers_with_manifests_alone() {
    let work = copy(|_| {});
    let out = answer(work.path(), &[]);
    let text = String::from_utf8(out.stdout).expect("manifests are UTF-8");
    assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.starts_with("apiVersion: ") && text.ends_with('\n') && !text.contains('\r'), "{text}");
    assert_eq!(checksums(&text).len(), 1, "{text}");
    // a second copy of the same repository gives the same bytes
    assert_eq!(text.into_bytes(), answer(copy(|_| {}).path(), &[]).stdout);
}

#[test]
fn nothing_of_a_failed_call_is_an_answer() {
    let work = copy(|repository| write(&repository.join("apps/shop/broken.yaml"), "a: [\n"));
    let out = answer(work.path(), &[]);
    assert!(!out.status.success() && out.stdout.is_empty() && !out.stderr.is_empty());
    let empty = copy(|repository| {
        std::fs::remove_dir_all(repository.join("apps/shop")).expect("the folder goes");
        write(&repository.join("apps/shop/README.md"), "nothing\n");
    });
    let out = answer(empty.path(), &[]);
    assert!(!out.status.success() && out.stdout.is_empty(), "an empty answer deletes everything");
}

#[test]
fn a_link_out_of_the_repository_is_an_error() {
    let work = copy(|repository| {
        let link = repository.join("apps/shop/passwd.yaml");
        std::os::unix::fs::symlink("/etc/passwd", link).expect("the link is made");
    });
    let out = answer(work.path(), &[]);
    assert!(!out.status.success() && out.stdout.is_empty(), "{}", String::from_utf8_lossy(&out.stdout));
}

#[test]
fn a_link_out_of_a_chart_is_an_error_before_helm_follows_it() {
    for link in ["values.yaml", "files/token", "templates/more.yaml"] {
        let work = copy(|repository| {
            let chart = repository.join("apps/shop");
            write(&chart.join("Chart.yaml"), "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
            write(&repository.join("shared/values.yaml"), "a: b\n");
            write(&chart.join("files/README"), "");
            write(&chart.join("templates/README"), "");
            std::os::unix::fs::symlink("/etc/hostname", chart.join(link)).expect("the link is made");
            std::os::unix::fs::symlink("../../shared", chart.join("inside")).expect("the link is made");
        });
        let out = answer(work.path(), &[("ARGOCD_APP_PARAMETERS", r#"[{"name": "source", "string": "helm"}]"#)]);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(!out.status.success() && out.stdout.is_empty());
        assert!(said.contains(&format!("the link {link} leads out of the repository")), "{said}");
    }
}

#[test]
fn the_program_that_makes_the_manifests_runs_with_nothing_of_the_sidecar() {
    let work = copy(|repository| write(&repository.join("apps/shop/kustomization.yaml"), "resources: [base.yaml]\n"));
    let program = work.path().join("kustomize");
    let script = "#!/bin/sh\necho \"apiVersion: v1\"; echo \"kind: ConfigMap\"; echo \"metadata: {name: a}\"; echo \"data:\"\n\
                  echo \"  words: '$*'\"; echo \"  token: '$ARGOCD_ENV_TOKEN'\"; echo \"  path: '$(test -d \"$PATH\" && echo empty)'\"\n";
    write(&program, script);
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("the mode is set");
    let parameters = r#"[{"name": "source", "string": "kustomize"}]"#;
    let more = [
        ("ARGOCD_APP_PARAMETERS", parameters),
        ("TIDEGATE_KUSTOMIZE", program.to_str().expect("a path of text")),
        ("ARGOCD_ENV_TOKEN", "hunter2"),
    ];
    let out = answer(work.path(), &more);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.contains("words: build .") && text.contains("token: \"\"") && text.contains("path: empty"), "{text}");
}

#[test]
fn gives_up_before_the_deadline_and_leaves_nobody_behind() {
    let work = copy(|repository| write(&repository.join("apps/shop/kustomization.yaml"), "resources: [base.yaml]\n"));
    let program = work.path().join("kustomize");
    write(&program, "#!/bin/sh\nexec /bin/sleep 300\n");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("the mode is set");
    let parameters = r#"[{"name": "source", "string": "kustomize"}]"#;
    let started = Instant::now();
    let more = [
        ("ARGOCD_APP_PARAMETERS", parameters),
        ("TIDEGATE_KUSTOMIZE", program.to_str().expect("a path of text")),
        ("ARGOCD_EXEC_TIMEOUT", "4s"),
    ];
    let child = generate(work.path(), &more).spawn().expect("tidegate starts");
    let group = child.id();
    let out = child.wait_with_output().expect("tidegate ends");
    assert!(started.elapsed() < Duration::from_secs(60), "long before the program is done");
    assert!(!out.status.success() && out.stdout.is_empty());
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("took longer than"), "{said}");
    assert_eq!(members(group), Vec::<String>::new(), "nobody of the process group is left");
}

#[test]
fn rendering_gives_up_before_the_deadline_and_says_so() {
    let objects: String = (0..20_000)
        .map(|nth| format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{nth}}}\ndata: {{a: b}}\n"))
        .collect();
    let work = copy(|repository| write(&repository.join("apps/shop/many.yaml"), &objects));
    let out = answer(work.path(), &[("ARGOCD_EXEC_TIMEOUT", "20ms")]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(3) && out.stdout.is_empty(), "{said}");
    assert!(said.contains("rendering took longer than 0.01 s") && said.contains("ARGOCD_EXEC_TIMEOUT"), "{said}");
}

/// The processes of a group that are not just waiting to be reaped.
fn members(group: u32) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let stat = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("stat")).ok();
    let is_member = |stat: &String| {
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        fields.get(2) == Some(&group.to_string().as_str()) && fields.first() != Some(&"Z")
    };
    processes.filter_map(stat).filter(is_member).collect()
}

#[test]
fn a_recorded_call_comes_out_the_same() {
    let work = copy(|_| {});
    let record = work.path().join("record.json");
    let more = [("TIDEGATE_CMP_RECORD", record.to_str().expect("a path of text")), ("ARGOCD_ENV_TOKEN", "hunter2")];
    let first = answer(work.path(), &more);
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    assert!(!read(&record).contains("hunter2"), "what users set for others is not recorded");
    let replay = Command::new(tidegate())
        .args(["cmp", "replay"])
        .args([&record, &work.path().join("apps/shop")])
        .current_dir(root())
        .output()
        .expect("tidegate starts");
    assert_eq!(first.stdout, replay.stdout, "{}", String::from_utf8_lossy(&replay.stderr));
}
