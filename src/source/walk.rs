//! The only reader of folders: which files lie below one, without opening any of them.
//!
//! Links to files are followed inside the root, links to folders never, so the walk ends and a
//! file that is no link has its folder's resolved path and its name as resolved path: nothing has to
//! be asked of the system to know a file again.

use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};

use camino::Utf8PathBuf;

use super::ignored::Patterns;
use super::links::{self, Kind, Roots, reason};
use super::names::{self, Name, join, show};
use super::{LinkTrouble, Note, Role};

/// How a file was reached; of several ways to one file the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// The walk met a link to it.
    Link,
    /// The walk met it.
    Walk,
    /// The user named it.
    Named,
}

/// A file to read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The path to show.
    pub(super) shown: Utf8PathBuf,
    /// The resolved path, by which it is opened and known again.
    pub(super) real: PathBuf,
    /// What it is by its name.
    pub(super) role: Role,
    /// How it was reached.
    pub(super) reach: Reach,
    /// Bytes of `shown` that are the folder that was named, its `/` included.
    pub(super) below: usize,
}

/// Notes, each kind at most once a path, however often inputs overlap.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// In the order they were made.
    pub(super) list: Vec<Note>,
    said: HashSet<(PathBuf, Discriminant<Note>)>,
}

impl Notes {
    /// Takes in what was met at an absolute path.
    pub(super) fn say(&mut self, path: &Path, note: Note) {
        if self.said.insert((path.to_owned(), discriminant(&note))) {
            self.list.push(note);
        }
    }
}

/// Walks of the folders of one run.
#[derive(Debug)]
pub(super) struct Walk<'r> {
    /// Where links may lead.
    pub(super) roots: &'r Roots,
    /// Whether what is not followed is refused.
    pub(super) strict: bool,
    /// What was met and is not read.
    pub(super) notes: Notes,
    /// Folders, as shown, that hold a `Chart.yaml`.
    pub(super) charts: BTreeSet<Utf8PathBuf>,
}

/// A folder on the way.
struct Folder {
    /// Its path to show; nothing for the one where the user stands.
    shown: String,
    /// Its resolved path.
    real: PathBuf,
    /// Whether `shown` is its name and no description of it.
    utf8: bool,
    /// What its files are measured by.
    patterns: Patterns,
}

/// An entry of a folder.
struct Entry {
    name: OsString,
    file_type: FileType,
}

impl<'r> Walk<'r> {
    /// A walk that has met nothing yet.
    pub(super) fn new(roots: &'r Roots, strict: bool) -> Self {
        Walk { roots, strict, notes: Notes::default(), charts: BTreeSet::new() }
    }

    /// The files below a folder that the user named, by the bytes of their paths. `shown` is the
    /// folder as it is shown, `real` its resolved path.
    pub(super) fn files(&mut self, shown: &str, real: &Path) -> Vec<Found> {
        let mut found = Vec::new();
        let is_templates = real.file_name() == Some(OsStr::new(names::CHART_TEMPLATES));
        let chart = real.parent().map(|parent| parent.join(names::CHART));
        if is_templates && chart.is_some_and(|chart| chart.is_file()) {
            self.chart_templates(real, shown.to_owned());
            return found;
        }
        let mut folders = vec![Folder {
            shown: shown.to_owned(),
            real: real.to_owned(),
            utf8: true,
            patterns: self.patterns_above(real),
        }];
        // no recursion: a folder may be as deep as the system lets paths be long
        while let Some(folder) = folders.pop() {
            let below = self.folder(folder, &mut found);
            folders.extend(below.into_iter().rev());
        }
        let below = match shown {
            "" => 0,
            folder => folder.len() + usize::from(!folder.ends_with('/')),
        };
        found.iter_mut().for_each(|found| found.below = below);
        found.sort_by(|a, b| a.shown.as_str().cmp(b.shown.as_str()));
        found
    }

