//! What makes kinds known, and storage.

use serde_json::Value;

use super::super::live::{condition, text};
use super::State;

pub(super) fn definition(object: &Value) -> State {
    if let Some(names) = condition(object, "NamesAccepted").filter(|c| c.is_false()) {
        return State::broken(format!("its names are taken: {}", names.why()));
    }
    match condition(object, "Established") {
        Some(established) if established.is_true() => State::Ready,
        Some(established) => State::waiting(format!("it is not established: {}", established.why())),
        None => State::waiting("it is not established yet"),
    }
}

pub(super) fn api_service(object: &Value) -> State {
    match condition(object, "Available") {
        Some(available) if available.is_true() => State::Ready,
        Some(available) => State::waiting(format!("it is not available: {}", available.why())),
        None => State::waiting("it is not available yet"),
    }
}

pub(super) fn claim(object: &Value) -> State {
    match text(object, "/status/phase") {
        Some("Bound") => State::Ready,
        Some("Lost") => State::broken("it lost its volume"),
        _ => State::waiting("it is not bound"),
    }
}

pub(super) fn volume(object: &Value) -> State {
    match text(object, "/status/phase") {
        Some("Available" | "Bound" | "Released") => State::Ready,
        Some("Failed") => State::broken(text(object, "/status/message").unwrap_or("it failed")),
        _ => State::waiting("it is not available yet"),
    }
}
