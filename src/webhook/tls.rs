//! The certificate and its key: read, checked, and read again when the files change.

use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;

use axum_server::tls_rustls::RustlsConfig;
use camino::{Utf8Path, Utf8PathBuf};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest as _, Sha256};

/// Bytes that a file with certificates or a key may have. Real ones have a few thousand.
const MAX_BYTES: u64 = 1 << 20;

/// The two files that a certificate comes in, both PEM, as cert-manager and `kubectl create secret tls` make them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The certificate, and behind it those that lead to its authority.
    pub certificate: Utf8PathBuf,
    /// The private key of the first certificate: PKCS#8, PKCS#1 or SEC1.
    pub key: Utf8PathBuf,
}

/// Why a pair cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    /// A file cannot be read.
    #[error("{path} cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: Utf8PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file holds no PEM, or not the block that belongs there.
    #[error("{path} holds no {what} in PEM form: {source}")]
    NoPem {
        /// The file.
        path: Utf8PathBuf,
        /// `certificate` or `private key`.
        what: &'static str,
        /// Why.
        source: pem::Error,
    },
    /// The two do not make a server.
    #[error("{certificate} and {key} cannot be used together: {source}")]
    Unusable {
        /// The file of the certificate.
        certificate: Utf8PathBuf,
        /// The file of the key.
        key: Utf8PathBuf,
        /// Why: often that the key belongs to another certificate.
        source: rustls::Error,
    },
}

/// What a look at the files found.
#[derive(Debug)]
pub enum Look {
    /// The files are what they were at the last look.
    Same,
    /// There is a new pair, and new connections get it.
    Renewed,
    /// There is a new pair that cannot be used: connections go on getting the one before.
    Refused(PairError),
}

/// The pair in use. Connections that are open keep the certificate they began with.
#[derive(Debug)]
pub struct Identity {
    pair: Pair,
    config: RustlsConfig,
    /// Of what was seen last, usable or not: a bad pair is told once.
    seen: Option<[u8; 32]>,
}

impl Identity {
    /// Reads a pair for the first time.
    ///
    /// # Errors
    /// When it cannot be read or used.
    pub fn load(pair: Pair) -> Result<Self, PairError> {
        let read = read(&pair)?;
        let config = RustlsConfig::from_config(Arc::new(server_config(&pair, &read)?));
        Ok(Identity { pair, config, seen: Some(read.digest()) })
    }

    /// What the server hands to each connection; follows [`look`](Self::look).
    pub fn config(&self) -> RustlsConfig {
        self.config.clone()
    }

    /// Looks whether the content of the files has changed, and takes a new pair into use. Times of
    /// files are not asked: a volume of a Secret is swapped by a link.
    ///
    /// Blocks while it reads. A pair of which only one file is new yet is refused, and taken at the
    /// next look.
    pub fn look(&mut self) -> Look {
        let read = match read(&self.pair) {
            Ok(read) => read,
            // nothing was seen: told once, and whatever comes next is news
            Err(error) => return if self.seen.take().is_some() { Look::Refused(error) } else { Look::Same },
        };
        let digest = read.digest();
        if self.seen == Some(digest) {
            return Look::Same;
        }
        self.seen = Some(digest);
        match server_config(&self.pair, &read) {
            Ok(config) => {
                self.config.reload_from_config(Arc::new(config));
                Look::Renewed
            }
            Err(error) => Look::Refused(error),
        }
    }
}

/// The bytes of both files.
struct Bytes {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Bytes {
    fn digest(&self) -> [u8; 32] {
        let parts = [&self.certificate, &self.key].map(Sha256::digest);
        Sha256::digest(parts.concat()).into()
    }
}

fn read(pair: &Pair) -> Result<Bytes, PairError> {
    Ok(Bytes { certificate: read_file(&pair.certificate)?, key: read_file(&pair.key)? })
}

#[allow(clippy::disallowed_methods, reason = "the two files that the operator names, and no input")]
fn read_file(path: &Utf8Path) -> Result<Vec<u8>, PairError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(source) => Err(PairError::Unreadable { path: path.to_owned(), source }),
    }
}

fn server_config(pair: &Pair, read: &Bytes) -> Result<ServerConfig, PairError> {
    let no_pem = |path: &Utf8Path, what, source| PairError::NoPem { path: path.to_owned(), what, source };
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&read.certificate)
        .collect::<Result<_, _>>()
        .and_then(|chain: Vec<_>| if chain.is_empty() { Err(pem::Error::NoItemsFound) } else { Ok(chain) })
        .map_err(|source| no_pem(&pair.certificate, "certificate", source))?;
    let key = PrivateKeyDer::from_pem_slice(&read.key).map_err(|source| no_pem(&pair.key, "private key", source))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key));
    let mut config = config.map_err(|source| PairError::Unusable {
        certificate: pair.certificate.clone(),
        key: pair.key.clone(),
        source,
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rcgen::generate_simple_self_signed;

    use super::*;

    fn made() -> (String, String) {
        let made = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    fn folder() -> (tempfile::TempDir, Pair) {
        let folder = tempfile::tempdir().unwrap();
        let at = Utf8Path::from_path(folder.path()).unwrap();
        let pair = Pair { certificate: at.join("tls.crt"), key: at.join("tls.key") };
        (folder, pair)
    }

    #[test]
    fn a_new_pair_is_taken_and_a_broken_one_is_told_once() {
        let (_folder, pair) = folder();
        let put = |certificate: &str, key: &str| {
            fs::write(&pair.certificate, certificate).unwrap();
            fs::write(&pair.key, key).unwrap();
        };
        let (first, second) = (made(), made());
        put(&first.0, &first.1);
        let mut identity = Identity::load(pair.clone()).unwrap();
        assert!(matches!(identity.look(), Look::Same));

        // half a renewal: the key comes at the next look
        put(&second.0, &first.1);
        let before = identity.config().get_inner();
        let Look::Refused(error) = identity.look() else { panic!("a key of another certificate") };
        assert!(error.to_string().contains("tls.crt") && error.to_string().contains("cannot be used together"));
        assert!(matches!(identity.look(), Look::Same));
        assert!(Arc::ptr_eq(&before, &identity.config().get_inner()), "the pair before stays in use");

        put(&second.0, &second.1);
        assert!(matches!(identity.look(), Look::Renewed));
        assert!(!Arc::ptr_eq(&before, &identity.config().get_inner()));

        fs::remove_file(&pair.key).unwrap();
        let Look::Refused(error) = identity.look() else { panic!("no key") };
        assert!(error.to_string().contains("tls.key cannot be read"), "{error}");
        assert!(matches!(identity.look(), Look::Same));
        put(&second.0, &second.1);
        assert!(matches!(identity.look(), Look::Renewed));
    }

    #[test]
    fn what_is_no_pair_is_refused_with_the_file() {
        let (_folder, pair) = folder();
        let (certificate, key) = made();
        for (first, second, says) in [
            ("", key.as_str(), "tls.crt holds no certificate in PEM form"),
            (certificate.as_str(), "", "tls.key holds no private key in PEM form"),
            (certificate.as_str(), certificate.as_str(), "tls.key holds no private key in PEM form"),
        ] {
            fs::write(&pair.certificate, first).unwrap();
            fs::write(&pair.key, second).unwrap();
            let error = Identity::load(pair.clone()).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
            assert!(!error.contains("PRIVATE"), "no content of a file is shown: {error}");
        }
    }
}
