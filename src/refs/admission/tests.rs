use crate::config::{Gates, PolicyGates, Settings};
use crate::finding::Findings;
use crate::flow::{Need, Reason, Strength};
use crate::source::{SourceFile, SourceMap};
use crate::{load, refs};

mod conversions;
mod rules;

/// A Service and the Deployment behind it, in a namespace of their own.
const BACKEND: &str = "
---
apiVersion: v1
kind: Namespace
metadata: {name: ops}
---
apiVersion: v1
kind: Service
metadata: {name: hook, namespace: ops}
spec: {selector: {app: hook}, ports: [{port: 443}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hook, namespace: ops}
spec:
  selector: {matchLabels: {app: hook}}
  template:
    metadata: {labels: {app: hook}}
    spec: {containers: [{name: hook, image: 'registry.example.com/hook:1'}]}
";

/// A webhook configuration that asks the backend. `more` are fields of its webhook, in one line.
fn hook(kind: &str, version: &str, more: &str) -> String {
    format!(
        "---
apiVersion: admissionregistration.k8s.io/{version}
kind: {kind}WebhookConfiguration
metadata: {{name: hook}}
webhooks:
- name: hook.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {{service: {{name: hook, namespace: ops, path: /}}}}
  {more}
"
    )
}

/// `rules` with one rule.
fn rules(group: &str, resource: &str, operation: &str) -> String {
    format!(
        "rules: [{{apiGroups: ['{group}'], apiVersions: [v1], operations: [{operation}], resources: ['{resource}']}}]"
    )
}

/// An object of any kind without a spec.
fn object(api_version: &str, kind: &str, namespace: &str, name: &str, metadata: &str) -> String {
    format!(
        "---
apiVersion: {api_version}
kind: {kind}
metadata: {{name: {name}, namespace: {namespace}{metadata}}}
"
    )
}

/// A Deployment whose pods have this metadata.
fn deployment(namespace: &str, name: &str, pods: &str) -> String {
    format!(
        "---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: {namespace}}}
spec: {{template: {{metadata: {{{pods}}}, spec: {{containers: []}}}}}}
"
    )
}

/// The edges of registrations, `needed > needing reason`, and what is said, after the ids of the
/// rules.
fn linked(text: &str) -> (Vec<String>, Vec<String>) {
    linked_with(text, &Settings::default())
}

fn linked_with(text: &str, settings: &Settings) -> (Vec<String>, Vec<String>) {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let loaded = load::objects(&sources, settings, &mut found);
    assert_eq!(found.sorted().len(), 0, "the input is read as it is meant");
    let linked = refs::link(loaded, settings, &mut found);
    let name = |object| linked.loaded.objects.get(object).id.to_string();
    let edges = linked.graph.edges().iter().filter_map(|edge| {
        let is_before = matches!(edge.reason, Reason::DefinitionReader);
        let is_ready = matches!(
            edge.reason,
            Reason::Backend | Reason::OwnRegistration | Reason::Registration | Reason::Conversion
        );
        if !is_before && !is_ready {
            return None;
        }
        assert_eq!(edge.need, if is_ready { Need::Ready } else { Need::Before });
        assert_eq!(edge.strength, Strength::Weak);
        Some(format!("{} > {} {}", name(edge.from), name(edge.to), edge.reason.word()))
    });
    let said = found.sorted().into_iter().map(|finding| format!("{} {}", finding.rule.id, finding.message));
    (edges.collect(), said.collect())
}

fn enforce() -> Settings {
    Settings { gates: Gates { policies: PolicyGates::Enforce, ..Gates::default() }, ..Settings::default() }
}

/// The edges of the backend itself.
fn backend_edges(kind: &str) -> Vec<String> {
    let to = format!("{kind}WebhookConfiguration hook backend");
    vec![format!("Service ops/hook > {to}"), format!("Deployment ops/hook > {to}")]
}

/// What the registration gates, by its edges.
fn gated(text: &str) -> Vec<String> {
    let (edges, said) = linked(text);
    assert_eq!(said, [""; 0]);
    only_gated(&edges)
}

fn only_gated(edges: &[String]) -> Vec<String> {
    let gated = edges.iter().filter_map(|edge| edge.strip_suffix(" registration"));
    gated.filter_map(|edge| edge.split_once(" > ")).map(|(_, to)| to.to_owned()).collect()
}
