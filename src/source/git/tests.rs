use super::*;

#[test]
fn paths_stay_inside() {
    for (path, is) in [
        ("", Some("")),
        (".", Some("")),
        ("a/./b/", Some("a/b")),
        ("./a", Some("a")),
        ("../a", None),
        ("a/../b", None),
        ("/a", None),
    ] {
        assert_eq!(inside(path).as_deref(), is.map(Utf8Path::new), "{path}");
    }
}
