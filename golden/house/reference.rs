//! `docs/findings.md`, which findings point into, is made from the rules; `cargo bless` writes it.

use tidegate::{check, report};

use crate::place::root;

#[test]
fn the_page_of_findings_is_current() {
    let path = root().join("docs/findings.md");
    let rules = check::catalogue();
    let page = report::reference(&rules);
    if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
        std::fs::create_dir_all(root().join("docs")).expect("folder is made");
        std::fs::write(&path, &page).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/findings.md is not what the rules say: run `cargo bless` and read the diff");
    for rule in rules {
        let (file, anchor) =
            report::docs(rule).split_once('#').map(|(f, a)| (f.to_owned(), a.to_owned())).expect("an anchor");
        assert_eq!(file, "docs/findings.md");
        let heading = format!("## {}", anchor.to_uppercase());
        assert!(written.lines().any(|line| line == heading), "{heading} is missing");
    }
}
