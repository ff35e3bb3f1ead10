//! The documentation is run: every `sh` and `console` block of the README, the examples' READMEs and `docs/`.
//!
//! Each page gets a fresh copy of the repository, in which its blocks run in order, by `bash -euo pipefail`, with the
//! binary under test first on `PATH`. A `sh` block must succeed. A `console` block holds `$ command` lines (`> ` goes
//! on with one) and below each what it prints, on either stream; a line `...` stands for any lines, `[..]` for any
//! text within a line. A block that must not run says why in its info string: ```` ```sh no-run="why" ````; one that
//! needs programs which not everybody has names them: ```` ```sh needs="kpt" ````, and is skipped without them.

mod block;
mod run;

use block::Kind;

use crate::place::{files, on_path, root, say, skip};

#[test]
fn every_block_of_the_documentation_does_what_it_says() {
    if std::process::Command::new("bash").arg("--version").output().is_err() {
        return skip("docs", "no bash on PATH");
    }
    let pages: Vec<String> = files(true).into_iter().filter(|f| is_page(f)).collect();
    let mut faults = Vec::new();
    for page in &pages {
        let text = std::fs::read_to_string(root().join(page)).expect("a page is UTF-8");
        say(&check(page, &text, &mut faults));
    }
    say(&format!("docs: {} pages", pages.len()));
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Runs the blocks of one page and sums up what ran. Counts the fences by themselves as well, so that none is lost in
/// reading.
fn check(page: &str, text: &str, faults: &mut Vec<String>) -> String {
    let (blocks, mut wrong) = block::read(text);
    let fences = block::fences(text);
    let not_run = blocks.iter().filter(|b| b.no_run.is_some()).count();
    let (mut ran, mut skipped) = (0, 0);
    if blocks.len() > not_run {
        let copy = run::copy_of_repository();
        for block in blocks.iter().filter(|b| b.no_run.is_none()) {
            match block.needs.iter().find(|program| on_path(program).is_none()) {
                Some(program) => {
                    skip(&format!("docs {page}:{}", block.line), &format!("no {program} on PATH"));
                    skipped += 1;
                }
                None => {
                    wrong.extend(run::run(block, copy.path()));
                    ran += 1;
                }
            }
        }
    }
    if ran + not_run + skipped != fences {
        wrong.push((0, format!("{fences} blocks, but {ran} ran, {skipped} were skipped and {not_run} say why not")));
    }
    faults.extend(wrong.into_iter().map(|(line, what)| format!("{page}:{line}: {what}")));
    format!("docs: {page}: {ran} of {fences} blocks ran, {skipped} skipped, {not_run} say why not")
}

/// Whether a file of the repository is a page whose blocks are run.
fn is_page(file: &str) -> bool {
    let parts: Vec<&str> = file.split('/').collect();
    match parts[..] {
        ["README.md"] | ["examples", _, "README.md"] => true,
        ["docs", page] => page.ends_with(".md"),
        _ => false,
    }
}

#[test]
fn pages_are_the_readme_the_examples_and_the_docs() {
    assert!(["README.md", "examples/01-a/README.md", "docs/a.md"].into_iter().all(is_page));
    assert!(!["examples/README.md", "docs/a/b.md", "golden/README.md"].into_iter().any(is_page));
}

#[test]
fn a_page_that_lies_is_found() {
    let lies = [
        ("```sh\nfalse\n```\n", "exit"),
        ("```sh\nfalse | true\n```\n", "exit"),
        ("```sh\necho $nothing_here\n```\n", "exit"),
        ("```console\n$ echo a\nb\n```\n", "a"),
        ("```console\n$ echo a\n$ echo b\na\nb\n```\n", "a"),
        ("```console\n$ echo a >&2\n```\n", "a"),
        ("```console\necho a\n```\n", "$"),
        ("```sh no-run=\"\"\nfalse\n```\n", "why"),
        ("```bash\ntrue\n```\n", "sh"),
        ("```sh\ntrue\n", "not closed"),
        ("```console\n$ exit 0\n$ echo a\na\n```\n", "a"),
        ("```console\n```\n", "no command"),
    ];
    for (page, word) in lies {
        let mut faults = Vec::new();
        check("sample", page, &mut faults);
        assert!(faults.join("\n").contains(word), "{page}{faults:?}");
    }
}

#[test]
fn a_page_that_tells_the_truth_passes() {
    let page = "text\n\n```sh\nprintf 'a\\nb\\n' > made\n```\n\n1. item\n\n   ```console\n   $ cd src && cat ../made\n   a\n   \
                b\n   $ ls | grep \\\n   >   lib\n   lib.rs\n   $ false || echo \"exit $?\"; echo more; seq 3\n   \
                exit [..]\n   ...\n   2\n   3\n   ```\n\n```sh no-run=\"starts a server\"\nfalse\n```\n\n```yaml\na: b\n```\n\
                ````md\n```sh\nfalse\n```\n````\n";
    let mut faults = Vec::new();
    check("sample", page, &mut faults);
    assert_eq!(faults, Vec::<String>::new());
    let (blocks, _) = block::read(page);
    let kinds: Vec<_> = blocks.iter().map(|b| (b.kind, b.line, b.no_run.as_deref())).collect();
    assert_eq!(
        kinds,
        [(Kind::Script, 3, None), (Kind::Console, 9, None), (Kind::Script, 23, Some("starts a server")),]
    );
}
