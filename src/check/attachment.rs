//! Routes of the Gateway API that are attached to nothing, and references across namespaces that nobody grants.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Linked, Planned, Reference, Resolution};
use crate::object::view::label_selector;
use crate::object::{Object, ObjectSet};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&NO_LISTENER, &NOT_ALLOWED, &NOT_GRANTED];

static NO_LISTENER: Rule = Rule {
    id: "TG329",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a route names a listener that its Gateway does not have",
    explanation: "\
`sectionName` of a `parentRefs` item is the `name` of a listener of the Gateway, `port` its port. Where no
listener fits, the route is not accepted (`NoMatchingParent`) and serves nothing:

    kind: Gateway
    spec: {listeners: [{name: https, port: 443, protocol: HTTPS}]}
    ---
    kind: HTTPRoute
    spec: {parentRefs: [{name: web, sectionName: http}]}    # must be https

Name a listener, or leave `sectionName` out: then the route is attached to every listener that allows it.
Source: gateway-api, apis/v1/shared_types.go (ParentReference).",
};

static NOT_ALLOWED: Rule = Rule {
    id: "TG330",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "no listener of a Gateway allows a route",
    explanation: "\
A listener says by `allowedRoutes` which routes may be attached to it: from which namespaces (`Same` where
nothing is said, so only those of the Gateway's own) and of which kinds. A route that no listener allows is not accepted (`NotAllowedByListeners`) and serves nothing. Nothing
is said where a selector asks for labels of a Namespace that is not in the input.

Write `allowedRoutes: {namespaces: {from: All}}` on the listener, or a selector that the route's Namespace
fits; or put the route into the Gateway's namespace.
Source: gateway-api, apis/v1/gateway_types.go (AllowedRoutes).",
};

static NOT_GRANTED: Rule = Rule {
    id: "TG331",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "no ReferenceGrant allows a reference to another namespace",
    explanation: "\
A route may send requests to a Service of another namespace, and a Gateway may use a Secret of another one,
only where a ReferenceGrant in that namespace says so; else the reference is not resolved (`RefNotPermitted`)
and the requests are answered with 500. The object is in the input and no grant for it is. It may be made
elsewhere, so this is a warning.

    apiVersion: gateway.networking.k8s.io/v1beta1
    kind: ReferenceGrant
    metadata: {namespace: backends}
    spec:
      from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop}]
      to: [{group: \"\", kind: Service}]

Source: gateway-api, apis/v1beta1/referencegrant_types.go.",
};

const G: &str = "gateway.networking.k8s.io";
const ROUTES: &[&str] = &["GRPCRoute", "HTTPRoute", "TCPRoute", "TLSRoute", "UDPRoute"];

/// The rows of references that a ReferenceGrant is asked for.
const GRANTED: &[&str] = &[
    "spec.listeners[].tls.certificateRefs[].name",
    "spec.rules[].backendRefs[].name",
    "spec.rules[].filters[].requestMirror.backendRef.name",
];

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    let objects = planned.objects();
    for reference in &linked.references {
        let Resolution::Object(at) = reference.leads_to else { continue };
        let (from, to) = (objects.get(reference.from), objects.get(at));
        if &*from.id.group != G {
            continue;
        }
        let is_route = ROUTES.contains(&&*from.id.kind);
        if is_route && reference.row == "spec.parentRefs[].name" && to.is(G, "Gateway") {
            found_at(objects, reference, to).into_iter().for_each(|finding| found.push(finding));
        } else if GRANTED.contains(&reference.row) && !settings.partial && linked.loaded.unread.is_empty() {
            not_granted(linked, reference, to).into_iter().for_each(|finding| found.push(finding));
        }
    }
}

fn text<'n>(node: &'n Node<'_>, field: &str) -> Option<&'n str> {
    node.get(field).and_then(Node::as_str)
}

