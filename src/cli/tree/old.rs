//! What lies in a folder before a tree is written into it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::super::exit::Stop;
use super::LIST;

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a device, a socket.
    Special,
}

/// The content of a folder by path below it, and which of it is tidegate's.
#[derive(Debug, Default)]
pub(super) struct Old {
    root: Utf8PathBuf,
    entries: BTreeMap<Utf8PathBuf, Kind>,
    /// The paths in lower case: on some file systems two that differ in case alone are one.
    lower: BTreeMap<String, Utf8PathBuf>,
    ours: BTreeSet<Utf8PathBuf>,
    has_list: bool,
}

impl Old {
    /// Looks at everything in a folder, which may not be there yet.
    pub(super) fn survey(folder: &str, root: &Utf8Path) -> Result<Self, Stop> {
        let wrong = |error: io::Error| Stop::Usage(format!("`--output-dir {folder}`: {error}"));
        let mut old = Old { root: root.to_owned(), ..Old::default() };
        if !root.exists() {
            return Ok(old);
        }
        let mut open = vec![Utf8PathBuf::new()];
        while let Some(below) = open.pop() {
            for entry in root.join(&below).read_dir_utf8().map_err(wrong)? {
                let entry = entry.map_err(wrong)?;
                let path = below.join(entry.file_name());
                let kind = kind(entry.file_type().map_err(wrong)?);
                if kind == Kind::Folder {
                    open.push(path.clone());
                }
                old.lower.insert(path.as_str().to_lowercase(), path.clone());
                old.entries.insert(path, kind);
            }
        }
        old.read_list(folder)?;
        Ok(old)
    }

    /// Reads the list. Its lines are paths below the folder; nothing else is ever taken for tidegate's.
    fn read_list(&mut self, folder: &str) -> Result<(), Stop> {
        let path = Utf8Path::new(LIST);
        let Some(kind) = self.kind(path) else { return Ok(()) };
        let no_list = |why: &str| {
            Stop::Usage(format!(
                "`--output-dir {folder}`: {LIST} there is not the list that tidegate writes ({why}); remove it, and the \
                 files that are to be replaced"
            ))
        };
        if kind != Kind::File {
            return Err(no_list("it is no file"));
        }
        let text = fs::read_to_string(self.root.join(path)).map_err(|error| no_list(&error.to_string()))?;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let path = Utf8Path::new(line);
            let is_below = path.components().all(|part| matches!(part, Utf8Component::Normal(_)));
            if !is_below {
                return Err(no_list("it names a path outside of the folder"));
            }
            if self.entries.get(path) == Some(&Kind::File) {
                self.ours.insert(path.to_owned());
            }
        }
        self.has_list = true;
        Ok(())
    }

    /// What lies at a path, its letters taken in either case.
    pub(super) fn kind(&self, path: &Utf8Path) -> Option<Kind> {
        let real = self.lower.get(&path.as_str().to_lowercase())?;
        self.entries.get(real).copied()
    }

    /// Whether a file is one that tidegate wrote.
    pub(super) fn is_ours(&self, path: &Utf8Path) -> bool {
        self.ours.contains(path)
    }

    /// The files that tidegate wrote.
    pub(super) fn ours(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.ours.iter()
    }

    /// Whether no list says which files are tidegate's.
    pub(super) fn list_is_missing(&self) -> bool {
        !self.has_list
    }

    /// Everything in the folder by path, a folder before what it holds.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&Utf8Path, Kind)> {
        self.entries.iter().map(|(path, kind)| (path.as_path(), *kind))
    }

    /// The folders that stay whatever becomes of tidegate's files: those that hold something else, or nothing.
    pub(super) fn folders_of_others(&self) -> BTreeSet<&Utf8Path> {
        let of = |is_ours: bool| {
            let files =
                self.entries().filter(move |(path, kind)| *kind != Kind::Folder && self.is_ours(path) == is_ours);
            files.flat_map(|(path, _)| path.ancestors().skip(1)).collect::<BTreeSet<_>>()
        };
        let (ours, others) = (of(true), of(false));
        let folders = self.entries().filter(|(_, kind)| *kind == Kind::Folder).map(|(path, _)| path);
        folders.filter(|folder| others.contains(folder) || !ours.contains(folder)).collect()
    }

    /// Whether a file of exactly this path holds exactly this text.
    pub(super) fn holds(&self, path: &Utf8Path, text: &str) -> Result<bool, Stop> {
        if !self.entries.contains_key(path) {
            return Ok(false);
        }
        let path = self.root.join(path);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.len() != text.len() as u64 => Ok(false),
            _ => match fs::read(&path) {
                Ok(bytes) => Ok(bytes == text.as_bytes()),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
                Err(error) => Err(Stop::Usage(format!("{path} cannot be read: {error}"))),
            },
        }
    }
}

fn kind(file_type: fs::FileType) -> Kind {
    if file_type.is_dir() {
        Kind::Folder
    } else if file_type.is_symlink() {
        Kind::Link
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Special
    }
}
