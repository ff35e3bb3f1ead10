//! Webhook configurations that the API server refuses, or that cannot be reached.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Linked, Planned, Resolution};
use crate::object::{ObjRef, Object, ObjectSet};
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&PATH, &TIMEOUT, &NO_CA, &ONE_REPLICA, &NO_BUDGET];

static PATH: Rule = Rule {
    id: "TG242",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "the path of a webhook's service is refused",
    explanation: "\
`clientConfig.service.path` must begin with `/`, and every part between two slashes must be a name of
small letters, digits, `-` and `.`: the API server refuses the object otherwise. `/validate` is right;
`validate`, `/a//b` and `/mutate_pods` are not.

Source: k8s.io/apiserver, pkg/util/webhook/validation.go (`ValidateWebhookService`).",
};

static TIMEOUT: Rule = Rule {
    id: "TG243",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "the time-out of a webhook is not between 1 and 30 seconds",
    explanation: "\
The API server refuses a `timeoutSeconds` below 1 and above 30 (10 where none is written). Each request
that a webhook with `failurePolicy: Fail` is asked about waits that long when nobody answers, so small
values are better.

Source: k8s.io/kubernetes, pkg/apis/admissionregistration/validation.",
};

static NO_CA: Rule = Rule {
    id: "TG244",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a webhook has no caBundle, and nothing in the input would fill it in",
    explanation: "\
Without `clientConfig.caBundle` the API server trusts only the certificate authorities of its machine,
and a Service inside the cluster has no certificate of theirs: each request fails (`x509: certificate
signed by unknown authority`). With `failurePolicy: Fail` that refuses all that the webhook is asked
about.

Nothing is said where somebody fills it in: an annotation of cert-manager
(`cert-manager.io/inject-ca-from`) or OpenShift (`service.beta.openshift.io/inject-cabundle`), a Role in
the input that lets a controller change such objects, a Job that does so. Where somebody outside of the
input does, suppress it. It is information where the Service, or the ServiceAccount of the pods behind it,
is not in the input: then the rights of the program that answers are elsewhere too, and many such programs
write their CA themselves.

Write the CA, or let cert-manager write it.",
};

static ONE_REPLICA: Rule = Rule {
    id: "TG246",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "one pod answers a webhook without which requests fail",
    explanation: "\
With `failurePolicy: Fail` all that a webhook is asked about is refused while nobody answers. One replica
is nobody whenever its node is drained or its pod is evicted, and the pod that replaces it may need a
request that is refused in turn.

Run two or more replicas on different nodes with a PodDisruptionBudget, or take `failurePolicy: Ignore`
where the webhook can be missed.
Source: k8s.io/docs/concepts/cluster-administration/admission-webhooks-good-practices.",
};

static NO_BUDGET: Rule = Rule {
    id: "TG325",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "no PodDisruptionBudget keeps one of the pods behind a webhook without which requests fail",
    explanation: "\
With `failurePolicy: Fail` all that a webhook is asked about is refused while nobody answers. Several replicas
help where one node fails; when nodes are drained, as in an upgrade of the cluster, all of them may be evicted
at once, and only a PodDisruptionBudget keeps one until another is ready.

    kind: PodDisruptionBudget
    spec: {maxUnavailable: 1, selector: {matchLabels: {app: webhook}}}

Of a single pod TG246 speaks, which a budget would not help.
Source: k8s.io/docs/tasks/run-application/configure-pdb.",
};

const GROUP: &str = "admissionregistration.k8s.io";
const KINDS: [&str; 2] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/// Parts of annotations and labels by which others are asked to write the CA.
const INJECTORS: &[&str] = &["inject-ca", "inject-cabundle", "ca-injector", "inject-apiserver-ca"];

/// One webhook and where it stands.
struct Webhook<'o> {
    at: ObjRef,
    object: &'o Object<'o>,
    node: &'o Node<'o>,
    path: FieldPath,
}

