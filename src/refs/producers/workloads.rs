//! Workloads that are known to make an object themselves.

use super::Special;
use super::makes::{Maker, everywhere};
use crate::flow::{Product, ProductKeys};
use crate::object::view::pod_template::{self, containers};
use crate::refs::row::kinds::PVC;
use crate::tree::Node;

pub(super) static SPECIAL: &[Special] = &[
    ("", "Pod", made),
    ("apps", "DaemonSet", made),
    ("apps", "Deployment", made),
    ("apps", "StatefulSet", made),
    ("apps", "StatefulSet", claims),
    ("batch", "CronJob", made),
    ("batch", "Job", made),
];

/// Replicas of a StatefulSet whose claims are listed; nobody names those of later ones.
const REPLICAS: i64 = 100;

/// The claims of a StatefulSet: `TEMPLATE-NAME-ORDINAL` (`getPersistentVolumeClaimName` in
/// `pkg/controller/statefulset`).
fn claims(maker: &Maker<'_>) -> Vec<Product> {
    let number = |path: &[&str]| maker.node(path).and_then(Node::as_i64);
    let first = number(&["spec", "ordinals", "start"]).unwrap_or(0).max(0);
    let replicas = number(&["spec", "replicas"]).unwrap_or(1).clamp(0, REPLICAS);
    let templates = maker.items(&["spec", "volumeClaimTemplates"]).iter();
    let templates = templates.filter_map(|claim| claim.at(&["metadata", "name"]).and_then(Node::as_str));
    let claim = |template: &str, nth: i64| {
        let name = maker.name_by(&format!("{template}-*-{}", first.saturating_add(nth)));
        maker.product(PVC, &name, ProductKeys::Unknown)
    };
    templates.flat_map(|template| (0..replicas).map(move |nth| claim(template, nth))).collect()
}

/// What a container makes.
static CONTAINERS: &[fn(&Maker<'_>, &Node<'_>) -> Option<Product>] =
    &[istiod, spire_server, webhook_certificate, argocd_redis];

fn made(maker: &Maker<'_>) -> Vec<Product> {
    let spec = pod_template::of(maker.object).and_then(|template| template.spec(maker.object));
    let containers = spec.into_iter().flat_map(containers);
    let products = containers.flat_map(|(_, _, container)| CONTAINERS.iter().filter_map(|made| made(maker, container)));
    products.collect()
}

fn is_named(container: &Node<'_>, name: &str, image: &str) -> bool {
    let text = |field| container.get(field).and_then(Node::as_str).unwrap_or("");
    text("name") == name && text("image").contains(image)
}

fn at_least(key: &str) -> ProductKeys {
    ProductKeys::AtLeast(vec![key.into()])
}

/// The words of a container's command line.
fn words<'n>(container: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    let list = |field| container.get(field).and_then(Node::items).unwrap_or_default();
    list("command").iter().chain(list("args")).filter_map(Node::as_str)
}

/// istiod publishes its root certificate in every namespace.
fn istiod(maker: &Maker<'_>, container: &Node<'_>) -> Option<Product> {
    let made = || everywhere(&maker.config_map("istio-ca-root-cert", at_least("root-cert.pem")));
    is_named(container, "discovery", "pilot").then(made)
}

/// The notifier of a SPIRE server publishes its bundle in its own namespace, by default.
fn spire_server(maker: &Maker<'_>, container: &Node<'_>) -> Option<Product> {
    is_named(container, "spire-server", "").then(|| maker.config_map("spire-bundle", at_least("bundle.crt")))
}

/// The Jobs by which charts make the certificate of an admission webhook (kube-webhook-certgen):
/// `create --secret-name=NAME`.
fn webhook_certificate(maker: &Maker<'_>, container: &Node<'_>) -> Option<Product> {
    let words: Vec<&str> = words(container).collect();
    let at = words.iter().position(|word| *word == "create")?;
    let option = |(nth, word): (usize, &&'_ str)| match word.strip_prefix("--secret-name") {
        Some("") => words.get(nth + 1).map(|word| (*word).to_owned()),
        Some(value) => value.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    let name = words.iter().enumerate().skip(at).find_map(option)?;
    Some(maker.secret(&name, ProductKeys::Unknown))
}

/// Argo CD makes the password of its Redis in an init container.
fn argocd_redis(maker: &Maker<'_>, container: &Node<'_>) -> Option<Product> {
    let is_it = words(container).any(|word| word == "redis-initial-password");
    is_it.then(|| maker.secret("argocd-redis", at_least("auth")))
}