/// What is wrong with a route at its Gateway.
fn found_at(objects: &ObjectSet<'_>, reference: &Reference, gateway: &Object<'_>) -> Option<Finding> {
    let route = objects.get(reference.from);
    let mut parent = reference.path.clone();
    parent.pop();
    let node = route.tree.follow(&parent)?;
    let listeners = gateway.tree.at(&["spec", "listeners"]).and_then(Node::items).filter(|list| !list.is_empty())?;
    let (section, port) = (text(node, "sectionName"), node.get("port").and_then(Node::as_i64));
    let fits = |listener: &&Node<'_>| {
        section.is_none_or(|name| text(listener, "name") == Some(name))
            && port.is_none_or(|port| listener.get("port").and_then(Node::as_i64) == Some(port))
    };
    let chosen: Vec<_> = listeners.iter().filter(fits).collect();
    let listed = FieldPath::keys(["spec", "listeners"]);
    let there = Label::new(gateway.place_of(&listed)).path(listed);
    if chosen.is_empty() {
        let names: Vec<_> = listeners.iter().filter_map(|listener| text(listener, "name")).collect();
        let path = parent.key(if section.is_some() { "sectionName" } else { "port" });
        let asked = section.map_or_else(|| port.unwrap_or_default().to_string(), str::to_owned);
        let message = format!("{} asks for the listener `{asked}`, which {} does not have", route.id, gateway.id);
        let remedy = match names.is_empty() {
            true => "give the listener that name".to_owned(),
            false => format!("the listeners are {}", names.join(", ")),
        };
        return Some(
            Finding::new(&NO_LISTENER, message)
                .with_object(&route.id)
                .with_label(Label::new(route.place_of(&path)).path(path))
                .with_label(there.text("the listeners"))
                .with_remedy(remedy),
        );
    }
    let refused: Option<Vec<&str>> = chosen.iter().map(|listener| refusal(objects, listener, gateway, route)).collect();
    let why = refused?.first().copied()?;
    let message = format!("no listener of {} allows {}: {why}", gateway.id, route.id);
    Some(
        Finding::new(&NOT_ALLOWED, message)
            .with_object(&route.id)
            .with_label(Label::new(reference.place).path(reference.path.clone()))
            .with_label(there.text("the listeners"))
            .with_remedy("allow it by `allowedRoutes` of a listener, or attach it to another Gateway"),
    )
}

/// Why a listener does not allow a route; nothing where it does, or where that is not known.
fn refusal(
    objects: &ObjectSet<'_>,
    listener: &Node<'_>,
    gateway: &Object<'_>,
    route: &Object<'_>,
) -> Option<&'static str> {
    let kinds = listener.at(&["allowedRoutes", "kinds"]).and_then(Node::items).filter(|kinds| !kinds.is_empty());
    let is_own = |kind: &Node<'_>| {
        text(kind, "kind") == Some(&*route.id.kind) && text(kind, "group").is_none_or(|group| group == G)
    };
    let takes_kind = kinds.is_none_or(|kinds| kinds.iter().any(is_own));
    if !takes_kind {
        return Some("they take no routes of its kind");
    }
    let (theirs, own) = (gateway.id.namespace.as_deref()?, route.id.namespace.as_deref()?);
    let from = listener.at(&["allowedRoutes", "namespaces", "from"]).and_then(Node::as_str).unwrap_or("Same");
    match from {
        "Same" if theirs != own => Some("they take routes of the Gateway's own namespace"),
        "None" => Some("they take routes of no namespace"),
        "Selector" => {
            let selector = listener.at(&["allowedRoutes", "namespaces", "selector"])?;
            let held = objects.namespace_of(route);
            let takes = label_selector::takes(selector, |key| match held {
                _ if key == "kubernetes.io/metadata.name" => label_selector::Label::Is(own),
                Some(held) => label_selector::Label::of(held.tree.at(&["metadata", "labels"]), key),
                None => label_selector::Label::Unknown,
            });
            (takes == Some(false)).then_some("they select other namespaces")
        }
        _ => None,
    }
}

fn not_granted(linked: &Linked<'_>, reference: &Reference, to: &Object<'_>) -> Option<Finding> {
    let objects = &linked.loaded.objects;
    let from = objects.get(reference.from);
    let (own, theirs) = (from.id.namespace.as_deref()?, to.id.namespace.as_deref()?);
    let mut grants = objects.of_kind(G, "ReferenceGrant");
    let items = |grant: &Object<'_>, field: &str, fits: &dyn Fn(&Node<'_>) -> bool| {
        grant.tree.at(&["spec", field]).and_then(Node::items).is_some_and(|items| items.iter().any(fits))
    };
    let is_from = |item: &Node<'_>| {
        text(item, "group") == Some(G)
            && text(item, "kind") == Some(&*from.id.kind)
            && text(item, "namespace") == Some(own)
    };
    let is_to = |item: &Node<'_>| {
        text(item, "group").unwrap_or_default() == &*to.id.group
            && text(item, "kind") == Some(&*to.id.kind)
            && text(item, "name").is_none_or(|name| name == to.id.name.text())
    };
    let is_granted = grants.any(|(_, grant)| {
        let is_there = grant.id.namespace.as_deref().is_none_or(|namespace| namespace == theirs);
        is_there && items(grant, "from", &is_from) && items(grant, "to", &is_to)
    });
    if own == theirs || is_granted {
        return None;
    }
    let message = format!("{} refers to {}, and no ReferenceGrant in `{theirs}` allows that", from.id, to.id);
    let remedy = format!(
        "add a ReferenceGrant to the namespace `{theirs}`: from {} of `{own}`, to {}",
        from.id.kind, to.id.kind
    );
    Some(
        Finding::new(&NOT_GRANTED, message)
            .with_object(&from.id)
            .with_label(Label::new(reference.place).path(reference.path.clone()))
            .with_remedy(remedy),
    )
}
