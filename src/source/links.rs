//! Where paths lead, and whether that is inside the root.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use super::LinkTrouble;

/// The folders (and files) that links may lead into, all resolved.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// The root that was asked for. It alone counts when there is one.
    pub(super) explicit: Option<PathBuf>,
    /// The root that was asked for, as it is shown.
    pub(super) shown: String,
    /// What the user named.
    pub(super) inputs: Vec<PathBuf>,
}

impl Roots {
    /// Whether a resolved path lies inside.
    pub(super) fn hold(&self, real: &Path) -> bool {
        match &self.explicit {
            Some(root) => real.starts_with(root),
            None => self.inputs.iter().any(|root| real.starts_with(root)),
        }
    }
}

/// What lies at a path, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An ordinary file.
    File,
    /// A folder.
    Folder,
    /// Anything else, by its name for people.
    Special(&'static str),
}

/// The kind that a file type stands for. It must not be that of a link.
pub(super) fn kind(file_type: FileType) -> Kind {
    if file_type.is_file() {
        Kind::File
    } else if file_type.is_dir() {
        Kind::Folder
    } else {
        Kind::Special(special(file_type))
    }
}

#[cfg(unix)]
fn special(file_type: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if file_type.is_fifo() {
        "named pipe"
    } else if file_type.is_socket() {
        "socket"
    } else if file_type.is_char_device() || file_type.is_block_device() {
        "device"
    } else {
        "special file"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "special file"
}

/// The path behind a link, all links resolved, and what lies there.
///
/// # Errors
/// The link leads nowhere or round in circles.
pub(super) fn resolve(link: &Path) -> Result<(PathBuf, Kind), LinkTrouble> {
    let trouble = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => LinkTrouble::Dangling,
        _ => LinkTrouble::Broken(reason(&error)),
    };
    let real = fs::canonicalize(link).map_err(trouble)?;
    let metadata = fs::metadata(&real).map_err(trouble)?;
    let kind = kind(metadata.file_type());
    Ok((real, kind))
}

/// Why the system did not do it, in a clause.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            // the number says nothing that the words before it do not
            let text = error.to_string();
            let words = text.split(" (os error").next().unwrap_or_default();
            let mut chars = words.chars();
            let first = chars.next().map(|first| first.to_lowercase());
            first.into_iter().flatten().chain(chars).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explicit_root_alone_counts() {
        let mut roots =
            Roots { explicit: None, shown: String::new(), inputs: vec!["/r/a".into(), "/r/b/x.yaml".into()] };
        for (path, held) in [("/r/a/x", true), ("/r/ab", false), ("/r/b/x.yaml", true)] {
            assert_eq!(roots.hold(Path::new(path)), held, "{path}");
        }
        roots.explicit = Some("/q".into());
        assert!(!roots.hold(Path::new("/r/a/x")));
        assert!(roots.hold(Path::new("/q/a")));
    }
}
