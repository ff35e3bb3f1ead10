//! Labels and annotations that ask a mesh for something, and that it does not understand.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity, nearest};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::view::mesh::{self, ISTIO_INJECT, ISTIO_INJECTION, ISTIO_REVISION, LINKERD_INJECT, Mesh};
use crate::object::view::pod_template;
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&WRONG_PLACE, &WRONG_VALUE, &UNKNOWN_NAME];

static WRONG_PLACE: Rule = Rule {
    id: "TG503",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "what asks a mesh for proxies stands where the mesh does not look",
    explanation: "\
Linkerd reads `linkerd.io/inject` as an annotation, of a Namespace or of a pod template; as a label, or among the
annotations of a Deployment itself, it does nothing. Istio reads `istio-injection` and `istio.io/rev` as labels of
a Namespace; as annotations they do nothing. The pods start without a proxy, and nobody says so.

Move it.
Source: linkerd2 pkg/inject/report.go; istio
manifests/charts/istio-control/istio-discovery/templates/mutatingwebhook.yaml.",
};

static WRONG_VALUE: Rule = Rule {
    id: "TG504",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a word that asks a mesh for proxies is none that it knows",
    explanation: "\
`linkerd.io/inject` takes `enabled`, `ingress` and `disabled`; with any other value no pod that it concerns is
injected, even where the Namespace asks for it. `istio-injection` takes `enabled` and `disabled`;
`sidecar.istio.io/inject` takes `\"true\"` and `\"false\"`. Other values count as if they were not there, or turn
injection off.

Source: linkerd2 pkg/inject/report.go; istio pkg/kube/inject/inject.go.",
};

static UNKNOWN_NAME: Rule = Rule {
    id: "TG505",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an annotation for Linkerd's proxy is nearly one that Linkerd knows",
    explanation: "\
Linkerd ignores annotations under `config.linkerd.io/` that it does not know, so that a slip of the pen leaves the
default in place: a port that was to be skipped is not, a proxy that was to wait does not.

Source: linkerd2 pkg/k8s/labels.go.",
};

/// Every annotation that Linkerd reads under these prefixes, on pods, Namespaces and Services (linkerd2
/// `pkg/k8s/labels.go`), and the label `admission-webhooks`.
const LINKERD_CONFIG: &[&str] = &[
    "access-log",
    "admin-port",
    "admission-webhooks",
    "close-wait-timeout",
    "control-port",
    "debug-image",
    "debug-image-pull-policy",
    "debug-image-version",
    "default-inbound-policy",
    "enable-debug-sidecar",
    "enable-external-profiles",
    "enable-gateway",
    "image-pull-policy",
    "inbound-port",
    "opaque-ports",
    "outbound-port",
    "pod-inbound-ports",
    "proxy-additional-env",
    "proxy-admin-shutdown",
    "proxy-await",
    "proxy-cpu-limit",
    "proxy-cpu-ratio-limit",
    "proxy-cpu-request",
    "proxy-disable-inbound-protocol-detect-timeout",
    "proxy-disable-outbound-protocol-detect-timeout",
    "proxy-enable-native-sidecar",
    "proxy-ephemeral-storage-limit",
    "proxy-ephemeral-storage-request",
    "proxy-gid",
    "proxy-image",
    "proxy-inbound-connect-timeout",
    "proxy-inbound-discovery-cache-unused-timeout",
    "proxy-log-format",
    "proxy-log-http-headers",
    "proxy-log-level",
    "proxy-memory-limit",
    "proxy-memory-request",
    "proxy-metrics-hostname-labels",
    "proxy-outbound-connect-timeout",
    "proxy-outbound-discovery-cache-unused-timeout",
    "proxy-require-identity-inbound-ports",
    "proxy-uid",
    "proxy-version",
    "proxy-wait-before-exit-seconds",
    "shutdown-grace-period",
    "skip-inbound-ports",
    "skip-outbound-ports",
    "skip-subnets",
];

/// Where metadata stands in an object, and what of it a mesh reads.
struct Metadata<'o> {
    object: &'o Object<'o>,
    path: FieldPath,
    is_namespace: bool,
    /// Whether it is that of a workload with a template of its own: no mesh reads it.
    is_unread: bool,
    /// Whether Linkerd is asked for a proxy all the same.
    is_meshed: bool,
}

impl<'o> Metadata<'o> {
    fn get(&self, field: &str, name: &str) -> Option<&'o Node<'o>> {
        self.object.tree.follow(&self.path)?.get(field)?.get(name)
    }

