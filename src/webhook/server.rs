//! The server: conversion, probes and metrics over HTTPS, and probes and metrics over plain HTTP beside it if asked.
//!
//! | path | answer |
//! |---|---|
//! | `POST /convert` | the ConversionReview with its answer; 200 also where an object failed |
//! | `GET /livez` | 200 as long as requests are answered |
//! | `GET /readyz` | 200, or 503 once the server was told to stop |
//! | `GET /metrics` | counters in the text form of OpenMetrics |
//!
//! What is no review, or passes a limit, is answered by a `Status` with its HTTP code: API servers show its
//! message, and come back later on 503.

mod bounded;
mod convert;
mod event;
mod limits;
mod metrics;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum_server::accept::DefaultAcceptor;
use axum_server::tls_rustls::RustlsAcceptor;
use axum_server::{Control, Handle};
use tokio::sync::Semaphore;
use tokio::time::sleep;

pub use event::{Event, Log};
pub use limits::Limits;

use super::tls::{Identity, Look, Pair, PairError};
use bounded::Bounded;
use metrics::Metrics;

/// How long a client may take for its handshake, and then for the head of its first request.
const HEAD: Duration = Duration::from_secs(10);

/// How long a connection may wait for its next request. API servers close theirs after 90 s (apimachinery,
/// `pkg/util/net/http.go`); whoever closes first must be the one who sends, or a request is lost on its way.
const IDLE: Duration = Duration::from_secs(120);

/// What the server is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where HTTPS is served; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where probes and metrics are served without TLS.
    pub plain_listen: Option<SocketAddr>,
    /// The certificate and its key.
    pub pair: Pair,
    /// Between two looks at the files of the pair.
    pub reload_every: Duration,
    /// From the word to stop until connections are refused; meanwhile `/readyz` says 503, and whoever
    /// balances load turns elsewhere.
    pub drain: Duration,
    /// From then on until requests that still run are cut off.
    pub grace: Duration,
    /// Bounds on requests.
    pub limits: Limits,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The pair cannot be used.
    #[error(transparent)]
    Pair(#[from] PairError),
    /// An address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// Serving broke off.
    #[error("serving broke off: {0}")]
    Broken(#[from] io::Error),
}

/// What all requests share.
struct Shared {
    limits: Limits,
    metrics: Arc<Metrics>,
    log: Log,
    stopping: AtomicBool,
    /// Bytes of bodies that may still be taken in.
    held_bytes: Arc<Semaphore>,
    /// Conversions that may still begin.
    conversions: Arc<Semaphore>,
}

/// Serves until `stop` comes true, then lets what runs come to its end. `log` is told what happens.
///
/// Must be called inside a tokio runtime with time and I/O.
///
/// # Errors
/// When the pair cannot be used at the start, an address is taken, or serving breaks off.
#[allow(clippy::disallowed_types, reason = "this is the webhook's server, which listens")]
pub async fn serve(settings: Settings, stop: impl Future<Output = ()>, log: Log) -> Result<(), ServerError> {
    let identity = Identity::load(settings.pair)?;
    let listen = |address| {
        let bound = std::net::TcpListener::bind(address).and_then(|l| Ok((l.local_addr()?, l)));
        bound.map_err(|source| ServerError::Listen { address, source })
    };
    let (address, listener) = listen(settings.listen)?;
    let plain = settings.plain_listen.map(listen).transpose()?;
    let shared = Arc::new(Shared::new(settings.limits, log));
    let control = Control::new();
    let places = Arc::new(Semaphore::new(settings.limits.connections));
    let bounded = Bounded { places, metrics: shared.metrics.clone() };

    let secure = server(listener, &control)?;
    let secure =
        secure.acceptor(RustlsAcceptor::new(identity.config()).handshake_timeout(HEAD).acceptor(bounded.clone()));
    let routes = probes().route("/convert", post(convert::convert)).with_state(shared.clone());
    let secure = secure.serve(routes.into_make_service());
    let plain_address = plain.as_ref().map(|(address, _)| *address);
    let routes = probes().with_state(shared.clone());
    let plain = match plain {
        Some((_, listener)) => Some(server(listener, &control)?.acceptor(bounded).serve(routes.into_make_service())),
        None => None,
    };
    let plain = async {
        match plain {
            Some(plain) => plain.await,
            None => Ok(()),
        }
    };

    shared.log.say(Event::Listening { address, plain: plain_address });
    let reload = tokio::spawn(reload(identity, settings.reload_every, shared.clone()));
    let ends = async {
        stop.await;
        shared.stopping.store(true, Ordering::Relaxed);
        shared.log.say(Event::Stopping);
        sleep(settings.drain).await;
        control.graceful_shutdown(Some(settings.grace));
    };
    let (secure, plain, ()) = tokio::join!(secure, plain, ends);
    reload.abort();
    secure.and(plain)?;
    shared.log.say(Event::Stopped);
    Ok(())
}

impl Shared {
    fn new(limits: Limits, log: Log) -> Self {
        Shared {
            limits,
            metrics: Arc::new(Metrics::new()),
            log,
            stopping: AtomicBool::new(false),
            held_bytes: Arc::new(Semaphore::new(limits.held_bytes().min(Semaphore::MAX_PERMITS))),
            conversions: Arc::new(Semaphore::new(limits.conversions.max(1))),
        }
    }
}

/// A server on a listener, with bounds on how long a client may keep silent.
#[allow(clippy::disallowed_types, reason = "this is the webhook's server, which listens")]
fn server(
    listener: std::net::TcpListener,
    control: &Control,
) -> io::Result<axum_server::Server<SocketAddr, DefaultAcceptor>> {
    let handle = Handle::with_control(control.clone());
    let mut server = axum_server::from_tcp(listener)?.handle(handle).http1_only().first_request_timeout(HEAD);
    server.http_builder().http1().header_read_timeout(IDLE);
    Ok(server)
}

/// Probes and metrics.
fn probes() -> Router<Arc<Shared>> {
    Router::new().route("/livez", get(|| async { "ok\n" })).route("/readyz", get(ready)).route("/metrics", get(metrics))
}

async fn ready(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    match shared.stopping.load(Ordering::Relaxed) {
        false => (StatusCode::OK, "ok\n"),
        true => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n"),
    }
}

async fn metrics(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, form)], shared.metrics.text())
}

/// Looks at the pair again and again, and tells what changed.
async fn reload(mut identity: Identity, every: Duration, shared: Arc<Shared>) {
    loop {
        sleep(every).await;
        let looked = tokio::task::spawn_blocking(move || {
            let look = identity.look();
            (identity, look)
        });
        // a look that panics takes the pair with it: serving goes on with the one in use
        let Ok((back, look)) = looked.await else {
            return shared.log.say(Event::ReloadBroken);
        };
        identity = back;
        match look {
            Look::Same => {}
            Look::Renewed => {
                shared.metrics.certificate("renewed");
                shared.log.say(Event::CertificateRenewed);
            }
            Look::Refused(error) => {
                shared.metrics.certificate("refused");
                shared.log.say(Event::CertificateRefused(error));
            }
        }
    }
}
