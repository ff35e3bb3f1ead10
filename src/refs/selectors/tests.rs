use super::*;
use crate::object::{Name, ObjectId, Origin};
use crate::source::{DocumentStart, SourceFile, SourceMap};
use crate::tree::{Mapping, Node, Value};

/// A tree out of JSON, without places.
fn tree(value: &serde_json::Value) -> Node<'static> {
    match value {
        serde_json::Value::Object(fields) => {
            let entry = |(key, value): (&String, _)| (crate::tree::Key::made(key.clone()), tree(value));
            Node::made(Value::Mapping(Mapping::new(fields.iter().map(entry).collect())))
        }
        serde_json::Value::Array(items) => Node::made(Value::Sequence(items.iter().map(tree).collect())),
        serde_json::Value::Bool(value) => Node::made(Value::Bool(*value)),
        serde_json::Value::Null => Node::made(Value::Null),
        value => Node::text(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
    }
}

/// `GROUP/VERSION KIND NAMESPACE/NAME`, with `-` for none, and the rest of the object.
fn object(id: &str, rest: serde_json::Value) -> Object<'static> {
    let [version, kind, name] = id.split(' ').collect::<Vec<_>>()[..] else { panic!("{id}") };
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    let (namespace, name) = name.split_once('/').expect("a namespace and a name");
    let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
    Object {
        id: ObjectId {
            group: group.into(),
            kind: kind.into(),
            namespace: (namespace != "-").then(|| namespace.into()),
            name: Name::Fixed(name.into()),
        },
        version: version.into(),
        tree: tree(&rest),
        origin: Origin { document: DocumentStart { file, offset: 0 } },
        patched: Default::default(),
    }
}

fn deployment(name: &str, labels: serde_json::Value) -> Object<'static> {
    let id = format!("apps/v1 Deployment {name}");
    object(&id, serde_json::json!({"spec": {"template": {"metadata": {"labels": labels}, "spec": {}}}}))
}

/// Whom each selector selects, in words.
fn selections(objects: Vec<Object<'static>>) -> Vec<String> {
    let objects = ObjectSet::new(objects);
    let said = |at: ObjRef| objects.get(at).id.to_string();
    let line = |found: &Selection| {
        let selected: Vec<String> = found.selected.iter().map(|at| said(*at)).collect();
        format!("{} {}: {}", said(found.from), found.path, selected.join(", "))
    };
    select(&objects).iter().map(line).collect()
}

#[test]
fn a_service_selects_the_pods_of_its_namespace_that_have_all_labels() {
    let service = |name: &str, selector| object(name, serde_json::json!({"spec": {"selector": selector}}));
    let found = selections(vec![
        deployment("a/web", serde_json::json!({"app": "web", "tier": "front"})),
        deployment("a/api", serde_json::json!({"app": "api", "tier": "back"})),
        deployment("b/web", serde_json::json!({"app": "web", "tier": "front"})),
        object("v1 Pod a/one", serde_json::json!({"metadata": {"labels": {"app": "web"}}, "spec": {}})),
        service("v1 Service a/web", serde_json::json!({"app": "web"})),
        service("v1 Service a/front", serde_json::json!({"app": "web", "tier": "front"})),
        service("v1 Service a/none", serde_json::json!({"app": "other"})),
        service("v1 Service a/empty", serde_json::json!({})),
        service("v1 Service a/null", serde_json::Value::Null),
    ]);
    assert_eq!(
        found,
        [
            "Service a/front spec.selector: Deployment a/web",
            "Service a/none spec.selector: ",
            "Service a/web spec.selector: Pod a/one, Deployment a/web",
        ]
    );
}

#[test]
fn label_selectors_know_sets() {
    let policy = |name: &str, selector| {
        let id = format!("networking.k8s.io/v1 NetworkPolicy {name}");
        object(&id, serde_json::json!({"spec": {"podSelector": selector}}))
    };
    let asks = |key: &str, operator: &str, values: &[&str]| serde_json::json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
    let found = selections(vec![
        deployment("a/api", serde_json::json!({"app": "api", "tier": "back"})),
        deployment("a/bare", serde_json::json!({})),
        deployment("a/web", serde_json::json!({"app": "web"})),
        deployment("b/web", serde_json::json!({"app": "web"})),
        policy("a/all", serde_json::json!({})),
        policy("a/exists", asks("tier", "Exists", &[])),
        policy("a/in", asks("app", "In", &["api", "web"])),
        policy("a/missing", asks("tier", "DoesNotExist", &[])),
        policy("a/not-in", asks("app", "NotIn", &["web"])),
        policy("a/unknown", asks("app", "Like", &["web"])),
        policy(
            "a/both",
            serde_json::json!({"matchLabels": {"app": "api"},
                "matchExpressions": [{"key": "tier", "operator": "In", "values": ["front"]}]}),
        ),
    ]);
    assert_eq!(
        found,
        [
            "NetworkPolicy a/all spec.podSelector: Deployment a/api, Deployment a/bare, Deployment a/web",
            "NetworkPolicy a/both spec.podSelector: ",
            "NetworkPolicy a/exists spec.podSelector: Deployment a/api",
            "NetworkPolicy a/in spec.podSelector: Deployment a/api, Deployment a/web",
            "NetworkPolicy a/missing spec.podSelector: Deployment a/bare, Deployment a/web",
            "NetworkPolicy a/not-in spec.podSelector: Deployment a/api, Deployment a/bare",
        ]
    );
}

