//! Programs of git that only read objects, with all that a repository could make them start turned off.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};

/// What tells git about a repository other than the one around the folder: a hook that starts tidegate has these set.
const OF_A_REPOSITORY: [&str; 15] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Settings that go before those of the repository: programs that git starts by itself, and the network.
const OFF: [&str; 4] =
    ["core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never", "submodule.recurse=false"];

/// Why a revision cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// git is not there, or does not start.
    #[error("git cannot be started: {0}")]
    NotStarted(io::Error),
    /// The revision is none of a commit.
    #[error("`{name}` is no revision of the repository around {folder}: {why}")]
    NoRevision {
        /// The revision as it was named.
        name: String,
        /// Where git was asked.
        folder: Utf8PathBuf,
        /// What git says.
        why: String,
    },
    /// Something that git does not do.
    #[error("git {verb} failed: {why}")]
    Failed {
        /// What was asked.
        verb: &'static str,
        /// What git says.
        why: String,
    },
    /// A path that was written and at which nothing is.
    #[error("the revision has no `{0}`")]
    Absent(String),
    /// A path that is none below the root.
    #[error("`{0}` is no path from the root of the repository")]
    Path(String),
}

/// git in a folder.
fn git(folder: &Utf8Path) -> Command {
    #[allow(clippy::disallowed_methods, reason = "this file asks git, and no other program")]
    let mut command = Command::new("git");
    command.args(["--no-pager", "--no-optional-locks", "--literal-pathspecs"]);
    for setting in OFF {
        command.args(["-c", setting]);
    }
    for name in OF_A_REPOSITORY {
        command.env_remove(name);
    }
    // objects that a partial clone left out are not fetched: by version of git, one of the two says so
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "").env("GIT_TERMINAL_PROMPT", "0");
    command.env("LC_ALL", "C").arg("-C").arg(folder).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

/// What git prints, or the last line of what it complains about.
fn output(mut command: Command) -> Result<Result<Vec<u8>, String>, GitError> {
    let output = command.output().map_err(GitError::NotStarted)?;
    if output.status.success() {
        return Ok(Ok(output.stdout));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let why = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
    Ok(Err(why.trim_start_matches("fatal: ").to_owned()))
}

/// The tree of a revision, by its name as an object.
pub(super) fn tree_of(folder: &Utf8Path, name: &str) -> Result<String, GitError> {
    let mut command = git(folder);
    command.args(["rev-parse", "--verify", "--end-of-options"]).arg(format!("{name}^{{tree}}"));
    let wrong = |why: String| {
        let why = why.replace("Needed a single revision", "git knows none of this name");
        GitError::NoRevision { name: name.to_owned(), folder: folder.to_owned(), why }
    };
    if name.is_empty() {
        return Err(wrong("its name is empty".to_owned()));
    }
    let tree = String::from_utf8(output(command)?.map_err(wrong)?).unwrap_or_default();
    match tree.trim() {
        tree if !tree.is_empty() && tree.bytes().all(|byte| byte.is_ascii_hexdigit()) => Ok(tree.to_owned()),
        _ => Err(wrong("it is not one object".to_owned())),
    }
}

/// The path of a folder from the root of its repository.
pub(super) fn prefix(folder: &Utf8Path) -> Result<Utf8PathBuf, GitError> {
    let mut command = git(folder);
    command.args(["rev-parse", "--show-prefix"]);
    let failed = |why| GitError::Failed { verb: "rev-parse --show-prefix", why };
    let prefix = String::from_utf8(output(command)?.map_err(failed)?);
    let prefix = prefix.map_err(|_| failed("the path of the folder is not UTF-8".to_owned()))?;
    Ok(prefix.strip_suffix('\n').unwrap_or(&prefix).trim_end_matches('/').into())
}

/// Every entry of a tree: `MODE TYPE OBJECT SIZE TAB PATH`, with a zero byte behind each.
pub(super) fn entries(folder: &Utf8Path, tree: &str) -> Result<Vec<u8>, GitError> {
    let mut command = git(folder);
    command.args(["ls-tree", "-r", "-t", "-z", "-l", "--full-tree", tree]);
    output(command)?.map_err(|why| GitError::Failed { verb: "ls-tree", why })
}

/// A program that gives one object after the other.
#[derive(Debug)]
pub(super) struct Objects {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Objects {
    /// Starts it.
    pub(super) fn start(folder: &Utf8Path) -> io::Result<Self> {
        let mut command = git(folder);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(ask), Some(answer)) => Ok(Objects { child, ask, answer: BufReader::new(answer) }),
            _ => Err(io::Error::other("git has no pipes")),
        }
    }

    /// The bytes of a blob of `size`, as the tree says.
    pub(super) fn blob(&mut self, object: &str, size: u64) -> io::Result<Vec<u8>> {
        writeln!(self.ask, "{object}")?;
        self.ask.flush()?;
        let mut head = String::new();
        self.answer.read_line(&mut head)?;
        if head.trim_end() != format!("{object} blob {size}") {
            return Err(io::Error::other("git does not have it: the clone may be a partial one"));
        }
        let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
        self.answer.read_exact(&mut bytes)?;
        // a line break follows that is none of the blob's
        self.answer.read_exact(&mut [0])?;
        Ok(bytes)
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // it only reads: nothing is lost, and nothing can be done if it has ended already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
