//! Which pods a mesh gives a proxy, and whether the mesh itself is among the objects.
//!
//! Sources: linkerd2 `pkg/k8s/labels.go` (names), `pkg/inject/report.go` (who decides: the pod, else its
//! Namespace), `charts/linkerd-control-plane/values.yaml` (whom the webhook is not asked about); istio
//! `manifests/charts/istio-control/istio-discovery/templates/mutatingwebhook.yaml` (the webhooks' selectors),
//! `pkg/kube/inject/inject.go` (`injectRequired`) and `initializer.go` (namespaces that are left out).

mod workload;

pub use workload::{Workload, gate_jobs, workloads};

use super::pod_template::{Held, containers};
use crate::object::{Object, ObjectSet};
use crate::tree::{FieldPath, Node};

/// Linkerd's annotation that asks for a proxy, on a pod template or a Namespace.
pub const LINKERD_INJECT: &str = "linkerd.io/inject";
/// Istio's label of a Namespace that asks for proxies.
pub const ISTIO_INJECTION: &str = "istio-injection";
/// Istio's label that names the revision which brings the proxies, on a Namespace or a pod template.
pub const ISTIO_REVISION: &str = "istio.io/rev";
/// Istio's label of a pod template, and formerly its annotation.
pub const ISTIO_INJECT: &str = "sidecar.istio.io/inject";
/// The label by which Linkerd tells its own parts apart.
pub const LINKERD_COMPONENT: &str = "linkerd.io/control-plane-component";
/// The label of a Namespace that Linkerd's webhooks leave out.
const LINKERD_WEBHOOKS: &str = "config.linkerd.io/admission-webhooks";

/// Namespaces that Linkerd's injector is not asked about (`proxyInjector.namespaceSelector` of the chart).
const LINKERD_LEAVES_OUT: &[&str] = &["cert-manager", "kube-system"];
/// Namespaces that Istio's injector leaves out (`IgnoredNamespaces`).
const ISTIO_LEAVES_OUT: &[&str] = &["kube-node-lease", "kube-public", "kube-system", "local-path-storage"];

/// A service mesh that puts a proxy into pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mesh {
    /// Linkerd.
    Linkerd,
    /// Istio, with sidecars.
    Istio,
}

impl Mesh {
    /// All of them.
    pub const ALL: [Mesh; 2] = [Mesh::Linkerd, Mesh::Istio];

    /// The word for it in annotations and settings.
    pub fn word(self) -> &'static str {
        match self {
            Mesh::Linkerd => "linkerd",
            Mesh::Istio => "istio",
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Mesh::Linkerd => "Linkerd",
            Mesh::Istio => "Istio",
        }
    }

    /// The container that is its proxy.
    pub fn container(self) -> &'static str {
        match self {
            Mesh::Linkerd => "linkerd-proxy",
            Mesh::Istio => "istio-proxy",
        }
    }
}

/// Somebody asks for a proxy in the pods of a workload.
#[derive(Clone, Debug)]
pub struct Asked<'o> {
    /// The mesh.
    pub mesh: Mesh,
    /// Whether the Namespace asks, not the pod template.
    pub by_namespace: bool,
    /// The field that asks, in the workload or the Namespace.
    pub path: FieldPath,
    /// The revision of Istio that is asked; none is the default one.
    pub revision: Option<&'o str>,
}

/// Pods with their Namespace, where that is known.
#[derive(Clone, Copy)]
struct Pods<'o> {
    template: &'o Node<'o>,
    namespace: Option<&'o Object<'o>>,
    namespace_name: &'o str,
}

impl<'o> Pods<'o> {
    fn own(&self, field: &str, name: &str) -> Option<&'o str> {
        self.template.at(&["metadata", field])?.get(name)?.as_str()
    }

    fn of_namespace(&self, field: &str, name: &str) -> Option<&'o str> {
        self.namespace?.tree.at(&["metadata", field])?.get(name)?.as_str()
    }
}

/// The mesh that is asked for a proxy in the pods of an object, whatever they are able to take.
///
/// `held` says where its pod template is; `namespace` is its Namespace, where the input holds that. Of two
/// meshes Linkerd counts.
pub fn asked<'o>(object: &'o Object<'_>, held: &Held<'_>, namespace: Option<&'o Object<'_>>) -> Option<Asked<'o>> {
    if &*object.id.kind == "PodTemplate" {
        return None;
    }
    let template = object.tree.at(&held.path)?;
    let pods = Pods { template, namespace, namespace_name: object.id.namespace.as_deref().unwrap_or_default() };
    let metadata = FieldPath::keys(held.path.iter().copied()).key("metadata");
    linkerd(&pods, &metadata).or_else(|| istio(&pods, &metadata))
}

/// [`asked`], where the pods get the proxy too: both meshes leave out pods on the host's network, and pods that
/// have the proxy already.
pub fn meshed<'o>(object: &'o Object<'_>, held: &Held<'_>, namespace: Option<&'o Object<'_>>) -> Option<Asked<'o>> {
    asked(object, held, namespace).filter(|asked| gets_proxy(object, held, asked.mesh))
}

