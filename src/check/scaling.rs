//! Autoscalers whose target cannot be scaled, or is not measured.

use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::{Linked, Planned, Reference, Resolution};
use crate::object::Object;
use crate::object::view::pod_template;
use crate::tree::{FieldPath, Node};

pub(super) static RULES: &[&Rule] = &[&NOT_SCALED, &NOT_MEASURED];

static NOT_SCALED: Rule = Rule {
    id: "TG319",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a HorizontalPodAutoscaler names a kind that cannot be scaled",
    explanation: "\
An autoscaler changes the `scale` subresource of its target. DaemonSets, Jobs, CronJobs, Pods and the like
have none, so it never scales anything (`FailedGetScale`).

Name the Deployment, StatefulSet or ReplicaSet that is meant.
Source: k8s.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale.",
};

static NOT_MEASURED: Rule = Rule {
    id: "TG318",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an autoscaler measures utilization of a resource that its pods do not request",
    explanation: "\
Utilization (`averageUtilization`, `targetCPUUtilizationPercentage`) is usage in percent of the request.
If one container of the pod requests none of the resource (a limit counts as a request), there is no
percentage, and the autoscaler does nothing: `missing request for cpu`. On Argo CD the autoscaler is then
Degraded.

    kind: Deployment
    … containers: [{name: app, resources: {requests: {cpu: 100m}}}]

A LimitRange of the namespace can set a default; where the input has one nothing is said.
Source: k8s.io/kubernetes, pkg/controller/podautoscaler (`calculatePodRequests`).",
};

/// Kinds without a `scale` subresource that are taken for one with it.
const NOT_SCALABLE: &[(&str, &str)] = &[
    ("", "Pod"),
    ("", "Service"),
    ("apps", "DaemonSet"),
    ("batch", "CronJob"),
    ("batch", "Job"),
    ("extensions", "DaemonSet"),
];

pub(super) fn run(planned: &Planned<'_>, _: &Settings, found: &mut Findings) {
    let linked = &planned.linked;
    for reference in linked.references.iter().filter(|reference| reference.row == "spec.scaleTargetRef.name") {
        let scaler = linked.loaded.objects.get(reference.from);
        if !scaler.is("autoscaling", "HorizontalPodAutoscaler") {
            continue;
        }
        let target = &reference.target;
        if NOT_SCALABLE.contains(&(&*target.group, &*target.kind)) {
            found.push(not_scaled(scaler, reference));
        } else if let Resolution::Object(at) = reference.leads_to {
            not_measured(linked, scaler, linked.loaded.objects.get(at), found);
        }
    }
}

fn not_scaled(scaler: &Object<'_>, reference: &Reference) -> Finding {
    let path = FieldPath::keys(["spec", "scaleTargetRef", "kind"]);
    let message = format!(
        "{} scales {} `{}`, and a {} cannot be scaled",
        scaler.id, reference.target.kind, reference.target.name, reference.target.kind
    );
    Finding::new(&NOT_SCALED, message)
        .with_object(&scaler.id)
        .with_label(Label::new(scaler.place_of(&path)).path(path))
        .with_remedy("name a Deployment, StatefulSet or ReplicaSet")
}

/// Every resource of which an autoscaler measures the utilization of whole pods, and where it says so.
fn measured<'o>(scaler: &'o Object<'_>) -> Vec<(&'o str, FieldPath)> {
    let spec = FieldPath::keys(["spec"]);
    let mut found = Vec::new();
    if scaler.tree.at(&["spec", "targetCPUUtilizationPercentage"]).is_some_and(|node| !node.is_null()) {
        found.push(("cpu", spec.key("targetCPUUtilizationPercentage")));
    }
    let metrics = scaler.tree.at(&["spec", "metrics"]).and_then(Node::items).unwrap_or_default();
    for (nth, metric) in metrics.iter().enumerate() {
        let Some(resource) = metric.get("resource") else { continue };
        let is_share = resource.at(&["target", "averageUtilization"]).or(resource.get("targetAverageUtilization"));
        if let (Some(name), Some(_)) = (resource.get("name").and_then(Node::as_str), is_share) {
            found.push((name, spec.key("metrics").index(nth).key("resource").key("name")));
        }
    }
    found
}

fn not_measured(linked: &Linked<'_>, scaler: &Object<'_>, target: &Object<'_>, found: &mut Findings) {
    let Some(row) = pod_template::of(target) else { return };
    let namespace = target.id.namespace.as_deref();
    let mut ranges = linked.loaded.objects.of_kind("", "LimitRange");
    if ranges.any(|(_, range)| range.id.namespace.as_deref() == namespace) {
        return;
    }
    let whole = |spec: &Node<'_>, name: &str| {
        ["requests", "limits"].iter().any(|field| spec.at(&["resources", field, name]).is_some_and(|n| !n.is_null()))
    };
    let Some(spec) = row.spec(target) else { return };
    let containers = spec.get("containers").and_then(Node::items).unwrap_or_default();
    for (name, path) in measured(scaler) {
        let nth = containers.iter().position(|container| !whole(container, name));
        let Some(nth) = nth.filter(|_| !whole(spec, name)) else { continue };
        let container = containers[nth].get("name").and_then(Node::as_str).unwrap_or_default();
        let message = format!(
            "{} measures the utilization of {name}, but container `{container}` of {} requests none",
            scaler.id, target.id
        );
        let at = row.spec_path().key("containers").index(nth);
        let at = if containers[nth].get("resources").is_some() { at.key("resources") } else { at.key("name") };
        found.push(
            Finding::new(&NOT_MEASURED, message)
                .with_object(&scaler.id)
                .with_label(Label::new(scaler.place_of(&path)).path(path))
                .with_label(Label::new(target.place_of(&at)).path(at).text("the container without a request"))
                .with_remedy(format!("add `resources.requests.{name}` to the container")),
        );
    }
}
