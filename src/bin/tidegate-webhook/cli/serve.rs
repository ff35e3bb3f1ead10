//! The server, from its flags to its end.

use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tidegate::webhook::server::{self, Event, Limits, Log, Settings};
use tidegate::webhook::tls::Pair;
use tokio::runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::args::ServeArgs;
use super::exit::{Stop, log};

/// Between two lines about reviews that failed: a reader that tries again and again must not fill a disk.
const QUIET: Duration = Duration::from_secs(1);

pub(crate) fn run(args: Option<ServeArgs>) -> Result<(), Stop> {
    let Some(args) = args else {
        return Err(Stop::Usage("--tls-cert and --tls-key are needed; see --help".to_owned()));
    };
    let machine = |error: io::Error| Stop::Machine(error.to_string());
    let runtime = runtime::Builder::new_multi_thread().enable_all().build().map_err(machine)?;
    runtime.block_on(async {
        let (term, int) =
            (signal(SignalKind::terminate()).map_err(machine)?, signal(SignalKind::interrupt()).map_err(machine)?);
        let served = server::serve(settings(args), first(term, int), Log::new(logger()));
        served.await.map_err(|error| Stop::Machine(error.to_string()))
    })
}

/// Comes true with the first signal.
async fn first(mut term: Signal, mut int: Signal) {
    let (term, int) = (std::pin::pin!(term.recv()), std::pin::pin!(int.recv()));
    tokio::select! {
        _ = term => {}
        _ = int => {}
    }
}

fn settings(args: ServeArgs) -> Settings {
    let usual = Limits::default();
    Settings {
        listen: args.listen,
        plain_listen: args.plain_listen,
        pair: Pair { certificate: args.tls_cert, key: args.tls_key },
        reload_every: args.reload_every.max(Duration::from_millis(10)),
        drain: args.drain,
        grace: args.grace,
        limits: Limits {
            body_bytes: args.max_body_bytes as usize,
            objects: args.max_objects as usize,
            time: args.timeout,
            connections: args.max_connections as usize,
            conversions: args.max_conversions.map_or(usual.conversions, |n| n as usize),
        },
    }
}

/// Prints every event, and of reviews that failed one a second, with how many were left out.
fn logger() -> impl Fn(Event) + Send + Sync {
    let failed: Mutex<(Option<Instant>, u64)> = Mutex::new((None, 0));
    move |event| {
        if !matches!(event, Event::Failed(_)) {
            return log(&event.to_string());
        }
        let mut failed = failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if failed.0.is_some_and(|last| last.elapsed() < QUIET) {
            failed.1 += 1;
            return;
        }
        match std::mem::take(&mut failed.1) {
            0 => log(&event.to_string()),
            more => log(&format!("{event} (and {more} more since the last such line)")),
        }
        failed.0 = Some(Instant::now());
    }
}
