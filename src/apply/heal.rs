//! Pods that cannot start, and which of their faults do not heal by themselves.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::live::{condition, list, number, text};

/// Faults that nothing but a change of the manifest mends.
/// Source: kubernetes, `pkg/kubelet/images` and `pkg/kubelet/kuberuntime`.
const HOPELESS: &[&str] = &["CreateContainerConfigError", "ErrImageNeverPull", "InvalidImageName"];

/// Faults that may heal, and do not when they are still there after some looks.
const STUBBORN: &[&str] = &["CrashLoopBackOff", "ErrImagePull", "ImagePullBackOff"];

/// After how many looks in a row a stubborn fault is taken for one that stays.
const LOOKS: usize = 3;

/// Why a container of a pod does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pod: String,
    container: String,
    reason: String,
    detail: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "container {} of pod {}: {}", self.container, self.pod, self.reason)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// In how many looks in a row a stubborn fault was seen, by the pod's uid and the container.
#[derive(Debug, Default)]
pub(super) struct Patience {
    seen: BTreeMap<(String, String), usize>,
}

impl Patience {
    /// Looks at a pod: the fault that makes waiting for it pointless, if it has one by now.
    pub(super) fn look(&mut self, pod: &Value) -> Option<Fault> {
        let mut found = None;
        for status in statuses(pod) {
            let container = text(status, "/name").unwrap_or_default();
            let key = (text(pod, "/metadata/uid").unwrap_or_default().to_owned(), container.to_owned());
            let fault = fault(pod, status);
            let reason = fault.as_ref().map_or("", |fault| fault.reason.as_str());
            let is_for_good = HOPELESS.contains(&reason) || self.looks(key, STUBBORN.contains(&reason)) >= LOOKS;
            if is_for_good && found.is_none() {
                found = fault;
            }
        }
        found
    }

    /// How many looks in a row have found a container in a stubborn fault, this one included.
    fn looks(&mut self, key: (String, String), is_stubborn: bool) -> usize {
        if !is_stubborn {
            self.seen.remove(&key);
            return 0;
        }
        let looks = self.seen.entry(key).or_default();
        *looks += 1;
        *looks
    }
}

/// What keeps a pod from running, in a few words: for whoever waits.
pub(super) fn hint(pod: &Value) -> Option<String> {
    let fault = statuses(pod).find_map(|status| fault(pod, status));
    if let Some(fault) = fault.filter(|fault| fault.reason != "PodInitializing") {
        return Some(fault.to_string());
    }
    let unscheduled = condition(pod, "PodScheduled").filter(|c| c.is_false())?;
    Some(format!("pod {}: {}", text(pod, "/metadata/name").unwrap_or_default(), unscheduled.why()))
}

fn statuses(pod: &Value) -> impl Iterator<Item = &Value> {
    let of = |pointer| list(pod, pointer).iter();
    of("/status/initContainerStatuses").chain(of("/status/containerStatuses"))
}

fn fault(pod: &Value, status: &Value) -> Option<Fault> {
    let waiting = status.pointer("/state/waiting")?;
    let reason = text(waiting, "/reason").filter(|reason| *reason != "ContainerCreating")?;
    let mut detail = text(waiting, "/message").unwrap_or_default().to_owned();
    if let Some(last) = status.pointer("/lastState/terminated") {
        let why = text(last, "/reason").unwrap_or("Error");
        detail = format!("it ended with exit code {} ({why})", number(last, "/exitCode"));
    }
    Some(Fault {
        pod: text(pod, "/metadata/name").unwrap_or_default().to_owned(),
        container: text(status, "/name").unwrap_or_default().to_owned(),
        reason: reason.to_owned(),
        detail,
    })
}

/// The pods of a workload as it is now, out of pods and ReplicaSets that its selector finds: what is left of an
/// earlier revision says nothing about this one.
pub(super) fn pods_of<'v>(workload: &Value, found: &'v [Value]) -> Vec<&'v Value> {
    let uid = |object: &'v Value| text(object, "/metadata/uid");
    let of_kind = |kind: &'static str| found.iter().filter(move |object| text(object, "/kind") == Some(kind));
    let own = text(workload, "/metadata/uid");
    match text(workload, "/kind") {
        Some("Deployment") => {
            let revision = annotation(workload, "deployment.kubernetes.io/revision");
            let is_current =
                |set: &&Value| is_owned(set, own) && annotation(set, "deployment.kubernetes.io/revision") == revision;
            let sets: Vec<_> = of_kind("ReplicaSet").filter(is_current).map(uid).collect();
            of_kind("Pod").filter(|pod| sets.iter().any(|set| is_owned(pod, *set))).collect()
        }
        Some("StatefulSet") => {
            let revision = text(workload, "/status/updateRevision");
            let is_current = |pod: &&Value| is_owned(pod, own) && label(pod, "controller-revision-hash") == revision;
            of_kind("Pod").filter(is_current).collect()
        }
        Some("DaemonSet") => {
            let generation = annotation(workload, "deprecated.daemonset.template.generation");
            let is_current = |pod: &&Value| {
                is_owned(pod, own) && (generation.is_none() || label(pod, "pod-template-generation") == generation)
            };
            of_kind("Pod").filter(is_current).collect()
        }
        _ => of_kind("Pod").filter(|pod| is_owned(pod, own)).collect(),
    }
}

