//! Made installations with pods that a mesh takes, beside all else that [`made`] makes.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tidegate::config::{MeshGate, MeshJobPlacement};

use super::Text;
use super::made::{self, Made};

/// Metadata of a Namespace, and whether pods in it that say nothing are meshed by Linkerd or Istio.
const NAMESPACES: &[(&str, &str, bool)] = &[
    ("linked", "annotations: {linkerd.io/inject: enabled}", true),
    ("awaited", "annotations: {linkerd.io/inject: enabled, config.linkerd.io/proxy-await: enabled}", true),
    ("revised", "labels: {istio.io/rev: canary}", false),
    ("sided", "labels: {istio-injection: enabled}", false),
];

/// What a pod template says; one that says `no` is not meshed.
const TEMPLATES: &[(&str, bool)] = &[
    ("metadata: {labels: {app: a}}\n    ", true),
    ("metadata:\n      labels: {app: a}\n      annotations: {}\n    ", true),
    ("metadata: {annotations: {note: mine}}\n    ", true),
    ("", true),
    ("metadata: {annotations: {config.linkerd.io/proxy-await: disabled, proxy.istio.io/config: mine}}\n    ", true),
    (
        "metadata: {annotations: {linkerd.io/inject: disabled}, labels: {sidecar.istio.io/inject: \"false\"}}\n    ",
        false,
    ),
];

/// Kinds with what stands before and behind the template.
const KINDS: &[(&str, &str)] = &[("apps/v1", "Deployment"), ("apps/v1", "StatefulSet"), ("batch/v1", "Job")];

pub(super) fn installation() -> impl Strategy<Value = Made> {
    let workload = (0..NAMESPACES.len(), 0..TEMPLATES.len(), 0..KINDS.len(), any::<bool>());
    let gate = select(&[MeshGate::Off, MeshGate::ProxyAwait, MeshGate::NativeSidecar, MeshGate::Job][..]);
    let placement = select(&[MeshJobPlacement::Wave, MeshJobPlacement::PreSync][..]);
    (made::installation(), vec(workload, 1..5), gate, placement).prop_map(|(made, workloads, gate, placement)| {
        let Made { mut files, mut settings, mut objects } = made;
        settings.gates.mesh = gate;
        // a hook comes before the namespace that it is in, unless that is there already
        settings.gates.mesh_job.placement = placement;
        settings.gates.mesh_job.namespace = (placement == MeshJobPlacement::PreSync).then(|| "there".to_owned());
        let mut texts: Vec<String> = NAMESPACES
            .iter()
            .map(|(name, says, _)| format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {name}\n  {says}\n"))
            .collect();
        texts.extend(workloads.iter().enumerate().map(|(nth, (namespace, template, kind, is_hook))| {
            let (version, kind) = KINDS[*kind];
            let hook = if *is_hook { "\n  annotations: {argocd.argoproj.io/hook: Sync}" } else { "" };
            format!(
                "apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: meshed{nth}\n  namespace: {}{hook}\nspec:\n  \
                 template:\n    {}spec: {{containers: [{{name: a, image: a}}]}}\n",
                NAMESPACES[*namespace].0, TEMPLATES[*template].0
            )
        }));
        objects += texts.len();
        if gate == MeshGate::Job {
            let meshed = workloads.iter().filter(|(_, template, ..)| TEMPLATES[*template].1);
            let mut meshes: Vec<bool> = meshed.map(|(namespace, ..)| NAMESPACES[*namespace].2).collect();
            meshes.sort_unstable();
            meshes.dedup();
            objects += meshes.len();
        }
        files.push(Text::new("meshed.yaml", texts.join("---\n")));
        Made { files, settings, objects }
    })
}