impl Webhook<'_> {
    fn name(&self) -> &str {
        self.node.get("name").and_then(Node::as_str).unwrap_or_default()
    }

    /// Whether requests fail where it cannot be asked (the default of v1; v1beta1 ignores).
    fn fails(&self) -> bool {
        let default = if &*self.object.version == "v1beta1" { "Ignore" } else { "Fail" };
        self.node.get("failurePolicy").and_then(Node::as_str).unwrap_or(default) == "Fail"
    }

    /// Whether it is asked about anything.
    fn has_rules(&self) -> bool {
        self.node.get("rules").and_then(Node::items).is_some_and(|rules| !rules.is_empty())
    }

    fn finding(&self, rule: &'static Rule, path: FieldPath, message: String) -> Finding {
        Finding::new(rule, message)
            .with_object(&self.object.id)
            .with_label(Label::new(self.object.place_of(&path)).path(path))
    }
}

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let objects = planned.objects();
    let mut filler = None;
    for kind in KINDS {
        for (at, object) in objects.of_kind(GROUP, kind) {
            let mut without_ca = Vec::new();
            let list = object.tree.get("webhooks").and_then(Node::items).unwrap_or_default();
            for (nth, node) in list.iter().enumerate() {
                let webhook = Webhook { at, object, node, path: FieldPath::keys(["webhooks"]).index(nth) };
                path(&webhook, found);
                timeout(&webhook, found);
                if lacks_ca(&webhook) {
                    without_ca.push(webhook);
                }
            }
            let is_open = !without_ca.is_empty() && !settings.partial && !asks_for_ca(object);
            if is_open && !*filler.get_or_insert_with(|| may_fill(objects)) {
                found.push(no_ca(&planned.linked, &without_ca));
            }
        }
    }
    if !settings.partial {
        one_replica(planned, found);
    }
}

fn path(webhook: &Webhook<'_>, found: &mut Findings) {
    let text = webhook.node.at(&["clientConfig", "service", "path"]).and_then(Node::as_str);
    let Some(text) = text.filter(|text| !text.is_empty()) else { return };
    if text.strip_prefix('/').is_some_and(is_accepted) {
        return;
    }
    let path = webhook.path.key("clientConfig").key("service").key("path");
    let message =
        format!("webhook `{}` of {} has the path `{text}`, which is refused", webhook.name(), webhook.object.id);
    let parts: Vec<_> = text.split('/').filter(|part| !part.is_empty()).collect();
    let written = format!("/{}", parts.join("/"));
    let remedy = match is_accepted(&written[1..]) {
        true => format!("write `{written}`"),
        false => "let the backend serve a path of small letters, digits, `-` and `.`, and write that".to_owned(),
    };
    found.push(webhook.finding(&PATH, path, message).with_remedy(remedy));
}

/// Whether the part of a path behind its first slash is accepted: every step is a name as those of
/// objects are (a DNS-1123 subdomain); one slash may end it.
fn is_accepted(rest: &str) -> bool {
    let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_label = |label: &str| {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        is_end(label.chars().next()) && is_end(label.chars().next_back()) && label.chars().all(fits)
    };
    let is_step = |step: &str| step.len() <= 253 && step.split('.').all(is_label);
    rest.is_empty() || rest.strip_suffix('/').unwrap_or(rest).split('/').all(is_step)
}

fn timeout(webhook: &Webhook<'_>, found: &mut Findings) {
    let Some(seconds) = webhook.node.get("timeoutSeconds").and_then(Node::as_i64) else { return };
    if (1..=30).contains(&seconds) {
        return;
    }
    let message = format!(
        "webhook `{}` of {} has a time-out of {seconds} s, which is refused",
        webhook.name(),
        webhook.object.id
    );
    let finding = webhook.finding(&TIMEOUT, webhook.path.key("timeoutSeconds"), message);
    found.push(finding.with_remedy("write a number from 1 to 30; 5 is plenty for most"));
}

