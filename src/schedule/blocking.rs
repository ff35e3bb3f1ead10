//! What can hold up a wave for good, and what starts pods.

use crate::object::Object;
use crate::object::view::pod_template;
use crate::tree::{FieldPath, Node};

/// Kinds that name a claim and start no pod.
const START_NO_PODS: &[(&str, &str)] = &[
    ("", "PersistentVolumeClaim"),
    ("", "PodTemplate"),
    ("batch", "CronJob"),
    ("groupsnapshot.storage.k8s.io", "VolumeGroupSnapshot"),
    ("snapshot.storage.k8s.io", "VolumeSnapshot"),
];

/// Kinds that can wait for ever for somebody outside the input: a controller that fills in an address,
/// a metrics server, a run that succeeds.
const CAN_BLOCK: &[(&str, &str)] = &[
    ("autoscaling", "HorizontalPodAutoscaler"),
    ("batch", "CronJob"),
    ("extensions", "Ingress"),
    ("networking.k8s.io", "Ingress"),
];

/// The field by which a workload of a kind is paused or suspended; such a one is never healthy.
const PAUSED: &[(&str, &str, &[&str])] = &[
    ("apps", "Deployment", &["spec", "paused"]),
    ("apps.kruise.io", "CloneSet", &["spec", "updateStrategy", "paused"]),
    ("apps.openshift.io", "DeploymentConfig", &["spec", "paused"]),
    ("argoproj.io", "Rollout", &["spec", "paused"]),
    ("batch", "CronJob", &["spec", "suspend"]),
    ("batch", "Job", &["spec", "suspend"]),
    ("extensions", "Deployment", &["spec", "paused"]),
];

/// Whether an object that reads a claim starts pods when it is applied.
pub(super) fn starts_pods(object: &Object<'_>) -> bool {
    let replicas = object.tree.at(&["spec", "replicas"]).and_then(Node::as_i64);
    let is_scaled_away = replicas == Some(0) && pod_template::of(object).is_some();
    !START_NO_PODS.iter().any(|(group, kind)| object.is(group, kind)) && !is_paused(object) && !is_scaled_away
}

/// Whether the health of an object can keep a wave waiting for good, though nothing is wrong with it.
pub(super) fn can_block(object: &Object<'_>) -> bool {
    CAN_BLOCK.iter().any(|(group, kind)| object.is(group, kind)) || is_paused(object) || has_pause_step(object)
}

/// Whether this is a Service that waits for a load balancer.
pub(super) fn is_load_balancer(object: &Object<'_>) -> bool {
    object.is("", "Service") && object.tree.at(&["spec", "type"]).and_then(Node::as_str) == Some("LoadBalancer")
}

/// The field by which a workload stands still, if it does.
pub(super) fn paused(object: &Object<'_>) -> Option<FieldPath> {
    let (.., path) = PAUSED.iter().find(|(group, kind, _)| object.is(group, kind))?;
    (object.tree.at(path).and_then(Node::as_bool) == Some(true)).then(|| FieldPath::keys(path.iter().copied()))
}

fn is_paused(object: &Object<'_>) -> bool {
    paused(object).is_some()
}

/// A canary that stops on its way.
fn has_pause_step(object: &Object<'_>) -> bool {
    let steps = object.tree.at(&["spec", "strategy", "canary", "steps"]).and_then(Node::items).unwrap_or_default();
    object.is("argoproj.io", "Rollout") && steps.iter().any(|step| step.get("pause").is_some())
}

#[cfg(test)]
mod tests {
    use super::super::made::Made;
    use super::*;

    /// Whether the only object of a text starts pods, and whether it can block.
    fn judged(text: &str) -> (bool, bool) {
        let made = Made::new(&[text]);
        let (linked, _) = made.linked(Vec::new());
        let object = linked.loaded.objects.iter().next().map(|(_, object)| object).expect("an object");
        (starts_pods(object), can_block(object))
    }

    #[test]
    fn what_starts_pods_and_what_can_block() {
        for (text, starts, blocks) in [
            ("Deployment.apps a", true, false),
            ("Deployment.apps a | spec: {paused: true}", false, true),
            ("Deployment.apps a | spec: {replicas: 0}", false, false),
            ("StatefulSet.apps a | spec: {replicas: 1}", true, false),
            ("Job.batch a", true, false),
            ("Job.batch a | spec: {suspend: true}", false, true),
            ("CronJob.batch a", false, true),
            ("Pod a", true, false),
            ("TaskRun.tekton.dev a", true, false),
            ("PersistentVolumeClaim a", false, false),
            ("VolumeSnapshot.snapshot.storage.k8s.io a", false, false),
            ("Ingress.networking.k8s.io a", true, true),
            ("Ingress.networking.istio.io a", true, false),
            ("HorizontalPodAutoscaler.autoscaling a", true, true),
            ("Rollout.argoproj.io a | spec: {strategy: {canary: {steps: [{setWeight: 5}]}}}", true, false),
            ("Rollout.argoproj.io a | spec: {strategy: {canary: {steps: [{setWeight: 5}, {pause: {}}]}}}", true, true),
            ("Rollout.argoproj.io a | spec: {paused: true}", false, true),
        ] {
            assert_eq!(judged(text), (starts, blocks), "{text}");
        }
    }
}
