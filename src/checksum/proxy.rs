//! Sources that the input holds, but not as their readers will get them: encrypted, or still empty.

use crate::object::Object;
use crate::object::view::config_data::{ConfigData, Entries, entries};
use crate::tree::Node;

/// The group of SecretProviderClass (secrets store CSI driver).
pub(super) const CSI_GROUP: &str = "secrets-store.csi.x-k8s.io";

/// Whether a ConfigMap or Secret is more than a shell.
pub(super) fn holds_data(object: &Object<'_>) -> bool {
    ["data", "stringData", "binaryData"].into_iter().any(|field| {
        let mapping = object.tree.get(field).and_then(Node::mapping);
        mapping.is_some_and(|mapping| !mapping.is_empty())
    })
}

/// Whether SOPS encrypted the document.
pub(super) fn is_sops(object: &Object<'_>) -> bool {
    object.tree.get("sops").is_some_and(|sops| sops.mapping().is_some())
}

/// Whether this makes a Secret out of its own ciphertext.
pub(super) fn is_sealed_secret(object: &Object<'_>) -> bool {
    object.is("bitnami.com", "SealedSecret")
}

/// The keys that a SealedSecret's template writes in clear. It may fill ciphertext into any of them.
pub(super) fn templated<'o>(object: &'o Object<'_>) -> Entries<'o> {
    entries(object.tree.at(&["spec", "template", "data"]), false)
}

/// What stands in for the content of an encrypted source, as it is written.
pub(super) fn content<'o>(object: &'o Object<'_>) -> ConfigData<'o> {
    if !is_sealed_secret(object) {
        return ConfigData::as_written(object);
    }
    let mut text = templated(object);
    text.extend(entries(object.tree.at(&["spec", "encryptedData"]), false));
    ConfigData { text, binary: Entries::new() }
}
