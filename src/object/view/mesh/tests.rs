use super::super::pod_template::held;
use super::*;
use crate::finding::Findings;
use crate::object::{Name, ObjectId, Origin};
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

fn object(kind: &str, namespace: Option<&str>, text: &'static str) -> Object<'static> {
    let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
    let document = DocumentStart { file, offset: 0 };
    let tree = crate::yaml::parse(text, document, &Limits::default(), &mut Findings::default()).unwrap().unwrap();
    let group = if kind == "Namespace" { "" } else { "apps" };
    let id = ObjectId {
        group: group.into(),
        kind: kind.into(),
        namespace: namespace.map(Into::into),
        name: Name::Fixed("web".into()),
    };
    Object { id, version: "v1".into(), tree, origin: Origin { document }, patched: Default::default() }
}

/// Who asks for a proxy in the pods of a Deployment with this `metadata` and `spec`, in a Namespace with that
/// `metadata`.
fn who(pods: &'static str, namespace: &'static str, name: &str) -> String {
    let (workload, holder) = (object("Deployment", Some(name), pods), object("Namespace", None, namespace));
    let held = held("apps", "Deployment", &[]).unwrap();
    match meshed(&workload, &held, Some(&holder)) {
        None => "nobody".to_owned(),
        Some(asked) => {
            let who = if asked.by_namespace { "namespace" } else { "pods" };
            let revision = asked.revision.map(|name| format!(" ({name})")).unwrap_or_default();
            format!("{}: {who}{revision}", asked.mesh.word())
        }
    }
}

macro_rules! pods {
    ($metadata:literal) => {
        concat!("spec: {template: {metadata: {", $metadata, "}, spec: {containers: [{name: web}]}}}")
    };
}

#[test]
fn linkerd_asks_the_pod_then_the_namespace() {
    const ENABLED: &str = "metadata: {annotations: {linkerd.io/inject: enabled}}";
    const DISABLED: &str = "metadata: {annotations: {linkerd.io/inject: disabled}}";
    const NOTHING: &str = "metadata: {}";
    let on = pods!("annotations: {linkerd.io/inject: enabled}");
    let off = pods!("annotations: {linkerd.io/inject: disabled}");
    let none = pods!("");
    for (pods, namespace, expected) in [
        (on, ENABLED, "linkerd: pods"),
        (none, ENABLED, "linkerd: namespace"),
        (off, ENABLED, "nobody"),
        (on, DISABLED, "linkerd: pods"),
        (on, NOTHING, "linkerd: pods"),
        (off, DISABLED, "nobody"),
        (none, DISABLED, "nobody"),
        (none, NOTHING, "nobody"),
        (pods!("annotations: {linkerd.io/inject: ingress}"), NOTHING, "linkerd: pods"),
        (pods!("annotations: {linkerd.io/inject: \"true\"}"), ENABLED, "nobody"),
        (on, "metadata: {annotations: {linkerd.io/inject: \"true\"}}", "nobody"),
        (pods!("labels: {linkerd.io/inject: enabled}"), NOTHING, "nobody"),
        (pods!("labels: {linkerd.io/control-plane-component: identity}"), ENABLED, "nobody"),
    ] {
        assert_eq!(who(pods, namespace, "shop"), expected, "{pods} in {namespace}");
    }
    assert_eq!(who(on, NOTHING, "kube-system"), "nobody");
}

#[test]
fn istio_asks_its_webhooks_selectors() {
    const ENABLED: &str = "metadata: {labels: {istio-injection: enabled}}";
    const DISABLED: &str = "metadata: {labels: {istio-injection: disabled}}";
    const REVISION: &str = "metadata: {labels: {istio.io/rev: canary}}";
    const NOTHING: &str = "metadata: {}";
    let on = pods!("labels: {sidecar.istio.io/inject: \"true\"}");
    let off = pods!("labels: {sidecar.istio.io/inject: \"false\"}");
    let none = pods!("");
    for (pods, namespace, expected) in [
        (none, ENABLED, "istio: namespace"),
        (off, ENABLED, "nobody"),
        (pods!("annotations: {sidecar.istio.io/inject: \"false\"}"), ENABLED, "nobody"),
        (none, REVISION, "istio: namespace (canary)"),
        (none, "metadata: {labels: {istio.io/rev: default}}", "istio: namespace"),
        (on, NOTHING, "istio: pods"),
        (on, DISABLED, "nobody"),
        (pods!("labels: {istio.io/rev: canary}"), NOTHING, "istio: pods (canary)"),
        (none, "metadata: {annotations: {istio-injection: enabled}}", "nobody"),
        (none, NOTHING, "nobody"),
    ] {
        assert_eq!(who(pods, namespace, "shop"), expected, "{pods} in {namespace}");
    }
    assert_eq!(who(none, ENABLED, "kube-public"), "nobody");
}

#[test]
fn no_proxy_on_the_network_of_the_host_or_beside_another() {
    const ENABLED: &str = "metadata: {annotations: {linkerd.io/inject: enabled}}";
    assert_eq!(who("spec: {template: {spec: {hostNetwork: true, containers: []}}}", ENABLED, "shop"), "nobody");
    let injected = "spec: {template: {spec: {containers: [{name: web}, {name: linkerd-proxy}]}}}";
    assert_eq!(who(injected, ENABLED, "shop"), "nobody");
}
