//! Writing a tree of files into a folder: all of it in one step, or nothing.
//!
//! tidegate keeps a list of the files that it wrote ([`LIST`]). A file of the list that is no longer written is
//! removed; a file that is not on it is somebody else's, and never touched. The new tree is built beside the folder
//! and changes places with it, so a run that is killed leaves the old tree or the new one.

mod old;
mod swap;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};
use tidegate::emit::TreeFile;
use tidegate::source::{self, SourceMap};

use super::args::InputArgs;
use super::exit::{self, Stop};
use old::{Kind, Old};

/// The list of the files that tidegate wrote into a folder, in the folder.
pub(super) const LIST: &str = ".tidegate-files";

/// Its first line.
const HEAD: &str = "# tidegate wrote these files, and removes those of them that it no longer writes";

/// What becomes of a file of tidegate's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Create,
    Update,
    Keep,
    Remove,
}

impl Change {
    const ALL: [(Change, &'static str); 4] =
        [(Change::Create, "create"), (Change::Update, "update"), (Change::Keep, "keep"), (Change::Remove, "remove")];
}

/// What becomes of a folder.
struct Plan<'f> {
    old: Old,
    new: BTreeMap<&'f Utf8Path, &'f str>,
    changes: BTreeMap<&'f Utf8Path, Change>,
    removed: BTreeSet<Utf8PathBuf>,
}

/// How to go about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// List what would become of each file, and change nothing.
    pub(super) dry_run: bool,
    /// Say nothing about what was done.
    pub(super) quiet: bool,
}

/// What the manifests came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct From<'s> {
    /// What was read.
    pub(super) sources: &'s SourceMap,
    /// What was named, and how far it reaches.
    pub(super) args: &'s InputArgs,
}

/// Makes `folder` hold these files of tidegate's and no others of them.
pub(super) fn write(folder: &str, files: &[TreeFile], from: From<'_>, manner: Manner) -> Result<(), Stop> {
    let target = swap::resolve(Utf8Path::new(folder))?;
    not_read(folder, &target, from)?;
    if !manner.dry_run {
        swap::restore(&target);
    }
    let old = Old::survey(folder, &target)?;
    let plan = plan(folder, old, files)?;
    if manner.dry_run {
        return list_changes(&plan).map_err(exit::no_output);
    }
    let is_changed = plan.changes.values().any(|change| *change != Change::Keep) || !plan.removed.is_empty();
    if is_changed || plan.old.list_is_missing() {
        let keep = |path: &Utf8Path| !plan.removed.contains(path) && path != LIST;
        let mut written: Vec<(&Utf8Path, &str)> = plan
            .new
            .iter()
            .filter(|(path, _)| plan.changes.get(*path) != Some(&Change::Keep))
            .map(|(p, t)| (*p, *t))
            .collect();
        let list = list(plan.new.keys());
        written.push((Utf8Path::new(LIST), &list));
        swap::replace(&target, &plan.old, &keep, &written)
            .map_err(|error| Stop::Machine(format!("{folder} cannot be written: {error}"), exit::INPUT))?;
    }
    if !manner.quiet {
        exit::unread(writeln!(exit::err(), "{}", summary(folder, &plan)))?;
    }
    Ok(())
}

/// The text of the list.
fn list<'p>(paths: impl Iterator<Item = &'p &'p Utf8Path>) -> String {
    let lines = std::iter::once(HEAD).chain(paths.map(|path| path.as_str()));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// No input may lie in the folder, nor the folder in an input that is read: the next run would read what this one wrote.
fn not_read(folder: &str, target: &Utf8Path, from: From<'_>) -> Result<(), Stop> {
    let refuse = |what: String| {
        Err(Stop::Usage(format!(
            "`--output-dir {folder}`: {what}; name another folder, or keep the input from reading it by a line in \
             .tidegateignore"
        )))
    };
    let mut read = from.sources.iter().map(|(_, file)| &file.path);
    if let Some(path) = read.find(|path| path.canonicalize_utf8().is_ok_and(|real| real.starts_with(target))) {
        return refuse(format!("{path} is input and lies in that folder"));
    }
    let root = from.args.root.as_deref().map(Utf8Path::new);
    let mut named = from.args.paths.iter().chain(&from.args.files);
    match named.find(|input| source::enters(Utf8Path::new(input), root, target)) {
        Some(input) => {
            refuse(format!("the folder lies in the input {input}, and the next run would read what it holds"))
        }
        None => Ok(()),
    }
}

/// Compares what is there with what is to be there.
fn plan<'f>(folder: &str, old: Old, files: &'f [TreeFile]) -> Result<Plan<'f>, Stop> {
    let new: BTreeMap<&Utf8Path, &str> = files.iter().map(|file| (&*file.path, &*file.text)).collect();
    let mut changes = BTreeMap::new();
    let mut foreign = Vec::new();
    for (path, text) in &new {
        let change = match old.kind(path) {
            None => Change::Create,
            Some(Kind::File) if old.holds(path, text)? => Change::Keep,
            Some(Kind::File) if old.is_ours(path) => Change::Update,
            Some(_) => {
                foreign.push(path.to_string());
                continue;
            }
        };
        changes.insert(*path, change);
        let above = path.ancestors().skip(1).find(|above| old.kind(above).is_some_and(|kind| kind != Kind::Folder));
        foreign.extend(above.filter(|above| !old.is_ours(above)).map(ToString::to_string));
    }
    foreign.dedup();
    if !foreign.is_empty() {
        return Err(Stop::Usage(format!(
            "`--output-dir {folder}`: tidegate did not write {}, and does not replace it; move it away, or name another \
             folder",
            foreign.join(", ")
        )));
    }
    let removed = old.ours().filter(|path| !new.contains_key(&***path)).cloned().collect();
    Ok(Plan { old, new, changes, removed })
}

/// Prints a line for each file of tidegate's.
fn list_changes(plan: &Plan<'_>) -> io::Result<()> {
    let removed = plan.removed.iter().map(|path| (path.as_path(), Change::Remove));
    let all: BTreeMap<&Utf8Path, Change> =
        plan.changes.iter().map(|(path, change)| (*path, *change)).chain(removed).collect();
    let word = |change| Change::ALL.iter().find(|(one, _)| *one == change).map_or("", |(_, word)| word);
    let text: String = all.iter().map(|(path, change)| format!("{} {path}\n", word(*change))).collect();
    exit::out().write_all(text.as_bytes())
}

/// `OUT: 12 files, 1 created, 2 updated`.
fn summary(folder: &str, plan: &Plan<'_>) -> String {
    let count = |wanted| plan.changes.values().filter(|change| **change == wanted).count();
    let counts =
        [(count(Change::Create), "created"), (count(Change::Update), "updated"), (plan.removed.len(), "removed")];
    let counts: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let counts = if counts.is_empty() { "none changed".to_owned() } else { counts.join(", ") };
    let folder = tidegate::report::escape::escape(folder);
    let files = if plan.new.len() == 1 { "file" } else { "files" };
    format!("{folder}: {} {files}, {counts}", plan.new.len())
}
