//! Where the tests find things, and how they say what they did.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The binary under test.
pub(crate) fn tidegate() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tidegate"))
}

/// `PATH` with the binary under test first.
pub(crate) fn path_with_tidegate() -> std::ffi::OsString {
    let mut dirs = vec![tidegate().parent().expect("a file has a folder").to_owned()];
    dirs.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(dirs).expect("PATH was split before")
}

/// A program on `PATH`.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Says `line` on stderr past the capture of the test harness: what ran, and what did not, is seen on success too.
pub(crate) fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Says that a test did not run. `.ci/run` counts these lines, and never as passed.
pub(crate) fn skip(test: &str, why: &str) {
    say(&format!("SKIP {test}: {why}"));
}

/// `../shared/<name>`, beside the checkout or further up; `None` where the checkout stands alone.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let folders = root().ancestors().skip(1).map(|folder| folder.join("shared").join(name));
    folders.into_iter().find(|folder| folder.is_dir())
}

/// Every file of the checkout that git tracks, relative to [`root`], sorted. With `new`, also files that are not
/// tracked yet and not ignored. Outside of a git checkout: every file that is not under `target/`.
pub(crate) fn files(new: bool) -> Vec<String> {
    let mut args = vec!["ls-files", "-z", "--cached"];
    if new {
        args.extend(["--others", "--exclude-standard"]);
    }
    let mut files: Vec<String> = match git(&args) {
        Some(listed) => listed
            .split('\0')
            .filter(|f| !f.is_empty() && root().join(f).symlink_metadata().is_ok())
            .map(str::to_owned)
            .collect(),
        None => below(root(), ""),
    };
    files.sort();
    files.dedup();
    assert!(!files.is_empty(), "the checkout has files");
    files
}

/// What `git ARGS` prints in the checkout; `None` where that is no git checkout.
pub(crate) fn git(args: &[&str]) -> Option<String> {
    if !root().join(".git").exists() {
        return None;
    }
    let out = Command::new("git").arg("-C").arg(root()).args(args).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Every file below `dir`, relative to it, under `prefix`.
pub(crate) fn below(dir: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else {
        return found;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                if !matches!(path.as_str(), "target" | ".git") {
                    found.extend(below(&entry.path(), &format!("{path}/")));
                }
            }
            _ => found.push(path),
        }
    }
    found.sort();
    found
}

/// Copies one file or link, with its mode, and makes its folder.
pub(crate) fn copy_file(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().expect("a file has a folder")).expect("folder is made");
    #[cfg(unix)]
    if let Ok(link) = std::fs::read_link(from) {
        std::os::unix::fs::symlink(link, to).expect("link is made");
        return;
    }
    std::fs::copy(from, to).expect("file is copied");
}

/// A source file of the checkout with its syntax tree.
pub(crate) struct Source {
    /// Relative to [`root`], with `/`.
    pub(crate) path: String,
    /// The text.
    pub(crate) text: String,
    /// The tree.
    pub(crate) tree: syn::File,
    /// Whether all of it is compiled for tests only.
    pub(crate) test: bool,
}

/// The Rust files under `folders`, parsed.
pub(crate) fn sources(folders: &[&str]) -> Vec<Source> {
    let mut sources: Vec<Source> = files(true)
        .into_iter()
        .filter(|f| f.ends_with(".rs") && folders.iter().any(|d| f.starts_with(d)))
        .map(|path| {
            let text = std::fs::read_to_string(root().join(&path)).expect("source is UTF-8");
            let tree = syn::parse_file(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
            Source { path, text, tree, test: false }
        })
        .collect();
    let tests: Vec<String> = sources.iter().flat_map(test_modules).collect();
    for source in &mut sources {
        let module = source.path.trim_end_matches(".rs");
        source.test = tests.iter().any(|t| module == t || module.starts_with(&format!("{t}/")));
    }
    sources
}

/// The modules that `source` declares under `#[cfg(test)]` in files of their own, as paths without `.rs`.
fn test_modules(source: &Source) -> Vec<String> {
    let module = source.path.trim_end_matches(".rs");
    let folder = match module.strip_suffix("/lib").or(module.strip_suffix("/main")) {
        Some(root) => root,
        None => module,
    };
    let items = source.tree.items.iter();
    items
        .filter_map(|item| match item {
            syn::Item::Mod(item) if item.content.is_none() && is_test(&item.attrs) => {
                Some(format!("{folder}/{}", item.ident))
            }
            _ => None,
        })
        .collect()
}

/// Whether an item stands under `#[cfg(test)]`.
pub(crate) fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs
        .iter()
        .any(|attr| attr.path().is_ident("cfg") && attr.parse_args::<syn::Path>().is_ok_and(|p| p.is_ident("test")))
}
