//! Whether an object is ready, still on its way, or broken for good: a function of its JSON alone.

pub(super) mod custom;
mod definitions;
#[cfg(test)]
mod tests;
mod workloads;

use serde_json::Value;

use super::live;

/// What an object's status says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Others may go on.
    Ready,
    /// It may yet become ready; a clause says what is missing.
    Waiting(String),
    /// It does not become ready by itself; a clause says why.
    Broken(String),
}

impl State {
    fn waiting(why: impl Into<String>) -> Self {
        State::Waiting(why.into())
    }

    fn broken(why: impl Into<String>) -> Self {
        State::Broken(why.into())
    }
}

/// Judges an object of a kind.
type Judge = fn(&Value) -> State;

/// Groups, kinds and who judges them; every other built-in kind is ready when it is there.
const JUDGES: &[(&str, &str, Judge)] = &[
    ("", "PersistentVolume", definitions::volume),
    ("", "PersistentVolumeClaim", definitions::claim),
    ("", "Pod", workloads::pod),
    ("", "ReplicationController", workloads::replica_set),
    ("apiextensions.k8s.io", "CustomResourceDefinition", definitions::definition),
    ("apiregistration.k8s.io", "APIService", definitions::api_service),
    ("apps", "DaemonSet", workloads::daemon_set),
    ("apps", "Deployment", workloads::deployment),
    ("apps", "ReplicaSet", workloads::replica_set),
    ("apps", "StatefulSet", workloads::stateful_set),
    ("batch", "Job", workloads::job),
];

/// Kinds of the table that nothing but a gate waits for: a claim is bound when a pod uses it, and a volume when
/// somebody claims it.
const ONLY_AS_GATES: &[&str] = &["PersistentVolume", "PersistentVolumeClaim"];

/// Groups whose kinds Kubernetes itself serves, beside those without a dot.
const BUILT_IN: &str = ".k8s.io";

/// Judges an object as `kubectl get -o json` shows it.
///
/// Sources: `kubectl rollout status` (kubectl, `pkg/polymorphichelpers/rollout_status.go`) for workloads; kstatus
/// (cli-utils, `pkg/kstatus`) for conditions.
pub fn judge(object: &Value) -> State {
    let (group, kind) = (live::group(object), live::text(object, "/kind").unwrap_or_default());
    if live::text(object, "/metadata/deletionTimestamp").is_some() {
        return State::waiting("it is being deleted");
    }
    match JUDGES.iter().find(|(of, name, _)| (*of, *name) == (group, kind)) {
        Some((_, _, judge)) => judge(object),
        None if is_built_in(group) => State::Ready,
        None => custom::judge(group, kind, object),
    }
}

/// Whether objects of a group and kind are waited for when everything is.
pub(super) fn is_waited_for(group: &str, kind: &str) -> bool {
    JUDGES.iter().any(|(of, name, _)| (*of, *name) == (group, kind)) && !ONLY_AS_GATES.contains(&kind)
}

/// Whether objects of a group make the API server ask others about what it admits.
pub(super) fn is_registration(group: &str) -> bool {
    group == "admissionregistration.k8s.io"
}

pub(super) fn is_built_in(group: &str) -> bool {
    const CUSTOM: &[&str] = &["gateway.networking.k8s.io", "snapshot.storage.k8s.io", "metrics.k8s.io", "x-k8s.io"];
    !group.contains('.') || (group.ends_with(BUILT_IN) && !CUSTOM.iter().any(|custom| group.ends_with(custom)))
}
