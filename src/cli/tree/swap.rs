//! A folder, replaced by another in one step.
//!
//! The new folder is built in a hidden one beside the old, with everything of the old that stays: files as hard
//! links, so that they remain what they were. Then the two change places (`RENAME_EXCHANGE`), which the system does
//! in one step. Where it cannot, the old folder is moved aside first; the next run moves it back if this one is
//! killed just then. A lock in the hidden folder tells one that is in use from one that was left behind.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::super::exit::Stop;
use super::old::{Kind, Old};

/// Finds the folder behind links, and that its place is one where it can be replaced.
pub(super) fn resolve(folder: &Utf8Path) -> Result<Utf8PathBuf, Stop> {
    let wrong = |why: String| Stop::Usage(format!("`--output-dir {folder}`: {why}"));
    let io_wrong = |error: io::Error| wrong(error.to_string());
    let parent = folder.parent().filter(|parent| !parent.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
    let target = match folder.symlink_metadata() {
        Ok(_) => folder.canonicalize_utf8().map_err(io_wrong)?,
        Err(_) if parent.is_dir() => {
            parent.canonicalize_utf8().map_err(io_wrong)?.join(folder.file_name().unwrap_or(""))
        }
        Err(_) => camino::absolute_utf8(folder).map_err(io_wrong)?,
    };
    if target.exists() && !target.is_dir() {
        return Err(wrong("it is no folder".to_owned()));
    }
    let here = Utf8Path::new(".").canonicalize_utf8().map_err(io_wrong)?;
    if here.starts_with(&target) || target.file_name().is_none() {
        return Err(wrong("the folder is replaced as a whole, and you stand in it: name one of its own".to_owned()));
    }
    Ok(target)
}

/// A hidden folder beside another one, locked as long as this lives, and removed then.
struct Beside {
    path: Utf8PathBuf,
    lock: File,
}

const LOCK: &str = "lock";
const NEW: &str = "new";
const OLD: &str = "old";

impl Beside {
    fn new(target: &Utf8Path) -> io::Result<Self> {
        let parent = target.parent().unwrap_or(target);
        fs::create_dir_all(parent)?;
        let path = parent.join(format!("{}{:016x}", prefix(target), RandomState::new().build_hasher().finish()));
        fs::create_dir(&path)?;
        // the file gets its name when it is locked: nobody takes this for left behind
        let unnamed = path.join("unlocked");
        let lock = File::create_new(&unnamed)?;
        lock.lock()?;
        fs::rename(unnamed, path.join(LOCK))?;
        Ok(Beside { path, lock })
    }

    fn at(&self, name: &str) -> Utf8PathBuf {
        self.path.join(name)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        clear(&self.path);
        let _ = self.lock.unlock();
    }
}

/// Removes a hidden folder, the lock last: whatever a killed run leaves of it still has the lock, and is known by it to
/// the next run, which removes what could not be removed here.
fn clear(path: &Utf8Path) {
    for name in [NEW, OLD] {
        let _ = fs::remove_dir_all(path.join(name));
    }
    let _ = fs::remove_dir_all(path);
}

/// How the names of hidden folders beside a folder begin.
fn prefix(target: &Utf8Path) -> String {
    format!(".{}.tidegate-", target.file_name().unwrap_or("out"))
}

/// Clears away what killed runs left behind, and moves a folder back that one of them had moved aside.
pub(super) fn restore(target: &Utf8Path) {
    let prefix = prefix(target);
    let Some(Ok(entries)) = target.parent().map(Utf8Path::read_dir_utf8) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(&prefix)) {
        let left = entry.path();
        let lock = File::open(left.join(LOCK));
        let is_dead = lock.as_ref().is_ok_and(|lock| lock.try_lock().is_ok());
        if is_dead {
            if !target.exists() {
                // there is one only if the run was killed between its two moves
                let _ = fs::rename(left.join(OLD), target);
            }
            clear(left);
        }
    }
}

/// Puts a folder in the place of `target` that holds what `keep` says of the old one, and the files `written`.
pub(super) fn replace(
    target: &Utf8Path,
    old: &Old,
    keep: &dyn Fn(&Utf8Path) -> bool,
    written: &[(&Utf8Path, &str)],
) -> io::Result<()> {
    let beside = Beside::new(target)?;
    let new = beside.at(NEW);
    fs::create_dir(&new)?;
    let paths: BTreeSet<&Utf8Path> = written.iter().map(|(path, _)| *path).collect();
    let others = old.folders_of_others();
    for (path, kind) in old.entries() {
        let (from, to) = (target.join(path), new.join(path));
        match kind {
            Kind::Folder if others.contains(path) => fs::create_dir_all(&to)?,
            Kind::Folder => {}
            _ if paths.contains(path) || !keep(path) => {}
            Kind::Link => link(&from, &to)?,
            Kind::File => {
                folder_of(&to)?;
                fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(|_| ()))?;
            }
            Kind::Special => return Err(io::Error::other(format!("{path} is a pipe, a device or a socket"))),
        }
    }
    for (path, text) in written {
        let to = new.join(path);
        folder_of(&to)?;
        let mut file = File::create_new(&to)?;
        file.write_all(text.as_bytes())?;
        if let Ok(metadata) = fs::metadata(target.join(path)) {
            file.set_permissions(metadata.permissions())?;
        }
    }
    folders_as_they_were(target, &new, old)?;
    exchange(target, &beside)
}

fn folder_of(file: &Utf8Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Gives the folders of the new tree the permissions that they had, those below first.
fn folders_as_they_were(target: &Utf8Path, new: &Utf8Path, old: &Old) -> io::Result<()> {
    let folders = old.entries().filter(|(_, kind)| *kind == Kind::Folder).map(|(path, _)| path);
    let mut folders: Vec<&Utf8Path> = folders.chain([Utf8Path::new("")]).collect();
    folders.sort_unstable_by(|a, b| b.cmp(a));
    for folder in folders.into_iter().filter(|folder| new.join(folder).is_dir()) {
        if let Ok(metadata) = fs::metadata(target.join(folder)) {
            fs::set_permissions(new.join(folder), metadata.permissions())?;
        }
    }
    Ok(())
}

/// The new folder takes the place of the old one, if there is one.
fn exchange(target: &Utf8Path, beside: &Beside) -> io::Result<()> {
    let (new, old) = (beside.at(NEW), beside.at(OLD));
    if !target.exists() {
        return fs::rename(new, target);
    }
    if in_one_step(&new, target).is_ok() {
        return Ok(());
    }
    fs::rename(target, &old)?;
    fs::rename(&new, target).inspect_err(|_| {
        // that the new one could not be moved is what there is to say
        let _ = fs::rename(&old, target);
    })
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn in_one_step(one: &Utf8Path, other: &Utf8Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one.as_std_path(), CWD, other.as_std_path(), RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn in_one_step(_: &Utf8Path, _: &Utf8Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    folder_of(to)?;
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(not(unix))]
fn link(from: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    folder_of(to)?;
    fs::copy(from, to).map(|_| ())
}
