//! Conversion for the API server: one ConversionReview in, one out, and the server that does it over HTTPS.
//!
//! [`review`] is a pure function and always there; the server ([`server`], [`tls`]) comes with the
//! feature `webhook`, and nothing else links what it needs. [`manifests`] prints what a cluster needs to
//! run the server.

pub mod manifests;
pub mod review;
#[cfg(feature = "webhook")]
pub mod server;
#[cfg(feature = "webhook")]
pub mod tls;