fn is_owned(object: &Value, owner: Option<&str>) -> bool {
    let owners = list(object, "/metadata/ownerReferences");
    owner.is_some() && owners.iter().any(|reference| text(reference, "/uid") == owner)
}

fn annotation<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.pointer("/metadata/annotations")?.get(name)?.as_str()
}

fn label<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.pointer("/metadata/labels")?.get(name)?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pod(reason: &str) -> Value {
        json!({ "kind": "Pod", "metadata": { "name": "web-1", "uid": "p" }, "status": { "containerStatuses": [
            { "name": "web", "ready": false, "state": { "waiting": { "reason": reason, "message": "no such image" } } }
        ] } })
    }

    #[test]
    fn a_stubborn_fault_counts_when_it_was_seen_three_times() {
        let mut patience = Patience::default();
        assert_eq!(patience.look(&pod("ErrImagePull")), None);
        assert_eq!(patience.look(&pod("ImagePullBackOff")), None);
        let fault = patience.look(&pod("ImagePullBackOff")).map(|fault| fault.to_string());
        assert_eq!(fault.as_deref(), Some("container web of pod web-1: ImagePullBackOff: no such image"));
        assert_eq!(patience.look(&pod("ContainerCreating")), None);
    }

    #[test]
    fn a_container_that_ran_or_waits_for_something_else_starts_anew() {
        let mut running = pod("");
        for ready in [true, false] {
            running["status"]["containerStatuses"][0] =
                json!({ "name": "web", "ready": ready, "state": { "running": {} } });
            let mut patience = Patience::default();
            for between in [&running, &pod("PodInitializing"), &running] {
                assert_eq!(patience.look(&pod("CrashLoopBackOff")), None);
                assert_eq!(patience.look(&pod("CrashLoopBackOff")), None);
                assert_eq!(patience.look(between), None);
            }
        }
    }

    #[test]
    fn only_looks_at_a_stubborn_fault_count_and_a_hopeless_one_counts_at_once() {
        let mut patience = Patience::default();
        for _ in 0..3 {
            assert_eq!(patience.look(&pod("PodInitializing")), None);
        }
        assert_eq!(patience.look(&pod("CrashLoopBackOff")), None);
        assert!(patience.look(&pod("CreateContainerConfigError")).is_some());
    }

    #[test]
    fn a_crash_says_how_it_ended() {
        let mut crashed = pod("CrashLoopBackOff");
        crashed["status"]["containerStatuses"][0]["lastState"] =
            json!({ "terminated": { "exitCode": 137, "reason": "OOMKilled" } });
        let hint = hint(&crashed);
        assert_eq!(
            hint.as_deref(),
            Some("container web of pod web-1: CrashLoopBackOff: it ended with exit code 137 (OOMKilled)")
        );
    }

    #[test]
    fn pods_of_an_earlier_revision_do_not_count() {
        let set = |uid: &str, revision: &str| {
            json!({ "kind": "ReplicaSet", "metadata": { "uid": uid, "ownerReferences": [{ "uid": "d" }],
                    "annotations": { "deployment.kubernetes.io/revision": revision } } })
        };
        let pod = |name: &str, owner: &str, hash: &str| {
            json!({ "kind": "Pod", "metadata": { "name": name, "ownerReferences": [{ "uid": owner }],
                    "labels": { "controller-revision-hash": hash } } })
        };
        let found = [
            set("old", "1"),
            set("new", "2"),
            pod("a", "old", "x"),
            pod("b", "new", "y"),
            pod("c", "d", "x"),
            pod("e", "d", "y"),
        ];
        let names = |workload: Value| -> Vec<String> {
            pods_of(&workload, &found).iter().filter_map(|pod| text(pod, "/metadata/name").map(str::to_owned)).collect()
        };
        let deployment = json!({ "kind": "Deployment", "metadata": { "uid": "d",
            "annotations": { "deployment.kubernetes.io/revision": "2" } } });
        assert_eq!(names(deployment), ["b"]);
        let set = json!({ "kind": "StatefulSet", "metadata": { "uid": "d" }, "status": { "updateRevision": "y" } });
        assert_eq!(names(set), ["e"]);
        assert_eq!(names(json!({ "kind": "Job", "metadata": { "uid": "d" } })), ["c", "e"]);
    }
}
