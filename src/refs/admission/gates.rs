//! Registration → the objects it acts on.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::backend::Backend;
use super::namespaces::Namespaces;
use super::registration::{Asks, Registration, Selector, Webhook};
use super::resources::{Member, Resource, Resources};
use super::rule::Rule;
use super::{Input, said};
use crate::config::PolicyGates;
use crate::finding::{Findings, Severity};
use crate::flow::{Edge, Interception, Need, Reason, Strength};
use crate::object::annotation::SYNC_WAVE;
use crate::object::view::label_selector;
use crate::object::{ObjRef, Object, Scope};
use crate::source::Place;

/// The annotation by which pods, or all pods of a Namespace, ask for Linkerd's proxy.
const INJECT: &str = "linkerd.io/inject";

/// Makes the edges of one registration.
pub(super) struct Gate<'g, 'o> {
    pub input: &'g Input<'g, 'o>,
    pub registration: &'g Registration<'o>,
    pub backends: &'g [Backend<'o>],
    /// What never waits: the backends' own objects and what they need.
    pub exempt: HashSet<ObjRef>,
    gated: HashSet<ObjRef>,
    /// Namespaces whose labels decide and are not known, and the selector that asks for them.
    unknown: BTreeMap<Option<&'o str>, Selector<'o>>,
    pub edges: &'g mut Vec<Edge>,
}

impl<'g, 'o> Gate<'g, 'o> {
    /// A gate of a registration with these backends.
    pub(super) fn new(
        input: &'g Input<'g, 'o>,
        registration: &'g Registration<'o>,
        backends: &'g [Backend<'o>],
        exempt: HashSet<ObjRef>,
        edges: &'g mut Vec<Edge>,
    ) -> Self {
        let (gated, unknown) = (HashSet::new(), BTreeMap::new());
        Gate { input, registration, backends, exempt, gated, unknown, edges }
    }

    /// Makes the edges, and says what stands against them.
    pub(super) fn close(mut self, found: &mut Findings) {
        match &self.registration.asks {
            Asks::Aggregated { group, version, place } => self.aggregated(group, version, *place),
            Asks::Webhooks(webhooks) => webhooks.iter().for_each(|webhook| self.webhook(webhook, found)),
        }
        for (namespace, selector) in self.unknown {
            found.push(said::unknown_namespace(self.registration, namespace, &selector));
        }
    }

    fn aggregated(&mut self, group: &str, version: &str, place: Place) {
        let resources: &'g Resources<'o> = &self.input.resources;
        for resource in resources.of_group(group).filter(|resource| !resource.is_pods()) {
            for member in resource.members.iter().filter(|member| member.version == version) {
                if self.may_wait(resource, member) {
                    self.wait(member, place);
                }
            }
        }
    }

    fn webhook(&mut self, webhook: &'g Webhook<'o>, found: &mut Findings) {
        let namespaces = InNamespaces { webhook, namespaces: &self.input.namespaces, known: HashMap::new() };
        self.deadlock(webhook, found);
        self.gate(webhook, namespaces);
    }

    fn gate(&mut self, webhook: &'g Webhook<'o>, mut namespaces: InNamespaces<'g, 'o>) {
        let counts = |rule: &&Rule<'_>| self.input.policies == PolicyGates::Enforce || !rule.is_open();
        let rules: Vec<_> = webhook.rules.iter().filter(counts).collect();
        let resources: &'g Resources<'o> = &self.input.resources;
        for (resource, rules) in resources.taken(rules.into_iter()) {
            if !(webhook.fails || webhook.mutates && resource.is_pods()) {
                continue;
            }
            for member in &resource.members {
                let Some(rule) = rules.iter().find(|rule| !webhook.is_exact || rule.names_version(member.version))
                else {
                    continue;
                };
                if !self.may_wait(resource, member) || !webhook.takes_labels(member) {
                    continue;
                }
                let asks = webhook.is_asked(member, &self.input.namespaces);
                match namespaces.take(resource, member) {
                    Some(true) if asks == Some(true) => self.wait(member, rule.place),
                    None if asks != Some(false) => self.is_unknown(webhook, member),
                    _ => {}
                }
            }
        }
    }

    /// Whether an object may wait at all. Where nobody knows the workloads behind a Service, nothing
    /// in its namespace does, nor the Namespace itself: they may be what serves the registration.
    fn may_wait(&self, resource: &Resource<'_>, member: &Member<'_>) -> bool {
        let namespace = home(resource, member);
        let is_beside = |backend: &&Backend<'_>| {
            backend.workloads.is_empty() && namespace.is_some_and(|namespace| namespace == backend.namespace)
        };
        !self.exempt.contains(&member.at)
            && !self.gated.contains(&member.at)
            && member.at != self.registration.at
            && !self.backends.iter().any(|backend| is_beside(&backend))
    }

    fn wait(&mut self, member: &Member<'_>, place: Place) {
        self.gated.insert(member.at);
        self.edges.push(Edge {
            from: self.registration.at,
            to: member.at,
            need: Need::Ready,
            strength: Strength::Weak,
            reason: Reason::Registration,
            place,
        });
    }

    fn is_unknown(&mut self, webhook: &Webhook<'o>, member: &Member<'o>) {
        if let Some(selector) = &webhook.namespaces {
            self.unknown.entry(member.object.id.namespace.as_deref()).or_insert_with(|| selector.clone());
        }
    }

    /// Says where a webhook refuses the pods that serve it.
    fn deadlock(&self, webhook: &Webhook<'o>, found: &mut Findings) {
        if !webhook.fails {
            return;
        }
        let resources = self.input.resources.taken(webhook.rules.iter().filter(|rule| rule.creates));
        let Some((pods, rules)) = resources.into_iter().find(|(resource, _)| resource.is_pods()) else { return };
        let rule = rules.into_iter().find(|rule| !webhook.is_exact || rule.names_version("v1"));
        let Some(rule) = rule else { return };
        let mut namespaces = InNamespaces { webhook, namespaces: &self.input.namespaces, known: HashMap::new() };
        let mut own: Vec<_> = self.backends.iter().flat_map(|backend| &backend.workloads).map(|own| own.at).collect();
        own.sort_unstable();
        own.dedup();
        for at in own {
            let nth = pods.members.binary_search_by_key(&at, |member| member.at);
            let Some(member) = nth.ok().map(|nth| &pods.members[nth]) else { continue };
            if webhook.takes_labels(member) && namespaces.take(pods, member) == Some(true) {
                let severity = if self.is_certain(member) { Severity::Error } else { Severity::Warning };
                let finding = said::deadlock(self.registration, webhook, rule, member.object);
                found.push(finding.with_severity(severity));
            }
        }
    }
}

