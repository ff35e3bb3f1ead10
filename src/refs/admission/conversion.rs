//! Definitions whose versions a webhook converts.

use std::collections::{BTreeSet, HashSet};

use super::backend::Backend;
use super::needs::Needs;
use super::registration::{ServiceName, service};
use super::{Input, said};
use crate::finding::Findings;
use crate::flow::{Edge, Need, Reason, Strength};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::refs::rbac::Ask;
use crate::refs::workloads::{Workload, Workloads};
use crate::tree::{FieldPath, Node};

const DEFINITIONS: &str = "apiextensions.k8s.io";

/// A definition whose conversion a workload of the input serves.
pub(super) struct Conversion<'o> {
    pub at: ObjRef,
    pub object: &'o Object<'o>,
    group: &'o str,
    kind: &'o str,
    /// The version that is stored.
    storage: &'o str,
    /// The other versions that are served.
    pub others: Vec<&'o str>,
    served: usize,
    backend: Backend<'o>,
}

/// Every definition of a set with a conversion webhook that something in the set serves.
pub(super) fn read<'o>(objects: &'o ObjectSet<'o>, workloads: &Workloads<'o>) -> Vec<Conversion<'o>> {
    let definitions = objects.of_kind(DEFINITIONS, "CustomResourceDefinition");
    let conversion = |(at, object): (ObjRef, &'o Object<'o>)| {
        let text = |path: &[&str]| object.tree.at(path).and_then(Node::as_str);
        if text(&["spec", "conversion", "strategy"]) != Some("Webhook") {
            return None;
        }
        let versions = object.tree.at(&["spec", "versions"]).and_then(Node::items).unwrap_or_default();
        let named = |field: &'static str| {
            let is_set = move |version: &&Node<'_>| version.get(field).and_then(Node::as_bool) == Some(true);
            versions.iter().filter(is_set).filter_map(|version| version.get("name")?.as_str())
        };
        let storage = named("storage").next()?;
        Some(Conversion {
            at,
            object,
            group: text(&["spec", "group"])?,
            kind: text(&["spec", "names", "kind"])?,
            storage,
            others: named("served").filter(|version| *version != storage).collect(),
            served: named("served").count(),
            backend: Backend::find(objects, workloads, backend(object)?),
        })
    };
    definitions.filter_map(conversion).filter(|conversion| !conversion.backend.workloads.is_empty()).collect()
}

/// The Service that converts: `webhook.clientConfig` in v1, `webhookClientConfig` in v1beta1.
fn backend<'o>(object: &'o Object<'_>) -> Option<ServiceName<'o>> {
    let ways: [&[&str]; 2] = [&["webhook", "clientConfig", "service"], &["webhookClientConfig", "service"]];
    ways.into_iter().find_map(|way| {
        let keys: Vec<&str> = ["spec", "conversion"].into_iter().chain(way.iter().copied()).collect();
        service(object, object.tree.at(&keys)?, &FieldPath::keys(keys.iter().copied()))
    })
}

/// Puts definitions after their backends where these can do without them, and otherwise the objects
/// that have to be converted. Gives the definitions that it moved.
pub(super) fn link<'o>(
    input: &Input<'_, 'o>,
    conversions: &[Conversion<'o>],
    edges: &mut Vec<Edge>,
    found: &mut Findings,
) -> BTreeSet<ObjRef> {
    let mut moved = BTreeSet::new();
    if conversions.is_empty() {
        return moved;
    }
    let needs = Needs::new(input.objects.len(), edges);
    for conversion in conversions {
        let needed = needs.closure(conversion.backend.own());
        if conversion.can_wait(input, &needed) {
            moved.insert(conversion.at);
            conversion.backend.serve(conversion.at, Reason::Backend, conversion.backend.place, edges);
            conversion.readers(input, &needed, edges);
        } else {
            conversion.objects(input, &needed, edges, found);
        }
    }
    moved
}

