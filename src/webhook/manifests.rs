//! What a cluster needs to run the webhook, as manifests.
//!
//! [`deployment`] prints Namespace, ServiceAccount (without a token or rights: the server asks the API server for
//! nothing), NetworkPolicy, Service, PodDisruptionBudget, Deployment, and with cert-manager what makes its
//! certificate. [`conversion`] prints the part of a CustomResourceDefinition that names the webhook. `tidegate
//! render` places the first before the second.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tera::{Context, Tera};

use crate::object::gvk::is_dns_label;

/// Definitions whose objects the webhook converts, by the names that the published ones have.
pub const DEFINITIONS: [&str; 2] = ["httproutegroups.specs.smi-spec.io", "trafficsplits.split.smi-spec.io"];

const DEPLOYMENT: &str = include_str!("../../templates/webhook.yaml.tera");
const CONVERSION: &str = include_str!("../../templates/webhook-conversion.yaml.tera");

/// Whose certificate the server shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authority {
    /// cert-manager makes an authority and the certificate, and writes the bundle into the definitions.
    CertManager,
    /// The certificate is in a Secret of type `kubernetes.io/tls` that somebody else makes; this is the PEM
    /// of those who signed it.
    Bundle(String),
}

/// How the webhook is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Of the Deployment, its Service and all else that has a name.
    pub name: String,
    /// Where it runs.
    pub namespace: String,
    /// The image with `tidegate-webhook` as its entry point.
    pub image: String,
    /// Pods, at least 1; 2 stay up while one is moved.
    pub replicas: u32,
    /// The Secret with `tls.crt` and `tls.key`.
    pub secret: String,
    /// Who signs.
    pub authority: Authority,
}

/// Why there are no manifests.
#[derive(Debug, thiserror::Error)]
pub enum ManifestsError {
    /// A name is none.
    #[error("{what} `{name}` is no DNS label: lower-case letters, digits and `-`, at most 63")]
    Name {
        /// Which.
        what: &'static str,
        /// As it was given.
        name: String,
    },
    /// An image is none.
    #[error("`{0}` names no image")]
    Image(String),
    /// There would be no pod.
    #[error("0 replicas convert nothing, and no object of another version could be read")]
    NoReplicas,
    /// A bundle is none.
    #[error("the bundle holds no certificate in PEM form")]
    Bundle,
    /// A template is wrong: an error of tidegate's own.
    #[error("internal error: {0}")]
    Template(#[from] tera::Error),
}

/// The manifests of the server, as a stream of YAML documents.
///
/// # Errors
/// When a choice is none.
pub fn deployment(choices: &Choices) -> Result<String, ManifestsError> {
    print(DEPLOYMENT, choices)
}

/// What makes the definitions of [`DEFINITIONS`] name the server: for each a merge patch, as a stream of YAML
/// documents.
///
/// # Errors
/// When a choice is none.
pub fn conversion(choices: &Choices) -> Result<String, ManifestsError> {
    print(CONVERSION, choices)
}

fn print(template: &str, choices: &Choices) -> Result<String, ManifestsError> {
    let names = [("the name", &choices.name), ("the namespace", &choices.namespace), ("the Secret", &choices.secret)];
    for (what, name) in names {
        if !is_dns_label(name) {
            return Err(ManifestsError::Name { what, name: name.clone() });
        }
    }
    let image = &choices.image;
    if image.is_empty() || !image.bytes().all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\') {
        return Err(ManifestsError::Image(image.clone()));
    }
    if choices.replicas == 0 {
        return Err(ManifestsError::NoReplicas);
    }
    let mut context = Context::new();
    context.insert("name", &choices.name);
    context.insert("namespace", &choices.namespace);
    context.insert("secret", &choices.secret);
    context.insert("image", &format!("\"{image}\""));
    context.insert("replicas", &choices.replicas);
    context.insert("definitions", &DEFINITIONS);
    context.insert("cert_manager", &(choices.authority == Authority::CertManager));
    let bundle = match &choices.authority {
        Authority::CertManager => String::new(),
        Authority::Bundle(pem) if pem.contains("-----BEGIN CERTIFICATE-----") => BASE64_STANDARD.encode(pem),
        Authority::Bundle(_) => return Err(ManifestsError::Bundle),
    };
    context.insert("ca_bundle", &bundle);
    Ok(Tera::one_off(template, &context, false)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Choices {
        Choices {
            name: "tidegate-webhook".to_owned(),
            namespace: "tidegate".to_owned(),
            image: "registry.example.com/tidegate-webhook:0.1.0@sha256:0a".to_owned(),
            replicas: 2,
            secret: "tidegate-webhook-tls".to_owned(),
            authority: Authority::CertManager,
        }
    }

    #[test]
    fn a_given_bundle_stands_in_the_definition_and_makes_no_certificate() {
        let pem = "-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n";
        let given = Choices { authority: Authority::Bundle(pem.to_owned()), ..choices() };
        let (server, patch) = (deployment(&given).unwrap(), conversion(&given).unwrap());
        assert!(!server.contains("cert-manager") && !patch.contains("cert-manager"));
        assert_eq!(patch.matches(&format!("        caBundle: {}\n", BASE64_STANDARD.encode(pem))).count(), 2);

        let (server, patch) = (deployment(&choices()).unwrap(), conversion(&choices()).unwrap());
        assert_eq!(server.matches("\nkind: Certificate\n").count(), 2);
        assert_eq!(patch.matches("    cert-manager.io/inject-ca-from: tidegate/tidegate-webhook\n").count(), 2);
        assert!(!patch.contains("caBundle"));
    }

    #[test]
    fn what_would_not_be_yaml_is_refused() {
        for wrong in [
            Choices { name: "a: b".to_owned(), ..choices() },
            Choices { namespace: String::new(), ..choices() },
            Choices { secret: "A".to_owned(), ..choices() },
            Choices { image: "a\" b".to_owned(), ..choices() },
            Choices { image: String::new(), ..choices() },
            Choices { replicas: 0, ..choices() },
            Choices { authority: Authority::Bundle("tls.crt".to_owned()), ..choices() },
        ] {
            assert!(deployment(&wrong).is_err() && conversion(&wrong).is_err(), "{wrong:?}");
        }
    }
}