/// Whether a webhook that is asked about something names a Service and no CA.
fn lacks_ca(webhook: &Webhook<'_>) -> bool {
    let bundle = webhook.node.at(&["clientConfig", "caBundle"]).and_then(Node::as_str).unwrap_or_default();
    // "\n" and the like in base64, which installers write for others to replace
    bundle.len() <= 4 && webhook.has_rules() && webhook.node.at(&["clientConfig", "service"]).is_some()
}

fn asks_for_ca(object: &Object<'_>) -> bool {
    let texts =
        ["annotations", "labels"].into_iter().filter_map(|field| object.tree.at(&["metadata", field])?.mapping());
    let mut keys = texts.flat_map(|mapping| mapping.entries()).map(|(key, _)| &*key.name);
    keys.any(|key| INJECTORS.iter().any(|part| key.contains(part)))
}

/// Whether somebody of the input may change webhook configurations: by a rule that names them, or by
/// one on everything.
fn may_fill(objects: &ObjectSet<'_>) -> bool {
    let roles = objects.of_kind("rbac.authorization.k8s.io", "ClusterRole");
    let rules = roles.flat_map(|(_, role)| role.tree.get("rules").and_then(Node::items).unwrap_or_default());
    let has = |rule: &Node<'_>, field: &str, wanted: &[&str]| {
        let items = rule.get(field).and_then(Node::items).unwrap_or_default();
        items.iter().filter_map(Node::as_str).any(|text| text == "*" || wanted.contains(&text))
    };
    let mut rules = rules.filter(|rule| has(rule, "verbs", &["update", "patch", "create"]));
    rules.any(|rule| {
        has(rule, "resources", &["mutatingwebhookconfigurations", "validatingwebhookconfigurations"])
            && has(rule, "apiGroups", &[GROUP])
    })
}

/// Whether the program that answers a webhook is not in the input, or the account that it runs as.
fn is_answered_elsewhere(linked: &Linked<'_>, webhook: &Webhook<'_>) -> bool {
    let name = webhook.path.key("clientConfig").key("service").key("name");
    let is_missing = |leads_to| !matches!(leads_to, Resolution::Object(_));
    let mut services = linked.references.iter().filter(|of| of.from == webhook.at && of.path == name);
    services.any(|reference| {
        let Resolution::Object(service) = reference.leads_to else { return true };
        let selections = linked.selections.iter().filter(|selection| selection.from == service);
        let workloads: Vec<ObjRef> = selections.flat_map(|selection| selection.selected.iter().copied()).collect();
        let accounts = linked.references.iter().filter(|of| of.row.ends_with("serviceAccountName"));
        accounts.filter(|of| workloads.contains(&of.from)).any(|of| is_missing(of.leads_to))
    })
}

fn no_ca(linked: &Linked<'_>, webhooks: &[Webhook<'_>]) -> Finding {
    let first = &webhooks[0];
    let fails = webhooks.iter().any(|webhook| webhook.fails() && !is_answered_elsewhere(linked, webhook));
    let others = if webhooks.len() > 1 { format!(" and {} more", webhooks.len() - 1) } else { String::new() };
    let message = format!(
        "webhook `{}`{others} of {} has no caBundle, and nothing in the input would fill it in",
        first.name(),
        first.object.id
    );
    let path = first.path.key("clientConfig").key("caBundle");
    let severity = if fails { Severity::Warning } else { Severity::Info };
    first
        .finding(&NO_CA, path, message)
        .with_severity(severity)
        .with_remedy("write `clientConfig.caBundle`, or annotate the object with `cert-manager.io/inject-ca-from`")
}

