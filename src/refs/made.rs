//! Who makes a Secret or ConfigMap → the pods that read it.
//!
//! Whether pods wait is a setting; one maker can be told not to be waited for, and some can never be:
//! a certificate that a challenge over HTTP proves is issued only when traffic comes through.

use std::collections::BTreeSet;

use crate::config::{ProducerGates, Settings};
use crate::flow::{Edge, Loaded, Need, Read, Reason, Reference, Resolution, Strength};
use crate::object::order::Order;
use crate::object::view::pod_template::{self, NamedTemplate};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::{FieldPath, Node};

/// Kinds whose pods are made by an operator that reports them Degraded without the Secret: who reads,
/// who makes, and how the Secret's name must end.
const OPERATED: &[(&[&str], &str, &str)] = &[
    (&["KafkaBridge", "KafkaConnect", "KafkaMirrorMaker2"], "KafkaUser", ""),
    (&["KafkaBridge", "KafkaConnect", "KafkaMirrorMaker2"], "Kafka", "-cluster-ca-cert"),
];
const STRIMZI: &str = "kafka.strimzi.io";

/// Groups of cert-manager: now, and before its version 0.11.
const CERT_MANAGER: [&str; 2] = ["cert-manager.io", "certmanager.k8s.io"];

/// Puts makers before the pods that read what they make, and gives the makers that nothing waits for.
pub(super) fn link(
    loaded: &Loaded<'_>,
    references: &[Reference],
    settings: &Settings,
    edges: &mut Vec<Edge>,
) -> BTreeSet<ObjRef> {
    let objects = &loaded.objects;
    let (gates, named) = (settings.gates.producers, &settings.references.pod_templates);
    let mut no_wait = BTreeSet::new();
    for reference in references {
        let Resolution::Product(maker) = reference.leads_to else { continue };
        let reader = objects.get(reference.from);
        if maker == reference.from || !waits(gates, reader) || !reads(reference, reader, objects.get(maker), named) {
            continue;
        }
        let need = match is_waited_for(objects.get(maker), objects) {
            true => Need::Ready,
            false => Need::Before,
        };
        if need == Need::Before {
            no_wait.insert(maker);
        }
        edges.push(Edge {
            from: maker,
            to: reference.from,
            need,
            strength: Strength::Weak,
            reason: Reason::Producer,
            place: reference.place,
        });
    }
    no_wait
}

fn waits(gates: ProducerGates, reader: &Object<'_>) -> bool {
    match gates {
        ProducerGates::Wait => true,
        ProducerGates::JobsOnly => reader.is("batch", "Job"),
        ProducerGates::Off => false,
    }
}

/// Whether pods read what a reference leads to: their own spec names it, or an operator's table does.
fn reads(reference: &Reference, reader: &Object<'_>, maker: &Object<'_>, named: &[NamedTemplate]) -> bool {
    let target = &reference.target;
    if !target.group.is_empty() || !matches!(&*target.kind, "ConfigMap" | "Secret") {
        return false;
    }
    match pod_template::held(&reader.id.group, &reader.id.kind, named) {
        Some(template) => {
            // the kubelet skips a volume that no container mounts
            let is_mounted = !matches!(&reference.read, Read::Volume(read) if read.mounts.is_empty());
            is_mounted && is_inside(&reference.path, &FieldPath::keys(template.path).key("spec"))
        }
        None => {
            let (read, made) = (&*reader.id.kind, &*maker.id.kind);
            let is_row = |(readers, by, end): &(&[&str], &str, &str)| {
                readers.contains(&read) && *by == made && target.name.ends_with(end)
            };
            &*target.kind == "Secret"
                && &*reader.id.group == STRIMZI
                && &*maker.id.group == STRIMZI
                && OPERATED.iter().any(is_row)
        }
    }
}

fn is_inside(path: &FieldPath, root: &FieldPath) -> bool {
    path.steps().starts_with(root.steps())
}

/// Whether anything waits for a maker: its annotation does not say otherwise, and its certificate
/// needs no traffic.
fn is_waited_for(maker: &Object<'_>, objects: &ObjectSet<'_>) -> bool {
    !Order::of(maker).no_wait && !is_proved_by_traffic(maker, objects)
}

/// Whether a Certificate is of an ACME issuer of the input that solves challenges over HTTP.
fn is_proved_by_traffic(maker: &Object<'_>, objects: &ObjectSet<'_>) -> bool {
    let Some(group) = CERT_MANAGER.iter().find(|group| maker.is(group, "Certificate")) else { return false };
    let text = |field| maker.tree.at(&["spec", "issuerRef", field]).and_then(Node::as_str);
    let Some(name) = text("name") else { return false };
    if text("group").is_some_and(|other| !other.is_empty() && other != *group) {
        return false;
    }
    let kind = text("kind").filter(|kind| !kind.is_empty()).unwrap_or("Issuer");
    let namespace = maker.id.namespace.as_deref().filter(|_| kind == "Issuer");
    let issuer = objects.find(group, kind, namespace, name).map(|at| objects.get(at));
    let acme = issuer.and_then(|issuer| issuer.tree.at(&["spec", "acme"]));
    acme.is_some_and(|acme| {
        let is_set = |node: &Node<'_>| node.get("http01").is_some_and(|http| !http.is_null());
        is_set(acme) || acme.get("solvers").and_then(Node::items).unwrap_or_default().iter().any(is_set)
    })
}

#[cfg(test)]
mod tests;
