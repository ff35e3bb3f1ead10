//! What the server takes at most, so that no request takes it down.

use std::time::Duration;

/// Bounds on what comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one request's body. A cluster stores objects of up to 1.5 MiB, and one review may hold
    /// a whole list of them.
    pub body_bytes: usize,
    /// Objects of one review.
    pub objects: usize,
    /// From the head of a request to its answer: reading, waiting and converting. API servers wait 30 s.
    pub time: Duration,
    /// Connections that are open at once.
    pub connections: usize,
    /// Reviews that are converted at once; others wait.
    pub conversions: usize,
}

/// 16 MiB, 10,000 objects, 10 s, 1024 connections, and as many conversions as there are processors.
impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 16 << 20,
            objects: 10_000,
            time: Duration::from_secs(10),
            connections: 1024,
            conversions: std::thread::available_parallelism().map_or(2, usize::from),
        }
    }
}

impl Limits {
    /// Bytes of bodies that are held at once, of all requests together: four of the largest.
    pub(crate) fn held_bytes(&self) -> usize {
        self.body_bytes.saturating_mul(4)
    }
}
