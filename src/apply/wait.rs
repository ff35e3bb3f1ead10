//! Waiting for objects: one question a beat for all of them together.

#![allow(clippy::disallowed_methods, reason = "this file waits")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::backends::{self, ServiceName};
use super::conduct::Options;
use super::heal::{self, Patience};
use super::kubectl::{Answer, Kubectl, Trouble};
use super::live;
use super::plan::{Install, Item};
use super::progress::{Event, Progress};
use super::state::{self, State, judge};

/// Pods are looked at once in so many beats.
const PODS: usize = 5;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(30);

/// How many questions in a row may remain without an answer.
const LOST: usize = 5;

/// How many workloads' pods are asked for in one look.
const WORKLOADS: usize = 10;

/// How many beats an API server gets to learn of a registration that is ready. It admits by a copy of its own, which
/// comes a moment after what it stores, and says nothing of that: what is applied at once would pass unseen. Argo CD
/// lets as long pass between waves (`ARGOCD_SYNC_WAVE_DELAY`).
const LEARNS: u32 = 2;

/// An object that is waited for.
#[derive(Debug)]
pub(super) struct Watched<'i> {
    pub item: &'i Item,
    /// Its name, where the API server made it.
    pub name: Option<String>,
}

/// How waiting ended.
#[derive(Debug)]
pub(super) enum End {
    /// Everything is ready.
    Ready,
    /// Something does not become ready by itself; a line each.
    Broken(Vec<String>),
    /// The time is over; objects and what they lack.
    TimedOut(Vec<(String, String)>),
    /// The cluster does not answer.
    Lost(String),
    /// Somebody wants the run to stop; objects and what they lack.
    Interrupted(Vec<(String, String)>),
}

/// What a wait goes on from one beat to the next.
struct Round<'w> {
    kubectl: &'w Kubectl,
    install: &'w Install,
    watched: &'w [Watched<'w>],
    /// What is not ready, by number, and what it lacks.
    pending: BTreeMap<usize, String>,
    /// What is known of its pods.
    hints: BTreeMap<usize, String>,
    /// What was there at least once.
    seen: BTreeSet<usize>,
    broken: Vec<String>,
    patience: Patience,
    beat: usize,
}

