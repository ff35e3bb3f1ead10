//! The run: apply a wave, wait for its gates, go on.

#![allow(clippy::disallowed_methods, reason = "this file keeps to time-outs")]

use std::time::{Duration, Instant};

use super::inventory::Inventory;
use super::kubectl::{Answer, Kubectl, Stops, Trouble};
use super::plan::{Form, Install, Item, Wave};
use super::progress::{Event, Progress, count};
use super::prune;
use super::state;
use super::wait::{self, End, Watched};

/// Who owns the fields that are applied.
pub(super) const MANAGER: &str = "--field-manager=tidegate";

/// What the API server or kubectl says when something that was applied a moment ago is not known everywhere yet, or
/// something outside gives out for a moment. The same apply works a little later.
const PASSING: &[&str] = &[
    "TLS handshake timeout",
    "connection refused",
    "error looking up service account",
    "etcdserver: leader changed",
    "failed calling webhook",
    "conversion webhook for",
    "no endpoints available for service",
    "the object has been modified",
    "the server is currently unable to handle the request",
];

/// For a kind that nobody defines during the run it does not pass.
const NO_KIND: &str = "no matches for kind \"";

/// How many beats lie between two tries, and how many tries there are: half a minute in all.
const BETWEEN: u32 = 2;
const TRIES: usize = 15;

/// How a run is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// kubectl compares and patches, not the API server.
    pub client_side: bool,
    /// Take fields over from other managers.
    pub force_conflicts: bool,
    /// How long one wave may take in all.
    pub timeout: Duration,
    /// How long what a wave waits for may take.
    pub wait_timeout: Duration,
    /// How long it is between two looks; pods are looked at every fifth time.
    pub beat: Duration,
    /// Wait for everything that has a health, and after the last wave too.
    pub wait_for_all: bool,
    /// The namespace of objects that name none and whose kind is not known.
    pub namespace: Option<String>,
    /// Where it is kept what was applied.
    pub inventory: Option<Inventory>,
    /// Delete what an earlier run applied and this one does not.
    pub prune: bool,
    /// Say all that kubectl says.
    pub verbose: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything is applied, and what is waited for is ready.
    Done,
    /// It stopped; lines that say why.
    Failed(Vec<String>),
    /// A signal stopped it.
    Interrupted(usize),
}

/// How far a wave came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaveState {
    /// It is applied, and its gates are ready.
    Done,
    /// kubectl did not apply all of it.
    Incomplete,
    /// It is applied; objects that are not ready, and what they lack.
    Waiting(Vec<(String, String)>),
    /// It was not begun.
    Pending,
}

/// What a run came to.
#[derive(Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Each wave in order.
    pub waves: Vec<WaveState>,
}

/// Applies everything. Nothing is pruned unless all of it is applied and ready.
///
/// # Errors
/// [`Trouble::NotStarted`] where there is no kubectl to start; all else is in the report.
pub fn apply(
    install: &Install,
    kubectl: &Kubectl,
    options: &Options,
    progress: &mut dyn Progress,
) -> Result<Report, Trouble> {
    let mut report = Report { outcome: Outcome::Done, waves: vec![WaveState::Pending; install.waves.len()] };
    let mut run = Run { install, kubectl, options, progress };
    let mut ledger = match prune::Ledger::open(install, kubectl, options) {
        Ok(ledger) => ledger,
        Err(stop) => return run.stopped(report, 0, WaveState::Pending, stop),
    };
    for (nth, wave) in install.waves.iter().enumerate() {
        run.progress.tell(&Event::Wave { nth: nth + 1, of: install.waves.len(), wave });
        if let Err((state, stop)) = run.wave(wave, &mut ledger) {
            return run.stopped(report, nth, state, stop);
        }
        report.waves[nth] = WaveState::Done;
    }
    if let Err(stop) = run.end(&mut ledger) {
        report.outcome = run.outcome(stop)?;
    }
    Ok(report)
}

/// Why a run does not go on.
#[derive(Debug)]
pub(super) enum Stop {
    Why(Vec<String>),
    Interrupted,
    Trouble(Trouble),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Interrupted => Stop::Interrupted,
            trouble => Stop::Trouble(trouble),
        }
    }
}

struct Run<'r> {
    install: &'r Install,
    kubectl: &'r Kubectl,
    options: &'r Options,
    progress: &'r mut dyn Progress,
}

