//! Files changed where they stand: all of them, or none.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tidegate::source::{FileId, SourceMap};

use super::exit::{self, Stop};

/// A file that is written and waits to take its place.
struct Prepared {
    /// The file beside it; gone once it is in its place.
    beside: PathBuf,
    target: PathBuf,
}

/// A file that never took its place goes.
impl Drop for Prepared {
    fn drop(&mut self) {
        let removed = fs::remove_file(&self.beside);
        drop(removed); // it is in its place, or there is nobody left to tell
    }
}

/// Writes new texts of files. Each goes to a file of its own in the same folder, with the mode and the
/// owner of the old one, and is brought to the disk; when all are there, each takes the place of its old
/// file at once. A link stays, and the file it leads to is changed.
///
/// # Errors
/// When a file is not what was read (another encoding, or changed since), leads out of `root`, or cannot
/// be written: then nothing is changed. Only when the last step fails midway some are; the message says
/// which are not.
pub(crate) fn write(texts: &BTreeMap<FileId, String>, sources: &SourceMap, root: Option<&str>) -> Result<(), Stop> {
    let root = match root {
        Some(root) => Some(fs::canonicalize(root).map_err(|error| failed(root, &error))?),
        None => None,
    };
    let mut prepared = Vec::with_capacity(texts.len());
    for (file, text) in texts {
        let source = sources.file(*file);
        let shown = source.path.as_str();
        let one = prepare(source.path.as_std_path(), source.text(), text, root.as_deref());
        prepared.push((shown, one.map_err(|error| failed(shown, &error))?));
    }
    let mut left = prepared.into_iter();
    while let Some((shown, one)) = left.next() {
        if let Err(error) = fs::rename(&one.beside, &one.target) {
            let rest: Vec<_> = left.map(|(shown, _)| shown).collect();
            let rest =
                if rest.is_empty() { String::new() } else { format!("; not changed either: {}", rest.join(", ")) };
            return Err(Stop::Machine(format!("{shown} cannot be replaced: {error}{rest}"), exit::INPUT));
        }
        if let Some(folder) = one.target.parent() {
            let synced = File::open(folder).and_then(|folder| folder.sync_all());
            drop(synced); // not every file system can do that for a folder
        }
    }
    Ok(())
}

fn failed(shown: &str, error: &io::Error) -> Stop {
    Stop::Machine(format!("{shown} cannot be changed: {error}; nothing was changed"), exit::INPUT)
}

/// Writes the new text beside a file.
fn prepare(path: &Path, old: &str, new: &str, root: Option<&Path>) -> io::Result<Prepared> {
    let target = fs::canonicalize(path)?;
    if root.is_some_and(|root| !target.starts_with(root)) {
        return Err(io::Error::other("it leads out of the root"));
    }
    let metadata = fs::metadata(&target)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    if fs::read(&target)? != old.as_bytes() {
        return Err(io::Error::other("it is not what was read: it is UTF-16, or was changed meanwhile"));
    }
    let (beside, mut file) = exit::fresh_beside(&target)?;
    let prepared = Prepared { beside, target };
    // before anything is in it: nobody may read it who could not read the old one
    own(&file, &metadata)?;
    file.set_permissions(metadata.permissions())?;
    file.write_all(new.as_bytes())?;
    file.sync_all()?;
    Ok(prepared)
}

/// Gives a file the owner and the group of another, where they are not the same already.
#[cfg(unix)]
fn own(file: &File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let is = file.metadata()?;
    let other = |own: u32, like: u32| (own != like).then_some(like);
    match (other(is.uid(), like.uid()), other(is.gid(), like.gid())) {
        (None, None) => Ok(()),
        (user, group) => fchown(file, user, group)
            .map_err(|error| io::Error::new(error.kind(), format!("its owner cannot be kept: {error}"))),
    }
}

#[cfg(not(unix))]
fn own(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