    /// Adds what one folder holds to `found`, and returns the folders in it.
    fn folder(&mut self, mut folder: Folder, found: &mut Vec<Found>) -> Vec<Folder> {
        let entries = match entries(&folder.real) {
            Ok(entries) => entries,
            Err(error) => {
                self.unreadable(&folder.real, shown_or_dot(folder.shown), &error);
                return Vec::new();
            }
        };
        let has = |name: &str| entries.iter().any(|e| e.name == name && !e.file_type.is_dir());
        if has(names::IGNORE) {
            folder.patterns = self.patterns(&folder.patterns, &folder.real, &folder.shown);
        }
        let chart = has(names::CHART);
        if chart {
            self.charts.insert(folder.shown.clone().into());
        }
        let mut below = Vec::new();
        for entry in entries {
            let real = folder.real.join(&entry.name);
            let is_folder = entry.file_type.is_dir();
            if folder.patterns.leave_out(&real, is_folder) {
                continue;
            }
            let shown = join(&folder.shown, &show(&entry.name));
            let utf8 = folder.utf8 && entry.name.to_str().is_some();
            if is_folder && chart && entry.name == names::CHART_TEMPLATES {
                self.chart_templates(&real, shown);
            } else if is_folder && !is_dotted(&entry.name) {
                below.push(Folder { shown, real, utf8, patterns: folder.patterns.clone() });
            } else if !is_folder {
                found.extend(self.file(&entry, real, shown, utf8, chart));
            }
        }
        below
    }

    /// What an entry that is no folder gives to read. `utf8` says whether `shown` is its name.
    fn file(&mut self, entry: &Entry, real: PathBuf, shown: String, utf8: bool, chart: bool) -> Option<Found> {
        let what = names::in_folder(&entry.name, chart);
        let (real, role, reach) = self.way(entry, real, &shown, what)?;
        if utf8 {
            return Some(Found { shown: shown.into(), real, role, reach, below: 0 });
        }
        self.notes.say(&real, Note::NameNotUtf8 { path: shown });
        None
    }

    /// The resolved path, role and reach of an entry that is no folder, if it is to be read.
    fn way(&mut self, entry: &Entry, real: PathBuf, shown: &str, what: Name) -> Option<(PathBuf, Role, Reach)> {
        match what {
            // never opened, so it does not matter where it leads
            Name::Read(Role::Tool) => Some((real, Role::Tool, Reach::Walk)),
            Name::Template => {
                let path = shown.to_owned();
                self.notes.say(&real, Note::Template { path });
                None
            }
            Name::Other | Name::Read(_) if entry.file_type.is_symlink() => {
                let target = self.link(entry, &real, shown, what)?;
                match what {
                    Name::Read(role) => Some((target, role, Reach::Link)),
                    _ => None,
                }
            }
            Name::Other => None,
            Name::Read(role) => match links::kind(entry.file_type) {
                Kind::Special(kind) => {
                    self.special(&real, shown.to_owned(), kind, self.strict);
                    None
                }
                _ => Some((real, role, Reach::Walk)),
            },
        }
    }

    /// The resolved path of the file behind a link, if it is to be read.
    fn link(&mut self, entry: &Entry, link: &Path, shown: &str, what: Name) -> Option<PathBuf> {
        let is_input = what != Name::Other;
        let (target, kind) = match links::resolve(link) {
            Ok(resolved) => resolved,
            Err(trouble) => {
                if names::may_be_input(&entry.name, what) && (is_input || !is_dotted(&entry.name)) {
                    self.trouble(link, shown, trouble);
                }
                return None;
            }
        };
        match kind {
            Kind::Folder if is_dotted(&entry.name) => None,
            Kind::File | Kind::Special(_) if !is_input => None,
            _ if !self.roots.hold(&target) => {
                self.trouble(link, shown, LinkTrouble::Outside);
                None
            }
            Kind::Folder => {
                let path = shown.to_owned();
                self.notes.say(link, Note::LinkedFolder { path });
                None
            }
            Kind::Special(kind) => {
                self.special(link, shown.to_owned(), kind, self.strict);
                None
            }
            Kind::File => Some(target),
        }
    }

