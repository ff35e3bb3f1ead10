//! Programs that make manifests before they are rendered: kustomize and Helm, with nothing that could lead out.

#![allow(clippy::disallowed_methods, reason = "this file starts programs, and counts the time they take")]

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a child is asked whether it is done.
const BEAT: Duration = Duration::from_millis(10);

/// How much of a child's standard error is kept: its end tells what went wrong.
const STDERR: u64 = 64 * 1024;

/// A program to run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The program, by a path that is not looked up.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its whole environment.
    pub environment: Vec<(String, String)>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// How long it may take.
    pub deadline: Duration,
    /// How many bytes it may print.
    pub limit: u64,
}

/// Why there is no output.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It was not started.
    #[error("{program} cannot be started: {reason}")]
    NotStarted {
        /// The program.
        program: String,
        /// What the system says.
        reason: io::Error,
    },
    /// It did not come to an end.
    #[error("{program} took longer than {} s, which is what is left of the time that Argo CD gives", .limit.as_secs())]
    Deadline {
        /// The program.
        program: String,
        /// How long it had.
        limit: Duration,
    },
    /// It failed.
    #[error("{program} failed ({status}): {stderr}")]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: ExitStatus,
        /// The end of what it said.
        stderr: String,
    },
    /// It printed too much, or something that is no text.
    #[error("the output of {program} {what}")]
    Output {
        /// The program.
        program: String,
        /// What is wrong with it.
        what: &'static str,
    },
}

/// Runs a program and gives what it printed. It reads nothing, and is killed at its deadline.
///
/// # Errors
/// [`Failure`], whatever kept it from printing all of its output as text.
pub fn run(child: &Child) -> Result<String, Failure> {
    let program = child.program.display().to_string();
    let not_started = |reason| Failure::NotStarted { program: program.clone(), reason };
    let mut running = Command::new(&child.program)
        .args(&child.arguments)
        .env_clear()
        .envs(child.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&child.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(not_started)?;
    let out = collect(running.stdout.take(), child.limit + 1);
    let err = collect(running.stderr.take(), STDERR);
    let started = Instant::now();
    let status = loop {
        match running.try_wait().map_err(not_started)? {
            Some(status) => break status,
            None if started.elapsed() > child.deadline => {
                let killed = running.kill().and_then(|()| running.wait());
                drop(killed); // there is nothing more to be done about it
                return Err(Failure::Deadline { program, limit: child.deadline });
            }
            None => thread::sleep(BEAT),
        }
    };
    let (out, err) = (joined(out), joined(err));
    if !status.success() {
        let stderr = String::from_utf8_lossy(&err).trim().to_owned();
        return Err(Failure::Failed { program, status, stderr });
    }
    if out.len() as u64 > child.limit {
        return Err(Failure::Output { program, what: "is larger than the limit of one file" });
    }
    String::from_utf8(out).map_err(|_| Failure::Output { program, what: "is not UTF-8 text" })
}

/// Reads a pipe to its end in a thread, and keeps the first bytes of it.
fn collect(pipe: Option<impl Read + Send + 'static>, keep: u64) -> Option<JoinHandle<Vec<u8>>> {
    let mut pipe = pipe?;
    Some(thread::spawn(move || {
        let mut kept = Vec::new();
        let read = pipe.by_ref().take(keep).read_to_end(&mut kept);
        // a child that has more to say must not wait for a reader
        let rest = read.and_then(|_| io::copy(&mut pipe, &mut io::sink()));
        drop(rest); // a pipe that broke ends with its child
        kept
    }))
}

fn joined(thread: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    thread.and_then(|thread| thread.join().ok()).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, deadline: Duration, limit: u64) -> Result<String, Failure> {
        run(&Child {
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            environment: vec![("GREETING".to_owned(), "hello".to_owned())],
            folder: "/".into(),
            deadline,
            limit,
        })
    }

    #[test]
    fn gives_what_was_printed_and_says_why_there_is_nothing() {
        let long = Duration::from_secs(20);
        assert_eq!(shell("echo $GREETING $HOME", long, 100).unwrap(), "hello\n");
        let failed = shell("echo why >&2; exit 3", long, 100).unwrap_err().to_string();
        assert!(failed.contains("exit status: 3") && failed.ends_with(": why"), "{failed}");
        assert!(matches!(shell("echo 123456", long, 3), Err(Failure::Output { .. })));
        assert!(matches!(shell("printf '\\377'", long, 3), Err(Failure::Output { .. })));
        assert!(matches!(shell("exec sleep 20", Duration::from_millis(50), 3), Err(Failure::Deadline { .. })));
    }

    #[test]
    fn a_child_with_much_to_say_comes_to_its_end() {
        let script = "i=0; while [ $i -lt 20000 ]; do echo 0123456789 >&2; i=$((i+1)); done; echo done";
        assert_eq!(shell(script, Duration::from_secs(20), 100).unwrap(), "done\n");
    }
}
