//! The user's kubectl, called with a text on its standard input.

#![allow(clippy::disallowed_methods, reason = "this file starts kubectl, and counts the time it takes")]

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;

/// How often a call is asked whether it is done.
const BEAT: Duration = Duration::from_millis(10);

/// How long a call that changes something may go on after an interrupt.
const GRACE: Duration = Duration::from_secs(20);

/// A kubectl and how it finds its cluster. Its environment is the one of this process: credentials, proxies and
/// plugins of the user work as they do by hand.
#[derive(Clone, Debug)]
pub struct Kubectl {
    /// The program.
    pub program: PathBuf,
    /// What stands before the verb of each call: `--context`, `--kubeconfig`.
    pub arguments: Vec<String>,
    /// Who may stop a call.
    pub interrupt: Interrupt,
}

/// What a call came to.
#[derive(Debug)]
pub(super) struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed, as far as it is text.
    pub out: String,
    /// What it said.
    pub err: String,
}

/// Why a call came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It was not started.
    #[error("{program} cannot be started: {reason}")]
    NotStarted {
        /// The program.
        program: String,
        /// What the system says.
        reason: io::Error,
    },
    /// It did not come to an end.
    #[error("`kubectl {verb}` did not come to an end in time")]
    Deadline {
        /// What it was asked for.
        verb: String,
    },
    /// Somebody wants the run to stop.
    #[error("interrupted")]
    Interrupted,
}

/// What an interrupt does to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    /// It ends at once: it only asks.
    Now,
    /// It gets a moment to end by itself: it changes something.
    Soon,
}

impl Kubectl {
    /// Asks; an interrupt ends the call.
    pub(super) fn ask(&self, arguments: &[&str], stdin: &str, limit: Duration) -> Result<Answer, Trouble> {
        self.call(arguments, stdin, limit, Stops::Now)
    }

    /// Calls kubectl with a text on its standard input, and reads all that it says.
    pub(super) fn call(
        &self,
        arguments: &[&str],
        stdin: &str,
        limit: Duration,
        stops: Stops,
    ) -> Result<Answer, Trouble> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // an interrupt typed at a terminal goes to this process alone: what kubectl changes is not cut off in the middle
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let not_started = |reason| Trouble::NotStarted { program: self.program.display().to_string(), reason };
        let mut child = command.spawn().map_err(not_started)?;
        let fed = feed(child.stdin.take(), stdin.to_owned());
        let (out, err) = (collect(child.stdout.take()), collect(child.stderr.take()));
        let status = self.end_of(&mut child, arguments, limit, stops)?;
        drop(fed); // whoever does not read its input says so in its exit code
        let (out, err) = (text(out), text(err));
        Ok(Answer { status, out, err })
    }

    fn end_of(
        &self,
        child: &mut Child,
        arguments: &[&str],
        limit: Duration,
        stops: Stops,
    ) -> Result<ExitStatus, Trouble> {
        let started = Instant::now();
        let mut interrupted = None;
        loop {
            let done = child.try_wait();
            if let Some(status) =
                done.map_err(|reason| Trouble::NotStarted { program: self.program.display().to_string(), reason })?
            {
                return Ok(status);
            }
            if self.interrupt.signal().is_some() && interrupted.is_none() {
                interrupted = Some(Instant::now());
            }
            let is_over = interrupted.is_some_and(|at| stops == Stops::Now || at.elapsed() > GRACE);
            if is_over || started.elapsed() > limit {
                let killed = child.kill().and_then(|()| child.wait());
                drop(killed); // there is nothing more to be done about it
                let verb = arguments.first().copied().unwrap_or_default().to_owned();
                return Err(if is_over { Trouble::Interrupted } else { Trouble::Deadline { verb } });
            }
            thread::sleep(BEAT);
        }
    }

    /// Sleeps, but not through an interrupt.
    pub(super) fn rest(&self, time: Duration) {
        let started = Instant::now();
        while self.interrupt.signal().is_none() && started.elapsed() < time {
            thread::sleep(BEAT.min(time));
        }
    }
}

/// Writes the input of a child in a thread: it may print before it has read everything.
fn feed(pipe: Option<impl Write + Send + 'static>, text: String) -> Option<JoinHandle<()>> {
    let mut pipe = pipe?;
    Some(thread::spawn(move || {
        let written = pipe.write_all(text.as_bytes());
        drop(written); // a child that ends before it has read everything has a reason, and says it
    }))
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> Option<JoinHandle<Vec<u8>>> {
    let mut pipe = pipe?;
    Some(thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.read_to_end(&mut bytes);
        drop(read); // a pipe that broke ends with its child
        bytes
    }))
}

fn text(thread: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = thread.and_then(|thread| thread.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    fn shell() -> Kubectl {
        Kubectl { program: "/bin/sh".into(), arguments: vec!["-c".to_owned()], interrupt: Interrupt::default() }
    }

    #[test]
    fn a_call_gets_its_input_and_is_read_to_its_end() {
        let long = "x".repeat(300_000);
        let answer = shell().ask(&["cat; echo said >&2; exit 3"], &long, Duration::from_secs(20)).unwrap();
        assert_eq!((answer.out.len(), answer.err.as_str(), answer.status.code()), (300_000, "said\n", Some(3)));
    }

    #[test]
    fn a_call_ends_at_its_deadline_and_at_an_interrupt() {
        let kubectl = shell();
        let late = kubectl.ask(&["exec sleep 20"], "", Duration::from_millis(50));
        assert!(matches!(late, Err(Trouble::Deadline { .. })));
        kubectl.interrupt.cell().store(2, Ordering::SeqCst);
        let stopped = kubectl.ask(&["exec sleep 20"], "", Duration::from_secs(20));
        assert!(matches!(stopped, Err(Trouble::Interrupted)));
        let changes = kubectl.call(&["sleep 0.1; echo done"], "", Duration::from_secs(20), Stops::Soon).unwrap();
        assert_eq!(changes.out, "done\n");
    }
}
