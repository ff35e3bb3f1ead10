use std::{fs, io};

#[cfg(unix)]
use super::super::fixture::mkfifo;
use super::super::fixture::{Dir, options};
use super::super::names;
use super::super::plan::folder_as_shown;
use super::*;

#[test]
fn a_folder_is_shown_as_typed() {
    for (typed, shown) in [(".", ""), ("./", ""), ("k8s/", "k8s"), ("./k8s", "./k8s"), ("../k8s", "../k8s"), ("/", "/")]
    {
        assert_eq!(folder_as_shown(typed.into()), shown, "{typed}");
    }
    assert_eq!(names::join("", "a.yaml"), "a.yaml");
    assert_eq!(names::join("/", "a.yaml"), "/a.yaml");
    assert_eq!(names::join("../k8s", "a.yaml"), "../k8s/a.yaml");
}

#[test]
fn files_that_are_named_are_read_whatever_their_name() {
    let dir = Dir::new(&[("app.txt", "a: 1"), ("c/Chart.yaml", ""), ("t.yaml.tera", ""), ("t.yml.tera", "")]);
    dir.read(&["app.txt", "c/Chart.yaml", "t.yaml.tera", "t.yml.tera"])
        .is(&["app.txt", "c/Chart.yaml", "t.yaml.tera template"], &[r#"Template { path: "t.yml.tera" }"#]);
}

#[test]
fn what_is_reached_twice_is_read_once() {
    let dir = Dir::new(&[("c/Chart.yaml", ""), ("c/values.yaml", "v"), ("c/sub/a.yaml", ""), ("b.yml.tera", "")]);
    let all = ["c/Chart.yaml tool", "c/sub/a.yaml", "c/values.yaml tool"];
    let template = [r#"Template { path: "b.yml.tera" }"#];
    dir.read(&["", ""]).is(&all, &template);
    dir.read(&["c", "c/sub", ""]).is(&all, &template);
    // what is named is read as manifests, on whichever side of its folder
    dir.read(&["c/values.yaml", "c"]).is(&["c/values.yaml", "c/Chart.yaml tool", "c/sub/a.yaml"], &[]);
    dir.read(&["c", "c/values.yaml"]).is(&["c/Chart.yaml tool", "c/sub/a.yaml", "c/values.yaml"], &[]);
    dir.read(&["c/sub/../sub/a.yaml", "c/sub"]).is(&["c/sub/../sub/a.yaml"], &[]);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_when_the_user_names_it() {
    let dir = Dir::new(&[]);
    mkfifo(&dir, "pipe");
    let pipe = dir.at("pipe");
    let writer = std::thread::spawn(move || fs::write(pipe, "a: 1\n"));
    let limits = Limits::default();
    // twice the same pipe would wait for a second writer
    let inputs = [dir.input("pipe"), dir.input("pipe")];
    let reading = read(&inputs, &options(&limits), &mut io::empty()).unwrap();
    writer.join().unwrap().unwrap();
    let texts: Vec<_> = reading.map.iter().map(|(_, file)| file.text()).collect();
    assert_eq!((texts, reading.notes), (vec!["a: 1\n"], vec![]));
    // where paths come from the input, nothing is waited for
    dir.read_with(&["pipe"], |options| {
        options.strict_links = true;
        options.root = Some(dir.at(""));
    })
    .is(&[], &[r#"Special { path: "pipe", kind: "named pipe", refused: true }"#]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_device_and_a_failing_file_end() {
    let limits = Limits { file_bytes: 1 << 16, ..Limits::default() };
    let inputs = ["/dev/zero", "/proc/self/mem"].map(|path| Input::Path(path.into()));
    let reading = read(&inputs, &options(&limits), &mut io::empty()).unwrap();
    assert!(reading.map.iter().all(|(_, file)| !file.readable));
    assert!(
        matches!(
            &reading.notes[..],
            [Note::TooBig { bound: Bound::File, limit: 0x1_0000, .. }, Note::Unreadable { file: Some(_), .. }]
        ),
        "{:?}",
        reading.notes
    );
}

#[test]
fn what_is_not_there_is_told_once() {
    let dir = Dir::new(&[("a.yaml", "")]);
    dir.read(&["gone", "a.yaml", "gone", "a.yaml/b"]).is(
        &["a.yaml"],
        &[
            r#"Unreadable { path: "gone", file: None, reason: "no such file or folder" }"#,
            r#"Unreadable { path: "a.yaml/b", file: None, reason: "not a directory" }"#,
        ],
    );
}

#[test]
fn inputs_stay_in_an_explicit_root() {
    let dir = Dir::new(&[("r/a.yaml", ""), ("b.yaml", ""), ("o/c.yaml", "")]);
    let note = |path| format!(r#"Link {{ path: "{path}", trouble: Outside, refused: true }}"#);
    let notes = ["b.yaml", "r/../o"].map(note);
    dir.read_with(&["r/a.yaml", "b.yaml", "r/../o"], |options| {
        options.root = Some(dir.at("r"));
    })
    .is(&["r/a.yaml"], &notes.each_ref().map(String::as_str));
    let limits = Limits::default();
    let mut options = options(&limits);
    options.root = Some(dir.at("gone"));
    let error = read(&[dir.input("r")], &options, &mut io::empty()).unwrap_err();
    assert!(error.to_string().ends_with("gone`: no such file or folder"));
}

#[test]
fn limits_hold_for_one_file_and_for_all() {
    let dir = Dir::new(&[
        ("a.yaml", "12345678"),
        ("b.yaml", "123456789"),
        ("c.yaml", "1234"),
        ("d.yaml", "12345678"),
        ("e.yaml", "1"),
    ]);
    let limits = Limits { file_bytes: 8, total_bytes: 14, ..Limits::default() };
    let reading = read(&[dir.input("")], &options(&limits), &mut io::empty()).unwrap();
    dir.tell(&reading).is(
        &["a.yaml", "b.yaml unreadable", "c.yaml", "d.yaml unreadable"],
        &["TooBig { file: FileId(1), bound: File, limit: 8 }", "TooBig { file: FileId(3), bound: Total, limit: 14 }"],
    );
}

#[test]
fn standard_input_and_text_count_too() {
    let limits = Limits { file_bytes: 8, total_bytes: 14, ..Limits::default() };
    let text = |text: &str| Input::Text { name: "request".to_owned(), text: text.to_owned() };
    let reads = |inputs: &[Input]| {
        let reading = read(inputs, &options(&limits), &mut &b"a: 345678"[..]).unwrap();
        let files = reading.map.iter();
        let texts = files.map(|(_, file)| format!("{} {}", file.path, file.text()));
        (texts.collect::<Vec<_>>(), reading.notes)
    };
    let (texts, notes) = reads(&[text("a: 1"), Input::Stdin, text("123456789")]);
    assert_eq!(texts, ["request a: 1", "<stdin> ", "request "]);
    assert_eq!(notes.len(), 2);
    let limits = Limits::default();
    let inputs = [Input::Stdin, Input::Stdin];
    let reading = read(&inputs, &options(&limits), &mut &b"a: 1"[..]).unwrap();
    assert_eq!(reading.map.len(), 1);
    assert_eq!(reading.map.iter().next().unwrap().1.text(), "a: 1");
}

#[test]
fn wrong_bytes_leave_what_comes_before() {
    let dir = Dir::new(&[]);
    dir.write("latin1.yaml", b"a: 1\nb: \xff\xfe\n");
    dir.write("utf16.yaml", b"\xff\xfea\0:\0 \x001\0");
    dir.write("bom.yaml", b"\xef\xbb\xbfa: 1\n");
    let limits = Limits::default();
    let options = ReadOptions { side: Side::Old, ..options(&limits) };
    let reading = read(&[dir.input("")], &options, &mut io::empty()).unwrap();
    let texts: Vec<_> = reading.map.iter().map(|(_, file)| file.text()).collect();
    assert_eq!(texts, ["\u{feff}a: 1\n", "a: 1\nb: ", "a: 1"]);
    assert!(reading.map.iter().all(|(_, file)| file.side == Side::Old));
    dir.tell(&reading).is(
        &["bom.yaml", "latin1.yaml unreadable", "utf16.yaml"],
        &["NotText { file: FileId(1), offset: 8, encoding: Utf8 }"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_deleted_file_is_read_through_its_descriptor() {
    use std::os::fd::AsRawFd as _;
    let dir = Dir::new(&[("a.yaml", "a: 1")]);
    let file = File::open(dir.at("a.yaml")).unwrap();
    fs::remove_file(dir.at("a.yaml")).unwrap();
    let path = format!("/dev/fd/{}", file.as_raw_fd());
    let limits = Limits::default();
    let inputs = [Input::Path(path.into())];
    let reading = read(&inputs, &options(&limits), &mut io::empty()).unwrap();
    let texts: Vec<_> = reading.map.iter().map(|(_, file)| file.text()).collect();
    assert_eq!((texts, reading.notes), (vec!["a: 1"], vec![]));
}
