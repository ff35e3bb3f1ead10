//! The copied tree of the repository, which nothing that is read may leave.

#![allow(clippy::disallowed_methods, reason = "where a path leads is asked of the file system")]

use std::collections::BTreeSet;
use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

/// The root of the copied tree: the folder of the application without the path that it has in its repository.
///
/// `source_path` is what Argo CD says (`ARGOCD_APP_SOURCE_PATH`). Where a part of the repository was copied
/// (`argocd.argoproj.io/manifest-generate-paths`), the path is longer than what lies here, so it is taken off from
/// its end and for as long as it is true: what lies above belongs to other applications.
pub fn root(folder: &Utf8Path, source_path: &str) -> Utf8PathBuf {
    let mut root = folder;
    for part in source_path.rsplit('/').filter(|part| !part.is_empty() && *part != ".") {
        match root.parent() {
            Some(above) if root.file_name() == Some(part) => root = above,
            _ => break,
        }
    }
    root.to_owned()
}

/// Where a path leads, links resolved, if that is inside of the root.
pub(super) fn inside(path: &Utf8Path, root: &Utf8Path) -> Result<Utf8PathBuf, &'static str> {
    let real = path.canonicalize_utf8().map_err(|_| "is not there: only what lies in the repository is read")?;
    let root = root.canonicalize_utf8().map_err(|_| "cannot be told from what lies outside of the repository")?;
    match real.starts_with(&root) {
        true => Ok(real),
        false => Err("leads out of the repository"),
    }
}

/// Checks all links in a folder, and in the folders that they lead to. One that leads nowhere can be read by nobody.
pub(super) fn links_stay_inside(folder: &Utf8Path, root: &Utf8Path) -> Result<(), String> {
    let mut open = vec![inside(folder, root).map_err(|why| format!("{folder} {why}"))?];
    let mut seen = BTreeSet::new();
    while let Some(current) = open.pop() {
        if !seen.insert(current.clone()) {
            continue;
        }
        let entries = current.read_dir_utf8().and_then(Iterator::collect::<io::Result<Vec<_>>>);
        for entry in entries.map_err(|error| format!("{current} cannot be read: {error}"))? {
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| format!("{path} cannot be read: {error}"))?;
            if kind.is_dir() {
                open.push(path.to_owned());
            } else if kind.is_symlink() && fs::metadata(path).is_ok() {
                let shown = path.strip_prefix(folder).unwrap_or(path);
                let real = inside(path, root).map_err(|why| format!("the link {shown} {why}"))?;
                open.extend(real.is_dir().then_some(real));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_above_the_path_for_as_long_as_it_is_true() {
        for (folder, path, expected) in [
            ("/copy/apps/shop", "apps/shop", "/copy"),
            ("/copy/apps/shop", "./apps//shop/", "/copy"),
            ("/copy/apps/shop", ".", "/copy/apps/shop"),
            ("/copy/apps/shop", "", "/copy/apps/shop"),
            // a part of the repository was copied
            ("/copy/shop", "apps/shop", "/copy"),
            // what is not true
            ("/copy/apps/shop", "a/b/c/d/e", "/copy/apps/shop"),
            ("/copy/apps/shop", "apps/shop/..", "/copy/apps/shop"),
            ("/shop", "copy/apps/shop", "/"),
        ] {
            assert_eq!(root(Utf8Path::new(folder), path), expected, "{folder} {path}");
        }
    }
}