impl Run<'_> {
    fn stopped(&self, mut report: Report, nth: usize, state: WaveState, stop: Stop) -> Result<Report, Trouble> {
        if let Some(wave) = report.waves.get_mut(nth) {
            *wave = state;
        }
        report.outcome = self.outcome(stop)?;
        Ok(report)
    }

    fn outcome(&self, stop: Stop) -> Result<Outcome, Trouble> {
        match stop {
            Stop::Why(lines) => Ok(Outcome::Failed(lines)),
            Stop::Interrupted => Ok(Outcome::Interrupted(self.kubectl.interrupt.signal().unwrap_or_default())),
            Stop::Trouble(trouble @ Trouble::NotStarted { .. }) => Err(trouble),
            Stop::Trouble(trouble) => Ok(Outcome::Failed(vec![trouble.to_string()])),
        }
    }

    /// One wave: applied, then waited for.
    fn wave(&mut self, wave: &Wave, ledger: &mut prune::Ledger) -> Result<(), (WaveState, Stop)> {
        if self.kubectl.interrupt.signal().is_some() {
            return Err((WaveState::Pending, Stop::Interrupted));
        }
        let started = Instant::now();
        let mut made: Vec<(usize, String)> = Vec::new();
        let mut nth = 0;
        for chunk in wave.items.chunk_by(|a, b| a.form == b.form && a.form != Form::Generated) {
            let left = self.options.timeout.saturating_sub(started.elapsed());
            let name = self.chunk(chunk, left).map_err(|stop| (WaveState::Incomplete, stop))?;
            made.extend(name.map(|name| (nth, name)));
            nth += chunk.len();
        }
        ledger.keep(self.kubectl).map_err(|stop| (WaveState::Incomplete, stop))?;
        if self.kubectl.interrupt.signal().is_some() {
            return Err((WaveState::Waiting(Vec::new()), Stop::Interrupted));
        }
        let is_gate = |nth: usize| wave.gates.iter().any(|gate| gate.item == nth);
        let health = |item: &Item| state::is_waited_for(&item.id.group, &item.id.kind);
        let waited = |(nth, item): &(usize, &Item)| is_gate(*nth) || (self.options.wait_for_all && health(item));
        let watched: Vec<Watched<'_>> = wave
            .items
            .iter()
            .enumerate()
            .filter(waited)
            .map(|(nth, item)| Watched {
                item,
                name: made.iter().find(|(at, _)| *at == nth).map(|(_, name)| name.clone()),
            })
            .collect();
        let left = self.options.timeout.saturating_sub(started.elapsed()).min(self.options.wait_timeout);
        self.wait(&watched, left)
    }

    fn wait(&mut self, watched: &[Watched<'_>], limit: Duration) -> Result<(), (WaveState, Stop)> {
        if watched.is_empty() {
            return Ok(());
        }
        match wait::wait(self.kubectl, self.install, watched, self.options, limit, self.progress) {
            End::Ready => Ok(()),
            End::Broken(lines) => Err((WaveState::Waiting(Vec::new()), Stop::Why(lines))),
            End::Interrupted(pending) => Err((WaveState::Waiting(pending), Stop::Interrupted)),
            End::Lost(why) => {
                let line = format!("the cluster does not answer: {why}");
                Err((WaveState::Waiting(Vec::new()), Stop::Why(vec![line])))
            }
            End::TimedOut(pending) => {
                let line = |(object, why): &(String, String)| format!("{object} is not ready in time: {why}");
                let lines = pending.iter().map(line).collect();
                Err((WaveState::Waiting(pending), Stop::Why(lines)))
            }
        }
    }

    /// Applies objects that kubectl takes in one call. Gives the name that the API server made, if it did.
    fn chunk(&mut self, items: &[Item], limit: Duration) -> Result<Option<String>, Stop> {
        let arguments = arguments(items, self.options);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let manifests = stream(items);
        let is_new = items.first().is_some_and(|item| item.form == Form::Generated);
        let started = Instant::now();
        let mut said = String::new();
        for attempt in 1.. {
            let left = limit.saturating_sub(started.elapsed());
            let answer = self.kubectl.call(&arguments, &manifests, left, Stops::Soon)?;
            if answer.status.success() {
                self.say(&answer);
                let name = answer.out.trim().rsplit('/').next().map(str::to_owned);
                return Ok(name.filter(|_| is_new));
            }
            let why = self.install.hidden.shown(&answer.err);
            if is_new || attempt >= TRIES || !self.passes(&answer.err) {
                let mut lines = vec![format!("kubectl {} failed ({}):", arguments[0], answer.status)];
                lines.extend(why.lines().map(str::to_owned));
                lines.extend(remedy(&answer.err).map(str::to_owned));
                return Err(Stop::Why(lines));
            }
            let first = why.lines().find(|line| !line.starts_with("Warning:")).unwrap_or_default();
            if first != said {
                self.progress.tell(&Event::Said(&format!("  tries again: {first}")));
                first.clone_into(&mut said);
            }
            self.kubectl.rest(self.options.beat * BETWEEN);
            if self.kubectl.interrupt.signal().is_some() {
                return Err(Stop::Interrupted);
            }
        }
        Ok(None)
    }

    /// Whether what kubectl says is over in a moment.
    fn passes(&self, err: &str) -> bool {
        let is_coming = |line: &str| {
            let (_, kind) = line.split_once(NO_KIND)?;
            let kind = kind.split('"').next()?;
            Some(self.install.kinds.contains(kind))
        };
        // an object that another line refuses for good is not mended by trying
        let errors =
            err.lines().filter(|line| line.starts_with("Error") || line.starts_with("error") || line.contains(NO_KIND));
        let passing = |line: &str| PASSING.iter().any(|text| line.contains(text)) || is_coming(line) == Some(true);
        let mut errors = errors.filter(|line| !line.contains("when applying patch:")).peekable();
        errors.peek().is_some() && errors.all(passing)
    }

    fn say(&mut self, answer: &Answer) {
        let warnings = self.install.hidden.shown(&answer.err);
        let done = if self.options.verbose { self.install.hidden.shown(&answer.out) } else { String::new() };
        for line in done.lines().chain(warnings.lines()).filter(|line| !line.is_empty()) {
            self.progress.tell(&Event::Said(&format!("  {line}")));
        }
    }

    /// What comes behind the last wave: the rest becomes ready, and what is no longer wanted goes.
    fn end(&mut self, ledger: &mut prune::Ledger) -> Result<(), Stop> {
        for line in ledger.close(self.kubectl, self.options)? {
            self.progress.tell(&Event::Said(&self.install.hidden.shown(&line)));
        }
        Ok(())
    }
}

