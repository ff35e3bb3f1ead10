//! What the reader met and did not read as it stands, as data.
//!
//! Paths are as they would be shown for a file; bytes of a name that are not UTF-8 are written
//! `\xNN`. Nothing here holds text of a file.

use super::{Encoding, FileId};

/// One thing the reader met and did not read as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A file or a folder that the system does not let us read, or that does not exist.
    Unreadable {
        /// The path.
        path: String,
        /// The file, where the map holds one (without text) for it.
        file: Option<FileId>,
        /// Why, in the system's words.
        reason: String,
    },
    /// A file whose bytes are not the text they claim to be. The map holds what comes before.
    NotText {
        /// The file.
        file: FileId,
        /// The first wrong byte, counted in the file from 0.
        offset: u64,
        /// What the bytes were read as.
        encoding: Encoding,
    },
    /// More bytes than a limit allows.
    TooBig {
        /// The file, without text, at which the limit was passed.
        file: FileId,
        /// Which limit.
        bound: Bound,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A link that was not followed.
    Link {
        /// The path of the link.
        path: String,
        /// Why.
        trouble: LinkTrouble,
        /// Whether this run must not go on without it.
        refused: bool,
    },
    /// A named pipe, device or socket that was not read.
    Special {
        /// The path.
        path: String,
        /// What it is, such as `named pipe`.
        kind: &'static str,
        /// Whether this run must not go on without it.
        refused: bool,
    },
    /// A link to a folder: not entered, the folder's files are read where they lie.
    LinkedFolder {
        /// The path of the link.
        path: String,
    },
    /// A file that would be read, but a name in its path is not UTF-8.
    NameNotUtf8 {
        /// The path, with `\xNN` for the bytes that are not.
        path: String,
    },
    /// A template under a name that is not rendered.
    Template {
        /// The path.
        path: String,
    },
    /// The templates of a Helm chart, which only Helm can render.
    ChartTemplates {
        /// The path of the `templates` folder.
        path: String,
    },
    /// Lines of a `.tidegateignore` that are no patterns; its other lines count.
    Patterns {
        /// The path of the `.tidegateignore`.
        path: String,
        /// Line number from 1, and what is wrong with it.
        lines: Vec<(usize, String)>,
    },
}

/// Why a link was not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTrouble {
    /// It leads out of the root.
    Outside,
    /// There is nothing where it leads.
    Dangling,
    /// The system cannot follow it, and says why (a loop, most often).
    Broken(String),
}

/// A limit on bytes that the reader holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// [`Limits::file_bytes`](super::Limits::file_bytes).
    File,
    /// [`Limits::total_bytes`](super::Limits::total_bytes); nothing after this file was read.
    Total,
}
