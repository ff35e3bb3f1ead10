//! Certificates, and the servers under load, each a process of its own.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{ClientConfig, RootCertStore};

/// An authority of certificates for `localhost`.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no name is a fine list");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("there is randomness");
        Authority(CertifiedIssuer::self_signed(params, key).expect("an authority signs itself"))
    }

    /// Writes a new pair.
    pub(crate) fn sign(&self, folder: &Path) {
        let key = KeyPair::generate().expect("there is randomness");
        let params = CertificateParams::new(["localhost".to_owned()]).expect("localhost is a name");
        let certificate = params.signed_by(&key, &self.0).expect("the authority signs");
        std::fs::write(folder.join("tls.crt"), certificate.pem()).expect("a file is written");
        std::fs::write(folder.join("tls.key"), key.serialize_pem()).expect("a file is written");
    }

    /// A client that trusts this authority.
    pub(crate) fn client(&self) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        Arc::new(builder.expect("ring has the versions").with_root_certificates(roots).with_no_client_auth())
    }
}

/// A server under load.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    renewed: thread::JoinHandle<bool>,
    converts: bool,
}

impl Server {
    pub(crate) fn start(name: &str, folder: &Path) -> Self {
        let (certificate, key) = (folder.join("tls.crt"), folder.join("tls.key"));
        let converts = name == "webhook";
        let mut command = match converts {
            true => Command::new(env!("CARGO_BIN_EXE_tidegate-webhook")),
            false => Command::new(std::env::current_exe().expect("this program")),
        };
        match converts {
            true => command
                .args(["--listen", "127.0.0.1:0", "--reload-every", "0.1", "--tls-cert"])
                .arg(certificate)
                .arg("--tls-key")
                .arg(key),
            false => command.arg("echo").arg(certificate).arg(key),
        };
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let said: Box<dyn Read + Send> = match converts {
            true => Box::new(child.stderr.take().expect("it is piped")),
            false => Box::new(child.stdout.take().expect("it is piped")),
        };
        let mut lines = BufReader::new(said).lines();
        let first = lines.next().expect("it says where").expect("text");
        let port = first.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        // read on, so that the pipe never fills
        let renewed = thread::spawn(move || {
            lines.map_while(Result::ok).any(|line| line.contains("new connections get the new one"))
        });
        Server { child, port, renewed, converts }
    }

    /// The most memory that it has held, in MiB; 0 where the system does not tell.
    pub(crate) fn most_memory_mib(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(0.0) / 1024.0
    }

    /// Ends it; the webhook must have taken the new certificate.
    pub(crate) fn stop(mut self) {
        self.child.kill().expect("it still runs");
        self.child.wait().expect("it ends");
        let renewed = self.renewed.join().expect("the log is read");
        assert!(renewed || !self.converts, "the new certificate was not taken");
    }
}
