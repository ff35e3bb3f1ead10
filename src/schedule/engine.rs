//! What each engine does to the order inside a wave: where presence alone needs a boundary.
//!
//! An engine has its own order inside a wave. Argo CD ignores the order of the stream and puts kinds
//! that it does not name last, by name, so a needed object of such a kind may come behind the one that
//! needs it. Most of those pairs heal by themselves: a controller looks again. The tables here are
//! of those that do not.

use crate::config::EngineName;
use crate::flow::{Edge, Linked, Need, Reason};
use crate::object::Object;

/// Group and kind of the needed object, of the needing one.
type Pair = ((&'static str, &'static str), (&'static str, &'static str));

const TEKTON: &str = "tekton.dev";
const ROLLOUTS: &str = "argoproj.io";
const POD: (&str, &str) = ("", "Pod");

/// On Argo CD: pairs in which the needing object fails for good if it comes first. A run reads its
/// pipeline once; an Experiment or Workflow that finds no template has failed; a bare Pod is refused without its
/// class, and nobody tries again.
const ARGOCD: &[Pair] = &[
    ((ROLLOUTS, "AnalysisTemplate"), (ROLLOUTS, "Experiment")),
    ((ROLLOUTS, "ClusterAnalysisTemplate"), (ROLLOUTS, "Experiment")),
    ((ROLLOUTS, "ClusterWorkflowTemplate"), (ROLLOUTS, "Workflow")),
    ((ROLLOUTS, "WorkflowTemplate"), (ROLLOUTS, "Workflow")),
    (("networking.k8s.io", "IngressClass"), POD),
    (("node.k8s.io", "RuntimeClass"), POD),
    (("resource.k8s.io", "DeviceClass"), POD),
    (("scheduling.k8s.io", "PriorityClass"), POD),
    (("storage.k8s.io", "StorageClass"), POD),
    ((TEKTON, "Pipeline"), (TEKTON, "PipelineRun")),
    ((TEKTON, "StepAction"), (TEKTON, "PipelineRun")),
    ((TEKTON, "StepAction"), (TEKTON, "TaskRun")),
    ((TEKTON, "Task"), (TEKTON, "PipelineRun")),
    ((TEKTON, "Task"), (TEKTON, "TaskRun")),
];

/// Whether an edge needs a boundary: the needing object in a later wave than the needed one.
pub(super) fn has_boundary(edge: &Edge, linked: &Linked<'_>, engine: EngineName) -> bool {
    if edge.need == Need::Ready {
        return true;
    }
    match engine {
        EngineName::Argocd => {
            let objects = &linked.loaded.objects;
            edge.reason == Reason::Reader || is_pair(ARGOCD, objects.get(edge.from), objects.get(edge.to))
        }
        // kubectl maps all kinds before it applies the first object
        EngineName::Kubectl => edge.reason == Reason::Definition,
        // of one Kustomization it applies namespaces, definitions and classes first, and waits for them
        EngineName::Flux => false,
    }
}

fn is_pair(pairs: &[Pair], needed: &Object<'_>, needing: &Object<'_>) -> bool {
    pairs.iter().any(|(from, to)| needed.is(from.0, from.1) && needing.is(to.0, to.1))
}

#[cfg(test)]
mod tests {
    use super::super::made::{Made, edge};
    use super::*;

    fn boundaries(engine: EngineName, documents: &[&str], edges: &[Edge]) -> Vec<bool> {
        let made = Made::new(documents);
        let (linked, _) = made.linked(edges.to_vec());
        edges.iter().map(|edge| has_boundary(edge, &linked, engine)).collect()
    }

    #[test]
    fn a_ready_edge_always_has_one_and_a_before_edge_by_the_table() {
        // in the order of identities: core group first, then by group
        let documents = [
            "Pod bare",
            "Deployment.apps web",
            "CustomResourceDefinition.apiextensions.k8s.io moons.example.com",
            "Experiment.argoproj.io try",
            "AnalysisTemplate.argoproj.io rate",
            "Moon.example.com io",
            "PriorityClass.scheduling.k8s.io high",
        ];
        let made = Made::new(&documents);
        let at = |name| made.find(name);
        let edges = [
            edge(at("web"), at("bare"), Need::Ready, Reason::Explicit),
            edge(at("high"), at("bare"), Need::Before, Reason::Reference("priorityClassName")),
            edge(at("high"), at("web"), Need::Before, Reason::Reference("priorityClassName")),
            edge(at("rate"), at("try"), Need::Before, Reason::Reference("spec.analyses[]")),
            edge(at("moons.example.com"), at("io"), Need::Before, Reason::Definition),
            edge(at("io"), at("web"), Need::Before, Reason::Reader),
        ];
        assert_eq!(boundaries(EngineName::Argocd, &documents, &edges), [true, true, false, true, false, true]);
        assert_eq!(boundaries(EngineName::Kubectl, &documents, &edges), [true, false, false, false, true, false]);
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(ARGOCD.is_sorted());
    }
}