    /// Whether the walk of a folder enters another one below it, which need not be there yet. Both paths are resolved.
    pub(super) fn enters(&mut self, folder: &Path, other: &Path) -> bool {
        let Ok(way) = other.strip_prefix(folder) else { return false };
        let (mut real, mut patterns) = (folder.to_owned(), self.patterns_above(folder));
        for name in way {
            if fs::symlink_metadata(real.join(names::IGNORE)).is_ok() {
                patterns = self.patterns(&patterns, &real, "");
            }
            let is_of_chart = name == names::CHART_TEMPLATES && real.join(names::CHART).is_file();
            real.push(name);
            if is_of_chart || is_dotted(name) || patterns.leave_out(&real, true) {
                return false;
            }
        }
        true
    }

    /// The patterns of the folders from an explicit root down to just above a folder.
    fn patterns_above(&mut self, folder: &Path) -> Patterns {
        let mut patterns = Patterns::default();
        let roots = self.roots;
        let Some(root) = &roots.explicit else {
            return patterns;
        };
        let mut above: Vec<_> = folder.ancestors().skip(1).collect();
        above.retain(|ancestor| ancestor.starts_with(root));
        for ancestor in above.into_iter().rev() {
            if fs::symlink_metadata(ancestor.join(names::IGNORE)).is_ok() {
                let way = ancestor.strip_prefix(root).unwrap_or(ancestor);
                let shown = join(&roots.shown, &show(way.as_os_str()));
                patterns = self.patterns(&patterns, ancestor, &shown);
            }
        }
        patterns
    }

    /// The patterns above a folder and those in its `.tidegateignore`, which exists.
    fn patterns(&mut self, above: &Patterns, folder: &Path, shown: &str) -> Patterns {
        let file = folder.join(names::IGNORE);
        let shown = join(shown, names::IGNORE);
        let target = match links::resolve(&file) {
            Ok((target, _)) if self.roots.hold(&target) => target,
            Ok(_) => {
                self.trouble(&file, &shown, LinkTrouble::Outside);
                return above.clone();
            }
            Err(trouble) => {
                self.trouble(&file, &shown, trouble);
                return above.clone();
            }
        };
        match above.and(folder, &target) {
            Ok((patterns, lines)) => {
                if !lines.is_empty() {
                    self.notes.say(&file, Note::Patterns { path: shown, lines });
                }
                patterns
            }
            Err(error) => {
                self.unreadable(&file, shown, &error);
                above.clone()
            }
        }
    }

    /// Notes a file or folder that cannot be read.
    pub(super) fn unreadable(&mut self, real: &Path, path: String, error: &io::Error) {
        let note = Note::Unreadable { path, file: None, reason: reason(error) };
        self.notes.say(real, note);
    }

    /// Notes a pipe, device or socket that is not read.
    pub(super) fn special(&mut self, real: &Path, path: String, kind: &'static str, refused: bool) {
        let note = Note::Special { path, kind, refused };
        self.notes.say(real, note);
    }

    fn trouble(&mut self, link: &Path, shown: &str, trouble: LinkTrouble) {
        let note = Note::Link { path: shown.to_owned(), trouble, refused: self.strict };
        self.notes.say(link, note);
    }

    fn chart_templates(&mut self, real: &Path, shown: String) {
        let path = shown_or_dot(shown);
        self.notes.say(real, Note::ChartTemplates { path });
    }
}

fn is_dotted(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The folder where the user stands needs a name where it is spoken of.
fn shown_or_dot(shown: String) -> String {
    if shown.is_empty() { ".".to_owned() } else { shown }
}

/// The entries of a folder by the bytes of their names.
fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        entries.push(Entry { file_type: entry.file_type()?, name: entry.file_name() });
    }
    entries.sort_by(|a, b| {
        let (a, b) = (a.name.as_encoded_bytes(), b.name.as_encoded_bytes());
        a.cmp(b)
    });
    Ok(entries)
}

#[cfg(test)]
mod tests;
