//! What serves a webhook: endpoints of its Service, and the certificate by which it is trusted.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::live::{list, text};
use super::state::State;

/// A Service, by namespace and name.
pub type ServiceName = (Option<String>, String);

/// The Services behind an object, as a cluster shows it: a Service itself where it selects pods, those that a
/// webhook configuration names. A webhook that is ignored when it fails counts only if its Service is one of
/// `installed`.
pub(super) fn services(object: &Value, installed: &BTreeSet<ServiceName>) -> Vec<ServiceName> {
    let kind = text(object, "/kind").unwrap_or_default();
    match kind {
        "Service" => {
            let selects = object.pointer("/spec/selector").and_then(Value::as_object).is_some_and(|s| !s.is_empty());
            let is_elsewhere = text(object, "/spec/type") == Some("ExternalName");
            let name = text(object, "/metadata/name").unwrap_or_default().to_owned();
            let own = (text(object, "/metadata/namespace").map(str::to_owned), name);
            if selects && !is_elsewhere { vec![own] } else { Vec::new() }
        }
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
            let named = list(object, "/webhooks").iter().filter_map(|hook| {
                let service = hook.pointer("/clientConfig/service")?;
                let name = text(service, "/name")?.to_owned();
                let service = (text(service, "/namespace").map(str::to_owned), name);
                let is_ignored = text(hook, "/failurePolicy") == Some("Ignore");
                (!is_ignored || installed.contains(&service)).then_some(service)
            });
            named.collect::<BTreeSet<_>>().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The Services that the webhooks of a configuration name as it is written; of any other object none.
pub(super) fn named(object: &Value) -> Vec<ServiceName> {
    let is_hook = text(object, "/kind").is_some_and(|kind| kind.ends_with("WebhookConfiguration"));
    if is_hook { services(object, &BTreeSet::new()) } else { Vec::new() }
}

/// Whether every webhook of a configuration has the certificate that somebody was asked to fill in.
pub(super) fn trusted(object: &Value) -> State {
    let missing = list(object, "/webhooks").iter().find(|hook| text(hook, "/clientConfig/caBundle").is_none());
    match missing {
        Some(hook) => {
            let name = text(hook, "/name").unwrap_or_default();
            State::Waiting(format!("nobody has filled in the caBundle of its webhook {name} yet"))
        }
        None => State::Ready,
    }
}

/// Services with at least one ready endpoint, of the EndpointSlices of a namespace.
pub(super) fn served(slices: &[Value]) -> BTreeSet<String> {
    let mut served = BTreeSet::new();
    for slice in slices {
        let is_ready = |endpoint: &Value| endpoint.pointer("/conditions/ready").and_then(Value::as_bool) != Some(false);
        let labels = slice.pointer("/metadata/labels").and_then(|all| all.get("kubernetes.io/service-name"));
        if let Some(name) = labels.and_then(Value::as_str)
            && list(slice, "/endpoints").iter().any(is_ready)
        {
            served.insert(name.to_owned());
        }
    }
    served
}

/// Services by the namespace to ask in.
pub(super) fn by_namespace<'s>(
    services: impl Iterator<Item = &'s ServiceName>,
) -> BTreeMap<Option<&'s str>, Vec<&'s str>> {
    let mut all: BTreeMap<Option<&str>, Vec<&str>> = BTreeMap::new();
    for (namespace, name) in services {
        all.entry(namespace.as_deref()).or_default().push(name);
    }
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn service(name: &str) -> ServiceName {
        (Some("ops".to_owned()), name.to_owned())
    }

    #[test]
    fn the_services_behind_an_object() {
        let hook = |name: &str, policy: &str| json!({ "name": name, "failurePolicy": policy, "clientConfig": { "service": { "namespace": "ops", "name": name } } });
        let configuration = json!({
            "kind": "ValidatingWebhookConfiguration",
            "webhooks": [hook("b", "Fail"), hook("a", "Ignore"), hook("c", "Ignore"), { "clientConfig": { "url": "https://x" } }],
        });
        assert_eq!(services(&configuration, &[service("c")].into()), [service("b"), service("c")]);
        let of = |spec: Value| {
            let object = json!({ "kind": "Service", "metadata": { "name": "a", "namespace": "ops" }, "spec": spec });
            services(&object, &BTreeSet::new())
        };
        assert_eq!(of(json!({ "selector": { "app": "a" } })), [service("a")]);
        assert_eq!(of(json!({})), []);
        assert_eq!(of(json!({ "type": "ExternalName", "selector": { "app": "a" } })), []);
    }

    #[test]
    fn endpoints_and_certificates() {
        let slice = |name: &str, ready: Value| {
            json!({ "metadata": { "labels": { "kubernetes.io/service-name": name } },
                    "endpoints": [{ "addresses": ["10.0.0.1"], "conditions": { "ready": ready } }] })
        };
        let none = json!({ "metadata": { "labels": { "kubernetes.io/service-name": "c" } }, "endpoints": null });
        let slices = [
            slice("a", json!(false)),
            slice("a", json!(true)),
            slice("b", json!(false)),
            none,
            slice("d", Value::Null),
        ];
        assert_eq!(served(&slices), ["a".to_owned(), "d".to_owned()].into());
        let trusted =
            |bundle| trusted(&json!({ "webhooks": [{ "name": "w", "clientConfig": { "caBundle": bundle } }] }));
        assert_eq!(trusted("Q0E="), State::Ready);
        assert!(matches!(trusted(""), State::Waiting(_)));
    }
}
