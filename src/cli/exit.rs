//! The only printer, and the only place that knows exit codes.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Usage, or tidegate's own configuration.
pub(crate) const USAGE: u8 = 2;
/// Input that cannot be read.
pub(crate) const INPUT: u8 = 3;
/// tidegate is wrong.
pub(crate) const INTERNAL: u8 = 4;
/// Links that are followed one behind the other, as Linux does.
const MAX_LINKS: usize = 40;

/// Why a verb did not get to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The command line, or a file that it names, is wrong.
    Usage(String),
    /// Something outside gave out: a disk, a pipe.
    Machine(String, u8),
    /// What is wrong has been printed.
    Reported(u8),
    /// Whoever read the output went away: nothing is wrong.
    NobodyReads,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Stop::NobodyReads,
            _ => Stop::Machine(error.to_string(), INPUT),
        }
    }
}

/// What findings are worth when nobody reads them: the exit code still tells.
pub(crate) fn unread(printed: io::Result<()>) -> Result<(), Stop> {
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Stop::Machine(error.to_string(), INPUT)),
        _ => Ok(()),
    }
}

/// Standard output cannot take the manifests.
pub(crate) fn no_output(error: io::Error) -> Stop {
    match error.kind() {
        ErrorKind::BrokenPipe => Stop::NobodyReads,
        _ => Stop::Machine(format!("standard output: {error}"), INPUT),
    }
}

/// Runs a verb. A panic in it is an error of tidegate's own: one line and exit code 4.
pub(crate) fn guard(verb: impl FnOnce() -> Result<u8, Stop>) -> ExitCode {
    set_hook(Box::new(|_| {}));
    match catch_unwind(AssertUnwindSafe(verb)) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(Stop::NobodyReads)) => ExitCode::SUCCESS,
        Ok(Err(Stop::Reported(code))) => ExitCode::from(code),
        Ok(Err(Stop::Usage(message))) => say(&format!("error: {message}"), USAGE),
        Ok(Err(Stop::Machine(message, code))) => say(&format!("error: {message}"), code),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let why = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            say(&format!("internal error: {why}; please report it with the input that shows it"), INTERNAL)
        }
    }
}

/// Ends with what clap has to say: help and versions on standard output, errors on standard error.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let code = if error.use_stderr() { USAGE } else { 0 };
    let printed = error.print();
    drop(printed); // there is nowhere left to say that it failed
    ExitCode::from(code)
}

/// Ends the process from any thread, with a line on standard error.
#[allow(clippy::exit, reason = "no other thread can be made to end")]
pub(crate) fn give_up(message: &str, code: u8) -> ! {
    let _code = say(message, code);
    std::process::exit(code.into())
}

fn say(message: &str, code: u8) -> ExitCode {
    let line = tidegate::report::escape::escape(message);
    let written = writeln!(io::stderr(), "{line}");
    drop(written); // there is nowhere left to say that it failed
    ExitCode::from(code)
}

/// Standard output, buffered by the caller.
pub(crate) fn out() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// Standard error, for findings and notes.
pub(crate) fn err() -> io::StderrLock<'static> {
    io::stderr().lock()
}

/// Whether findings may be coloured: a terminal, and no `NO_COLOR`.
pub(crate) fn color(terminal: &impl IsTerminal) -> bool {
    let asked_not = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    terminal.is_terminal() && !asked_not
}

/// Writes a file that the user named: whole or not at all, unless it is a device or a pipe. A link is
/// followed; nothing else in the folder is touched.
#[allow(clippy::disallowed_methods, reason = "the only file that is written is one that the user names")]
pub(crate) fn write_file(path: &str, bytes: &[u8]) -> Result<(), Stop> {
    let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let written = match is_special {
        true => fs::write(path, bytes),
        false => behind_links(Path::new(path)).and_then(|target| replace(&target, bytes)),
    };
    written.map_err(|error| Stop::Usage(format!("{path} cannot be written: {error}")))
}

/// Where links lead, though there may be nothing yet.
#[allow(clippy::disallowed_methods, reason = "the only file that is written is one that the user names")]
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Puts a new file in the place of one, by way of a file that nobody else can have made.
#[allow(clippy::disallowed_methods, reason = "the only file that is written is one that the user names")]
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (beside, mut file) = fresh_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| match fs::metadata(path) {
        Ok(old) => file.set_permissions(old.permissions()),
        Err(_) => Ok(()),
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        let removed = fs::remove_file(&beside);
        drop(removed); // that it could not be written is what there is to say
    }
    moved
}

/// A new, empty folder below another one.
#[allow(clippy::disallowed_methods, reason = "programs that are started need a home of their own")]
pub(crate) fn fresh_folder(below: &Path) -> io::Result<PathBuf> {
    let mut tries = 0;
    loop {
        let folder = below.join(format!("tidegate-{:016x}", RandomState::new().build_hasher().finish()));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < MAX_LINKS => tries += 1,
            made => return made.map(|()| folder),
        }
    }
}

/// A file in the same folder that was not there before: a link or file of that name is left alone.
#[allow(clippy::disallowed_methods, reason = "the only file that is written is one that the user names")]
pub(super) fn fresh_beside(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    let mut tries = 0;
    loop {
        let mut name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
        name.push(format!(".{:016x}.part", RandomState::new().build_hasher().finish()));
        let beside = path.with_file_name(name);
        match fs::OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < MAX_LINKS => tries += 1,
            opened => return opened.map(|file| (beside, file)),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the test is about files")]
    fn only_the_named_file_is_written() {
        let id = RandomState::new().build_hasher().finish();
        let folder = std::env::temp_dir().join(format!("tidegate-exit-{id:016x}"));
        fs::create_dir(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        let link = std::os::unix::fs::symlink::<PathBuf, PathBuf>;
        fs::write(at("mine"), "keep").unwrap();
        link("mine".into(), at("found.part")).unwrap();
        link("later".into(), at("dangling")).unwrap();
        link("real".into(), at("link")).unwrap();
        fs::write(at("real"), "old").unwrap();
        for name in ["found", "dangling", "link"] {
            write_file(at(name).to_str().unwrap(), b"new").unwrap();
        }
        for (name, text) in [("found", "new"), ("mine", "keep"), ("later", "new"), ("real", "new")] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), text, "{name}");
        }
        assert!(at("link").is_symlink() && at("dangling").is_symlink() && at("found.part").is_symlink());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 7);
        fs::remove_dir_all(&folder).unwrap();
    }
}