#[test]
fn an_empty_budget_means_all_or_nobody_by_version() {
    let budget = |id: &str| object(id, serde_json::json!({"spec": {"selector": {}}}));
    let found = selections(vec![
        deployment("a/web", serde_json::json!({"app": "web"})),
        budget("policy/v1 PodDisruptionBudget a/new"),
        budget("policy/v1beta1 PodDisruptionBudget a/old"),
    ]);
    assert_eq!(found, ["PodDisruptionBudget a/new spec.selector: Deployment a/web"]);
}

#[test]
fn namespaces_are_chosen_by_name_and_by_label() {
    let labelled = |id: &str| object(id, serde_json::json!({"metadata": {"labels": {"app": "web"}}}));
    let monitor = |name: &str, namespaces| {
        let id = format!("monitoring.coreos.com/v1 ServiceMonitor {name}");
        let selector = serde_json::json!({"matchLabels": {"app": "web"}});
        object(&id, serde_json::json!({"spec": {"selector": selector, "namespaceSelector": namespaces}}))
    };
    let prometheus = |name: &str, selector| {
        let id = format!("monitoring.coreos.com/v1 Prometheus {name}");
        object(
            &id,
            serde_json::json!({"spec": {"serviceMonitorSelector": {}, "serviceMonitorNamespaceSelector": selector}}),
        )
    };
    let found = selections(vec![
        labelled("v1 Service a/web"),
        labelled("v1 Service b/web"),
        labelled("v1 Service c/web"),
        object("v1 Namespace -/b", serde_json::json!({"metadata": {"labels": {"team": "shop"}}})),
        monitor("a/any", serde_json::json!({"any": true})),
        monitor("a/listed", serde_json::json!({"matchNames": ["b", "c"]})),
        monitor("b/own", serde_json::json!({})),
        prometheus("a/all", serde_json::json!({})),
        prometheus("a/by-label", serde_json::json!({"matchLabels": {"team": "shop"}})),
        prometheus("a/by-name", serde_json::json!({"matchLabels": {"kubernetes.io/metadata.name": "b"}})),
        prometheus("a/own", serde_json::Value::Null),
    ]);
    assert_eq!(
        found,
        [
            "Prometheus a/all spec.serviceMonitorSelector: ServiceMonitor a/any, ServiceMonitor a/listed, \
             ServiceMonitor b/own",
            "Prometheus a/by-label spec.serviceMonitorSelector: ServiceMonitor b/own",
            "Prometheus a/by-name spec.serviceMonitorSelector: ServiceMonitor b/own",
            "Prometheus a/own spec.serviceMonitorSelector: ServiceMonitor a/any, ServiceMonitor a/listed",
            "ServiceMonitor a/any spec.selector: Service a/web, Service b/web, Service c/web",
            "ServiceMonitor a/listed spec.selector: Service b/web, Service c/web",
            "ServiceMonitor b/own spec.selector: Service b/web",
        ]
    );
}

#[test]
fn every_row_selects() {
    for row in ROWS {
        let (namespace, name) = ("a", "them");
        let selector = match row.form {
            Form::Map => serde_json::json!({"app": "web"}),
            Form::Selector => serde_json::json!({"matchLabels": {"app": "web"}}),
        };
        let spec = path::steps(row.path).iter().rev().fold(selector, |inner, step| match step {
            path::Step::Key(key) => serde_json::json!({*key: inner}),
            path::Step::Items => serde_json::json!([inner]),
            path::Step::Values => serde_json::json!({"any": inner}),
        });
        let whom = match row.whom {
            Whom::Pods => deployment(&format!("{namespace}/{name}"), serde_json::json!({"app": "web"})),
            Whom::Kind((group, kind)) => {
                let id = format!("{group}/v1 {kind} {namespace}/{name}");
                object(&id, serde_json::json!({"metadata": {"labels": {"app": "web"}}}))
            }
        };
        let id = format!("{}/v1 {} {namespace}/me", row.group, row.kind);
        let found = selections(vec![whom, object(&id, spec)]);
        assert!(found.iter().any(|line| line.ends_with(name)), "{} {}: {found:?}", row.kind, row.path);
    }
}
