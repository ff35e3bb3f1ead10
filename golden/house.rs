//! The house around the code: what a reader may rely on without looking.

mod listed;
mod reference;
mod rooms;
mod schema;
mod sizes;
mod words;

/// Fails with every fault on its own line.
fn none(what: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{what}: {} found\n{}", faults.len(), faults.join("\n"));
}
