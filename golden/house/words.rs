//! The project speaks of itself alone: no word of the place it was written in, in no file and no commit message.
//!
//! Every word below is built from pieces, so that this file does not find itself.

use std::collections::BTreeSet;

use super::none;
use crate::place::{files, git, root, say};

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    line: usize,
    word: String,
}

/// Files (by the start of their path) that may hold a word, and why. An entry that nothing needs is a fault.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    ("Cargo.lock", &["crates", ".io"], "cargo writes the registry of each package"),
    ("docs/findings.md", &["/ho", "me/"], "Argo CD's plugin server has its files in a folder of that name"),
    ("golden/cmp/", &["/ho", "me/"], "Argo CD's plugin server has its files in a folder of that name"),
    ("src/cli/cmp/doctor.rs", &["/ho", "me/"], "Argo CD's plugin server has its files in a folder of that name"),
    ("src/finding/rules/plugins.rs", &["/ho", "me/"], "Argo CD's plugin server has its files in a folder of that name"),
    ("src/plugin/doctor.rs", &["/ho", "me/"], "Argo CD's plugin server has its files in a folder of that name"),
    ("templates/cmp-", &["/ho", "me/"], "Argo CD's plugin server has its files in a folder of that name"),
    ("fuzz/Cargo.lock", &["crates", ".io"], "cargo writes the registry of each package"),
];

/// Folders on one machine; `HOME` is followed by a name.
const FOLDERS: &[&[&str]] = &[
    &["/wo", "rk/"],
    &["/ro", "ot/"],
    &["/ho", "me/"],
    &["/Us", "ers/"],
    &["C:", "\\Us", "ers"],
    &["/tmp", "/bash_"],
    &[".lib", "rary/"],
    &[".mir", "ror/"],
];

/// Hosts of package registries: which one serves a package is the reader's own setting.
const HOSTS: &[&[&str]] = &[
    &["crates", ".io"],
    &["py", "pi.org"],
    &["python", "hosted.org"],
    &["npm", "js"],
    &["proxy.", "golang.org"],
    &["sum.", "golang.org"],
    &["repo.", "maven"],
    &["repo1.", "maven"],
    &["deb.", "debian.org"],
    &["security.", "debian.org"],
    &["archive.", "ubuntu.com"],
];

/// Words about who wrote it, when, and with what.
const AUTHORS: &[&[&str]] = &[
    &["work", "place"],
    &["this ses", "sion"],
    &["ses", "sion of"],
    &["last ses", "sion"],
    &["next ses", "sion"],
    &["previous ses", "sion"],
    &["earlier ses", "sion"],
    &["later ses", "sion"],
    &["sub", "agent"],
    &["helper ", "agent"],
    &["another ", "helper"],
    &["other ", "helpers"],
    &["language ", "model"],
    &["ai-", "generated"],
    &["ai ", "assistant"],
    &["chat", "gpt"],
    &["open", "ai"],
    &["anthro", "pic"],
    &["clau", "de"],
    &["copi", "lot"],
    &["co-authored", "-by"],
    &["closing ", "note"],
    &["before", "-stop"],
    &["c", "e", "o"],
];

/// What a number after it makes the name of a ticket.
const TICKETS: &[&[&str]] = &[&["#"], &["is", "sue "], &["is", "sue-"], &["is", "sue #"], &["is", "sues "]];

#[test]
fn the_project_speaks_of_itself_alone() {
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    let files = files(false);
    for file in &files {
        let Ok(text) = std::fs::read_to_string(root().join(file)) else {
            continue; // a link to a folder, or no text
        };
        faults.extend(hits(&text).into_iter().filter_map(|hit| {
            let allowed =
                ALLOWED.iter().position(|(start, word, _)| file.starts_with(start) && word.concat() == hit.word);
            used.extend(allowed);
            allowed.is_none().then(|| format!("{file}:{}: `{}`", hit.line, hit.word))
        }));
    }
    for (at, (start, word, why)) in ALLOWED.iter().enumerate() {
        if !used.contains(&at) {
            faults.push(format!("allowed and not there: `{}` in {start} ({why})", word.concat()));
        }
    }
    say(&format!("words: {} files read", files.len()));
    none("words that do not belong here", &faults);
}

#[test]
fn commit_messages_speak_of_the_project_alone() {
    let Some(log) = git(&["log", "--format=%x1e%h%n%B"]) else {
        return crate::place::skip("words of commits", "not a git checkout");
    };
    let mut faults = Vec::new();
    for commit in log.split('\x1e').skip(1) {
        let (id, message) = commit.split_once('\n').unwrap_or((commit, ""));
        faults.extend(hits(message).into_iter().map(|hit| format!("{id}: `{}`", hit.word)));
    }
    say(&format!("words: {} commits read", log.matches('\x1e').count()));
    none("words that do not belong in a commit", &faults);
}

#[test]
fn each_word_is_found_and_its_like_is_not() {
    for word in [FOLDERS, HOSTS, AUTHORS].concat() {
        let word = word.concat();
        let text = format!("fine\nsee {}x", word.to_uppercase());
        let found = hits(&text);
        let ends_open = word.ends_with(|c: char| !c.is_alphanumeric());
        let alone = hits(&format!("see {word}{}.", if ends_open { "me" } else { "" }));
        assert!(!alone.is_empty() && (!ends_open || found[0].line == 2), "{word}");
    }
    for ticket in TICKETS {
        let text = format!("see {}12, and", ticket.concat());
        assert!(!hits(&text).is_empty(), "{text}");
    }
    for fine in [
        "colour: #336699 #abc; r#\"x\"# a#1b &#39; issuer 4, tissue 4x",
        "kind: Issuer sessionAffinity: None, network/worker/x",
        "../shared/corpus ~/.cache ${HOME}/x /workspace /rooted/ brief, oceo",
    ] {
        assert_eq!(hits(fine), [], "{fine}");
    }
}

/// Every word that does not belong, by line. Letters count as equal in either case.
fn hits(text: &str) -> Vec<Hit> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let low = line.to_lowercase();
        for pieces in [FOLDERS, HOSTS, AUTHORS].concat() {
            let word = pieces.concat();
            if stands_alone(&low, &word.to_lowercase()) {
                found.push(Hit { line: at + 1, word });
            }
        }
        for pieces in TICKETS {
            let word = pieces.concat();
            if numbered(&low, &word) {
                found.push(Hit { line: at + 1, word: format!("{word}N") });
            }
        }
    }
    found
}

/// Whether `word` is in `line` and no part of a longer one.
fn stands_alone(line: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let open_end = word.ends_with(|c: char| !c.is_alphanumeric());
    let open_start = word.starts_with('.');
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let starts = open_start || !before.is_some_and(|c| letter(c) || (word.starts_with('/') && ".-~}".contains(c)));
        starts && (open_end || !after.is_some_and(letter))
    })
}

/// Whether `word` is followed by a number of up to five digits and nothing more: `#336699` is a colour.
fn numbered(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let rest = &line[at + word.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = rest[digits..].chars().next();
        (1..=5).contains(&digits)
            && !before.is_some_and(|c| c.is_alphanumeric() || "_&#/".contains(c))
            && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}
