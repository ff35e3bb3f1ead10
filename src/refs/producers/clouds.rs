//! Resources of clouds and clusters that leave credentials behind.

use super::makes::{KeysOf, Maker, Row, makes, text};
use crate::flow::{Product, ProductKeys};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{CONFIG_MAP, SECRET};
use crate::tree::Node;

const EXPORT: GroupKindName = ("services.k8s.aws", "FieldExport");

/// The key of a field export; it writes into what is there and makes nothing.
const fn export(what: GroupKindName) -> Row {
    makes(EXPORT, what).at("spec.to", "name").namespace("namespace").creates_if(|_| false)
}

pub(super) static ROWS: &[Row] = &[
    export(SECRET).when(|to| text(to, "kind").is_some_and(|kind| kind.eq_ignore_ascii_case("secret"))),
    export(CONFIG_MAP).when(|to| text(to, "kind").is_some_and(|kind| kind.eq_ignore_ascii_case("configmap"))),
    makes(("iam.cnrm.cloud.google.com", "IAMServiceAccountKey"), SECRET).keys(KeysOf::AtLeast(&["key.json"])),
    makes(("cluster.x-k8s.io", "Cluster"), SECRET).named("*-kubeconfig").keys(KeysOf::AtLeast(&["value"])),
    makes(("cluster.x-k8s.io", "Cluster"), SECRET).named("*-ca").keys(KeysOf::AtLeast(&["tls.crt", "tls.key"])),
];

/// The connection details of a Crossplane resource, of whatever kind: in the namespace that is said
/// there, or in the claim's own.
pub(super) fn connection(maker: &Maker<'_>) -> Vec<Product> {
    let reference = |field| maker.node(&["spec", field]);
    let secret = |node: &Node<'_>| {
        let mut secret = maker.secret(text(node, "name")?, ProductKeys::Unknown);
        if let Some(namespace) = text(node, "namespace") {
            secret.target.namespace = Some(namespace.into());
        }
        Some(secret)
    };
    ["writeConnectionSecretToRef", "publishConnectionDetailsTo"]
        .into_iter()
        .filter_map(reference)
        .filter_map(secret)
        .collect()
}

/// What a resource of Azure Service Operator exports: `spec.operatorSpec.{secrets,configMaps}`.
pub(super) fn azure(maker: &Maker<'_>) -> Vec<Product> {
    if !maker.object.id.group.ends_with(".azure.com") {
        return Vec::new();
    }
    let exports = |field| {
        let mapping = maker.node(&["spec", "operatorSpec", field]).and_then(Node::mapping);
        mapping.map(|mapping| mapping.entries()).unwrap_or_default().iter().filter_map(|(_, to)| text(to, "name"))
    };
    let secrets = exports("secrets").map(|name| maker.secret(name, ProductKeys::Unknown));
    let maps = exports("configMaps").map(|name| maker.config_map(name, ProductKeys::Unknown));
    secrets.chain(maps).collect()
}
