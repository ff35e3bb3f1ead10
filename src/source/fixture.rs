//! A folder to read in tests, and what was read of it.

use std::fs;
use std::io;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::{Input, Limits, ReadOptions, Reading, Role, Side, read};

/// A folder to read from.
pub(super) struct Dir(pub(super) TempDir);

impl Dir {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let dir = Dir(tempfile::tempdir().unwrap());
        for (path, text) in files {
            dir.write(path, text);
        }
        dir
    }

    pub(super) fn at(&self, path: &str) -> Utf8PathBuf {
        let root = Utf8Path::from_path(self.0.path()).unwrap();
        if path.is_empty() { root.to_owned() } else { root.join(path) }
    }

    pub(super) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(super) fn input(&self, path: &str) -> Input {
        Input::Path(self.at(path))
    }

    pub(super) fn read(&self, inputs: &[&str]) -> Told {
        self.read_with(inputs, |_| {})
    }

    pub(super) fn read_with(&self, inputs: &[&str], change: impl FnOnce(&mut ReadOptions<'_>)) -> Told {
        let inputs: Vec<_> = inputs.iter().map(|path| self.input(path)).collect();
        let limits = Limits::default();
        let mut options = options(&limits);
        change(&mut options);
        self.tell(&read(&inputs, &options, &mut io::empty()).unwrap())
    }

    pub(super) fn tell(&self, reading: &Reading) -> Told {
        let prefix = format!("{}/", self.at(""));
        let short = |text: String| text.replace(&prefix, "").replace(self.at("").as_str(), "");
        let files = reading.map.iter().map(|(_, file)| {
            let mark = match (file.readable, file.role) {
                (false, _) => " unreadable",
                (_, Role::Kustomization) => " kustomization",
                (_, Role::Tool) => " tool",
                (_, Role::Template) => " template",
                (_, Role::Partial) => " partial",
                (_, Role::Manifests) => "",
            };
            short(format!("{}{mark}", file.path))
        });
        Told { files: files.collect(), notes: reading.notes.iter().map(|note| short(format!("{note:?}"))).collect() }
    }
}

/// What was read, paths from the folder on.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) files: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Told {
    #[track_caller]
    pub(super) fn is(&self, files: &[&str], notes: &[&str]) {
        assert_eq!(self.files, files);
        assert_eq!(self.notes, notes);
    }
}

pub(super) fn options(limits: &Limits) -> ReadOptions<'_> {
    ReadOptions { limits, root: None, strict_links: false, side: Side::New }
}

#[cfg(unix)]
pub(super) fn link(dir: &Dir, target: impl AsRef<Path>, link: &str) {
    fs::create_dir_all(dir.at(link).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, dir.at(link)).unwrap();
}

#[cfg(unix)]
pub(super) fn mkfifo(dir: &Dir, path: &str) {
    let made = Command::new("mkfifo").arg(dir.at(path)).status().unwrap();
    assert!(made.success());
}
