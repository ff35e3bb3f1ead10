//! Custom resources: conditions as kstatus reads them, and rows for kinds that say it otherwise.
//!
//! Sources: cli-utils, `pkg/kstatus/status`; for the rows, the API types of each project.

use serde_json::Value;

use super::super::live::{condition, list, number, text};
use super::State;

/// How a kind says that it is ready.
#[derive(Clone, Copy)]
enum Says {
    /// A condition of this type is true.
    Condition(&'static str),
    /// A field has one of these values, others that mean that it failed.
    Field(&'static str, &'static [&'static str], &'static [&'static str]),
    /// A field is true.
    Flag(&'static str),
}

/// Groups and kinds that do not say it by a condition `Ready`.
#[rustfmt::skip]
const ROWS: &[(&str, &str, Says)] = &[
    ("apiextensions.crossplane.io", "CompositeResourceDefinition", Says::Condition("Established")),
    ("argoproj.io", "Rollout", Says::Field("/status/phase", &["Healthy"], &["Degraded"])),
    ("argoproj.io", "Workflow", Says::Field("/status/phase", &["Succeeded"], &["Failed", "Error"])),
    ("bitnami.com", "SealedSecret", Says::Condition("Synced")),
    ("gateway.networking.k8s.io", "Gateway", Says::Condition("Programmed")),
    ("gateway.networking.k8s.io", "GatewayClass", Says::Condition("Accepted")),
    ("objectbucket.io", "ObjectBucketClaim", Says::Field("/status/phase", &["Bound"], &["Failed"])),
    ("operators.coreos.com", "ClusterServiceVersion", Says::Field("/status/phase", &["Succeeded"], &["Failed"])),
    ("operators.coreos.com", "Subscription", Says::Field("/status/state", &["AtLatestKnown"], &[])),
    ("pkg.crossplane.io", "Configuration", Says::Condition("Healthy")),
    ("pkg.crossplane.io", "Function", Says::Condition("Healthy")),
    ("pkg.crossplane.io", "Provider", Says::Condition("Healthy")),
    ("snapshot.storage.k8s.io", "VolumeSnapshot", Says::Flag("/status/readyToUse")),
    ("tekton.dev", "PipelineRun", Says::Condition("Succeeded")),
    ("tekton.dev", "TaskRun", Says::Condition("Succeeded")),
    ("templates.gatekeeper.sh", "ConstraintTemplate", Says::Flag("/status/created")),
    ("trust.cert-manager.io", "Bundle", Says::Condition("Synced")),
];

/// Conditions that say it, the first that an object has.
pub(in crate::apply) const CONDITIONS: &[&str] =
    &["Ready", "Available", "Healthy", "Established", "Programmed", "Synced", "Succeeded", "Accepted"];

/// Groups of operators that always write a status: without one, they have not come to it yet.
const WRITES_STATUS: &[&str] = &[
    "acme.cert-manager.io",
    "bitnami.com",
    "cert-manager.io",
    "external-secrets.io",
    "helm.toolkit.fluxcd.io",
    "kafka.strimzi.io",
    "kustomize.toolkit.fluxcd.io",
    "postgresql.cnpg.io",
    "rabbitmq.com",
    "secrets.hashicorp.com",
    "source.toolkit.fluxcd.io",
    "trust.cert-manager.io",
];

/// What `kubectl wait --for` takes for a kind that is known to say it; nothing for one that may say nothing.
pub(in crate::apply) fn waits_for(group: &str, kind: &str) -> Option<String> {
    let row = ROWS.iter().find(|(of, name, _)| (*of, *name) == (group, kind));
    let jsonpath = |pointer: &str, value: &str| format!("jsonpath={{.{}}}={value}", field(pointer));
    match row.map(|(_, _, says)| *says) {
        Some(Says::Condition(name)) => Some(format!("condition={name}")),
        Some(Says::Flag(pointer)) => Some(jsonpath(pointer, "true")),
        Some(Says::Field(pointer, ready, _)) => ready.first().map(|value| jsonpath(pointer, value)),
        None => WRITES_STATUS.contains(&group).then(|| "condition=Ready".to_owned()),
    }
}

pub(super) fn judge(group: &str, kind: &str, object: &Value) -> State {
    let observed = object.pointer("/status/observedGeneration").and_then(Value::as_i64);
    if observed.is_some_and(|observed| observed < number(object, "/metadata/generation")) {
        return State::waiting("its controller has not seen the change yet");
    }
    if let Some(stalled) = condition(object, "Stalled").filter(|c| c.is_true()) {
        return State::broken(format!("it is stalled: {}", stalled.why()));
    }
    if let Some((_, _, says)) = ROWS.iter().find(|(of, name, _)| (*of, *name) == (group, kind)) {
        return by_row(*says, object);
    }
    if let Some(name) = CONDITIONS.iter().find(|name| condition(object, name).is_some()) {
        return by_condition(name, object);
    }
    let has_nothing = object.get("status").is_none_or(|status| status.as_object().is_some_and(|s| s.is_empty()));
    match has_nothing && WRITES_STATUS.contains(&group) {
        true => State::waiting("its operator has not written a status yet"),
        // an operator that says nothing of readiness: that it is there is all that can be known
        false => State::Ready,
    }
}

fn by_row(says: Says, object: &Value) -> State {
    match says {
        Says::Condition(name) => by_condition(name, object),
        Says::Flag(pointer) => match object.pointer(pointer).and_then(Value::as_bool) {
            Some(true) => State::Ready,
            _ => State::waiting(format!("{} is not true", field(pointer))),
        },
        Says::Field(pointer, ready, failed) => match text(object, pointer) {
            Some(value) if ready.contains(&value) => State::Ready,
            Some(value) if failed.contains(&value) => State::broken(format!("{} is {value}", field(pointer))),
            Some(value) => State::waiting(format!("{} is {value}", field(pointer))),
            None => State::waiting(format!("{} is not set yet", field(pointer))),
        },
    }
}

fn by_condition(name: &str, object: &Value) -> State {
    let Some(found) = condition(object, name) else {
        return State::waiting(format!("it has no condition {name} yet"));
    };
    let generation = number(object, "/metadata/generation");
    if found.observed.is_some_and(|observed| observed < generation) {
        return State::waiting(format!("its condition {name} is of an earlier generation"));
    }
    match found.is_true() {
        true => State::Ready,
        // a run that did not succeed does not run again
        false if name == "Succeeded" && found.is_false() && is_a_run(object) => State::broken(found.why()),
        false => State::waiting(format!("its condition {name} is {}: {}", found.status, found.why())),
    }
}

/// Whether this is a run of something, which ends once.
fn is_a_run(object: &Value) -> bool {
    text(object, "/kind").is_some_and(|kind| kind.ends_with("Run")) && !list(object, "/status/conditions").is_empty()
}

/// A JSON pointer as people write a path.
fn field(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order() {
        assert!(ROWS.is_sorted_by_key(|(group, kind, _)| (*group, *kind)));
        assert!(WRITES_STATUS.is_sorted());
    }
}
