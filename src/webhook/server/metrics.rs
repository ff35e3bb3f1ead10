//! What the server counts, in the text form of OpenMetrics.

use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

type Labelled = Family<[(&'static str, &'static str); 1], Counter>;

/// Upper bounds of the buckets of times, in seconds.
const SECONDS: [f64; 12] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0];

/// The counters. Labels have few values, all of them ours: nothing that a request holds becomes one.
pub(crate) struct Metrics {
    registry: Registry,
    /// By `result`: `success`, `failed` (an object), `refused` (no review, too large, too late).
    reviews: Labelled,
    /// Objects that came back converted, or as they were.
    pub(crate) objects: Counter,
    seconds: Histogram,
    /// Requests that are being answered.
    pub(crate) in_flight: Gauge,
    /// By `result`: `renewed`, `refused`.
    certificates: Labelled,
    /// Connections that were closed since too many were open.
    pub(crate) turned_away: Counter,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("tidegate_webhook");
        let metrics = Metrics {
            reviews: Labelled::default(),
            objects: Counter::default(),
            seconds: Histogram::new(SECONDS),
            in_flight: Gauge::default(),
            certificates: Labelled::default(),
            turned_away: Counter::default(),
            registry: Registry::default(),
        };
        for result in ["success", "failed", "refused"] {
            metrics.reviews.get_or_create(&[("result", result)]).inc_by(0);
        }
        for result in ["renewed", "refused"] {
            metrics.certificates.get_or_create(&[("result", result)]).inc_by(0);
        }
        registry.register("reviews", "Reviews answered, by result", metrics.reviews.clone());
        registry.register("objects", "Objects in reviews that succeeded", metrics.objects.clone());
        registry.register("review_duration_seconds", "Time from head to answer of a review", metrics.seconds.clone());
        registry.register("in_flight_reviews", "Reviews that are being answered", metrics.in_flight.clone());
        registry.register("certificate_loads", "Changed certificates, by result", metrics.certificates.clone());
        registry.register("connections_turned_away", "Connections closed above the limit", metrics.turned_away.clone());
        Metrics { registry, ..metrics }
    }

    /// Counts a review that was answered.
    pub(crate) fn review(&self, result: &'static str, took: Duration) {
        self.reviews.get_or_create(&[("result", result)]).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    /// Counts a look at the certificate that found news.
    pub(crate) fn certificate(&self, result: &'static str) {
        self.certificates.get_or_create(&[("result", result)]).inc();
    }

    /// All of it, as `/metrics` shows it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            // writing to a string does not fail
            Err(std::fmt::Error) => String::new(),
        }
    }
}