/// How kubectl is called for objects of one form.
pub(super) fn arguments(items: &[Item], options: &Options) -> Vec<String> {
    let form = items.first().map_or(Form::Whole, |item| item.form);
    if form == Form::Generated {
        let mut words = vec!["create".to_owned(), "-o".to_owned(), "name".to_owned(), MANAGER.to_owned()];
        words.extend(["-f".to_owned(), "-".to_owned()]);
        return words;
    }
    let mut words = vec!["apply".to_owned()];
    if !options.client_side {
        words.push("--server-side".to_owned());
    }
    if options.force_conflicts {
        words.push("--force-conflicts".to_owned());
    }
    words.push(MANAGER.to_owned());
    if let (Form::Unplaced, Some(namespace)) = (form, &options.namespace) {
        words.extend(["-n".to_owned(), namespace.clone()]);
    }
    words.extend(["-f".to_owned(), "-".to_owned()]);
    words
}

/// Manifests as one stream.
pub(super) fn stream(items: &[Item]) -> String {
    items.iter().map(|item| item.yaml.as_str()).collect::<Vec<_>>().join("---\n")
}

/// What helps against an error that people meet often.
fn remedy(err: &str) -> Option<&'static str> {
    const REMEDIES: &[(&str, &str)] = &[
        ("conflict", "another manager owns these fields: leave them out, or take them over with --force-conflicts"),
        ("field is immutable", "the API server does not change this field: delete the object, or give it another name"),
        (
            "Too long: may not be more than 262144",
            "client-side apply keeps the whole object in an annotation: leave --client-side out",
        ),
        ("no matches for kind", "the cluster does not know the kind: its definition is neither there nor in the input"),
    ];
    REMEDIES.iter().find(|(text, _)| err.contains(text)).map(|(_, remedy)| *remedy)
}

impl Report {
    /// Where everything stands, as lines: for a run that did not come to its end.
    pub fn lines(&self, install: &Install) -> Vec<String> {
        let mut lines = Vec::new();
        for (wave, state) in install.waves.iter().zip(&self.waves) {
            let objects = count(wave.items.len(), "object");
            let word = match state {
                WaveState::Done => "done",
                WaveState::Incomplete => "incomplete: kubectl did not apply all of it",
                WaveState::Waiting(_) => "applied, not ready",
                WaveState::Pending => "not begun",
            };
            lines.push(format!("  {} ({objects}): {word}", wave.name()));
            if let WaveState::Waiting(pending) = state {
                lines.extend(pending.iter().map(|(object, why)| format!("    {object}: {why}")));
            }
        }
        lines
    }
}
