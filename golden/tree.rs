//! Output folders: what is pruned and what is not, what a killed run leaves, and what kustomize makes of one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::place::{below, say, skip, tidegate};

/// Renders `input` into `out`.
fn render(input: &Path, out: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(tidegate());
    command.arg("render").arg(input).arg("--output-dir").arg(out).args(more);
    command.output().expect("tidegate runs")
}

fn done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Every file below a folder and its bytes.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = below(folder, "").into_iter();
    files.map(|file| (file.clone(), std::fs::read(folder.join(&file)).expect("the file is read"))).collect()
}

/// Many ConfigMaps, each with this value.
fn config_maps(count: usize, value: &str) -> String {
    (0..count).fold(String::new(), |mut text, nth| {
        let _ = write!(
            text,
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: map-{nth}, namespace: shop}}\ndata: {{a: {value:?}}}\n"
        );
        text
    })
}

#[test]
fn only_what_tidegate_wrote_is_pruned() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let (input, out) = (folder.path().join("in.yaml"), folder.path().join("out"));
    std::fs::write(&input, config_maps(3, "1")).expect("written");
    done(&render(&input, &out, &[]));
    let mine = [("README.md", "mine"), ("config/mine.yaml", "mine too"), ("own/deep/x", "and this")];
    for (path, text) in mine {
        let path = out.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    std::fs::create_dir(out.join("empty")).expect("made");
    std::fs::write(&input, config_maps(1, "1")).expect("written");
    done(&render(&input, &out, &["--layout", "wave"]));
    let files: Vec<String> = content(&out).into_keys().collect();
    let wanted = [
        ".tidegate-files",
        "README.md",
        "config/kustomization.yaml",
        "config/mine.yaml",
        "config/wave_-20/configmap_shop_map-0.yaml",
        "config/wave_-20/kustomization.yaml",
        "kustomization.yaml",
        "own/deep/x",
    ];
    assert_eq!(files, wanted);
    assert!(out.join("empty").is_dir());
    for (path, text) in mine {
        assert_eq!(std::fs::read_to_string(out.join(path)).expect("read"), text);
    }
    // nothing is left beside the folder, and a second run changes nothing
    assert_eq!(std::fs::read_dir(folder.path()).expect("read").count(), 2);
    let before = std::fs::metadata(&out).expect("there").modified().expect("known");
    done(&render(&input, &out, &["--layout", "wave"]));
    assert_eq!(std::fs::metadata(&out).expect("there").modified().expect("known"), before);
}

#[test]
fn an_output_folder_renders_to_itself() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/03-webhook-operator/input");
    for layout in ["stage", "wave"] {
        let (one, two) = (folder.path().join(layout), folder.path().join(format!("{layout}-2")));
        done(&render(&input, &one, &["--layout", layout]));
        done(&render(&one, &two, &["--layout", layout]));
        assert_eq!(content(&one), content(&two), "{layout}");
    }
}

#[test]
fn a_killed_run_leaves_the_old_tree_or_the_new_one() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let (input, out) = (folder.path().join("in.yaml"), folder.path().join("out"));
    let trees = ["1", "2"].map(|value| {
        std::fs::write(&input, config_maps(400, value)).expect("written");
        let alone = folder.path().join(format!("alone-{value}"));
        let start = std::time::Instant::now();
        done(&render(&input, &alone, &[]));
        (content(&alone), start.elapsed())
    });
    done(&render(&input, &out, &[]));
    let whole = trees[1].1;
    let (mut old, mut new) = (0, 0);
    let steps = 24;
    for step in 0..steps {
        let value = ["1", "2"][step % 2];
        std::fs::write(&input, config_maps(400, value)).expect("written");
        let before = content(&out);
        let mut command = Command::new(tidegate());
        command.arg("render").arg(&input).arg("--output-dir").arg(&out).stderr(Stdio::null());
        let mut run = command.spawn().expect("tidegate runs");
        let wait = whole.mul_f64(0.6 + 0.6 * f64::from(u32::try_from(step).expect("small")) / f64::from(steps as u32));
        std::thread::sleep(wait.max(Duration::from_millis(1)));
        let _ = run.kill();
        run.wait().expect("it ends");
        let after = content(&out);
        if after == before {
            old += 1
        } else {
            new += 1
        }
        let is_whole = after == before || after == trees[step % 2].0;
        assert!(is_whole, "step {step}: {} files, neither tree", after.len());
    }
    say(&format!("killed runs: {old} left the old tree, {new} the new one"));
    done(&render(&input, &out, &[]));
    assert_eq!(content(&out), trees[1].0);
    let left: Vec<String> = below(folder.path(), "").into_iter().filter(|file| file.starts_with('.')).collect();
    assert_eq!(left, [""; 0], "what killed runs left is cleared away");
}

#[test]
fn kustomize_builds_every_folder() {
    if Command::new("kubectl").arg("kustomize").arg("--help").output().is_err() {
        return skip("output folders with kustomize", "no kubectl on PATH");
    }
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let (mut built, mut objects) = (0, 0);
    for example in std::fs::read_dir(examples).expect("there are examples").flatten() {
        let out = folder.path().join(example.file_name());
        let rendered = render(&example.path().join("input"), &out, &["--fail-on", "never"]);
        done(&rendered);
        let files = below(&out, "");
        let manifests = files.iter().filter(|file| file.ends_with(".yaml") && !file.ends_with("kustomization.yaml"));
        let mut kinds = 0;
        for kustomization in
            files.iter().filter(|file| file.matches('/').count() == 1 && file.ends_with("kustomization.yaml"))
        {
            let dir = out.join(kustomization);
            let built_one = Command::new("kubectl").arg("kustomize").arg(dir.parent().expect("a folder")).output();
            let built_one = built_one.expect("kubectl runs");
            done(&built_one);
            kinds +=
                String::from_utf8_lossy(&built_one.stdout).lines().filter(|line| line.starts_with("kind: ")).count();
            built += 1;
        }
        assert_eq!(kinds, manifests.count(), "{}", out.display());
        objects += kinds;
    }
    say(&format!("output folders with kustomize: {built} folders, {objects} objects"));
}
