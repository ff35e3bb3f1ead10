use serde_json::{Value, json};

use super::{State, judge};

/// `ready`, `waiting: …` or `broken: …` of an object of this apiVersion and kind with these fields.
fn said(version: &str, kind: &str, fields: Value) -> String {
    let mut object = json!({ "apiVersion": version, "kind": kind, "metadata": { "name": "a", "generation": 2 } });
    for (name, value) in fields.as_object().expect("fields") {
        object[name] = value.clone();
    }
    match judge(&object) {
        State::Ready => "ready".to_owned(),
        State::Waiting(why) => format!("waiting: {why}"),
        State::Broken(why) => format!("broken: {why}"),
    }
}

fn condition(kind: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({ "conditions": [{ "type": kind, "status": status, "reason": reason, "message": message }] })
}

#[test]
fn deployments_are_judged_as_rollout_status_does() {
    let of = |spec: Value, status: Value| said("apps/v1", "Deployment", json!({ "spec": spec, "status": status }));
    let three = || json!({ "replicas": 3 });
    assert_eq!(of(three(), json!({})), "waiting: its controller has not seen the change yet");
    let old = json!({ "observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3 });
    assert_eq!(of(three(), old), "waiting: its controller has not seen the change yet");
    let some = json!({ "observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 3 });
    assert_eq!(of(three(), some), "waiting: 1 of 3 new pods are there");
    let both = json!({ "observedGeneration": 2, "replicas": 4, "updatedReplicas": 3, "availableReplicas": 4 });
    assert_eq!(of(three(), both), "waiting: 1 old pods are still there");
    let starting = json!({ "observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 2 });
    assert_eq!(of(three(), starting.clone()), "waiting: 2 of 3 pods are available");
    assert_eq!(
        of(json!({ "replicas": 3, "paused": true }), starting),
        "broken: it is paused: 2 of 3 pods are available"
    );
    let all = json!({ "observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3 });
    assert_eq!(of(three(), all), "ready");
    assert_eq!(of(json!({ "replicas": 0 }), json!({ "observedGeneration": 2 })), "ready");
    let mut late = condition("Progressing", "False", "ProgressDeadlineExceeded", "too long");
    late["observedGeneration"] = json!(2);
    assert_eq!(of(three(), late), "broken: ProgressDeadlineExceeded: too long");
    let mut refused = condition("ReplicaFailure", "True", "FailedCreate", "exceeded quota");
    refused["observedGeneration"] = json!(2);
    assert_eq!(of(three(), refused), "waiting: 0 of 3 new pods are there; FailedCreate: exceeded quota");
}

#[test]
fn stateful_sets_and_daemon_sets() {
    let of = |spec: Value, status: Value| said("apps/v1", "StatefulSet", json!({ "spec": spec, "status": status }));
    let status = |ready: i64, updated: i64, current: &str| {
        json!({ "observedGeneration": 2, "readyReplicas": ready, "updatedReplicas": updated,
                "currentRevision": current, "updateRevision": "b" })
    };
    assert_eq!(of(json!({ "replicas": 3 }), status(2, 0, "a")), "waiting: 2 of 3 pods are ready");
    assert_eq!(of(json!({ "replicas": 3 }), status(3, 1, "a")), "waiting: 1 of 3 new pods are there");
    assert_eq!(of(json!({ "replicas": 3 }), status(3, 3, "b")), "ready");
    let partition =
        json!({ "replicas": 3, "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "partition": 2 } } });
    assert_eq!(of(partition.clone(), status(3, 0, "a")), "waiting: 0 of 1 new pods are there");
    assert_eq!(of(partition, status(3, 1, "a")), "ready");
    let by_hand = json!({ "replicas": 3, "updateStrategy": { "type": "OnDelete" } });
    assert_eq!(of(by_hand, status(3, 0, "a")), "ready");

    let of = |spec: Value, status: Value| said("apps/v1", "DaemonSet", json!({ "spec": spec, "status": status }));
    let status = |updated: i64, available: i64| {
        json!({ "observedGeneration": 2, "desiredNumberScheduled": 2, "updatedNumberScheduled": updated,
                "numberAvailable": available })
    };
    assert_eq!(of(json!({}), status(1, 2)), "waiting: 1 of 2 new pods are there");
    assert_eq!(of(json!({}), status(2, 1)), "waiting: 1 of 2 pods are available");
    assert_eq!(of(json!({}), status(2, 2)), "ready");
    assert_eq!(of(json!({ "updateStrategy": { "type": "OnDelete" } }), status(0, 2)), "ready");
}

#[test]
fn jobs_end_either_way() {
    let of = |fields| said("batch/v1", "Job", fields);
    assert_eq!(of(json!({ "status": { "failed": 1 } })), "waiting: 0 of 1 runs are complete, 1 failed");
    assert_eq!(of(json!({ "status": condition("Complete", "True", "", "") })), "ready");
    let failed = condition("Failed", "True", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    assert_eq!(
        of(json!({ "status": failed })),
        "broken: it failed: BackoffLimitExceeded: Job has reached the specified backoff limit"
    );
    assert_eq!(of(json!({ "spec": { "suspend": true } })), "broken: it is suspended");
}

#[test]
fn pods_claims_and_definitions() {
    let of =
        |version, kind, status| said(version, kind, json!({ "status": status, "spec": { "restartPolicy": "Never" } }));
    assert_eq!(of("v1", "Pod", json!({ "phase": "Succeeded" })), "ready");
    assert_eq!(of("v1", "Pod", json!({ "phase": "Failed", "reason": "Evicted" })), "broken: it failed: Evicted");
    assert_eq!(of("v1", "Pod", condition("Ready", "True", "", "")), "ready");
    let nowhere = condition("PodScheduled", "False", "Unschedulable", "0/3 nodes are available");
    assert_eq!(of("v1", "Pod", nowhere), "waiting: Unschedulable: 0/3 nodes are available");
    assert_eq!(of("v1", "PersistentVolumeClaim", json!({ "phase": "Pending" })), "waiting: it is not bound");
    assert_eq!(of("v1", "PersistentVolumeClaim", json!({ "phase": "Bound" })), "ready");
    let definition = |status| of("apiextensions.k8s.io/v1", "CustomResourceDefinition", status);
    assert_eq!(definition(json!({})), "waiting: it is not established yet");
    assert_eq!(definition(condition("Established", "True", "", "")), "ready");
    assert_eq!(
        definition(condition("NamesAccepted", "False", "PluralConflict", "in use")),
        "broken: its names are taken: PluralConflict: in use"
    );
    let service = condition("Available", "False", "MissingEndpoints", "no endpoints");
    assert_eq!(
        of("apiregistration.k8s.io/v1", "APIService", service),
        "waiting: it is not available: MissingEndpoints: no endpoints"
    );
}

#[test]
fn custom_resources_by_their_conditions() {
    let certificate = |status| said("cert-manager.io/v1", "Certificate", json!({ "status": status }));
    assert_eq!(certificate(json!({})), "waiting: its operator has not written a status yet");
    assert_eq!(
        certificate(condition("Ready", "False", "DoesNotExist", "Issuing")),
        "waiting: its condition Ready is False: DoesNotExist: Issuing"
    );
    assert_eq!(certificate(condition("Ready", "True", "Ready", "")), "ready");
    let mut earlier = condition("Ready", "True", "Ready", "");
    earlier["conditions"][0]["observedGeneration"] = json!(1);
    assert_eq!(certificate(earlier), "waiting: its condition Ready is of an earlier generation");
    let mut unseen = condition("Ready", "True", "Ready", "");
    unseen["observedGeneration"] = json!(1);
    assert_eq!(certificate(unseen), "waiting: its controller has not seen the change yet");
    let stalled = condition("Stalled", "True", "RetriesExceeded", "gave up");
    assert_eq!(
        said("helm.toolkit.fluxcd.io/v2", "HelmRelease", json!({ "status": stalled })),
        "broken: it is stalled: RetriesExceeded: gave up"
    );
    let rollout = |phase: &str| said("argoproj.io/v1alpha1", "Rollout", json!({ "status": { "phase": phase } }));
    assert_eq!(rollout("Progressing"), "waiting: status.phase is Progressing");
    assert_eq!(rollout("Degraded"), "broken: status.phase is Degraded");
    let sealed =
        |kind| said("bitnami.com/v1alpha1", "SealedSecret", json!({ "status": condition(kind, "True", "", "") }));
    assert_eq!(
        (sealed("Synced").as_str(), sealed("Other").as_str()),
        ("ready", "waiting: it has no condition Synced yet")
    );
    assert_eq!(said("example.com/v1", "Moon", json!({})), "ready");
    let run = condition("Succeeded", "False", "Failed", "task failed");
    assert_eq!(said("tekton.dev/v1", "TaskRun", json!({ "status": run })), "broken: Failed: task failed");
}

#[test]
fn what_has_no_health_is_ready_when_it_is_there() {
    for (version, kind) in
        [("v1", "ConfigMap"), ("networking.k8s.io/v1", "Ingress"), ("rbac.authorization.k8s.io/v1", "Role")]
    {
        assert_eq!(said(version, kind, json!({})), "ready", "{kind}");
    }
    let leaving = json!({ "metadata": { "name": "a", "deletionTimestamp": "2020-01-01T00:00:00Z" } });
    assert_eq!(said("v1", "ConfigMap", leaving), "waiting: it is being deleted");
}
