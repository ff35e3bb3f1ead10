//! Definitions whose versions a webhook converts.

use super::*;
use crate::flow::Edge;
use crate::refs::rbac::Rbac;
use crate::refs::workloads::Workloads;

/// A definition of Widgets in two versions, v2 of them stored, that the backend converts; a Widget at
/// each, an account, and a neighbour of the backend.
fn conversion(backend: &str) -> String {
    let definition = "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: hook, namespace: ops}}}}
  versions: [{name: v1, served: true}, {name: v2, served: true, storage: true}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: hook, namespace: ops}
";
    definition.to_owned()
        + backend
        + &object("example.com/v1", "Widget", "shop", "old", "")
        + &object("example.com/v2", "Widget", "shop", "new", "")
        + &deployment("ops", "beside", "labels: {}")
        + &deployment("shop", "reader", "labels: {}").replace("containers: []", "serviceAccountName: reader")
        + &grant("shop", "reader", "example.com", "[list]")
}

fn grant(namespace: &str, account: &str, group: &str, verbs: &str) -> String {
    format!(
        "---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {{name: {account}}}
rules: [{{apiGroups: ['{group}'], resources: ['*'], verbs: {verbs}}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {{name: {account}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {account}}}
subjects: [{{kind: ServiceAccount, name: {account}, namespace: {namespace}}}]
"
    )
}

fn with_pod_field(field: &str) -> String {
    BACKEND.replace("spec: {containers", &format!("spec: {{{field}, containers"))
}

const MOVED: [&str; 4] = [
    "Service ops/hook > CustomResourceDefinition widgets.example.com backend",
    "Deployment ops/hook > CustomResourceDefinition widgets.example.com backend",
    "CustomResourceDefinition widgets.example.com > Deployment ops/beside definition-reader",
    "CustomResourceDefinition widgets.example.com > Deployment shop/reader definition-reader",
];

const STAYS: [&str; 2] =
    ["Service ops/hook > Widget shop/old conversion", "Deployment ops/hook > Widget shop/old conversion"];

#[test]
fn a_definition_comes_after_a_backend_that_does_without_it() {
    let account = || with_pod_field("serviceAccountName: hook");
    let reads = |group: &str, verbs: &str| account() + &grant("ops", "hook", group, verbs);
    for backend in [
        with_pod_field("automountServiceAccountToken: false"),
        account(),
        reads("example.com", "[get, create]"),
        reads("other.example.com", "['*']"),
    ] {
        assert_eq!(linked(&conversion(&backend)), (MOVED.map(str::to_owned).to_vec(), Vec::new()), "{backend}");
    }
    let reading = conversion(&reads("example.com", "[watch]"));
    let quiet_reading = reading.replace(
        "kind: ServiceAccount\nmetadata: {name: hook, namespace: ops}",
        "kind: ServiceAccount\nmetadata: {name: hook, namespace: ops}\nautomountServiceAccountToken: false",
    );
    assert_ne!(quiet_reading, reading);
    assert_eq!(linked(&quiet_reading).0, MOVED, "without a token nobody reads");
}

#[test]
fn a_definition_comes_before_a_backend_that_may_read_it() {
    let account = || with_pod_field("serviceAccountName: hook");
    let reads = |group: &str, verbs: &str| account() + &grant("ops", "hook", group, verbs);
    for backend in [
        BACKEND.to_owned(),
        with_pod_field("serviceAccountName: elsewhere"),
        reads("example.com", "[watch]"),
        reads("*", "[list]"),
        reads("apiextensions.k8s.io", "[patch]"),
        with_pod_field(
            "automountServiceAccountToken: false, volumes: [{name: t, projected: {sources: [{serviceAccountToken: {path: t}}]}}]",
        ),
    ] {
        let (edges, said) = linked(&conversion(&backend));
        assert_eq!(edges, STAYS, "{backend}");
        assert_eq!(
            said,
            ["TG212 CustomResourceDefinition widgets.example.com comes before Deployment ops/hook, which converts to \
`v1`: reads at these versions fail until it is ready; the 1 object of the input that needs it waits"]
        );
    }
}

/// The backend needs a Widget, as one would that reads a Secret which a Widget makes.
#[test]
fn a_definition_whose_objects_a_backend_needs_stays_first() {
    let text = conversion(&with_pod_field("automountServiceAccountToken: false"));
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let (settings, mut found) = (Settings::default(), Findings::default());
    let objects = load::objects(&sources, &settings, &mut found).objects;
    let find = |group, kind, namespace, name| objects.find(group, kind, Some(namespace), name).expect("an object");
    let (old, new) = (find("example.com", "Widget", "shop", "old"), find("example.com", "Widget", "shop", "new"));
    let needed = |from| Edge {
        from,
        to: find("apps", "Deployment", "ops", "hook"),
        need: Need::Ready,
        strength: Strength::Weak,
        reason: Reason::Producer,
        place: objects.get(from).place(),
    };
    let mut link = |from| {
        let (workloads, rbac) = (Workloads::new(&objects), Rbac::new(&objects));
        let mut edges = vec![needed(from)];
        let moved = super::super::link(&objects, &workloads, &rbac, &settings, &mut edges, &mut found);
        (moved.moved.len(), edges.len())
    };
    assert_eq!(link(old), (0, 1), "what the backend needs cannot wait for it");
    assert_eq!(link(new), (0, 3));
}

#[test]
fn a_definition_without_choice_of_versions_or_backend_stays_as_it_is() {
    let quiet = with_pod_field("automountServiceAccountToken: false");
    let one = conversion(&quiet).replace("{name: v1, served: true}", "{name: v1, served: false}");
    assert_eq!(linked(&one), (STAYS.map(str::to_owned).to_vec(), Vec::new()));
    let away = conversion("\n");
    assert_eq!(linked(&away), (Vec::new(), Vec::new()));
    let none = conversion(&quiet).replace("strategy: Webhook", "strategy: None");
    assert_eq!(linked(&none), (Vec::new(), Vec::new()));
}

#[test]
fn the_old_form_of_a_definition_is_read() {
    let old = conversion(&with_pod_field("automountServiceAccountToken: false"))
        .replace(
            "webhook: {clientConfig: {service: {name: hook, namespace: ops}}}",
            "webhookClientConfig: {service: {name: hook, namespace: ops}}",
        )
        .replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1");
    assert_eq!(linked(&old).0, MOVED);
}
