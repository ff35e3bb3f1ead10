//! `init`: what it writes is a configuration, and so is all that it proposes in comments.

use std::process::{Command, Output};

use crate::place::{root, tidegate};

fn run(folder: &std::path::Path, args: &[&str]) -> Output {
    Command::new(tidegate()).current_dir(folder).args(args).output().expect("tidegate runs")
}

#[test]
fn what_stands_in_comments_is_a_configuration_too() {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let input = std::fs::read_to_string(root().join("golden/init/fitting.in/shop/all.yaml")).expect("read");
    std::fs::write(folder.path().join("all.yaml"), input).expect("written");
    let made = run(folder.path(), &["init"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let path = folder.path().join("tidegate.yaml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let before = run(folder.path(), &["check", "."]);
    assert!(String::from_utf8_lossy(&before.stdout).contains("TG301"), "something is missing");
    // a comment that is a setting begins with a field or an item, one for readers with a sentence
    let is_setting = |line: &str| {
        let setting = line.trim_start();
        let field = setting.trim_start_matches("- ").split(':').next().unwrap_or_default();
        setting.starts_with("- {") || (setting.contains(':') && field.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    let mut taken = 0;
    let open: String = text
        .lines()
        .map(|line| match line.strip_prefix("  # ").filter(|line| is_setting(line)) {
            Some(setting) => {
                taken += 1;
                format!("  {setting}\n")
            }
            None => format!("{line}\n"),
        })
        .collect();
    assert!(taken > 20, "{taken} settings in comments");
    std::fs::write(&path, &open).expect("written");
    let checked = run(folder.path(), &["check", "."]);
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success() && !said.contains("TG040") && !said.contains("warning[TG301]"), "{open}{said}");
}
