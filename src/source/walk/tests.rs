use std::process::Command;

use super::super::fixture::{Dir, options};
#[cfg(unix)]
use super::super::fixture::{link, mkfifo};
use super::super::{Input, Limits, read};
use super::*;

#[test]
fn folders_are_walked_by_the_bytes_of_paths() {
    let dir = Dir::new(&[
        ("a.yaml", ""),
        ("a/b.yml", ""),
        ("a-b/c.json", ""),
        ("B.yaml", ""),
        ("z/y/x/w.yaml", ""),
        (".dotted.yaml", ""),
        (".git/config.yaml", ""),
        ("README.md", ""),
        ("app.YAML", ""),
        ("tidegate.yaml", ""),
        ("z/tidegate.yaml", ""),
        ("folder.yaml/in.yaml", ""),
    ]);
    let files = [".dotted.yaml", "B.yaml", "a-b/c.json", "a.yaml", "a/b.yml", "folder.yaml/in.yaml", "z/y/x/w.yaml"];
    dir.read(&[""]).is(&files, &[]);
    // slashes at the end are not shown
    let typed = Input::Path(format!("{}//", dir.at("")).into());
    let limits = Limits::default();
    let reading = read(&[typed], &options(&limits), &mut io::empty()).unwrap();
    dir.tell(&reading).is(&files, &[]);
}

