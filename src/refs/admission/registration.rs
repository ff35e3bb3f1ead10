//! Registrations as they are written: webhook configurations and APIServices.

use super::rule::Rule;
use crate::object::{ObjRef, Object, ObjectSet};
use crate::source::Place;
use crate::tree::{FieldPath, Node};

/// The group of webhook configurations.
pub(super) const ADMISSION: &str = "admissionregistration.k8s.io";

/// An object by which the API server asks somebody else.
pub(super) struct Registration<'o> {
    /// The object.
    pub at: ObjRef,
    /// The same.
    pub object: &'o Object<'o>,
    /// Whom the API server asks: Services, each once.
    pub services: Vec<ServiceName<'o>>,
    /// When it asks.
    pub asks: Asks<'o>,
}

/// When the API server asks.
pub(super) enum Asks<'o> {
    /// Before it accepts an object.
    Webhooks(Vec<Webhook<'o>>),
    /// For every object of a group in a version.
    Aggregated { group: &'o str, version: &'o str, place: Place },
}

/// The Service of a backend, as a registration names it.
#[derive(Clone, Copy)]
pub(super) struct ServiceName<'o> {
    /// Its namespace.
    pub namespace: &'o str,
    /// Its name.
    pub name: &'o str,
    /// Where the name stands.
    pub place: Place,
}

/// One webhook.
pub(super) struct Webhook<'o> {
    /// Its name.
    pub name: &'o str,
    /// Whether it may change objects.
    pub mutates: bool,
    /// Whether requests fail where it cannot be asked.
    pub fails: bool,
    /// Whether its rules mean exactly the versions that they name.
    pub is_exact: bool,
    /// Which namespaces it is for.
    pub namespaces: Option<Selector<'o>>,
    /// Which objects it is for.
    pub objects: Option<&'o Node<'o>>,
    /// What it is for.
    pub rules: Vec<Rule<'o>>,
}

/// A label selector and where it stands.
#[derive(Clone)]
pub(super) struct Selector<'o> {
    pub node: &'o Node<'o>,
    pub place: Place,
    pub path: FieldPath,
}

/// Every registration of a set that can act, whatever the set holds. One that cannot waits for
/// nobody, and nobody waits for it.
pub(super) fn read<'o>(objects: &'o ObjectSet<'_>) -> Vec<Registration<'o>> {
    let hooks = |kind, mutates| {
        let configurations = objects.of_kind(ADMISSION, kind);
        configurations.map(move |(at, object)| configuration(at, object, mutates))
    };
    let mutating = hooks("MutatingWebhookConfiguration", true);
    let validating = hooks("ValidatingWebhookConfiguration", false);
    let aggregated = objects.of_kind("apiregistration.k8s.io", "APIService");
    let aggregated = aggregated.filter_map(|(at, object)| api_service(at, object));
    mutating.chain(validating).chain(aggregated).filter(Registration::can_act).collect()
}

impl Registration<'_> {
    fn can_act(&self) -> bool {
        match &self.asks {
            Asks::Webhooks(webhooks) => webhooks.iter().any(Webhook::can_act),
            Asks::Aggregated { .. } => true,
        }
    }
}

impl Webhook<'_> {
    /// Whether an object can need it: rules with `*` count.
    fn can_act(&self) -> bool {
        self.rules.iter().any(|rule| self.fails || self.mutates && rule.takes_pods())
    }

    /// Whether it is one of Linkerd's (linkerd2: charts/linkerd-control-plane/templates).
    pub(super) fn is_of_linkerd(&self) -> bool {
        self.name.ends_with(".linkerd.io")
    }
}

fn configuration<'o>(at: ObjRef, object: &'o Object<'_>, mutates: bool) -> Registration<'o> {
    let list = object.tree.get("webhooks").and_then(Node::items).unwrap_or_default();
    let path = |nth| FieldPath::keys(["webhooks"]).index(nth);
    let mut services: Vec<ServiceName<'_>> = Vec::new();
    for (nth, node) in list.iter().enumerate() {
        let Some(named) = node.at(&["clientConfig", "service"]) else { continue };
        let path = path(nth).key("clientConfig").key("service");
        services.extend(service(object, named, &path));
    }
    services.sort_by_key(|service| (service.namespace, service.name, service.place));
    services.dedup_by_key(|service| (service.namespace, service.name));
    let webhooks = list.iter().enumerate().map(|(nth, node)| webhook(object, node, &path(nth), mutates));
    Registration { at, object, services, asks: Asks::Webhooks(webhooks.collect()) }
}

/// The defaults are those of the version in which the object is written (`SetDefaults_…` of
/// pkg/apis/admissionregistration/{v1,v1beta1} of Kubernetes).
fn webhook<'o>(object: &'o Object<'_>, node: &'o Node<'_>, path: &FieldPath, mutates: bool) -> Webhook<'o> {
    let text = |field: &str| node.get(field).and_then(Node::as_str);
    let (policy, matches) = match &*object.version {
        "v1beta1" => ("Ignore", "Exact"),
        _ => ("Fail", "Equivalent"),
    };
    let selector = |field: &str| {
        let path = path.key(field);
        let node = node.get(field).filter(|node| !node.is_null())?;
        Some(Selector { node, place: object.place_of(&path), path })
    };
    let rules = node.get("rules").and_then(Node::items).unwrap_or_default();
    let rules = rules.iter().enumerate();
    Webhook {
        name: text("name").unwrap_or_default(),
        mutates,
        fails: text("failurePolicy").unwrap_or(policy) == "Fail",
        is_exact: text("matchPolicy").unwrap_or(matches) == "Exact",
        namespaces: selector("namespaceSelector"),
        objects: node.get("objectSelector").filter(|node| !node.is_null()),
        rules: rules.filter_map(|(nth, rule)| Rule::read(object, rule, path.key("rules").index(nth))).collect(),
    }
}

/// One without a service is answered by the API server itself.
fn api_service<'o>(at: ObjRef, object: &'o Object<'_>) -> Option<Registration<'o>> {
    let text = |field: &str| object.tree.at(&["spec", field]).and_then(Node::as_str);
    let (group, version) = (text("group")?, text("version")?);
    let path = FieldPath::keys(["spec", "service"]);
    let services = vec![service(object, object.tree.at(&["spec", "service"])?, &path)?];
    let place = object.place_of(&FieldPath::keys(["spec", "group"]));
    Some(Registration { at, object, services, asks: Asks::Aggregated { group, version, place } })
}

/// The Service that a node at a path names.
pub(super) fn service<'o>(object: &Object<'_>, node: &'o Node<'_>, path: &FieldPath) -> Option<ServiceName<'o>> {
    let text = |field: &str| node.get(field).and_then(Node::as_str);
    let place = object.place_of(&path.key("name"));
    Some(ServiceName { namespace: text("namespace")?, name: text("name")?, place })
}
