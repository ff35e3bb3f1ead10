//! Objects that sit in the wave of others: claims, Services that wait for a load balancer, producers
//! that nobody waits for.

use std::cell::LazyCell;
use std::collections::HashMap;

use super::blocking::{is_load_balancer, starts_pods};
use super::links::Links;
use super::word::{Who, Word};
use crate::flow::{Linked, Reason};
use crate::object::view::pod_template;
use crate::object::{ObjRef, Object};
use crate::tree::{Key, Node};

/// An object whose wave is that of the first of some others, if no boundary stands between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sitter {
    /// The object.
    pub object: ObjRef,
    /// The others.
    pub with: Vec<ObjRef>,
}

/// Who sits with whom, by object.
///
/// A claim that waits for its first consumer is never bound before that starts pods; a load balancer
/// that nobody waits for, and a producer that nobody waits for, only hold up what is between.
pub(super) fn sitters(linked: &Linked<'_>, links: &Links, words: &[Word]) -> Vec<Sitter> {
    let workloads = LazyCell::new(|| workloads(linked, words));
    let free = linked.loaded.objects.iter().filter(|(at, _)| words[at.index()].is_free());
    let sitters = free.filter_map(|(at, object)| {
        let with = if is_claim(object) {
            consumers(at, linked, links)
        } else if is_load_balancer(object) {
            let gates = links.needed_by(at).any(|link| link.boundary == 1);
            if gates { Vec::new() } else { selected(object, &workloads) }
        } else {
            readers(at, links)
        };
        (!with.is_empty()).then_some(Sitter { object: at, with })
    });
    sitters.collect()
}

/// Whether this is a claim for a volume.
pub(super) fn is_claim(object: &Object<'_>) -> bool {
    object.is("", "PersistentVolumeClaim")
}

/// The consumers of a claim that start pods.
fn consumers(claim: ObjRef, linked: &Linked<'_>, links: &Links) -> Vec<ObjRef> {
    let refer = links.needed_by(claim).filter(|link| matches!(link.reason, Reason::Reference(_)));
    refer.map(|link| link.to).filter(|to| starts_pods(linked.loaded.objects.get(*to))).collect()
}

/// Who reads what a producer makes, if nobody waits for it.
fn readers(producer: ObjRef, links: &Links) -> Vec<ObjRef> {
    let made = || links.needed_by(producer).filter(|link| link.reason == Reason::Producer);
    if made().any(|link| link.boundary == 1) { Vec::new() } else { made().map(|link| link.to).collect() }
}

/// Workloads by namespace and one label of their pods.
type Labelled<'o> = HashMap<(Option<&'o str>, &'o str, &'o str), Vec<(ObjRef, &'o Node<'o>)>>;

/// Everything that starts pods and has a wave, by the labels of its pods.
fn workloads<'o>(linked: &'o Linked<'_>, words: &[Word]) -> Labelled<'o> {
    let mut labelled = Labelled::new();
    let objects = linked.loaded.objects.iter().filter(|(at, _)| words[at.index()].who != Who::Hook);
    for (at, object) in objects.filter(|(_, object)| !object.is("", "PodTemplate")) {
        let template = pod_template::of(object).and_then(|row| row.find(object));
        let Some(labels) = template.and_then(|template| template.at(&["metadata", "labels"])) else { continue };
        for (key, value) in labels.mapping().map(|labels| labels.entries()).unwrap_or_default() {
            let Some(value) = value.as_str() else { continue };
            let place = (object.id.namespace.as_deref(), &*key.name, value);
            labelled.entry(place).or_default().push((at, labels));
        }
    }
    labelled
}

/// The workloads of the Service's namespace whose pods have every label of its selector.
fn selected(service: &Object<'_>, workloads: &Labelled<'_>) -> Vec<ObjRef> {
    let selector = service.tree.at(&["spec", "selector"]).and_then(Node::mapping);
    let wanted = selector.map(|selector| selector.entries()).unwrap_or_default();
    let lists = wanted.iter().map(|(key, value)| {
        let place = (service.id.namespace.as_deref(), &*key.name, value.as_str().unwrap_or_default());
        workloads.get(&place).map(Vec::as_slice).unwrap_or_default()
    });
    let shortest = lists.min_by_key(|list| list.len()).unwrap_or_default();
    let has = |labels: &Node<'_>, (key, value): &(Key<'_>, Node<'_>)| {
        value.as_str().is_some_and(|value| labels.get(&key.name).and_then(Node::as_str) == Some(value))
    };
    let chosen = shortest.iter().filter(|(_, labels)| wanted.iter().all(|entry| has(labels, entry)));
    chosen.map(|(at, _)| *at).collect()
}
