//! The order in which the parts of a mesh start.

use std::collections::BTreeMap;

use super::workloads::{Workload, Workloads};
use crate::config::Settings;
use crate::flow::{Edge, Loaded, Need, Reason, Strength};
use crate::object::ObjRef;
use crate::object::view::mesh::{self, LINKERD_COMPONENT as COMPONENT, Mesh};
use crate::tree::FieldPath;

/// Which part of Linkerd waits for which: the proxy of every part but identity asks identity for a
/// certificate before it is ready, and the injector's asks destination where to send what
/// (`charts/partials/templates/_proxy.tpl` of linkerd2).
const LINKERD: &[(&str, &str)] =
    &[("identity", "destination"), ("destination", "proxy-injector"), ("identity", "proxy-injector")];

/// Puts everything that a mesh gives a proxy behind the Jobs that say they wait for that mesh.
pub(super) fn link_gates(loaded: &Loaded<'_>, settings: &Settings, edges: &mut Vec<Edge>) {
    let objects = &loaded.objects;
    for mesh in Mesh::ALL {
        let jobs: Vec<_> = mesh::gate_jobs(mesh, objects).collect();
        if jobs.is_empty() {
            continue;
        }
        let workloads = mesh::workloads(objects, &settings.references.pod_templates);
        for workload in workloads.filter(|workload| workload.asked.mesh == mesh && workload.is_meshed()) {
            let (to, place) = (workload.at, workload.place());
            let gate = |from: ObjRef| Edge {
                from,
                to,
                need: Need::Ready,
                strength: Strength::Weak,
                reason: Reason::Mesh,
                place,
            };
            edges.extend(jobs.iter().filter(|from| **from != to).map(|from| gate(*from)));
        }
    }
}

/// Kinds that end by themselves: no parts of a mesh, though they carry its labels.
const JOBS: &[(&str, &str)] = &[("batch", "CronJob"), ("batch", "Job")];

/// Puts the parts of a Linkerd control plane in one namespace in order.
pub(super) fn link(workloads: &Workloads<'_>, edges: &mut Vec<Edge>) {
    let mut parts: BTreeMap<(Option<&str>, &str), Vec<&Workload<'_>>> = BTreeMap::new();
    for workload in workloads.iter() {
        let id = &workload.object.id;
        if let Some(part) = workload.label(COMPONENT).filter(|_| !JOBS.contains(&(&id.group, &id.kind))) {
            parts.entry((id.namespace.as_deref(), part)).or_default().push(workload);
        }
    }
    for ((namespace, part), workloads) in &parts {
        for (needed, _) in LINKERD.iter().filter(|(_, needing)| needing == part) {
            for from in parts.get(&(*namespace, *needed)).into_iter().flatten() {
                edges.extend(workloads.iter().map(|to| edge(from, to)));
            }
        }
    }
}

fn edge(from: &Workload<'_>, to: &Workload<'_>) -> Edge {
    let template = FieldPath::keys(to.row.path.iter().copied());
    Edge {
        from: from.at,
        to: to.at,
        need: Need::Ready,
        strength: Strength::Weak,
        reason: Reason::Mesh,
        place: to.object.place_of(&template.key("metadata").key("labels").key(COMPONENT)),
    }
}

#[cfg(test)]
mod tests {
    use crate::refs::fixture::edges;

    fn part(kind: &str, namespace: &str, part: &str) -> String {
        let metadata = format!("metadata: {{labels: {{linkerd.io/control-plane-component: {part}}}}}");
        let group = if kind == "Job" { "batch" } else { "apps" };
        format!(
            "---\napiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: {part}, namespace: {namespace}}}\nspec:\n  \
             template:\n    {metadata}\n    spec: {{containers: []}}\n"
        )
    }

    #[test]
    fn identity_then_destination_then_injector() {
        let text = ["proxy-injector", "identity", "destination"].map(|name| part("Deployment", "linkerd", name));
        assert_eq!(
            edges(&text.concat(), "mesh"),
            [
                "Deployment linkerd/identity → Deployment linkerd/destination (ready, line 23)",
                "Deployment linkerd/destination → Deployment linkerd/proxy-injector (ready, line 7)",
                "Deployment linkerd/identity → Deployment linkerd/proxy-injector (ready, line 7)",
            ]
        );
    }

    #[test]
    fn parts_of_another_control_plane_and_jobs_do_not_count() {
        let other = [part("Deployment", "linkerd", "identity"), part("Deployment", "other", "destination")];
        assert_eq!(edges(&other.concat(), "mesh"), [""; 0]);
        let job = [part("Deployment", "linkerd", "identity"), part("Job", "linkerd", "destination")];
        assert_eq!(edges(&job.concat(), "mesh"), [""; 0]);
    }
}