impl<'o> Conversion<'o> {
    /// Whether the backend runs without the definition, and the definition may come after it.
    fn can_wait(&self, input: &Input<'_, 'o>, needed: &HashSet<ObjRef>) -> bool {
        let mut own = input.objects.of_kind(self.group, self.kind).map(|(at, _)| at).chain([self.at]);
        self.served > 1
            && self.backend.workloads.iter().all(|workload| !self.may_read(input, workload))
            && !own.any(|object| needed.contains(&object))
    }

    /// Whether the pods of a workload may need the definition: they may read the group through the
    /// API, or write definitions (whoever fills in its own `caBundle` is an operator). What an account
    /// that is not in the input may do is not known.
    fn may_read(&self, input: &Input<'_, 'o>, workload: &Workload<'o>) -> bool {
        let account = input.rbac.account(workload);
        let held = input.objects.find("", "ServiceAccount", account.0, account.1);
        let held = held.map(|held| input.objects.get(held));
        if !has_token(workload, held) {
            return false;
        }
        let ask = Ask { group: DEFINITIONS, resource: "customresourcedefinitions", namespace: None };
        held.is_none() || input.rbac.may_read_group(account, self.group) || input.rbac.may_change(account, ask)
    }

    /// Whoever may read the group comes after the definition: a controller that starts without its
    /// definitions never becomes ready.
    fn readers(&self, input: &Input<'_, 'o>, needed: &HashSet<ObjRef>, edges: &mut Vec<Edge>) {
        let others = input.workloads.iter().filter(|workload| workload.starts_pods() && !needed.contains(&workload.at));
        for workload in others {
            let rule = input.rbac.reads_group(input.rbac.account(workload), self.group);
            let is_beside = workload.object.id.namespace.as_deref() == self.backend.namespace;
            let Some(place) = rule.or(is_beside.then_some(self.backend.place)) else { continue };
            edges.push(Edge {
                from: self.at,
                to: workload.at,
                need: Need::Before,
                strength: Strength::Weak,
                reason: Reason::DefinitionReader,
                place,
            });
        }
    }

    /// Objects at another version than the stored one wait for the backend.
    fn objects(&self, input: &Input<'_, 'o>, needed: &HashSet<ObjRef>, edges: &mut Vec<Edge>, found: &mut Findings) {
        let all = input.objects.of_kind(self.group, self.kind);
        let waiting = all.filter(|(at, object)| &*object.version != self.storage && !needed.contains(at));
        let waiting: Vec<_> = waiting.collect();
        for (at, object) in &waiting {
            let place = object.place_of(&FieldPath::keys(["apiVersion"]));
            self.backend.serve(*at, Reason::Conversion, place, edges);
        }
        let workload = self.backend.workloads.first().map(|workload| workload.object);
        if let Some(workload) = workload.filter(|_| !self.others.is_empty()) {
            found.push(said::unconverted(self, workload, waiting.len()));
        }
    }
}

/// Whether pods get a token for the API (plugin/pkg/admission/serviceaccount of Kubernetes): the pod
/// says so before its ServiceAccount does; a volume may hold one in any case.
fn has_token(workload: &Workload<'_>, account: Option<&Object<'_>>) -> bool {
    const MOUNT: &str = "automountServiceAccountToken";
    let flag = |node: Option<&Node<'_>>| node.and_then(|node| node.get(MOUNT)).and_then(Node::as_bool);
    let spec = workload.spec();
    let mounts = flag(spec).or_else(|| flag(account.map(|account| &account.tree))).unwrap_or(true);
    let volumes = spec.and_then(|spec| spec.get("volumes")).and_then(Node::items).unwrap_or_default();
    let holds_token = |volume: &Node<'_>| {
        let sources = volume.at(&["projected", "sources"]).and_then(Node::items).unwrap_or_default();
        sources.iter().any(|source| source.get("serviceAccountToken").is_some())
    };
    mounts || volumes.iter().any(holds_token)
}
