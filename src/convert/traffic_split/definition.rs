//! The CustomResourceDefinition of TrafficSplit, with the versions that somebody wants.
//!
//! Names, columns and the fields of each version are those of the published ones (smi-sdk-go,
//! `crds/split.yaml`; linkerd-smi, `charts/linkerd-smi`). Weights are whole numbers from 0 where the Go
//! types have an `int`: the published `type: number` lets `1.5` through, which no reader can decode.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use tera::{Context, Tera};

use crate::convert::Version;
use crate::finding::Finding;
use crate::finding::rules::crds as rules;
use crate::object::gvk::{is_dns_label, is_dns_subdomain};
use crate::tree::Node;
use crate::yaml;

/// The name of the definition.
pub const NAME: &str = "trafficsplits.split.smi-spec.io";

const TEMPLATE: &str = include_str!("../../../templates/trafficsplit-crd.yaml.tera");

/// What a definition is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The versions that can be read and written, in any order.
    pub served: Vec<Version>,
    /// The version that objects are stored in; served or not.
    pub stored: Version,
    /// Who makes one version of another.
    pub conversion: Conversion,
}

/// Who makes one version of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Nobody: only `apiVersion` changes. Right where all weights are whole numbers and no split has
    /// matches.
    None,
    /// A webhook, such as `tidegate-webhook`.
    Webhook(Webhook),
}

/// A webhook that converts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The namespace of its Service.
    pub namespace: String,
    /// Its Service.
    pub service: String,
    /// The port of the Service.
    pub port: u16,
    /// The path that reviews are sent to, with the `/` it begins with.
    pub path: String,
    /// By what the API server knows it.
    pub ca: Ca,
}

/// By what the API server knows a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ca {
    /// A bundle that somebody else writes into the definition.
    Elsewhere,
    /// These certificates, PEM.
    Pem(Vec<u8>),
    /// The Certificate `NAMESPACE/NAME`, from which cert-manager writes the bundle.
    CertManager(String),
}

impl Webhook {
    /// The webhook behind a Service, at port 443 and the path `/convert`.
    pub fn new(namespace: impl Into<String>, service: impl Into<String>, ca: Ca) -> Self {
        let (namespace, service) = (namespace.into(), service.into());
        Webhook { namespace, service, port: 443, path: "/convert".to_owned(), ca }
    }
}

/// Why there is no such definition. Each says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// No version is served.
    #[error("a definition serves one version at least: say which")]
    NothingServed,
    /// A name that no object has.
    #[error("the {what} of the webhook is `{value}`, which is no name of one")]
    Name {
        /// What is named.
        what: &'static str,
        /// How.
        value: String,
    },
    /// A path that is none.
    #[error("the path of the webhook is `{0}`: it begins with `/` and holds neither blanks nor quotes")]
    Path(String),
    /// Not PEM.
    #[error("the certificates of the webhook are not PEM: they begin with `-----BEGIN CERTIFICATE-----`")]
    NoPem,
    /// The template did not fit its values.
    #[error("the template of the definition cannot be rendered: {0}")]
    Template(String),
}

/// A version in the template.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    served: bool,
    storage: bool,
    quantities: bool,
    matches: bool,
}

/// The webhook in the template.
#[derive(Serialize)]
struct Target {
    namespace: String,
    service: String,
    port: u16,
    path: String,
}