/// Waits until every object is ready, one is broken, or the time is over.
pub(super) fn wait(
    kubectl: &Kubectl,
    install: &Install,
    watched: &[Watched<'_>],
    options: &Options,
    limit: Duration,
    progress: &mut dyn Progress,
) -> End {
    let started = Instant::now();
    let pending = (0..watched.len()).map(|nth| (nth, "it was not looked at yet".to_owned())).collect();
    let mut round = Round {
        kubectl,
        install,
        watched,
        pending,
        hints: BTreeMap::new(),
        seen: BTreeSet::new(),
        broken: Vec::new(),
        patience: Patience::default(),
        beat: 0,
    };
    let mut lost = 0;
    loop {
        match round.look(progress) {
            Ok(()) => lost = 0,
            Err(Lost::Interrupted) => return End::Interrupted(round.lacking()),
            Err(Lost::Silence(why)) if lost + 1 >= LOST => return End::Lost(why),
            Err(Lost::Silence(_)) => lost += 1,
        }
        if !round.broken.is_empty() {
            return End::Broken(round.broken);
        }
        if round.pending.is_empty() {
            progress.tell(&Event::WaitEnded);
            if watched.iter().any(|watched| state::is_registration(&watched.item.id.group)) {
                kubectl.rest(options.beat * LEARNS);
            }
            return End::Ready;
        }
        if started.elapsed() >= limit {
            return End::TimedOut(round.lacking());
        }
        let ready = watched.len() - round.pending.len();
        let pending = round.lacking();
        progress.tell(&Event::Waits { ready, of: watched.len(), pending: &pending, elapsed: started.elapsed() });
        kubectl.rest(options.beat);
        round.beat += 1;
        if kubectl.interrupt.signal().is_some() {
            return End::Interrupted(round.lacking());
        }
    }
}

/// Why a question has no answer.
enum Lost {
    Interrupted,
    Silence(String),
}

impl Round<'_> {
    /// One beat: asks for everything that is pending, and judges it.
    fn look(&mut self, progress: &mut dyn Progress) -> Result<(), Lost> {
        let stubs: Vec<Value> = self.pending.keys().map(|nth| self.stub(*nth)).collect();
        let list = json!({ "apiVersion": "v1", "kind": "List", "items": stubs }).to_string();
        let found = self.ask(&["get", "--ignore-not-found", "-o", "json", "-f", "-"], &list)?;
        let found: BTreeMap<usize, &Value> = self
            .pending
            .keys()
            .filter_map(|nth| Some((*nth, found.iter().find(|object| self.is_same(*nth, object))?)))
            .collect();
        let served = self.served(&found)?;
        for nth in self.pending.keys().copied().collect::<Vec<_>>() {
            match self.judge(nth, found.get(&nth).copied(), &served) {
                State::Ready => {
                    self.pending.remove(&nth);
                    self.hints.remove(&nth);
                    progress.tell(&Event::Ready(&self.name(nth)));
                }
                State::Waiting(why) => drop(self.pending.insert(nth, self.install.hidden.shown(&why))),
                State::Broken(why) => {
                    let line = format!("{}: {}", self.name(nth), self.install.hidden.shown(&why));
                    self.pending.insert(nth, self.install.hidden.shown(&why));
                    self.broken.push(line);
                }
            }
        }
        // a Job that failed is said with what its pods say
        if self.beat.is_multiple_of(PODS) {
            self.pods(&found)?;
        }
        Ok(())
    }

    fn judge(&mut self, nth: usize, object: Option<&Value>, served: &BTreeSet<ServiceName>) -> State {
        let item = self.watched[nth].item;
        let Some(object) = object else {
            let is_gone = self.seen.contains(&nth) && item.id.kind.as_ref() == "Job";
            let gone = "it is gone before its end was seen: does ttlSecondsAfterFinished leave it too little time?";
            return if is_gone { State::Broken(gone.to_owned()) } else { State::Waiting("it is not there".to_owned()) };
        };
        self.seen.insert(nth);
        let state = judge(object);
        if state != State::Ready {
            return state;
        }
        let services = backends::services(object, &self.install.services);
        if let Some((namespace, name)) = services.iter().find(|service| !served.contains(service)) {
            let namespace = namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
            return State::Waiting(format!("Service {namespace}{name} has no ready endpoint"));
        }
        if item.is_injected { backends::trusted(object) } else { State::Ready }
    }

    /// The Services behind the objects that have a ready endpoint.
    fn served(&self, found: &BTreeMap<usize, &Value>) -> Result<BTreeSet<ServiceName>, Lost> {
        let all: BTreeSet<ServiceName> =
            found.values().flat_map(|object| backends::services(object, &self.install.services)).collect();
        let mut served = BTreeSet::new();
        for (namespace, names) in backends::by_namespace(all.iter()) {
            let labels = format!("kubernetes.io/service-name in ({})", names.join(","));
            let mut arguments = vec!["get", "endpointslices.discovery.k8s.io", "-o", "json", "-l", &labels];
            arguments.extend(namespace.iter().flat_map(|namespace| ["-n", namespace]));
            let slices = self.ask(&arguments, "")?;
            served.extend(backends::served(&slices).into_iter().map(|name| (namespace.map(str::to_owned), name)));
        }
        Ok(served)
    }

    /// Looks at the pods of what is pending: those that cannot start end the wait.
    fn pods(&mut self, found: &BTreeMap<usize, &Value>) -> Result<(), Lost> {
        let pending: Vec<usize> = self.pending.keys().copied().filter(|nth| found.contains_key(nth)).collect();
        // not more than a few workloads in one look, and others in the next
        let start = (self.beat / PODS * WORKLOADS) % pending.len().max(1);
        let chosen = pending.iter().cycle().skip(start).take(pending.len().min(WORKLOADS));
        for nth in chosen.copied().collect::<Vec<_>>() {
            let Some(workload) = found.get(&nth).copied() else { continue };
            let others = match live::text(workload, "/kind") {
                Some("Pod") => vec![workload.clone()],
                _ => match self.selected(workload) {
                    Ok(pods) => pods,
                    Err(Lost::Interrupted) => return Err(Lost::Interrupted),
                    // whoever may not list pods waits without knowing more
                    Err(Lost::Silence(_)) => continue,
                },
            };
            let pods = match live::text(workload, "/kind") {
                Some("Pod") => others.iter().collect(),
                _ => heal::pods_of(workload, &others),
            };
            let hint = pods.iter().find_map(|pod| heal::hint(pod));
            match hint {
                Some(hint) => drop(self.hints.insert(nth, self.install.hidden.shown(&hint))),
                None => drop(self.hints.remove(&nth)),
            }
            let fault = pods.into_iter().filter_map(|pod| self.patience.look(pod)).next();
            if let Some(fault) = fault {
                self.broken.push(format!("{}: {}", self.name(nth), self.install.hidden.shown(&fault.to_string())));
            }
        }
        Ok(())
    }

    /// Pods, and of a Deployment its ReplicaSets, that the selector of a workload finds.
    fn selected(&self, workload: &Value) -> Result<Vec<Value>, Lost> {
        const RUN_PODS: &[&str] =
            &["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"];
        let kind = live::text(workload, "/kind").unwrap_or_default();
        let selector = workload.pointer("/spec/selector").and_then(live::selector);
        let Some(selector) = selector.filter(|_| RUN_PODS.contains(&kind)) else { return Ok(Vec::new()) };
        let kinds = if kind == "Deployment" { "replicasets.apps,pods" } else { "pods" };
        let mut arguments = vec!["get", kinds, "-o", "json", "-l", &selector];
        arguments.extend(live::text(workload, "/metadata/namespace").iter().flat_map(|namespace| ["-n", namespace]));
        self.ask(&arguments, "")
    }

    fn ask(&self, arguments: &[&str], stdin: &str) -> Result<Vec<Value>, Lost> {
        let silence = |why: String| Lost::Silence(self.install.hidden.shown(&why));
        match self.kubectl.ask(arguments, stdin, QUESTION) {
            Err(Trouble::Interrupted) => Err(Lost::Interrupted),
            Err(trouble) => Err(silence(trouble.to_string())),
            Ok(Answer { status, out, .. }) if status.success() => live::objects(&out)
                .map_err(|error| silence(format!("the answer of `kubectl {}` is no JSON: {error}", arguments[0]))),
            Ok(Answer { err, .. }) => Err(silence(err)),
        }
    }

    fn stub(&self, nth: usize) -> Value {
        let watched = &self.watched[nth];
        let mut stub = watched.item.stub();
        if let Some(name) = &watched.name {
            stub["metadata"]["name"] = json!(name);
        }
        stub
    }

    fn is_same(&self, nth: usize, object: &Value) -> bool {
        let id = &self.watched[nth].item.id;
        let name = self.watched[nth].name.as_deref().unwrap_or(id.name.text());
        let namespace = live::text(object, "/metadata/namespace");
        live::group(object) == &*id.group
            && live::text(object, "/kind") == Some(&*id.kind)
            && live::text(object, "/metadata/name") == Some(name)
            && (id.namespace.is_none() || namespace.is_none() || namespace == id.namespace.as_deref())
    }

    fn name(&self, nth: usize) -> String {
        let watched = &self.watched[nth];
        let id = self.install.hidden.shown(&watched.item.id.to_string());
        watched.name.as_ref().map_or(id, |name| format!("{} {name}", watched.item.id.kind))
    }

    /// What is pending, and what each lacks.
    fn lacking(&self) -> Vec<(String, String)> {
        let line = |(nth, why): (&usize, &String)| {
            let hint = self.hints.get(nth).map(|hint| format!("; {hint}")).unwrap_or_default();
            (self.name(*nth), format!("{why}{hint}"))
        };
        self.pending.iter().map(line).collect()
    }
}
