//! What the server tells about itself.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::webhook::tls::PairError;

/// Something that whoever runs the server may want to know.
#[derive(Debug)]
pub enum Event {
    /// Requests are served.
    Listening {
        /// Where HTTPS is.
        address: SocketAddr,
        /// Where probes and metrics are without TLS.
        plain: Option<SocketAddr>,
    },
    /// New connections get a new certificate.
    CertificateRenewed,
    /// The files hold a pair that cannot be used.
    CertificateRefused(PairError),
    /// The files are not looked at any more.
    ReloadBroken,
    /// A review could not be answered with converted objects; the message is the answer's.
    Failed(String),
    /// The conversion broke: an error of tidegate's own.
    Panicked,
    /// The word to stop came.
    Stopping,
    /// All is done.
    Stopped,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Listening { address, plain: None } => write!(f, "listening on https://{address}"),
            Event::Listening { address, plain: Some(plain) } => {
                write!(f, "listening on https://{address}, probes and metrics on http://{plain}")
            }
            Event::CertificateRenewed => f.write_str("the certificate changed: new connections get the new one"),
            Event::CertificateRefused(error) => write!(f, "the certificate changed and stays as it was: {error}"),
            Event::ReloadBroken => f.write_str("internal error: the certificate is not looked at any more"),
            Event::Failed(message) => write!(f, "not converted: {message}"),
            Event::Panicked => f.write_str("internal error: a conversion broke; please report it"),
            Event::Stopping => f.write_str("stopping"),
            Event::Stopped => f.write_str("stopped"),
        }
    }
}

/// Who is told.
#[derive(Clone)]
pub struct Log(Arc<dyn Fn(Event) + Send + Sync>);

impl Log {
    /// Tells every event to `tell`, from any thread.
    pub fn new(tell: impl Fn(Event) + Send + Sync + 'static) -> Self {
        Log(Arc::new(tell))
    }

    pub(crate) fn say(&self, event: Event) {
        (self.0)(event);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}
