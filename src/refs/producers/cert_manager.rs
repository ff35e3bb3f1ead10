//! cert-manager and trust-manager.

use std::sync::Arc;

use super::Special;
use super::annotations::copies;
use super::makes::{Maker, everywhere, text, texts};
use crate::flow::{Product, ProductKeys};
use crate::object::Object;
use crate::tree::Node;

pub(super) static SPECIAL: &[Special] = &[
    ("cert-manager.io", "Certificate", certificate),
    ("certmanager.k8s.io", "Certificate", certificate),
    ("networking.k8s.io", "Ingress", ingress),
    ("extensions", "Ingress", ingress),
    ("gateway.networking.k8s.io", "Gateway", gateway),
    ("trust.cert-manager.io", "Bundle", bundle),
    ("trust.cert-manager.io", "ClusterBundle", bundle),
];

/// The keys of a certificate's Secret (`pkg/controller/certificates/issuing/internal/secret.go`); a
/// `ca.crt` only where the issuer tells one.
const KEYS: [&str; 3] = ["tls.crt", "tls.key", "ca.crt"];

/// What `additionalOutputFormats` and `keystores` add.
const FORMATS: [(&str, &str); 2] = [("CombinedPEM", "tls-combined.pem"), ("DER", "key.der")];
const KEYSTORES: [(&str, [&str; 2]); 2] =
    [("jks", ["keystore.jks", "truststore.jks"]), ("pkcs12", ["keystore.p12", "truststore.p12"])];

fn certificate(maker: &Maker<'_>) -> Vec<Product> {
    let Some(name) = maker.text(&["spec", "secretName"]) else { return Vec::new() };
    let mut keys: Vec<Arc<str>> = KEYS.iter().map(|key| (*key).into()).collect();
    let formats = texts(maker.node(&["spec", "additionalOutputFormats"]), "type");
    keys.extend(
        FORMATS.iter().filter(|(format, _)| formats.iter().any(|f| &**f == *format)).map(|(_, key)| (*key).into()),
    );
    for (store, stores) in KEYSTORES {
        if maker.node(&["spec", "keystores", store, "create"]).and_then(Node::as_bool) == Some(true) {
            keys.extend(stores.map(Into::into));
        }
    }
    let secret = maker.secret(name, ProductKeys::Exactly(keys));
    let copies = copies(maker.node(&["spec", "secretTemplate", "annotations"]), &secret);
    std::iter::once(secret).chain(copies).collect()
}

/// Annotations of an Ingress or Gateway for which cert-manager makes Certificates (ingress-shim).
const SHIM: [&str; 5] = [
    "cert-manager.io/issuer",
    "cert-manager.io/cluster-issuer",
    "certmanager.k8s.io/issuer",
    "certmanager.k8s.io/cluster-issuer",
    "kubernetes.io/tls-acme",
];

fn is_shimmed(object: &Object<'_>) -> bool {
    SHIM.iter().any(|name| object.annotation(name).is_some_and(|value| !matches!(value, "" | "false")))
}

fn tls(maker: &Maker<'_>, name: &str) -> Product {
    maker.secret(name, ProductKeys::Exactly(KEYS.map(Into::into).to_vec()))
}

fn ingress(maker: &Maker<'_>) -> Vec<Product> {
    if !is_shimmed(maker.object) {
        return Vec::new();
    }
    texts(maker.node(&["spec", "tls"]), "secretName").iter().map(|name| tls(maker, name)).collect()
}

fn gateway(maker: &Maker<'_>) -> Vec<Product> {
    if !is_shimmed(maker.object) {
        return Vec::new();
    }
    let listeners = maker.items(&["spec", "listeners"]).iter();
    let names = listeners.flat_map(|listener| texts(listener.at(&["tls", "certificateRefs"]), "name"));
    names.map(|name| tls(maker, &name)).collect()
}

/// A trust bundle: a ConfigMap, a Secret or both, named as the bundle, in every namespace or in those
/// that a selector picks.
fn bundle(maker: &Maker<'_>) -> Vec<Product> {
    let target = |field| maker.node(&["spec", "target", field]).filter(|node| !node.is_null());
    let formats = maker.node(&["spec", "target", "additionalFormats"]).and_then(Node::mapping);
    let formats: Vec<Arc<str>> = formats
        .map(|mapping| mapping.entries())
        .unwrap_or_default()
        .iter()
        .filter_map(|(_, format)| text(format, "key"))
        .map(Into::into)
        .collect();
    let keys = |node: &Node<'_>| {
        let mut keys: Vec<Arc<str>> = text(node, "key").into_iter().map(Into::into).collect();
        keys.extend(texts(node.get("data"), "key"));
        keys.extend(formats.iter().cloned());
        if keys.is_empty() { ProductKeys::Unknown } else { ProductKeys::Exactly(keys) }
    };
    let name = maker.name_by("*");
    let config_map = target("configMap").map(|node| maker.config_map(&name, keys(node)));
    let secret = target("secret").map(|node| maker.secret(&name, keys(node)));
    config_map.into_iter().chain(secret).map(|product| everywhere(&product)).collect()
}