impl Gate<'_, '_> {
    /// Whether a user puts the registration before its own backend: by waves, or by an explicit
    /// dependency.
    fn is_certain(&self, backend: &Member<'_>) -> bool {
        let wave = |object: &Object<'_>| object.annotation(SYNC_WAVE)?.parse::<i64>().ok();
        let waves = wave(self.registration.object).zip(wave(backend.object));
        let is_explicit =
            |edge: &Edge| edge.strength == Strength::Hard && (edge.from, edge.to) == (self.registration.at, backend.at);
        waves.is_some_and(|(registration, backend)| registration < backend) || self.edges.iter().any(is_explicit)
    }
}

/// Gathers what the webhooks of a registration refuse while nobody answers them. A rule on everything
/// counts like any other.
pub(super) fn intercept(input: &Input<'_, '_>, registration: &Registration<'_>, found: &mut Vec<Interception>) {
    let Asks::Webhooks(webhooks) = &registration.asks else { return };
    for (nth, webhook) in webhooks.iter().enumerate().filter(|(_, webhook)| webhook.fails) {
        let mut namespaces = InNamespaces { webhook, namespaces: &input.namespaces, known: HashMap::new() };
        for (resource, rules) in input.resources.taken(webhook.rules.iter().filter(|rule| rule.creates)) {
            for member in &resource.members {
                let is_meant = |rule: &&&Rule<'_>| !webhook.is_exact || rule.names_version(member.version);
                let Some(rule) = rules.iter().find(is_meant) else { continue };
                if webhook.takes_labels(member) && namespaces.take(resource, member) == Some(true) {
                    found.push(Interception {
                        registration: registration.at,
                        webhook: nth,
                        object: member.at,
                        is_pods: resource.is_pods(),
                        path: rule.path.clone(),
                        place: rule.place,
                    });
                }
            }
        }
    }
}

/// The namespace that an object is in, or is; nothing for one that is in none.
fn home<'o>(resource: &Resource<'_>, member: &Member<'o>) -> Option<Option<&'o str>> {
    let id = &member.object.id;
    match (resource.scope, id.namespace.as_deref()) {
        _ if member.object.is("", "Namespace") => Some(Some(id.name.text())),
        (Some(Scope::Cluster), _) | (None, None) => None,
        (_, namespace) => Some(namespace),
    }
}

/// What a webhook's selector says of namespaces, each asked once.
struct InNamespaces<'g, 'o> {
    webhook: &'g Webhook<'o>,
    namespaces: &'g Namespaces<'o>,
    known: HashMap<Option<&'o str>, Option<bool>>,
}

impl<'o> InNamespaces<'_, 'o> {
    /// Whether the webhook is for the namespace of an object; nothing where that is not known. A
    /// Namespace is asked for its own labels, and what is in none is always taken
    /// (apiserver/pkg/admission/plugin/webhook/predicates/namespace of Kubernetes).
    fn take(&mut self, resource: &Resource<'_>, member: &Member<'o>) -> Option<bool> {
        let Some(selector) = &self.webhook.namespaces else { return Some(true) };
        let Some(namespace) = home(resource, member) else { return Some(true) };
        *self.known.entry(namespace).or_insert_with(|| self.namespaces.takes(selector.node, namespace))
    }
}

impl Webhook<'_> {
    fn takes_labels(&self, member: &Member<'_>) -> bool {
        self.objects.is_none_or(|selector| label_selector::matches(selector, member.labels()))
    }

    /// Whether an object asks for the webhook: all do, but for pods that Linkerd's would leave as
    /// they are and whose admission does not depend on it. Nothing where a Namespace that is not in
    /// the input may ask (linkerd2: pkg/inject/report.go).
    fn is_asked(&self, member: &Member<'_>, namespaces: &Namespaces<'_>) -> Option<bool> {
        if self.fails || !self.is_of_linkerd() {
            return Some(true);
        }
        let namespace = member.object.id.namespace.as_deref();
        let word = match member.annotation(INJECT) {
            Some(word) => word,
            None if namespaces.holds(namespace) => namespaces.annotation(namespace, INJECT).unwrap_or_default(),
            None => return None,
        };
        Some(matches!(word, "enabled" | "ingress"))
    }
}
