//! Operators that bring secrets out of Vault.

use super::makes::{KeysOf, Row, makes};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::SECRET;
use crate::tree::Node;

/// A kind of the Vault Secrets Operator: `destination.create` is false unless it is said.
const fn operator(kind: &'static str) -> Row {
    makes(("secrets.hashicorp.com", kind), SECRET)
        .at("spec.destination", "name")
        .creates_if(|destination| destination.get("create").and_then(Node::as_bool) == Some(true))
}

const BANK: GroupKindName = ("vault.banzaicloud.com", "Vault");

pub(super) static ROWS: &[Row] = &[
    operator("VaultStaticSecret"),
    operator("VaultDynamicSecret"),
    operator("VaultPKISecret"),
    operator("VaultTokenSecret"),
    operator("HCPVaultSecretsApp"),
    makes(BANK, SECRET).named("*-unseal-keys"),
    makes(BANK, SECRET).named("*-tls").keys(KeysOf::AtLeast(&["ca.crt", "server.crt", "server.key"])),
    makes(BANK, SECRET).named("*-raw-config"),
    makes(("ricoberger.de", "VaultSecret"), SECRET),
    makes(("redhatcop.redhat.io", "VaultSecret"), SECRET).at("spec.output", "name"),
];
