//! `cargo bench --features webhook --bench webhook [-- SECONDS]`: the webhook under load, and a bare axum server that
//! echoes beside it, in one run.
//!
//! 64 connections over TLS ask without a pause, each for so many seconds (10); one request in 50 has a bad body, which
//! must be refused and leave the connection as it was; each connection is opened anew after 500 requests; half-way the
//! certificate is swapped. Answers that are not what they must be are errors, and fail the run. Memory is the most that
//! the server ever held (`VmHWM`, Linux).

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench takes the time, meets the machine, prints, and fails by panicking"
)]

mod client;
mod echo;
mod servers;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use client::{Load, Sent, drive};
use servers::{Authority, Server};

const CONNECTIONS: usize = 64;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if args.first().is_some_and(|word| word == "echo") {
        return echo::serve(&args[1], &args[2]);
    }
    let seconds = args.first().map_or(10, |text| text.parse().expect("a number of seconds"));
    println!("{CONNECTIONS} connections, {seconds} s each, one body in 50 bad, the certificate swapped half-way");
    println!(
        "{:<10} {:>7} {:>9} {:>10} {:>8} {:>8} {:>8} {:>7} {:>8} {:>9}",
        "server", "objects", "requests", "requests/s", "p50 ms", "p99 ms", "max ms", "bad", "errors", "VmHWM MiB"
    );
    let mut errors = 0;
    for objects in [1, 100] {
        for name in ["echo", "webhook"] {
            errors += measure(name, objects, Duration::from_secs(seconds));
        }
    }
    assert_eq!(errors, 0, "every answer is what it must be");
}

/// One server under load; gives the number of errors.
fn measure(name: &str, objects: usize, time: Duration) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new();
    authority.sign(folder.path());
    let server = Server::start(name, folder.path());
    let load = Arc::new(Load {
        port: server.port,
        client: authority.client(),
        good: review(objects),
        // the echo takes bad bodies for good ones
        converts: name == "webhook",
        until: Instant::now() + time,
    });
    let threads: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            thread::spawn({
                let load = load.clone();
                move || drive(&load)
            })
        })
        .collect();
    thread::sleep(time / 2);
    authority.sign(folder.path());
    let mut sent = Sent::default();
    for thread in threads {
        sent.add(thread.join().expect("a connection comes to its end"));
    }
    sent.millis.sort_by(f64::total_cmp);
    let at = |share: f64| sent.millis[((sent.millis.len() - 1) as f64 * share) as usize];
    println!(
        "{name:<10} {objects:>7} {:>9} {:>10.0} {:>8.2} {:>8.2} {:>8.2} {:>7} {:>8} {:>9.1}",
        sent.millis.len(),
        sent.millis.len() as f64 / time.as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0),
        sent.bad,
        sent.errors.len(),
        server.most_memory_mib(),
    );
    for error in sent.errors.iter().take(5) {
        println!("  {error}");
    }
    server.stop();
    sent.errors.len()
}

/// A review as API servers send it: TrafficSplits of v1alpha1 with Quantities, to v1alpha2.
fn review(objects: usize) -> String {
    let split = |n: usize| {
        json!({
            "apiVersion": "split.smi-spec.io/v1alpha1",
            "kind": "TrafficSplit",
            "metadata": {
                "name": format!("web-{n}"), "namespace": "shop", "uid": "6f0c2c9e-2d0e-4a0b-8a51-0f5f0a3d9c77",
                "resourceVersion": "991", "generation": 3, "creationTimestamp": "2021-03-04T05:06:07Z",
                "managedFields": [{
                    "manager": "kubectl", "operation": "Update", "apiVersion": "split.smi-spec.io/v1alpha1",
                    "time": "2021-03-04T05:06:07Z", "fieldsType": "FieldsV1",
                    "fieldsV1": {"f:spec": {".": {}, "f:backends": {}, "f:service": {}}},
                }],
            },
            "spec": {
                "service": "web",
                "backends": [
                    {"service": "web-v1", "weight": 1}, {"service": "web-v2", "weight": "250m"},
                    {"service": "web-v3", "weight": "0m"},
                ],
            },
        })
    };
    let objects: Vec<_> = (0..objects).map(split).collect();
    json!({
        "kind": "ConversionReview",
        "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"uid": "0c3a6f52", "desiredAPIVersion": "split.smi-spec.io/v1alpha2", "objects": objects},
    })
    .to_string()
}
