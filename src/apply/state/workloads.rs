//! What runs pods.
//!
//! Source: kubectl, `pkg/polymorphichelpers/rollout_status.go`.

use serde_json::Value;

use super::super::live::{condition, number, text};
use super::State;

/// Whether the controller has not seen the last change yet.
fn is_unseen(object: &Value) -> bool {
    number(object, "/metadata/generation") > number(object, "/status/observedGeneration")
}

fn unseen() -> State {
    State::waiting("its controller has not seen the change yet")
}

/// The replicas that are asked for: one where nobody says.
fn replicas(object: &Value) -> i64 {
    object.pointer("/spec/replicas").and_then(Value::as_i64).unwrap_or(1)
}

fn is_set(object: &Value, pointer: &str) -> bool {
    object.pointer(pointer).and_then(Value::as_bool) == Some(true)
}

pub(super) fn deployment(object: &Value) -> State {
    if is_unseen(object) {
        return unseen();
    }
    if let Some(progress) = condition(object, "Progressing").filter(|c| c.reason == Some("ProgressDeadlineExceeded")) {
        return State::broken(progress.why());
    }
    let wanted = replicas(object);
    let (all, updated) = (number(object, "/status/replicas"), number(object, "/status/updatedReplicas"));
    let available = number(object, "/status/availableReplicas");
    let why = if updated < wanted {
        format!("{updated} of {wanted} new pods are there")
    } else if all > updated {
        format!("{} old pods are still there", all - updated)
    } else if available < wanted {
        format!("{available} of {wanted} pods are available")
    } else {
        return State::Ready;
    };
    if is_set(object, "/spec/paused") {
        return State::broken(format!("it is paused: {why}"));
    }
    let failure = condition(object, "ReplicaFailure").filter(|c| c.is_true());
    State::Waiting(failure.map_or(why.clone(), |failure| format!("{why}; {}", failure.why())))
}

pub(super) fn replica_set(object: &Value) -> State {
    if is_unseen(object) {
        return unseen();
    }
    let (wanted, available) = (replicas(object), number(object, "/status/availableReplicas"));
    if available >= wanted {
        return State::Ready;
    }
    let why = format!("{available} of {wanted} pods are available");
    let failure = condition(object, "ReplicaFailure").filter(|c| c.is_true());
    State::Waiting(failure.map_or(why.clone(), |failure| format!("{why}; {}", failure.why())))
}

pub(super) fn daemon_set(object: &Value) -> State {
    if is_unseen(object) {
        return unseen();
    }
    let wanted = number(object, "/status/desiredNumberScheduled");
    let updated = number(object, "/status/updatedNumberScheduled");
    let available = number(object, "/status/numberAvailable");
    // pods are replaced when somebody deletes them: old ones will do
    let is_by_hand = text(object, "/spec/updateStrategy/type") == Some("OnDelete");
    if updated < wanted && !is_by_hand {
        return State::waiting(format!("{updated} of {wanted} new pods are there"));
    }
    match available < wanted {
        true => State::waiting(format!("{available} of {wanted} pods are available")),
        false => State::Ready,
    }
}

pub(super) fn stateful_set(object: &Value) -> State {
    if is_unseen(object) {
        return unseen();
    }
    let (wanted, ready) = (replicas(object), number(object, "/status/readyReplicas"));
    if ready < wanted {
        return State::waiting(format!("{ready} of {wanted} pods are ready"));
    }
    if text(object, "/spec/updateStrategy/type") == Some("OnDelete") {
        return State::Ready;
    }
    let updated = number(object, "/status/updatedReplicas");
    let kept = number(object, "/spec/updateStrategy/rollingUpdate/partition");
    if kept > 0 {
        return match updated < wanted - kept {
            true => State::waiting(format!("{updated} of {} new pods are there", wanted - kept)),
            false => State::Ready,
        };
    }
    match text(object, "/status/updateRevision") == text(object, "/status/currentRevision") {
        true => State::Ready,
        false => State::waiting(format!("{updated} of {wanted} new pods are there")),
    }
}

pub(super) fn job(object: &Value) -> State {
    if let Some(failed) = condition(object, "Failed").filter(|c| c.is_true()) {
        return State::broken(format!("it failed: {}", failed.why()));
    }
    if condition(object, "Complete").is_some_and(|c| c.is_true()) {
        return State::Ready;
    }
    if is_set(object, "/spec/suspend") {
        return State::broken("it is suspended");
    }
    let wanted = object.pointer("/spec/completions").and_then(Value::as_i64).unwrap_or(1);
    let (done, failed) = (number(object, "/status/succeeded"), number(object, "/status/failed"));
    let tries = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    State::waiting(format!("{done} of {wanted} runs are complete{tries}"))
}

pub(super) fn pod(object: &Value) -> State {
    let phase = text(object, "/status/phase").unwrap_or("Pending");
    let runs_on = !matches!(text(object, "/spec/restartPolicy"), Some("Never" | "OnFailure"));
    match phase {
        "Failed" => {
            let why = text(object, "/status/reason").or_else(|| text(object, "/status/message"));
            State::broken(format!("it failed: {}", why.unwrap_or("no reason is given")))
        }
        "Succeeded" if !runs_on => State::Ready,
        _ if condition(object, "Ready").is_some_and(|c| c.is_true()) => State::Ready,
        _ => {
            let scheduled = condition(object, "PodScheduled").filter(|c| c.is_false());
            State::Waiting(scheduled.map_or(format!("its phase is {phase}"), |c| c.why()))
        }
    }
}
