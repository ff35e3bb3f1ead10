//! External Secrets.

use std::sync::Arc;

use super::Special;
use super::annotations::copies;
use super::makes::{Maker, everywhere, keys_of, text, texts};
use crate::flow::{Product, ProductKeys};
use crate::object::gvk::split_api_version;
use crate::refs::row::kinds::SECRET;
use crate::tree::Node;

/// A PushSecret makes nothing here: it writes into the provider.
pub(super) static SPECIAL: &[Special] = &[
    ("external-secrets.io", "ExternalSecret", external),
    ("external-secrets.io", "ClusterExternalSecret", cluster),
    // the tool of that name before, which is no longer kept up
    ("kubernetes-client.io", "ExternalSecret", former),
];

fn external(maker: &Maker<'_>) -> Vec<Product> {
    let spec = maker.node(&["spec"]);
    spec.map(|spec| target(maker, spec, &maker.name_by("*"))).unwrap_or_default()
}

/// An ExternalSecret in every listed namespace, or in those that a selector picks.
fn cluster(maker: &Maker<'_>) -> Vec<Product> {
    let Some(spec) = maker.node(&["spec", "externalSecretSpec"]) else { return Vec::new() };
    let own = maker.name_by("*");
    let name = maker.text(&["spec", "externalSecretName"]).unwrap_or(&own);
    let made = target(maker, spec, name);
    made.iter().map(everywhere).collect()
}

/// What an ExternalSecret named `name` makes.
fn target(maker: &Maker<'_>, spec: &Node<'_>, name: &str) -> Vec<Product> {
    let target = spec.get("target");
    let field = |name| target.and_then(|target| text(target, name));
    let policy = field("creationPolicy");
    if policy == Some("None") {
        return Vec::new();
    }
    let manifest = target.and_then(|target| target.get("manifest"));
    let kind = manifest.and_then(|manifest| {
        let (group, _) = split_api_version(text(manifest, "apiVersion")?).ok()?;
        Some((group, text(manifest, "kind")?))
    });
    let keys = if kind.is_none() { keys(spec) } else { ProductKeys::Unknown };
    let mut product = maker.product(kind.unwrap_or(SECRET), field("name").unwrap_or(name), keys);
    // merging needs somebody else to make the Secret
    product.creates = policy != Some("Merge");
    let annotations = target.and_then(|target| target.at(&["template", "metadata", "annotations"]));
    let copies = copies(annotations, &product);
    std::iter::once(product).chain(copies).collect()
}

/// The keys that an ExternalSecret writes: those of its template replace what it fetches, unless the
/// template says nothing about data or merges (`ApplyTemplate` in `pkg/controllers/externalsecret`).
fn keys(spec: &Node<'_>) -> ProductKeys {
    let has_items = |node: Option<&Node<'_>>| node.and_then(Node::items).is_some_and(|items| !items.is_empty());
    let fetched = texts(spec.get("data"), "secretKey");
    let fetches_more = has_items(spec.get("dataFrom"));
    let template = spec.at(&["target", "template"]);
    let templated = keys_of(template.and_then(|template| template.get("data")));
    let templates_more = has_items(template.and_then(|template| template.get("templateFrom")));
    let merges = template.and_then(|template| text(template, "mergePolicy")) == Some("Merge");
    let replaces = !merges && (templates_more || !templated.is_empty());
    let (keys, open): (Vec<Arc<str>>, bool) = match replaces {
        true => (templated, templates_more),
        false => ([fetched, templated].concat(), fetches_more || templates_more),
    };
    match (open, keys.is_empty()) {
        (false, false) => ProductKeys::Exactly(keys),
        (true, false) => ProductKeys::AtLeast(keys),
        (_, true) => ProductKeys::Unknown,
    }
}

fn former(maker: &Maker<'_>) -> Vec<Product> {
    let names = ["spec", "secretDescriptor"].map(|field| texts(maker.node(&[field, "data"]), "name"));
    vec![maker.secret(&maker.name_by("*"), ProductKeys::AtLeast(names.concat()))]
}
