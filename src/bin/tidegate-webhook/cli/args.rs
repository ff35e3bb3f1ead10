//! What a user can type.

use std::net::SocketAddr;
use std::time::Duration;

use camino::Utf8PathBuf;
use clap::builder::RangedU64ValueParser;
use clap::{Parser, Subcommand};

/// Converts TrafficSplits and HTTPRouteGroups for API servers, over HTTPS
///
/// POST /convert answers ConversionReviews; GET /livez, /readyz and /metrics are for probes and Prometheus.
/// The certificate is read again when its files change. SIGTERM and SIGINT end it with exit code 0.
/// Exit codes: 0 done; 2 usage; 3 a file that cannot be used, or an address that cannot be listened on;
/// 4 internal error.
#[derive(Debug, Parser)]
#[command(
    name = "tidegate-webhook",
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,

    #[command(flatten)]
    pub(crate) serve: Option<ServeArgs>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Print what a cluster needs to run this program
    Manifests(ManifestsArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Where to serve HTTPS
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:8443")]
    pub(crate) listen: SocketAddr,

    /// Where to serve probes and metrics without TLS, besides
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) plain_listen: Option<SocketAddr>,

    /// Certificate, and behind it those that lead to its authority (PEM)
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) tls_cert: Utf8PathBuf,

    /// Its private key (PEM)
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) tls_key: Utf8PathBuf,

    /// Seconds between two looks whether the certificate has changed
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) reload_every: Duration,

    /// Seconds to go on serving after the signal to stop, while /readyz already says 503
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    pub(crate) drain: Duration,

    /// Seconds that requests then have to come to their end
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) grace: Duration,

    /// Bytes that the body of a request may have
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = count(1 << 30))]
    pub(crate) max_body_bytes: u32,

    /// Objects that a review may hold
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = count(10_000_000))]
    pub(crate) max_objects: u32,

    /// Seconds from the head of a request to its answer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = positive_seconds)]
    pub(crate) timeout: Duration,

    /// Connections that may be open at once
    #[arg(long, value_name = "NUMBER", default_value_t = 1024, value_parser = count(1_000_000))]
    pub(crate) max_connections: u32,

    /// Reviews that are converted at once [default: as many as there are processors]
    #[arg(long, value_name = "NUMBER", value_parser = count(1024))]
    pub(crate) max_conversions: Option<u32>,
}

/// Pipe the output into a file of the repository, or into `tidegate render -`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManifestsArgs {
    /// Image with this program as its entry point
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: String,

    /// Namespace to run in
    #[arg(short, long, value_name = "NAME", default_value = "tidegate")]
    pub(crate) namespace: String,

    /// Name of the Deployment, its Service and all else
    #[arg(long, value_name = "NAME", default_value = "tidegate-webhook")]
    pub(crate) name: String,

    /// Pods
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = count(1000))]
    pub(crate) replicas: u32,

    /// Secret with tls.crt and tls.key [default: the name and -tls]
    #[arg(long, value_name = "NAME")]
    pub(crate) tls_secret: Option<String>,

    /// Authority of the certificate (PEM) [default: cert-manager makes one, and the certificate]
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_bundle: Option<Utf8PathBuf>,

    /// Print the conversion of the definitions, as merge patches, in place of the server
    #[arg(long)]
    pub(crate) conversion: bool,
}

fn count(most: u64) -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=most)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|error| format!("{error}"))?;
    Duration::try_from_secs_f64(seconds).ok().filter(|d| d.as_secs() <= 3600).ok_or("at most 3600 seconds".to_owned())
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    seconds(text).and_then(|time| if time.is_zero() { Err("more than 0 seconds".to_owned()) } else { Ok(time) })
}
