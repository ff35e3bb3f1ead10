//! What the user named, as text.
//!
//! First everything is looked up (`plan.rs`), then the files are opened, one after the other.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use super::links::reason;
use super::plan::{Item, Plan, roots};
use super::walk::{Found, Walk};
use super::{Bound, FileId, Limits, Note, Role, Side, SourceFile, SourceMap, text};

/// The path that standard input is shown with.
pub const STDIN: &str = "<stdin>";

/// One thing the user named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, or a folder and everything below it.
    Path(Utf8PathBuf),
    /// Standard input, to its end. Named twice it is read once.
    Stdin,
    /// Text that is already in memory.
    Text {
        /// The path to show.
        name: String,
        /// The text.
        text: String,
    },
}

/// How to read.
#[derive(Clone, Debug)]
pub struct ReadOptions<'o> {
    /// Bounds on bytes; the others are not looked at.
    pub limits: &'o Limits,
    /// The folder that inputs and links must stay in. Without one, what the user named is trusted
    /// and links may lead to wherever it lies.
    pub root: Option<Utf8PathBuf>,
    /// Whether links that lead outside or nowhere, pipes, devices and sockets are refused where
    /// the walk meets them, and named pipes that the user named beside a root.
    pub strict_links: bool,
    /// The side that the files belong to.
    pub side: Side,
}

/// What was read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The files: those of one input in a row, by the bytes of their paths. Files of
    /// [`Role::Tool`] are listed without text.
    pub map: SourceMap,
    /// What was met and not read as it stands.
    pub notes: Vec<Note>,
    /// The folders that hold a `Chart.yaml`, written as the folders of the files' paths are (the
    /// folder where the user stands is empty).
    pub charts: BTreeSet<Utf8PathBuf>,
}

/// Why nothing was read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The root does not exist or cannot be resolved.
    #[error("root `{path}`: {reason}")]
    Root {
        /// The root as given.
        path: Utf8PathBuf,
        /// Why, in the system's words.
        reason: String,
    },
}

/// Reads everything that `inputs` name, in their order. `stdin` is read if it is among them.
///
/// A path is shown as the user typed it, and what lies below it with `/` and the way there; below
/// `.` just with the way there. What cannot be read becomes a [`Note`], and a file without text in
/// the map where that is of use to a message.
///
/// # Errors
/// The root of `options` cannot be resolved.
pub fn read(inputs: &[Input], options: &ReadOptions<'_>, stdin: &mut dyn io::Read) -> Result<Reading, ReadError> {
    let roots = roots(inputs, options)?;
    let mut plan = Plan::new(Walk::new(&roots, options.strict_links));
    for input in inputs {
        plan.input(input);
    }
    let Plan { walk, items, .. } = plan;
    let mut reader = Reader {
        limits: options.limits,
        side: options.side,
        left: options.limits.total_bytes,
        map: SourceMap::default(),
        notes: walk.notes.list,
    };
    for item in items.into_iter().flatten() {
        if reader.item(item, stdin).is_err() {
            break;
        }
    }
    Ok(Reading { map: reader.map, notes: reader.notes, charts: walk.charts })
}

/// Whether a reading of a folder that the user named enters `other`, a resolved path that need not be there yet: no name on
/// the way begins with a dot, and no `.tidegateignore` leaves it out.
pub fn enters(folder: &Utf8Path, root: Option<&Utf8Path>, other: &Utf8Path) -> bool {
    let (inputs, limits) = ([Input::Path(folder.to_owned())], Limits::default());
    let root = root.map(Utf8Path::to_owned);
    let options = ReadOptions { limits: &limits, root, strict_links: false, side: Side::New };
    let Ok(roots) = roots(&inputs, &options) else { return false };
    roots.inputs.first().is_some_and(|real| Walk::new(&roots, false).enters(real, other.as_std_path()))
}

/// The limit on all bytes is passed: nothing more is read.
struct Full;