fn gets_proxy(object: &Object<'_>, held: &Held<'_>, mesh: Mesh) -> bool {
    let spec = object.tree.at(&held.path).and_then(|template| template.get("spec"));
    let has_proxy = spec.is_some_and(|spec| {
        containers(spec).any(|(_, _, one)| one.get("name").and_then(Node::as_str) == Some(mesh.container()))
    });
    !has_proxy && !on_host_network(spec)
}

/// Whether a pod spec says `hostNetwork: true`.
pub fn on_host_network(spec: Option<&Node<'_>>) -> bool {
    spec.and_then(|spec| spec.get("hostNetwork")).and_then(Node::as_bool) == Some(true)
}

/// The truth table of linkerd2 `pkg/inject/report.go`: a value that is none stops it wherever it stands.
fn linkerd<'o>(pods: &Pods<'o>, metadata: &FieldPath) -> Option<Asked<'o>> {
    let enables = |value: &str| ["enabled", "ingress"].contains(&value);
    let is_valid = |value: &str| enables(value) || ["", "disabled"].contains(&value);
    let pod = pods.own("annotations", LINKERD_INJECT).unwrap_or_default();
    let namespace = pods.of_namespace("annotations", LINKERD_INJECT).unwrap_or_default();
    let is_left_out = LINKERD_LEAVES_OUT.contains(&pods.namespace_name)
        || pods.of_namespace("labels", LINKERD_WEBHOOKS) == Some("disabled")
        || pods.own("labels", LINKERD_COMPONENT).is_some();
    let asks = if enables(namespace) { pod != "disabled" } else { enables(pod) };
    if is_left_out || !asks || !is_valid(pod) || !is_valid(namespace) {
        return None;
    }
    let by_namespace = !enables(pod);
    let metadata = if by_namespace { FieldPath::keys(["metadata"]) } else { metadata.clone() };
    let path = metadata.key("annotations").key(LINKERD_INJECT);
    Some(Asked { mesh: Mesh::Linkerd, by_namespace, path, revision: None })
}

/// The selectors of Istio's webhooks, then `injectRequired`.
fn istio<'o>(pods: &Pods<'o>, metadata: &FieldPath) -> Option<Asked<'o>> {
    let pod = pods.own("labels", ISTIO_INJECT);
    let refuses = pod.or_else(|| pods.own("annotations", ISTIO_INJECT)) == Some("false");
    if refuses || ISTIO_LEAVES_OUT.contains(&pods.namespace_name) {
        return None;
    }
    let own = |name: &str, revision| {
        let path = metadata.key("labels").key(name);
        Some(Asked { mesh: Mesh::Istio, by_namespace: false, path, revision })
    };
    let outer = |name: &str, revision| {
        let path = FieldPath::keys(["metadata", "labels", name]);
        Some(Asked { mesh: Mesh::Istio, by_namespace: true, path, revision })
    };
    let revision = pods.own("labels", ISTIO_REVISION);
    match (pods.of_namespace("labels", ISTIO_INJECTION), pods.of_namespace("labels", ISTIO_REVISION)) {
        (Some("enabled"), _) => outer(ISTIO_INJECTION, None),
        (Some(_), _) => None,
        (None, Some(revision)) => outer(ISTIO_REVISION, Some(revision)),
        (None, None) if revision.is_some() => own(ISTIO_REVISION, revision),
        (None, None) if pod == Some("true") => own(ISTIO_INJECT, None),
        (None, None) => None,
    }
    .map(|asked| Asked { revision: asked.revision.filter(|name| *name != "default"), ..asked })
}

/// Whether the control plane of a mesh is among the objects: its injector's webhook, or a part of it.
pub fn is_in_set(mesh: Mesh, objects: &ObjectSet<'_>) -> bool {
    let is_webhook = |name: &str| match mesh {
        Mesh::Linkerd => name == "linkerd-proxy-injector.linkerd.io",
        Mesh::Istio => name.ends_with("sidecar-injector.istio.io"),
    };
    let registrations = objects.of_kind("admissionregistration.k8s.io", "MutatingWebhookConfiguration");
    let mut webhooks = registrations
        .flat_map(|(_, object)| object.tree.get("webhooks").and_then(Node::items).unwrap_or_default())
        .filter_map(|webhook| webhook.get("name")?.as_str());
    webhooks.any(is_webhook) || objects.of_kind("apps", "Deployment").any(|(_, object)| is_part(mesh, object))
}

fn is_part(mesh: Mesh, object: &Object<'_>) -> bool {
    let Some(labels) = object.tree.at(&["spec", "template", "metadata", "labels"]) else { return false };
    let label = |name| labels.get(name).and_then(Node::as_str);
    match mesh {
        Mesh::Linkerd => {
            label(LINKERD_COMPONENT).is_some_and(|part| ["identity", "destination", "proxy-injector"].contains(&part))
        }
        Mesh::Istio => label("app") == Some("istiod"),
    }
}

#[cfg(test)]
mod tests;
