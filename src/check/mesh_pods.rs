//! Pods that ask a mesh for a proxy and cannot live with it.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::view::mesh::{self, Mesh};
use crate::object::view::pod_template::{Held, containers};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&HOST_NETWORK, &NEVER_ENDS];

static HOST_NETWORK: Rule = Rule {
    id: "TG506",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "pods on the host's network ask a mesh for a proxy, and get none",
    explanation: "\
Linkerd and Istio leave out pods with `hostNetwork: true`: their rules would redirect the traffic of the whole
node. The pods start without a proxy, so nothing encrypts or authorises what they send.

Take `hostNetwork` away, or say on the pod template that no proxy is wanted (`linkerd.io/inject: disabled`, the
label `sidecar.istio.io/inject: \"false\"`).
Source: linkerd2 pkg/inject/report.go; istio pkg/kube/inject/inject.go.",
};

static NEVER_ENDS: Rule = Rule {
    id: "TG507",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a meshed Job may never end, because its proxy goes on",
    explanation: "\
A pod of a Job is complete when all its containers have ended, and a proxy that is an ordinary container does
not end. As a native sidecar it is stopped by the kubelet: Linkerd makes that the default since 2.20, Istio where
every node runs Kubernetes 1.33 or later. Before that, the pod stays, the Job never completes, a CronJob with
`concurrencyPolicy: Forbid` never runs again, and whatever waits for the Job waits for ever.

Ask for the native sidecar on the pod template: `config.linkerd.io/proxy-enable-native-sidecar: \"true\"`, or
`sidecar.istio.io/nativeSidecar: \"true\"`. Or let the container end the proxy (`linkerd-await --shutdown`;
`POST /quitquitquit` on port 15020), or leave the Job out of the mesh. Where the control plane makes native
sidecars anyway, leave the finding out.
Source: linkerd2 charts/linkerd-control-plane/values.yaml (`proxy.nativeSidecar`); istio
pkg/kube/inject/webhook.go (`DetectNativeSidecar`).",
};

/// What asks for a native sidecar, by name, and what ends the proxy.
const NATIVE: [(&str, Mesh); 4] = [
    ("config.linkerd.io/proxy-enable-native-sidecar", Mesh::Linkerd),
    ("config.beta.linkerd.io/proxy-enable-native-sidecar", Mesh::Linkerd),
    ("config.alpha.linkerd.io/proxy-enable-native-sidecar", Mesh::Linkerd),
    ("sidecar.istio.io/nativeSidecar", Mesh::Istio),
];

/// Words in a command that ends the proxy: linkerd-await, and the endpoints that both proxies have for it.
const ENDERS: [&str; 3] = ["linkerd-await", "quitquitquit", "/shutdown"];

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    for workload in mesh::workloads(planned.objects(), &settings.references.pod_templates) {
        let mesh::Workload { object, held, namespace, asked, .. } = &workload;
        let spec = object.tree.at(&held.path).and_then(|template| template.get("spec"));
        let path = FieldPath::keys(held.path.iter().copied()).key("spec").key("hostNetwork");
        let asks = Label::new(workload.place()).path(asked.path.clone());
        let name = asked.mesh.name();
        if mesh::on_host_network(spec) {
            let message = format!("the pods of {} are on the host's network, so {name} gives them no proxy", object.id);
            found.push(
                Finding::new(&HOST_NETWORK, message)
                    .with_object(&object.id)
                    .with_label(Label::new(object.place_of(&path)).path(path))
                    .with_label(asks.text("what asks for one"))
                    .with_remedy("take `hostNetwork` away, or say on the pod template that no proxy is wanted"),
            );
        } else if workload.is_meshed()
            && &*object.id.group == "batch"
            && !is_native(object, held, *namespace, asked.mesh)
            && !spec.is_some_and(ends_proxy)
        {
            let message = format!("the proxy of {name} may keep the pods of {} from ever ending", object.id);
            let (annotation, _) = NATIVE[if asked.mesh == Mesh::Linkerd { 0 } else { 3 }];
            found.push(Finding::new(&NEVER_ENDS, message).with_object(&object.id).with_label(asks).with_remedy(
                format!("if the control plane makes no native sidecars by itself, write `{annotation}: \"true\"` on the pod template"),
            ));
        }
    }
}

/// Whether the pods, or the Namespace that they inherit from, say anything of native sidecars.
fn is_native(object: &Object<'_>, held: &Held<'_>, namespace: Option<&Object<'_>>, mesh: Mesh) -> bool {
    let own = object.tree.at(&held.path).and_then(|template| template.at(&["metadata", "annotations"]));
    NATIVE.iter().filter(|(_, of)| *of == mesh).any(|(name, _)| {
        let says = own.is_some_and(|own| own.get(name).and_then(Node::as_str).is_some_and(|text| text != "false"));
        says || mesh == Mesh::Linkerd && namespace.is_some_and(|namespace| namespace.annotation(name).is_some())
    })
}

/// Whether a container ends the proxy when it is done, as far as its command tells.
fn ends_proxy(spec: &Node<'_>) -> bool {
    let said = |container: &Node<'_>, field: &str| {
        let parts = container.get(field).and_then(Node::items).unwrap_or_default();
        parts.iter().filter_map(Node::as_str).any(|part| ENDERS.iter().any(|word| part.contains(word)))
    };
    containers(spec).any(|(_, _, container)| said(container, "command") || said(container, "args"))
}