impl Definition {
    /// The definition as YAML, one document that ends with a line break. Versions stand from old to new.
    ///
    /// # Errors
    /// When the values make no definition that an API server accepts.
    pub fn render(&self) -> Result<String, DefinitionError> {
        if self.served.is_empty() {
            return Err(DefinitionError::NothingServed);
        }
        let listed =
            Version::ALL.into_iter().filter(|version| self.served.contains(version) || *version == self.stored);
        let row = |version: Version| Row {
            name: version.word(),
            served: self.served.contains(&version),
            storage: version == self.stored,
            quantities: version == Version::V1alpha1,
            matches: version >= Version::V1alpha3,
        };
        let (webhook, inject_ca_from, ca_bundle) = match &self.conversion {
            Conversion::None => (None, None, None),
            Conversion::Webhook(webhook) => {
                let (inject, bundle) = webhook.known_by()?;
                (Some(webhook.target()?), inject, bundle)
            }
        };
        let mut context = Context::new();
        context.insert("versions", &listed.map(row).collect::<Vec<_>>());
        context.insert("webhook", &webhook);
        context.insert("inject_ca_from", &inject_ca_from);
        context.insert("ca_bundle", &ca_bundle);
        let text = Tera::one_off(TEMPLATE, &context, false);
        text.map_err(|error| DefinitionError::Template(error.to_string()))
    }

    /// What there is to say of a definition that changes `apiVersion` alone between versions of which
    /// one has Quantities.
    pub fn caution(&self) -> Option<Finding> {
        let listed = |version| self.served.contains(&version) || self.stored == version;
        let newer = Version::ALL.into_iter().filter(|version| *version > Version::V1alpha1 && listed(*version));
        let is_mixed = listed(Version::V1alpha1) && newer.count() > 0;
        let message = "with `conversion: None` a weight such as `500m` stays as it is at every version: readers of the \
                       newer ones cannot decode it";
        let remedy = "convert with a webhook, unless every weight that is stored is a whole number";
        (is_mixed && self.conversion == Conversion::None).then(|| {
            Finding::new(&rules::PLAN_CAUTION, message)
                .with_object(format!("CustomResourceDefinition {NAME}"))
                .with_remedy(remedy)
        })
    }
}

impl Webhook {
    fn target(&self) -> Result<Target, DefinitionError> {
        let name = |what, value: &str| DefinitionError::Name { what, value: value.to_owned() };
        if !is_dns_label(&self.namespace) {
            return Err(name("namespace", &self.namespace));
        }
        if !is_dns_label(&self.service) {
            return Err(name("Service", &self.service));
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%".contains(&byte);
        if !self.path.starts_with('/') || !self.path.bytes().all(is_plain) {
            return Err(DefinitionError::Path(self.path.clone()));
        }
        Ok(Target {
            namespace: scalar(&self.namespace),
            service: scalar(&self.service),
            port: self.port,
            path: scalar(&self.path),
        })
    }

    /// The annotation that asks for a bundle, and the bundle.
    fn known_by(&self) -> Result<(Option<&str>, Option<String>), DefinitionError> {
        match &self.ca {
            Ca::Elsewhere => Ok((None, None)),
            Ca::CertManager(certificate) => match certificate.split_once('/') {
                Some((namespace, name)) if is_dns_label(namespace) && is_dns_subdomain(name) => {
                    Ok((Some(certificate), None))
                }
                _ => Err(DefinitionError::Name { what: "Certificate (NAMESPACE/NAME)", value: certificate.clone() }),
            },
            Ca::Pem(pem) if pem.trim_ascii_start().starts_with(b"-----BEGIN CERTIFICATE-----") => {
                Ok((None, Some(STANDARD.encode(pem))))
            }
            Ca::Pem(_) => Err(DefinitionError::NoPem),
        }
    }
}

/// A text as YAML that reads it back as text: `"1"`, `web`.
fn scalar(text: &str) -> String {
    let mut out = String::new();
    yaml::emit(&Node::text(text), &mut out);
    out.trim_end().to_owned()
}

/// The versions of a list with commas: `v1alpha1,v1alpha2`.
///
/// # Errors
/// With the word that is no version.
pub fn versions(list: &str) -> Result<Vec<Version>, String> {
    let word = |word: &str| {
        Version::parse(word).ok_or_else(|| {
            let known: Vec<&str> = Version::ALL.into_iter().map(Version::word).collect();
            format!("`{word}` is no version of TrafficSplit: {} are", known.join(", "))
        })
    };
    list.split(',').map(str::trim).filter(|part| !part.is_empty()).map(word).collect()
}

#[cfg(test)]
mod tests;
