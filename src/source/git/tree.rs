//! The tree of a revision as folders.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};

use super::super::LinkTrouble;
use super::super::folders::{Entry, Folders, Opened};
use super::super::links::Kind;
use super::plumbing::{self, GitError, Objects};

/// Links that are followed one behind the other, as Linux does.
const MAX_LINKS: usize = 40;

/// A link in a tree holds a path; no system takes longer ones.
const MAX_TARGET: u64 = 4096;

/// What a tree holds at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    Folder,
    /// A file: object and size.
    File(String, u64),
    /// A link: the object that holds where it leads, and its size.
    Link(String, u64),
    /// A commit of another repository.
    Submodule,
}

/// The tree of a revision. Paths are absolute, the root of the tree being the root.
#[derive(Debug)]
pub(super) struct Tree {
    folder: Utf8PathBuf,
    held: BTreeMap<PathBuf, Held>,
    /// The names in each folder, by their bytes.
    names: BTreeMap<PathBuf, Vec<OsString>>,
    objects: RefCell<Option<Objects>>,
}

/// A path from the root of a tree as a path in [`Tree`].
pub(super) fn absolute(path: &Utf8Path) -> PathBuf {
    match path.as_str() {
        "" => PathBuf::from("/"),
        path => Path::new("/").join(path),
    }
}

impl Tree {
    /// Lists a tree of the repository around a folder.
    pub(super) fn list(folder: Utf8PathBuf, tree: &str) -> Result<Self, GitError> {
        let entries = plumbing::entries(&folder, tree)?;
        let mut held = BTreeMap::from([(PathBuf::from("/"), Held::Folder)]);
        let mut names: BTreeMap<PathBuf, Vec<OsString>> = BTreeMap::new();
        for entry in entries.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            let Some((path, what)) = listed(entry) else {
                let why = "it prints something that is no entry of a tree".to_owned();
                return Err(GitError::Failed { verb: "ls-tree", why });
            };
            if let (Some(above), Some(name)) = (path.parent(), path.file_name()) {
                names.entry(above.to_owned()).or_default().push(name.to_owned());
            }
            held.insert(path, what);
        }
        for names in names.values_mut() {
            names.sort_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
            names.dedup();
        }
        Ok(Tree { folder, held, names, objects: RefCell::new(None) })
    }

    fn blob(&self, object: &str, size: u64) -> io::Result<Vec<u8>> {
        let mut objects = self.objects.borrow_mut();
        let objects = match &mut *objects {
            Some(objects) => objects,
            none => none.insert(Objects::start(&self.folder)?),
        };
        objects.blob(object, size)
    }

    /// Where a link leads, as it is written.
    fn target(&self, object: &str, size: u64) -> Result<PathBuf, LinkTrouble> {
        if size > MAX_TARGET {
            return Err(LinkTrouble::Broken("it is too long".to_owned()));
        }
        let bytes = self.blob(object, size).map_err(|error| LinkTrouble::Broken(error.to_string()))?;
        let path = String::from_utf8(bytes).map_err(|_| LinkTrouble::Broken("it is not UTF-8".to_owned()))?;
        Ok(path.into())
    }
}

/// One entry as `ls-tree -l` prints it.
fn listed(entry: &[u8]) -> Option<(PathBuf, Held)> {
    let tab = entry.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = (std::str::from_utf8(&entry[..tab]).ok()?, &entry[tab + 1..]);
    let [mode, _, object, size] = head.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
    let size = || size.parse::<u64>().ok();
    let held = match mode {
        "040000" => Held::Folder,
        "120000" => Held::Link(object.to_owned(), size()?),
        "160000" => Held::Submodule,
        _ => Held::File(object.to_owned(), size()?),
    };
    let path = name(path)?;
    // a tree can be made to hold such names; no checkout takes them
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| (Path::new("/").join(path), held))
}

#[cfg(unix)]
fn name(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    (!bytes.starts_with(b"/")).then(|| std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn name(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.starts_with('/')).map(Into::into)
}

impl Folders for Tree {
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        if self.held.get(folder) == Some(&Held::Submodule) {
            return Err(io::Error::other("it is a submodule, which is not entered"));
        }
        let names = self.names.get(folder).map(Vec::as_slice).unwrap_or_default();
        let entry = |name: &OsString| {
            let kind = match self.held.get(&folder.join(name)) {
                Some(Held::Link(..)) => None,
                Some(Held::File(..)) => Some(Kind::File),
                _ => Some(Kind::Folder),
            };
            Entry { name: name.clone(), kind }
        };
        Ok(names.iter().map(entry).collect())
    }

    fn resolve(&self, link: &Path) -> Result<(PathBuf, Kind), LinkTrouble> {
        let mut left: Vec<OsString> = parts(link);
        let (mut real, mut links) = (PathBuf::from("/"), 0);
        while let Some(name) = left.pop() {
            if name == ".." {
                if !real.pop() {
                    return Err(LinkTrouble::Outside);
                }
                continue;
            }
            let next = real.join(&name);
            match self.held.get(&next) {
                None => return Err(LinkTrouble::Dangling),
                Some(Held::Link(object, size)) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(LinkTrouble::Broken("too many levels of symbolic links".to_owned()));
                    }
                    let target = self.target(object, *size)?;
                    if target.is_absolute() {
                        return Err(LinkTrouble::Outside);
                    }
                    left.extend(parts(&target));
                }
                Some(_) => real = next,
            }
        }
        match self.held.get(&real) {
            Some(Held::File(..)) => Ok((real, Kind::File)),
            Some(_) => Ok((real, Kind::Folder)),
            None => Err(LinkTrouble::Dangling),
        }
    }

    fn is_there(&self, path: &Path) -> bool {
        self.held.contains_key(path)
    }

    fn open(&self, file: &Path) -> io::Result<Opened<'_>> {
        match self.held.get(file) {
            Some(Held::File(object, size)) => {
                Ok((Box::new(Blob { tree: self, object, size: *size, bytes: None }), *size))
            }
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// The names of a path, the last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let names = path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    let mut names: Vec<OsString> = names.map(|part| part.as_os_str().to_owned()).collect();
    names.reverse();
    names
}

/// A file that is asked for when it is read: whoever finds it too large never does.
struct Blob<'t> {
    tree: &'t Tree,
    object: &'t str,
    size: u64,
    bytes: Option<Cursor<Vec<u8>>>,
}

impl Read for Blob<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = match &mut self.bytes {
            Some(bytes) => bytes,
            none => none.insert(Cursor::new(self.tree.blob(self.object, self.size)?)),
        };
        bytes.read(into)
    }
}
