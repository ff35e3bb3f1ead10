//! What would become of an apply: asked of the API server, wave by wave, with nothing changed.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::conduct::{Options, Outcome, Stop, arguments, stream};
use super::kubectl::{Answer, Kubectl, Trouble};
use super::live;
use super::plan::{Install, Item, Wave};
use super::prune;
use crate::object::ObjectId;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rehearsal {
    /// Would the API server take it?
    DryRun,
    /// What would be different?
    Diff,
}

/// Asks for each wave, and writes the answers. Objects whose definition or namespace only comes with the run cannot
/// be asked for: they are listed as new.
///
/// Gives whether something is refused (or, for a diff, different).
///
/// # Errors
/// What keeps kubectl from answering, and what `out` says.
pub fn rehearse(
    what: Rehearsal,
    install: &Install,
    kubectl: &Kubectl,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Result<bool, Outcome>, Failure> {
    let mut rehearsing = Rehearsing { what, install, kubectl, options, out, found: false };
    match rehearsing.run() {
        Ok(()) => Ok(Ok(rehearsing.found)),
        Err(Halt::Failure(failure)) => Err(failure),
        Err(Halt::Stop(Stop::Interrupted)) => {
            Ok(Err(Outcome::Interrupted(kubectl.interrupt.signal().unwrap_or_default())))
        }
        Err(Halt::Stop(Stop::Why(lines))) => Ok(Err(Outcome::Failed(lines))),
        Err(Halt::Stop(Stop::Trouble(trouble))) => Err(Failure::Kubectl(trouble)),
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// kubectl gives none.
    #[error(transparent)]
    Kubectl(Trouble),
    /// Nobody takes it.
    #[error(transparent)]
    Output(io::Error),
}

enum Halt {
    Stop(Stop),
    Failure(Failure),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Halt::Failure(Failure::Output(error))
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stop(stop)
    }
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Self {
        Halt::Stop(trouble.into())
    }
}

struct Rehearsing<'r> {
    what: Rehearsal,
    install: &'r Install,
    kubectl: &'r Kubectl,
    options: &'r Options,
    out: &'r mut dyn Write,
    found: bool,
}

impl Rehearsing<'_> {
    fn run(&mut self) -> Result<(), Halt> {
        let missing = self.missing()?;
        for wave in &self.install.waves {
            self.wave(wave, &missing)?;
        }
        let ledger = prune::Ledger::open(self.install, self.kubectl, self.options)?;
        if self.options.prune {
            for stale in ledger.stale(self.kubectl)? {
                self.found |= self.what == Rehearsal::Diff && stale.stays.is_none();
                let line = self.install.hidden.shown(&stale.line("would be pruned"));
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Definitions and namespaces of the input that the cluster does not have yet.
    fn missing(&self) -> Result<BTreeSet<ObjectId>, Halt> {
        let items = || self.install.waves.iter().flat_map(|wave| &wave.items);
        let holders: BTreeSet<&ObjectId> = items().flat_map(|item| &item.inside).collect();
        let holders: Vec<&Item> = items().filter(|item| holders.contains(&item.id)).collect();
        if holders.is_empty() {
            return Ok(BTreeSet::new());
        }
        let stubs: Vec<Value> = holders.iter().map(|item| item.stub()).collect();
        let list = json!({ "apiVersion": "v1", "kind": "List", "items": stubs }).to_string();
        let arguments = ["get", "--ignore-not-found", "-o", "json", "-f", "-"];
        let answer = self.kubectl.ask(&arguments, &list, self.options.timeout)?;
        if !answer.status.success() {
            return Err(self.refused("get", &answer).into());
        }
        let there = live::objects(&answer.out).unwrap_or_default();
        let is_there = |item: &Item| {
            let same = |object: &Value| {
                live::text(object, "/kind") == Some(&*item.id.kind)
                    && live::text(object, "/metadata/name") == Some(item.id.name.text())
            };
            there.iter().any(same)
        };
        Ok(holders.into_iter().filter(|item| !is_there(item)).map(|item| item.id.clone()).collect())
    }

    fn wave(&mut self, wave: &Wave, missing: &BTreeSet<ObjectId>) -> Result<(), Halt> {
        writeln!(self.out, "# wave {}", wave.name())?;
        let holder = |item: &Item| item.inside.iter().find(|holder| missing.contains(holder)).cloned();
        let forms = wave.items.chunk_by(|a, b| (a.form, holder(a)) == (b.form, holder(b)));
        for items in forms {
            let Some(first) = items.first() else { continue };
            match holder(first) {
                Some(holder) => {
                    self.found |= self.what == Rehearsal::Diff;
                    for item in items {
                        let line = format!("{} is new: {holder} comes before it", item.id);
                        writeln!(self.out, "{}", self.install.hidden.shown(&line))?;
                    }
                }
                None => self.ask(items)?,
            }
        }
        for gate in &wave.gates {
            let line = format!("# then waits for {}", wave.items[gate.item].id);
            writeln!(self.out, "{}", self.install.hidden.shown(&line))?;
        }
        Ok(())
    }

    fn ask(&mut self, items: &[Item]) -> Result<(), Halt> {
        let mut words = arguments(items, self.options);
        match self.what {
            Rehearsal::DryRun => words.insert(1, "--dry-run=server".to_owned()),
            Rehearsal::Diff if words[0] == "apply" => "diff".clone_into(&mut words[0]),
            Rehearsal::Diff => {
                for item in items {
                    writeln!(self.out, "{}", self.install.hidden.shown(&format!("{} is new in every run", item.id)))?;
                }
                self.found = true;
                return Ok(());
            }
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = self.kubectl.ask(&words, &stream(items), self.options.timeout)?;
        let text = self.install.hidden.shown(&answer.out);
        if !text.is_empty() {
            writeln!(self.out, "{text}")?;
        }
        match (self.what, answer.status.code()) {
            (_, Some(0)) => Ok(()),
            (Rehearsal::Diff, Some(1)) if answer.err.trim().is_empty() || !answer.out.is_empty() => {
                self.found = true;
                Ok(())
            }
            (Rehearsal::DryRun, Some(1)) => {
                self.found = true;
                writeln!(self.out, "{}", self.install.hidden.shown(&answer.err))?;
                Ok(())
            }
            _ => Err(self.refused(words[0], &answer).into()),
        }
    }

    fn refused(&self, verb: &str, answer: &Answer) -> Stop {
        let mut lines = vec![format!("kubectl {verb} failed ({}):", answer.status)];
        lines.extend(self.install.hidden.shown(&answer.err).lines().map(str::to_owned));
        Stop::Why(lines)
    }
}