#[test]
fn tool_files_are_listed_without_text() {
    let dir = Dir::new(&[
        ("kustomization.yaml", "k"),
        ("Kptfile", "k"),
        ("values.yaml", "not in a chart"),
        ("web/Chart.yaml", "c"),
        ("web/values.yaml", "v"),
        ("web/values-eu.yml", "v"),
        ("web/crds/crd.yaml", "m"),
        ("web/templates/a.yaml", "{{ broken"),
        ("web/charts/db/Chart.yaml", "c"),
        ("web/charts/db/templates/b.yaml", "{{ broken"),
        ("templates/plain.yaml", "m"),
        ("t/x.yml.tera", "{{ broken"),
        ("t/y.yaml.tera", "{{ y }}"),
        ("t/_z.yaml.tera", "{{ z }}"),
    ]);
    let told = dir.read(&[""]);
    told.is(
        &[
            "Kptfile tool",
            "kustomization.yaml kustomization",
            "t/_z.yaml.tera partial",
            "t/y.yaml.tera template",
            "templates/plain.yaml",
            "values.yaml",
            "web/Chart.yaml tool",
            "web/charts/db/Chart.yaml tool",
            "web/crds/crd.yaml",
            "web/values-eu.yml tool",
            "web/values.yaml tool",
        ],
        &[
            r#"Template { path: "t/x.yml.tera" }"#,
            r#"ChartTemplates { path: "web/templates" }"#,
            r#"ChartTemplates { path: "web/charts/db/templates" }"#,
        ],
    );
    let limits = Limits::default();
    let reading = read(&[dir.input("")], &options(&limits), &mut io::empty()).unwrap();
    let charts: Vec<_> = reading.charts.iter().cloned().collect();
    assert_eq!(charts, [dir.at("web"), dir.at("web/charts/db")]);
    for (_, file) in reading.map.iter() {
        assert_eq!(file.text().is_empty(), file.role == Role::Tool);
    }
    // the folder itself named, and a file in it named
    dir.read(&["web/templates"]).is(&[], &[r#"ChartTemplates { path: "web/templates" }"#]);
    dir.read(&["web/templates/a.yaml"]).is(&["web/templates/a.yaml"], &[]);
}

#[test]
fn tidegateignore_has_the_rules_of_gitignore() {
    let dir = Dir::new(&[
        (".tidegateignore", "# comment\n*.gen.yaml\n/top.yaml\nout/\n!keep.gen.yaml\r\ntemplates\n"),
        (".gitignore", "*\n"),
        (".ignore", "*\n"),
        ("a.yaml", ""),
        ("a.gen.yaml", ""),
        ("keep.gen.yaml", ""),
        ("top.yaml", ""),
        ("sub/top.yaml", ""),
        ("sub/a.gen.yaml", ""),
        ("out/a.yaml", ""),
        ("sub/out/a.yaml", ""),
        ("sub/Chart.yaml", ""),
        ("sub/templates/a.yaml", ""),
        ("own/.tidegateignore", "!*.gen.yaml\nb.yaml\n"),
        ("own/a.gen.yaml", ""),
        ("own/b.yaml", ""),
        ("b.yaml", ""),
    ]);
    dir.read(&[""])
        .is(&["a.yaml", "b.yaml", "keep.gen.yaml", "own/a.gen.yaml", "sub/Chart.yaml tool", "sub/top.yaml"], &[]);
    // what is named is read
    dir.read(&["a.gen.yaml", "out"]).is(&["a.gen.yaml", "out/a.yaml"], &[]);
}

#[test]
fn patterns_above_the_input_count_up_to_the_root() {
    let dir = Dir::new(&[
        (".tidegateignore", "a.yaml\n"),
        ("repo/.tidegateignore", "b.yaml\n"),
        ("repo/k8s/a.yaml", ""),
        ("repo/k8s/b.yaml", ""),
        ("repo/k8s/c.yaml", ""),
    ]);
    dir.read(&["repo/k8s"]).is(&["repo/k8s/a.yaml", "repo/k8s/b.yaml", "repo/k8s/c.yaml"], &[]);
    dir.read_with(&["repo/k8s"], |options| options.root = Some(dir.at("repo")))
        .is(&["repo/k8s/a.yaml", "repo/k8s/c.yaml"], &[]);
}

#[test]
fn bad_patterns_are_told_and_the_others_count() {
    let dir = Dir::new(&[("a.yaml", ""), ("b.yaml", "")]);
    dir.write(".tidegateignore", b"a.yaml\n[z-a]\n\xff\n");
    let told = dir.read(&["", ""]);
    assert_eq!(told.files, ["b.yaml"]);
    assert_eq!(told.notes.len(), 1, "{told:?}");
    for part in ["path: \".tidegateignore\"", "(2, ", "(3, \"it is not UTF-8\")"] {
        assert!(told.notes[0].contains(part), "{told:?}");
    }
    dir.write(".tidegateignore", "#".repeat((1 << 20) + 1));
    dir.read(&[""]).is(
        &["a.yaml", "b.yaml"],
        &[r#"Unreadable { path: ".tidegateignore", file: None, reason: "it has more than 1048576 bytes" }"#],
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_as_tidegateignore_does_not_wait() {
    let dir = Dir::new(&[("a.yaml", "")]);
    mkfifo(&dir, ".tidegateignore");
    dir.read(&[""])
        .is(&["a.yaml"], &[r#"Unreadable { path: ".tidegateignore", file: None, reason: "not an ordinary file" }"#]);
}

#[cfg(unix)]
#[test]
fn links_to_files_inside_are_followed_once() {
    let dir = Dir::new(&[("r/base/cm.yaml", "c"), ("r/base/data.txt", "d"), ("r/real.yaml", "x")]);
    link(&dir, "../base/cm.yaml", "r/linked/cm.yaml");
    link(&dir, "base/data.txt", "r/data.yaml");
    link(&dir, "data.yaml", "r/again.yaml");
    link(&dir, "real.yaml", "r/a-link.yaml");
    link(&dir, "base/cm.yaml", "r/no-manifest");
    dir.read(&["r"]).is(&["r/again.yaml", "r/base/cm.yaml", "r/real.yaml"], &[]);
    // the target lies in another input, or in none
    dir.read(&["r/linked", "r/base"]).is(&["r/base/cm.yaml"], &[]);
    let outside = r#"Link { path: "r/linked/cm.yaml", trouble: Outside, refused: false }"#;
    dir.read(&["r/linked"]).is(&[], &[outside]);
    dir.read_with(&["r/linked"], |options| options.root = Some(dir.at("r"))).is(&["r/linked/cm.yaml"], &[]);
    dir.read_with(&["r/linked"], |options| options.strict_links = true).is(&[], &[&outside.replace("false", "true")]);
    // a link that is named, and a folder behind a link
    dir.read(&["r/linked/cm.yaml"]).is(&["r/linked/cm.yaml"], &[]);
    link(&dir, "r/base", "via");
    dir.read(&["via"]).is(&["via/cm.yaml"], &[]);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_root_are_not_followed() {
    let dir = Dir::new(&[("secret.yaml", "s"), ("rest/x.yaml", "x"), ("r/ok.yaml", "")]);
    link(&dir, "../secret.yaml", "r/a.yaml");
    link(&dir, dir.at("secret.yaml").as_std_path(), "r/b.json");
    link(&dir, "../rest", "r/c");
    link(&dir, "../secret.yaml", "r/not-read.txt");
    link(&dir, "../secret.yaml", "r/values.yaml");
    link(&dir, "a.yaml", "r/two-steps.yaml");
    let note = |path| format!(r#"Link {{ path: "r/{path}", trouble: Outside, refused: false }}"#);
    let notes = ["a.yaml", "b.json", "c", "two-steps.yaml", "values.yaml"].map(note);
    dir.read(&["r"]).is(&["r/ok.yaml"], &notes.each_ref().map(String::as_str));
}

#[cfg(unix)]
#[test]
fn links_to_folders_loops_and_nothing() {
    let dir = Dir::new(&[("r/a/app.yaml", ""), ("r/.git/x.yaml", "")]);
    link(&dir, "../..", "r/a/up");
    link(&dir, "..", "r/a/in");
    link(&dir, "self", "r/self");
    link(&dir, "nowhere", "r/gone.yaml");
    link(&dir, "user@host.1234", "r/.lock");
    link(&dir, ".git", "r/.data");
    link(&dir, "nowhere", "r/gone.txt");
    dir.read(&["r"]).is(
        &["r/a/app.yaml"],
        &[
            r#"Link { path: "r/gone.yaml", trouble: Dangling, refused: false }"#,
            r#"Link { path: "r/self", trouble: Broken("too many levels of symbolic links"), refused: false }"#,
            r#"LinkedFolder { path: "r/a/in" }"#,
            r#"Link { path: "r/a/up", trouble: Outside, refused: false }"#,
        ],
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_opened_by_the_walk() {
    let dir = Dir::new(&[("r/ok.yaml", "")]);
    mkfifo(&dir, "r/pipe.yaml");
    mkfifo(&dir, "r/pipe.txt");
    link(&dir, "pipe.txt", "r/to-pipe.yaml");
    link(&dir, "/dev/zero", "r/zero.yaml");
    let _socket = std::os::unix::net::UnixListener::bind(dir.at("r/socket.json")).unwrap();
    let notes = [
        r#"Special { path: "r/pipe.yaml", kind: "named pipe", refused: false }"#,
        r#"Special { path: "r/socket.json", kind: "socket", refused: false }"#,
        r#"Special { path: "r/to-pipe.yaml", kind: "named pipe", refused: false }"#,
        r#"Link { path: "r/zero.yaml", trouble: Outside, refused: false }"#,
    ];
    dir.read(&["r"]).is(&["r/ok.yaml"], &notes);
    let refused = notes.map(|note| note.replace("false", "true"));
    dir.read_with(&["r"], |options| options.strict_links = true)
        .is(&["r/ok.yaml"], &refused.each_ref().map(String::as_str));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_told() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = Dir::new(&[("ok.yaml", "")]);
    let name = |bytes: &'static [u8]| Path::new(OsStr::from_bytes(bytes));
    dir.write(name(b"caf\xe9.yaml"), "");
    dir.write(name(b"caf\xe9.txt"), "");
    dir.write(name(b"d\xff/in.yaml"), "");
    dir.write(name(b"d\xff/in.md"), "");
    dir.read(&[""])
        .is(&["ok.yaml"], &[r#"NameNotUtf8 { path: "caf\\xE9.yaml" }"#, r#"NameNotUtf8 { path: "d\\xFF/in.yaml" }"#]);
    dir.write(".tidegateignore", "caf*\nd?/\n");
    dir.read(&[""]).is(&["ok.yaml"], &[]);
}

#[cfg(unix)]
#[test]
fn a_folder_too_deep_for_the_system_ends() {
    let dir = Dir::new(&[("a.yaml", "")]);
    // in two steps: a path this long cannot be given to the system
    let half = vec!["d".repeat(100); 25].join("/");
    for at in [dir.at(""), dir.at(&half)] {
        let made = Command::new("mkdir").current_dir(at).args(["-p", &half]).status();
        assert!(made.unwrap().success());
    }
    let told = dir.read(&[""]);
    assert_eq!(told.files, ["a.yaml"]);
    assert_eq!(told.notes.len(), 1);
    assert!(told.notes[0].contains("reason: \"file name too long\""));
}
