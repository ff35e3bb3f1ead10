//! A revision of a git repository, read as a folder is, without a checkout.
//!
//! Plumbing alone is asked: `rev-parse`, `ls-tree` and `cat-file`. A repository may come with a configuration that
//! names programs; none of them runs (`plumbing.rs`), nothing is fetched, and nothing is written.

mod plumbing;
mod tree;

use std::rc::Rc;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::folders::Folders as _;
use super::links::{Kind, Roots};
use super::names::{self, Name};
use super::plan::Plan;
use super::read::{ReadOptions, Reading, collect};
use super::walk::{Found, Reach, Walk};
use super::{LinkTrouble, Note};
use tree::Tree;

pub use plumbing::GitError;

/// How an input begins that is a revision: `git:REF` or `git:REF:PATH`.
pub const GIT: &str = "git:";

/// A folder or a file of a revision.
#[derive(Clone, Debug)]
pub struct Revision {
    /// The revision as it was named.
    name: String,
    /// The path from the root of the tree; empty for the root itself.
    path: Utf8PathBuf,
    tree: Rc<Tree>,
}

impl Revision {
    /// Finds a revision: `REF` or `REF:PATH`, the path from the root of the repository. Without one it is the path of
    /// `beside`, a folder or a file of the repository, which need not be there any more.
    ///
    /// # Errors
    /// There is no git, no repository around `beside`, no such revision, or nothing at the path that was written.
    pub fn find(text: &str, beside: &Utf8Path) -> Result<Self, GitError> {
        let (name, path) = match text.split_once(':') {
            Some((name, path)) => (name, Some(path)),
            None => (text, None),
        };
        let (folder, rest) = nearest_folder(beside);
        let tree = plumbing::tree_of(&folder, name)?;
        let path = match path {
            Some(path) => inside(path).ok_or_else(|| GitError::Path(path.to_owned()))?,
            None => plumbing::prefix(&folder)?.join(rest),
        };
        let path = inside(path.as_str()).ok_or_else(|| GitError::Path(path.to_string()))?;
        let revision = Revision { name: name.to_owned(), path, tree: Rc::new(Tree::list(folder, &tree)?) };
        // what lies beside may be new; a path that somebody wrote is there, or has a slip
        match text.contains(':') && !revision.exists() {
            true => Err(GitError::Absent(revision.path.to_string())),
            false => Ok(revision),
        }
    }

    /// What lies below a folder of a revision.
    #[must_use]
    pub fn join(&self, below: &str) -> Self {
        Revision { path: self.path.join(below), ..self.clone() }
    }

    /// Whether there is a file or a folder, or a link to one.
    pub fn exists(&self) -> bool {
        self.tree.resolve(&tree::absolute(&self.path)).is_ok()
    }

    /// How it is shown, which is also how it can be named.
    pub fn shown(&self) -> Utf8PathBuf {
        let path = if self.path.as_str().is_empty() { "." } else { self.path.as_str() };
        format!("{GIT}{}:{path}", self.name).into()
    }

    /// Reads everything below a folder, or a file: as [`super::read()`] does, with the same notes. What is not there holds
    /// nothing. Links lead as far as the folder, and with a root as far as the repository.
    pub fn read(&self, options: &ReadOptions<'_>) -> Reading {
        let named = tree::absolute(&self.path);
        let resolved = self.tree.resolve(&named);
        let roots = Roots {
            explicit: options.root.as_ref().map(|_| tree::absolute(Utf8Path::new(""))),
            shown: Revision { path: Utf8PathBuf::new(), ..self.clone() }.shown().into_string(),
            inputs: resolved.iter().map(|(real, _)| real.clone()).collect(),
        };
        let mut plan = Plan::new(Walk::new(&roots, options.strict_links, &*self.tree));
        match resolved {
            Err(LinkTrouble::Dangling) => {}
            Err(trouble) => {
                let note = Note::Link { path: self.shown().into_string(), trouble, refused: true };
                plan.walk.notes.say(&named, note);
            }
            Ok((real, Kind::Folder)) => {
                for found in plan.walk.files(self.shown().as_str(), &real) {
                    plan.file(found);
                }
            }
            Ok((real, Kind::Special(kind))) => plan.walk.special(&real, self.shown().into_string(), kind, true),
            Ok((real, Kind::File)) => match names::named(self.path.file_name().map(AsRef::as_ref)) {
                Name::Read(role) => {
                    let shown = self.shown();
                    let below = shown.as_str().len() - self.path.file_name().unwrap_or_default().len();
                    plan.file(Found { shown, real, role, reach: Reach::Named, below });
                }
                _ => plan.walk.notes.say(&real, Note::Template { path: self.shown().into_string() }),
            },
        }
        collect(plan, &*self.tree, options, &mut std::io::empty())
    }
}

/// The nearest folder that there is, and the way on from there.
fn nearest_folder(path: &Utf8Path) -> (Utf8PathBuf, Utf8PathBuf) {
    let folder = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Utf8Path::new(""));
    let rest = path.strip_prefix(folder).unwrap_or(Utf8Path::new(""));
    let folder = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
    (folder.to_owned(), rest.to_owned())
}

/// A path from the root of a repository, which leads out nowhere; `.` on its way counts for nothing.
fn inside(path: &str) -> Option<Utf8PathBuf> {
    let mut inside = Utf8PathBuf::new();
    for part in Utf8Path::new(path).components() {
        match part {
            Utf8Component::Normal(name) => inside.push(name),
            Utf8Component::CurDir => {}
            _ => return None,
        }
    }
    Some(inside)
}

#[cfg(test)]
mod tests;
