//! That somebody wants the run to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A flag that a signal sets: 0 as long as nobody asked, then the number of the signal.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// The cell that whoever catches signals writes into.
    pub fn cell(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.0)
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<usize> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal),
        }
    }
}
