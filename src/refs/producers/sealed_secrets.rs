//! Sealed Secrets.

use super::Special;
use super::annotations::copies;
use super::makes::{Maker, keys_of, text};
use crate::flow::{Product, ProductKeys};

pub(super) static SPECIAL: &[Special] = &[("bitnami.com", "SealedSecret", unsealed)];

/// A Secret of the SealedSecret's own name and namespace, whatever its template says (`Unseal` in
/// `pkg/apis/sealedsecrets/v1alpha1`).
fn unsealed(maker: &Maker<'_>) -> Vec<Product> {
    let template = maker.node(&["spec", "template"]);
    let annotations = template.and_then(|template| template.at(&["metadata", "annotations"]));
    let says = |name| annotations.and_then(|node| text(node, name)) == Some("true");
    let keys =
        [keys_of(maker.node(&["spec", "encryptedData"])), keys_of(template.and_then(|template| template.get("data")))];
    // the oldest form seals all keys as one text; a patch leaves other keys alone
    let sealed_as_one = maker.node(&["spec", "data"]).is_some_and(|node| node.as_str().is_some());
    let keys = match (sealed_as_one, says("sealedsecrets.bitnami.com/patch")) {
        (true, _) => ProductKeys::Unknown,
        (false, true) => ProductKeys::AtLeast(keys.concat()),
        (false, false) => ProductKeys::Exactly(keys.concat()),
    };
    let secret = maker.secret(&maker.name_by("*"), keys);
    let copies = copies(annotations, &secret);
    std::iter::once(secret).chain(copies).collect()
}
