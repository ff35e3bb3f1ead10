//! What there is to read, looked up before anything is opened; what is reached twice, once.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use camino::Utf8Path;

use super::links::{self, Kind, Roots, reason};
use super::names::{self, Name};
use super::read::{Input, ReadError, ReadOptions, STDIN};
use super::walk::{Found, Reach, Walk};
use super::{LinkTrouble, Note, Role};

/// Where links may lead.
///
/// # Errors
/// The root of `options` cannot be resolved.
pub(super) fn roots(inputs: &[Input], options: &ReadOptions<'_>) -> Result<Roots, ReadError> {
    let explicit = match &options.root {
        None => None,
        Some(path) => Some(
            fs::canonicalize(path).map_err(|error| ReadError::Root { path: path.clone(), reason: reason(&error) })?,
        ),
    };
    let paths = inputs.iter().filter_map(|input| match input {
        Input::Path(path) => fs::canonicalize(path).ok(),
        _ => None,
    });
    let shown = options.root.as_deref().map(folder_as_shown);
    Ok(Roots { inputs: paths.collect(), explicit, shown: shown.unwrap_or_default().to_owned() })
}

/// One thing to read.
pub(super) enum Item<'i> {
    /// An ordinary file.
    File(Found),
    /// A pipe or device that the user named.
    Stream(&'i Utf8Path),
    /// Standard input.
    Stdin,
    /// Name and text.
    Text(&'i str, &'i str),
}

/// What to read, in order, before anything is opened.
pub(super) struct Plan<'i, 'r> {
    /// The walk, which keeps the notes.
    pub(super) walk: Walk<'r>,
    /// Nothing where a better way to the same file was found later.
    pub(super) items: Vec<Option<Item<'i>>>,
    /// The item of every path, and how good a way to it that is.
    known: HashMap<PathBuf, (usize, Rank)>,
}

/// Of several ways to one file the greatest counts: named, read as manifests, no link.
type Rank = (bool, bool, Reach);

impl<'i, 'r> Plan<'i, 'r> {
    /// Nothing to read yet.
    pub(super) fn new(walk: Walk<'r>) -> Self {
        Plan { walk, items: Vec::new(), known: HashMap::new() }
    }

    /// Looks up what the user named.
    pub(super) fn input(&mut self, input: &'i Input) {
        match input {
            Input::Path(path) => self.path(path),
            Input::Stdin => self.once(PathBuf::from(STDIN), Item::Stdin),
            Input::Text { name, text } => self.items.push(Some(Item::Text(name, text))),
        }
    }

    fn path(&mut self, path: &'i Utf8Path) {
        let kind = match fs::metadata(path) {
            Ok(metadata) => links::kind(metadata.file_type()),
            Err(error) => {
                let shown = path.to_string();
                return self.walk.unreadable(path.as_std_path(), shown, &error);
            }
        };
        let root = &self.walk.roots.explicit;
        let (kind, real) = match (kind, fs::canonicalize(path)) {
            (kind, Ok(real)) => (kind, real),
            (Kind::Folder, Err(error)) => {
                let shown = path.to_string();
                return self.walk.unreadable(path.as_std_path(), shown, &error);
            }
            // what is behind /dev/fd may have no path: a pipe, the deleted file of a here-document
            (Kind::File, Err(_)) => (Kind::Special("file without a path"), path.into()),
            (kind, Err(_)) => (kind, path.into()),
        };
        let outside = root.as_ref().is_some_and(|root| !real.starts_with(root));
        match kind {
            Kind::Special(kind) if self.walk.strict && root.is_some() => {
                self.walk.special(&real, path.to_string(), kind, true);
            }
            Kind::Special(_) => self.once(real, Item::Stream(path)),
            _ if outside => {
                let note = Note::Link { path: path.to_string(), trouble: LinkTrouble::Outside, refused: true };
                self.walk.notes.say(&real, note);
            }
            Kind::Folder => {
                for found in self.walk.files(folder_as_shown(path), &real) {
                    self.file(found);
                }
            }
            Kind::File => match names::named(path.as_std_path().file_name()) {
                Name::Read(role) => {
                    let below = path.as_str().len() - path.file_name().unwrap_or_default().len();
                    self.file(Found { shown: path.to_owned(), real, role, reach: Reach::Named, below });
                }
                _ => {
                    let path = path.to_string();
                    self.walk.notes.say(&real, Note::Template { path });
                }
            },
        }
    }

    /// Puts a file down, unless a way to it that is as good is known.
    pub(super) fn file(&mut self, found: Found) {
        let named = found.reach == Reach::Named;
        let rank = (named, found.role != Role::Tool, found.reach);
        if let Some((at, known)) = self.known.get(&found.real) {
            if *known >= rank {
                return;
            }
            if let Some(item) = self.items.get_mut(*at) {
                *item = None;
            }
        }
        let at = self.items.len();
        self.known.insert(found.real.clone(), (at, rank));
        self.items.push(Some(Item::File(found)));
    }

    /// Puts something down that can be read only once.
    fn once(&mut self, real: PathBuf, item: Item<'i>) {
        let at = self.items.len();
        self.known.entry(real).or_insert_with(|| {
            self.items.push(Some(item));
            (at, (true, true, Reach::Named))
        });
    }
}

/// A folder as typed, without slashes at its end; nothing for the one where the user stands.
pub(super) fn folder_as_shown(path: &Utf8Path) -> &str {
    let typed = path.as_str();
    match typed.trim_end_matches('/') {
        "" => typed,
        "." => "",
        trimmed => trimmed,
    }
}
