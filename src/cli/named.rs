//! Files beside the manifests that flags and the configuration name: values for templates, patches.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use tidegate::config::{PatchBody, Settings, Spanned};
use tidegate::finding::{Finding, Findings, Label, rules};
use tidegate::load::notes;
use tidegate::patch;
use tidegate::source::{
    self, FileId, Input, Limits, ReadOptions, Reading, Revision, Role, Side, SourceFile, SourceMap,
};
use tidegate::template::Values;

use super::args::InputArgs;
use super::exit::Stop;

/// The text of one file that is named; `root` is the folder that it must lie in.
///
/// # Errors
/// Why there is none, to follow what the file is.
pub(crate) fn text(path: &Utf8Path, root: Option<Utf8PathBuf>) -> Result<String, String> {
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root, strict_links: true, side: Side::New };
    let reading = source::read(&[Input::Path(path.to_owned())], &options, &mut io::empty());
    one_text(reading.map_err(|error| error.to_string())?, path)
}

/// The text of one file of a revision.
///
/// # Errors
/// As [`text`].
pub(crate) fn text_of(file: &Revision) -> Result<String, String> {
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, root: None, strict_links: true, side: Side::New };
    match file.exists() {
        true => one_text(file.read(&options), &file.shown()),
        false => Err(format!("`{}` cannot be read: the revision has no such file", file.shown())),
    }
}

fn one_text(reading: Reading, path: &Utf8Path) -> Result<String, String> {
    let file = reading.map.iter().map(|(_, file)| file).find(|file| file.readable);
    if let Some(file) = file {
        return Ok(file.text().to_owned());
    }
    let mut found = Findings::default();
    notes::report(&reading.notes, &reading.map, &mut found);
    let why = found.sorted().first().map(|finding| finding.message.clone());
    Err(why.unwrap_or_else(|| format!("`{path}` cannot be read")))
}

/// Reads files that are named into a source map.
pub(crate) struct Named<'r> {
    /// The folder of the configuration, from which its paths count.
    pub(crate) folder: Option<&'r Utf8Path>,
    /// That folder, if it is one of a revision.
    pub(crate) revision: Option<&'r Revision>,
    /// The root, if one was given.
    pub(crate) root: Option<Utf8PathBuf>,
    pub(crate) sources: &'r mut SourceMap,
    pub(crate) found: &'r mut Findings,
}

impl Named<'_> {
    /// Reads the patches that the configuration keeps in files.
    pub(crate) fn patches(&mut self, settings: &mut Settings) {
        for row in &mut settings.patches {
            if let PatchBody::File(path) = &row.body {
                let read = self.configured(path, "spec.patches");
                let body = read.and_then(|file| {
                    let text = self.sources.file(file).text();
                    patch::read(text, file, &settings.limits, self.found)
                });
                row.body = body.unwrap_or(PatchBody::Unread);
            }
        }
    }

    /// The values of the files in the configuration, of those that are named by flags, and of `--set`.
    pub(crate) fn values(&mut self, args: &InputArgs, settings: &Settings) -> Result<Values, Stop> {
        let mut values = Values::default();
        for path in &settings.templates.values {
            if let Some(file) = self.configured(path, "spec.templates.values") {
                values.merge(self.sources.file(file).text(), file, &settings.limits, self.found);
            }
        }
        for path in args.values.iter().filter(|path| !path.is_empty()) {
            let path = Utf8PathBuf::from(path);
            let text = text(&path, None).map_err(|why| Stop::Usage(format!("`--values`: {why}")))?;
            let file = self.take_in(path, text);
            values.merge(self.sources.file(file).text(), file, &settings.limits, self.found);
        }
        for text in &args.set {
            // what is set may be secret
            let shown = text.split_once('=').map_or(String::new(), |(name, _)| format!(" {name}=…"));
            values.set(text).map_err(|error| Stop::Usage(format!("`--set{shown}`: {error}")))?;
        }
        Ok(values)
    }

    /// A file whose path is in the configuration: it lies in the root, or else in the folder of the
    /// configuration.
    fn configured(&mut self, path: &Spanned<String>, field: &str) -> Option<FileId> {
        let folder = self.folder.unwrap_or(Utf8Path::new(""));
        let shown = if folder.as_str().is_empty() { path.value.clone().into() } else { folder.join(&path.value) };
        let here = if folder.as_str().is_empty() { Utf8Path::new(".") } else { folder };
        let root = self.root.clone().unwrap_or_else(|| here.to_owned());
        let read = match self.revision {
            Some(revision) => text_of(&revision.join(&path.value)),
            None => text(&shown, Some(root)),
        };
        match read {
            Ok(text) => Some(self.take_in(shown, text)),
            Err(why) => {
                let message = format!("`{field}` names a file that cannot be used: {why}");
                self.found.push(Finding::new(&rules::CONFIG, message).with_label(Label::new(path.place)));
                None
            }
        }
    }

    /// Adds a file to the sources, and sees to it that it is not taken for manifests.
    fn take_in(&mut self, path: Utf8PathBuf, text: String) -> FileId {
        let real = path.canonicalize().ok();
        let is_it = |file: &SourceFile| {
            let is_there = || file.path.canonicalize().ok() == real && real.is_some();
            file.path == path || file.path.file_name() == path.file_name() && is_there()
        };
        self.sources.iter_mut().filter(|file| is_it(file)).for_each(|file| file.role = Role::Tool);
        let mut file = SourceFile::new(path, text);
        file.role = Role::Tool;
        self.sources.add(file)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// The configuration lets no path out; a link that lies inside could lead out all the same.
    #[test]
    fn a_link_to_a_file_outside_is_not_followed() {
        let folder = std::env::temp_dir().join(format!("tidegate-named-{}", std::process::id()));
        let inside = folder.join("in");
        fs::create_dir_all(&inside).unwrap();
        fs::write(folder.join("secret.yaml"), "password: hunter2\n").unwrap();
        fs::write(inside.join("values.yaml"), "a: 1\n").unwrap();
        symlink(folder.join("secret.yaml"), inside.join("out.yaml")).unwrap();
        symlink("values.yaml", inside.join("within.yaml")).unwrap();
        symlink("/dev/zero", inside.join("device.yaml")).unwrap();
        let root = Utf8PathBuf::from_path_buf(inside).unwrap();
        let read = |name: &str| text(&root.join(name), Some(root.clone()));
        assert_eq!(read("values.yaml").as_deref(), Ok("a: 1\n"));
        assert_eq!(read("within.yaml").as_deref(), Ok("a: 1\n"));
        for name in ["out.yaml", "device.yaml", "../secret.yaml", "gone.yaml"] {
            let why = read(name).unwrap_err();
            assert!(!why.contains("hunter2"), "{name}: {why}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
