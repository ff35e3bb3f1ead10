//! What a run says while it goes on.

use std::io::Write;
use std::time::Duration;

use super::plan::Wave;

/// How often lines repeat what is waited for.
const REMINDER: Duration = Duration::from_secs(10);

/// Something that happened.
#[derive(Debug)]
pub enum Event<'e> {
    /// A wave begins.
    Wave {
        /// Which, from 1.
        nth: usize,
        /// Of how many.
        of: usize,
        /// The wave.
        wave: &'e Wave,
    },
    /// A line worth to keep.
    Said(&'e str),
    /// The run waits.
    Waits {
        /// How many of the objects are ready.
        ready: usize,
        /// Of how many.
        of: usize,
        /// The others, and what each of them lacks.
        pending: &'e [(String, String)],
        /// For how long by now.
        elapsed: Duration,
    },
    /// An object became ready.
    Ready(&'e str),
    /// Nothing is waited for any more.
    WaitEnded,
}

/// Somebody who is told.
pub trait Progress {
    /// Something happened.
    fn tell(&mut self, event: &Event<'_>);
}

/// Plain lines, for logs and pipes.
#[derive(Debug)]
pub struct Lines<W> {
    out: W,
    /// When what is waited for was said last, in the time of the wait.
    said: Option<Duration>,
}

impl<W: Write> Lines<W> {
    /// Lines to a writer; what it cannot take is lost.
    pub fn new(out: W) -> Self {
        Lines { out, said: None }
    }

    fn line(&mut self, line: &str) {
        let written = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        drop(written); // a run goes on though nobody reads its lines
    }
}

impl<W: Write> Progress for Lines<W> {
    fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Wave { .. } | Event::WaitEnded => self.said = None,
            Event::Waits { pending, elapsed, .. } => {
                if self.said.is_some_and(|said| *elapsed < said + REMINDER) {
                    return;
                }
                let since = if self.said.is_none() { String::new() } else { format!(" for {} s", elapsed.as_secs()) };
                self.said = Some(*elapsed);
                for (object, why) in *pending {
                    self.line(&format!("  waits{since} for {object}: {why}"));
                }
                return;
            }
            Event::Said(_) | Event::Ready(_) => {}
        }
        if let Some(line) = line(event) {
            self.line(&line);
        }
    }
}

/// The line of an event that is one in every form of progress.
pub fn line(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Wave { nth, of, wave } => {
            let objects = count(wave.items.len(), "object");
            Some(format!("wave {nth} of {of} ({}): {objects}", wave.name()))
        }
        Event::Said(line) => Some((*line).to_owned()),
        Event::Ready(object) => Some(format!("  ready: {object}")),
        Event::Waits { .. } | Event::WaitEnded => None,
    }
}

/// `1 object`, `2 objects`.
pub(super) fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for_is_said_at_once_and_then_now_and_then() {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        let pending = [("Job shop/migrate".to_owned(), "0 of 1 runs are complete".to_owned())];
        for seconds in [0, 1, 9, 11, 12] {
            let elapsed = Duration::from_secs(seconds);
            lines.tell(&Event::Waits { ready: 0, of: 1, pending: &pending, elapsed });
        }
        lines.tell(&Event::Ready("Job shop/migrate"));
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
          waits for Job shop/migrate: 0 of 1 runs are complete
          waits for 11 s for Job shop/migrate: 0 of 1 runs are complete
          ready: Job shop/migrate
        ");
    }
}