/// Why a file gave no bytes.
enum Failed {
    Io(io::Error),
    TooBig(Bound),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Failed::Io(error)
    }
}

/// Opens files.
struct Reader<'o> {
    limits: &'o Limits,
    side: Side,
    /// Bytes that may still be read.
    left: u64,
    map: SourceMap,
    notes: Vec<Note>,
}

impl Reader<'_> {
    fn item(&mut self, item: Item<'_>, stdin: &mut dyn io::Read) -> Result<(), Full> {
        match item {
            Item::File(Found { shown, role: Role::Tool, .. }) => {
                self.add(shown, Role::Tool, Box::default(), true);
                Ok(())
            }
            Item::File(found) => {
                let bytes = self.file(&found.real);
                let taken = self.take_in(found.shown, found.role, bytes);
                if let Some(file) = self.map.iter_mut().last() {
                    file.below = found.below;
                }
                taken
            }
            Item::Stream(path) => {
                let bytes = File::open(path).map_err(Failed::Io).and_then(|mut file| self.bytes(&mut file, 0));
                self.take_in(path.to_owned(), Role::Manifests, bytes)
            }
            Item::Stdin => {
                let bytes = self.bytes(stdin, 0);
                self.take_in(STDIN.into(), Role::Manifests, bytes)
            }
            Item::Text(name, text) => {
                let bytes = self.bytes(&mut text.as_bytes(), text.len() as u64);
                self.take_in(name.into(), Role::Manifests, bytes)
            }
        }
    }

    /// The bytes of an ordinary file.
    fn file(&self, path: &Path) -> Result<Vec<u8>, Failed> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("not an ordinary file any more").into());
        }
        self.bytes(&mut file, metadata.len())
    }

    /// All bytes of a reader that says it has `size`. More than the limits allow are neither kept
    /// nor, if it tells the truth, read.
    fn bytes(&self, reader: &mut dyn io::Read, size: u64) -> Result<Vec<u8>, Failed> {
        let most = self.limits.file_bytes.min(self.left);
        let bound =
            if most == self.limits.file_bytes || size > self.limits.file_bytes { Bound::File } else { Bound::Total };
        if size > most {
            return Err(Failed::TooBig(bound));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(Failed::TooBig(bound));
        }
        Ok(bytes)
    }

    /// Adds what was read to the map, or says why there is nothing.
    fn take_in(&mut self, shown: Utf8PathBuf, role: Role, bytes: Result<Vec<u8>, Failed>) -> Result<(), Full> {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(Failed::Io(error)) => {
                let path = shown.to_string();
                let file = self.add(shown, role, Box::default(), false);
                self.notes.push(Note::Unreadable { path, file: Some(file), reason: reason(&error) });
                return Ok(());
            }
            Err(Failed::TooBig(bound)) => {
                let file = self.add(shown, role, Box::default(), false);
                let limit = match bound {
                    Bound::File => self.limits.file_bytes,
                    Bound::Total => self.limits.total_bytes,
                };
                self.notes.push(Note::TooBig { file, bound, limit });
                return match bound {
                    Bound::File => Ok(()),
                    Bound::Total => Err(Full),
                };
            }
        };
        self.left = self.left.saturating_sub(bytes.len() as u64);
        let (text, wrong) = text::decode(bytes);
        let file = self.add(shown, role, text, wrong.is_none());
        if let Some(wrong) = wrong {
            self.notes.push(Note::NotText { file, offset: wrong.offset as u64, encoding: wrong.encoding });
        }
        Ok(())
    }

    fn add(&mut self, shown: Utf8PathBuf, role: Role, text: Box<str>, readable: bool) -> FileId {
        let mut file = SourceFile::new(shown, text);
        file.side = self.side;
        file.role = role;
        file.readable = readable;
        self.map.add(file)
    }
}

#[cfg(test)]
mod tests;