    fn finding(&self, rule: &'static Rule, field: &str, name: &str, message: String) -> Finding {
        let path = self.path.key(field).key(name);
        Finding::new(rule, message)
            .with_object(&self.object.id)
            .with_label(Label::new(self.object.place_of(&path)).path(path))
    }
}

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    for (_, object) in planned.objects().iter() {
        let own = FieldPath::keys(["metadata"]);
        let held = pod_template::held(&object.id.group, &object.id.kind, &settings.references.pod_templates);
        let is_namespace = object.is("", "Namespace");
        if !is_namespace && held.is_none() {
            continue;
        }
        let asked = held.as_ref().and_then(|held| mesh::asked(object, held, planned.objects().namespace_of(object)));
        let is_meshed = asked.is_some_and(|asked| asked.mesh == Mesh::Linkerd);
        let template = held.map(|held| FieldPath::keys(held.path.iter().copied()).key("metadata"));
        let is_unread = template.as_ref().is_some_and(|template| *template != own);
        look(&Metadata { object, path: own, is_namespace, is_unread, is_meshed }, template.as_ref(), found);
        if let Some(path) = template.filter(|_| is_unread) {
            look(&Metadata { object, path, is_namespace: false, is_unread: false, is_meshed }, None, found);
        }
    }
}

fn look(metadata: &Metadata<'_>, template: Option<&FieldPath>, found: &mut Findings) {
    places(metadata, template, found);
    if metadata.is_unread {
        return;
    }
    values(metadata, found);
    names(metadata, found);
}

/// What stands where nobody looks. What is also where it belongs is a double, and does no harm.
fn places(metadata: &Metadata<'_>, template: Option<&FieldPath>, found: &mut Findings) {
    let id = &metadata.object.id;
    let asks = |node: Option<&Node<'_>>| node.and_then(Node::as_str).is_some_and(|text| text != "disabled");
    let has_annotation = metadata.get("annotations", LINKERD_INJECT).is_some();
    if asks(metadata.get("labels", LINKERD_INJECT)) && !has_annotation {
        let message = format!("`{LINKERD_INJECT}` is a label of {id}, and Linkerd reads the annotation");
        let finding = metadata.finding(&WRONG_PLACE, "labels", LINKERD_INJECT, message);
        found.push(finding.with_remedy("write it under `annotations`"));
    }
    let in_template =
        template.and_then(|path| metadata.object.tree.follow(path)?.get("annotations")?.get(LINKERD_INJECT));
    if metadata.is_unread
        && !metadata.is_meshed
        && has_annotation
        && in_template.is_none()
        && asks(metadata.get("annotations", LINKERD_INJECT))
    {
        let message = format!("`{LINKERD_INJECT}` is an annotation of {id} itself, and Linkerd reads that of its pods");
        let finding = metadata.finding(&WRONG_PLACE, "annotations", LINKERD_INJECT, message);
        found.push(finding.with_remedy("write it under `annotations` of the pod template"));
    }
    if !metadata.is_namespace {
        return;
    }
    for name in [ISTIO_INJECTION, ISTIO_REVISION] {
        if metadata.get("annotations", name).is_some() && metadata.get("labels", name).is_none() {
            let message = format!("`{name}` is an annotation of {id}, and Istio reads the label");
            let finding = metadata.finding(&WRONG_PLACE, "annotations", name, message);
            found.push(finding.with_remedy("write it under `labels`"));
        }
    }
}

fn values(metadata: &Metadata<'_>, found: &mut Findings) {
    let rows: [(&str, &str, &[&str], bool); 4] = [
        ("annotations", LINKERD_INJECT, &["enabled", "disabled", "ingress"], true),
        ("labels", ISTIO_INJECTION, &["enabled", "disabled"], metadata.is_namespace),
        ("labels", ISTIO_INJECT, &["true", "false"], !metadata.is_namespace),
        ("annotations", ISTIO_INJECT, &["true", "false"], !metadata.is_namespace),
    ];
    for (field, name, words, applies) in rows {
        let value = metadata.get(field, name).and_then(Node::as_str).filter(|value| !value.is_empty());
        let Some(value) = value.filter(|value| applies && !words.contains(value)) else { continue };
        let message =
            format!("`{name}` of {} says `{value}`, which is none of {}", metadata.object.id, words.join(", "));
        let remedy =
            if ["true", "yes", "on", "enable", "enabled", "Enabled"].contains(&value) { words[0] } else { words[1] };
        let finding = metadata.finding(&WRONG_VALUE, field, name, message);
        found.push(finding.with_remedy(format!("if that is what is meant, write `{name}: \"{remedy}\"`")));
    }
}

fn names(metadata: &Metadata<'_>, found: &mut Findings) {
    let annotations = metadata.object.tree.follow(&metadata.path).and_then(|node| node.get("annotations")?.mapping());
    for (key, _) in annotations.map(|mapping| mapping.entries()).unwrap_or_default() {
        let Some((prefix, name)) = key.name.split_once('/') else { continue };
        if prefix != "config.linkerd.io" || LINKERD_CONFIG.contains(&name) {
            continue;
        }
        let Some(near) = nearest(name, LINKERD_CONFIG.iter().copied()) else { continue };
        let message = format!("Linkerd knows no annotation `{}` ({})", key.name, metadata.object.id);
        let finding = metadata.finding(&UNKNOWN_NAME, "annotations", &key.name, message);
        found.push(finding.with_remedy(format!("did you mean `{prefix}/{near}`?")));
    }
}
