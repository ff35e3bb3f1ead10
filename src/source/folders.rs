//! What a walk asks of the place that it goes over: the disk, or the tree of a revision.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::LinkTrouble;
use super::links::{self, Kind};

/// An entry of a folder.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its name.
    pub(super) name: OsString,
    /// What it is; nothing for a link.
    pub(super) kind: Option<Kind>,
}

/// The text of a file that is still to be read, and how many bytes it says it has.
pub(super) type Opened<'f> = (Box<dyn Read + 'f>, u64);

/// Folders and files by absolute paths.
pub(super) trait Folders: fmt::Debug {
    /// The entries of a folder by the bytes of their names.
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>>;
    /// The path behind a link, all links resolved, and what lies there.
    fn resolve(&self, link: &Path) -> Result<(PathBuf, Kind), LinkTrouble>;
    /// Whether anything lies at a path, a link that leads nowhere included.
    fn is_there(&self, path: &Path) -> bool;
    /// Opens an ordinary file.
    fn open(&self, file: &Path) -> io::Result<Opened<'_>>;
}

/// The disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disk;

impl Folders for Disk {
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let file_type = entry.file_type()?;
            let kind = (!file_type.is_symlink()).then(|| links::kind(file_type));
            entries.push(Entry { kind, name: entry.file_name() });
        }
        entries.sort_by(|a, b| {
            let (a, b) = (a.name.as_encoded_bytes(), b.name.as_encoded_bytes());
            a.cmp(b)
        });
        Ok(entries)
    }

    fn resolve(&self, link: &Path) -> Result<(PathBuf, Kind), LinkTrouble> {
        links::resolve(link)
    }

    fn is_there(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    fn open(&self, file: &Path) -> io::Result<Opened<'_>> {
        // a pipe would be waited for
        if !fs::metadata(file)?.is_file() {
            return Err(io::Error::other("not an ordinary file"));
        }
        let file = File::open(file)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("not an ordinary file any more"));
        }
        Ok((Box::new(file), metadata.len()))
    }
}