/// Says which backends of fail-closed webhooks are one pod.
fn one_replica(planned: &Planned<'_>, found: &mut Findings) {
    let linked = &planned.linked;
    let objects = planned.objects();
    let mut said = std::collections::BTreeSet::new();
    let rows = linked.references.iter().filter(|reference| reference.row == "webhooks[].clientConfig.service.name");
    for reference in rows {
        let (Resolution::Object(service), object) = (reference.leads_to, objects.get(reference.from)) else { continue };
        let mut path = reference.path.clone();
        (0..3).for_each(|_| path.pop());
        let Some(node) = object.tree.follow(&path) else { continue };
        let webhook = Webhook { at: reference.from, object, node, path };
        if !webhook.fails() || !webhook.has_rules() {
            continue;
        }
        let selected = linked.selections.iter().find(|selection| selection.from == service);
        let [workload] = selected.map(|selection| selection.selected.as_slice()).unwrap_or_default() else { continue };
        let backend = objects.get(*workload);
        if is_one(linked, *workload, backend) && said.insert((webhook.at, *workload)) {
            found.push(alone(&webhook, backend));
        } else if is_several(backend) && !has_budget(linked, *workload) && said.insert((webhook.at, *workload)) {
            found.push(unguarded(&webhook, backend));
        }
    }
}

/// Whether a workload runs one pod, and nobody scales it.
fn is_one(linked: &Linked<'_>, at: ObjRef, workload: &Object<'_>) -> bool {
    let can_scale = ["Deployment", "StatefulSet", "ReplicaSet", "Rollout"].contains(&&*workload.id.kind);
    let replicas = workload.tree.at(&["spec", "replicas"]).filter(|node| !node.is_null());
    let is_scaled = linked.references.iter().any(|reference| {
        reference.leads_to == Resolution::Object(at) && reference.row.ends_with("scaleTargetRef.name")
    });
    can_scale && replicas.is_none_or(|node| node.as_i64() == Some(1)) && !is_scaled
}

/// Whether a workload is written with several pods.
fn is_several(workload: &Object<'_>) -> bool {
    let can_evict = ["Deployment", "StatefulSet", "ReplicaSet", "Rollout"].contains(&&*workload.id.kind);
    can_evict && workload.tree.at(&["spec", "replicas"]).and_then(Node::as_i64).is_some_and(|count| count > 1)
}

fn has_budget(linked: &Linked<'_>, workload: ObjRef) -> bool {
    let is_budget = |at: ObjRef| linked.loaded.objects.get(at).is("policy", "PodDisruptionBudget");
    linked.selections.iter().any(|selection| selection.selected.contains(&workload) && is_budget(selection.from))
}

fn unguarded(webhook: &Webhook<'_>, backend: &Object<'_>) -> Finding {
    let message = format!(
        "webhook `{}` of {} fails closed, and no PodDisruptionBudget keeps a pod of {}, which answers it",
        webhook.name(),
        webhook.object.id,
        backend.id
    );
    let key = if webhook.node.get("failurePolicy").is_some() { "failurePolicy" } else { "name" };
    let path = FieldPath::keys(["spec", "replicas"]);
    webhook
        .finding(&NO_BUDGET, webhook.path.key(key), message)
        .with_label(Label::new(backend.place_of(&path)).path(path).text("its backend"))
        .with_remedy("add a PodDisruptionBudget that selects these pods")
}

fn alone(webhook: &Webhook<'_>, backend: &Object<'_>) -> Finding {
    let message = format!(
        "webhook `{}` of {} fails closed, and one pod of {} answers it",
        webhook.name(),
        webhook.object.id,
        backend.id
    );
    let key = if webhook.node.get("failurePolicy").is_some() { "failurePolicy" } else { "name" };
    let path = FieldPath::keys(["spec", "replicas"]);
    let path = match backend.tree.follow(&path) {
        Some(_) => path,
        None => FieldPath::keys(["metadata", "name"]),
    };
    webhook
        .finding(&ONE_REPLICA, webhook.path.key(key), message)
        .with_label(Label::new(backend.place_of(&path)).path(path).text("its backend"))
        .with_remedy("run two replicas or more, with a PodDisruptionBudget")
}
