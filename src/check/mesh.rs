//! Pods that a mesh gives a proxy, whose control plane is not in the input.

use crate::config::{MeshGate, Settings, Word as _};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::ObjectSet;
use crate::object::view::mesh::{self, Mesh, Workload};
use crate::tree::FieldPath;

pub(super) static RULES: &[&Rule] = &[&NO_GATE, &NOT_HELD_BACK];

static NO_GATE: Rule = Rule {
    id: "TG501",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "pods ask for the proxy of a mesh that is not in the input, and nothing waits for it",
    explanation: "\
The control plane is installed by somebody else, so no order of this input puts the pods behind it. Applied
before it is ready, they start without a proxy (Linkerd's injector fails open unless it was installed for high
availability), are refused until it answers (Istio's fails closed), or start with a proxy that gets no
certificate: the application then has no network until the control plane is there.

Where the control plane is always there first, there is nothing to do: leave the finding out. Else set
`gates.mesh` to `proxy-await` or `native-sidecar`, which hold the containers back, or to `job`, which holds back
the pods themselves until the control plane answers (docs/mesh.md).
Source: linkerd2 charts/linkerd-control-plane/values.yaml (`webhookFailurePolicy`); istio
manifests/charts/istio-control/istio-discovery/templates/mutatingwebhook.yaml.",
};

static NOT_HELD_BACK: Rule = Rule {
    id: "TG502",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "the configuration asks to hold meshed pods back, and these are not",
    explanation: "\
`gates.mesh` of the configuration asks for an annotation on the template of every meshed pod, and this one does
not get it: the template, or its Namespace, says something else in the same annotation, which stays as it is; or
the API server refuses a change of the template (a Job, a bare Pod), so that adding it later would make every
sync fail.

Write the annotation yourself, or set `gates.mesh: job`, which changes no template.",
};

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let objects = planned.objects();
    for mesh in Mesh::ALL.into_iter().filter(|mesh| !mesh::is_in_set(*mesh, objects)) {
        let meshed: Vec<_> = mesh::workloads(objects, &settings.references.pod_templates)
            .filter(|workload| workload.asked.mesh == mesh && workload.is_meshed())
            .collect();
        match settings.gates.mesh {
            // of a part of what is deployed nobody knows what comes before it
            MeshGate::Off if settings.partial => {}
            MeshGate::Off => no_gate(mesh, &meshed, objects, found),
            MeshGate::Job => {}
            gate => not_held_back(gate, mesh, &meshed, planned, settings, found),
        }
    }
}

fn no_gate(mesh: Mesh, meshed: &[Workload<'_>], objects: &ObjectSet<'_>, found: &mut Findings) {
    let Some(first) = meshed.first() else { return };
    if mesh::gate_jobs(mesh, objects).next().is_some() {
        return;
    }
    let others = match meshed.len() - 1 {
        0 => String::new(),
        1 => " and one more workload".to_owned(),
        count => format!(" and {count} more workloads"),
    };
    let name = mesh.name();
    let message = format!(
        "the pods of {}{others} get a proxy of {name}, whose control plane is not in the input, and nothing waits \
         for it",
        first.object.id
    );
    found.push(
        Finding::new(&NO_GATE, message)
            .with_object(&first.object.id)
            .with_label(Label::new(first.place()).path(first.asked.path.clone()))
            .with_remedy(
                "if they may be applied before it is ready, set `gates.mesh: proxy-await`, `native-sidecar` or `job`",
            ),
    );
}

fn not_held_back(
    gate: MeshGate,
    mesh: Mesh,
    meshed: &[Workload<'_>],
    planned: &Planned<'_>,
    settings: &Settings,
    found: &mut Findings,
) {
    let wanted = crate::object::wrote::Gate::of(mesh, gate == MeshGate::NativeSidecar);
    let Some((name, value)) = wanted.annotation() else { return };
    for workload in meshed.iter().filter(|workload| !planned.linked.loaded.gates.contains_key(&workload.at)) {
        let object = workload.object;
        let path = FieldPath::keys(workload.held.path.iter().copied()).key("metadata").key("annotations").key(name);
        let namespace = workload.namespace.filter(|_| mesh == Mesh::Linkerd);
        let own = object.tree.follow(&path).map(|said| (object, path.clone(), said));
        let inherited = namespace.and_then(|namespace| {
            let path = FieldPath::keys(["metadata", "annotations", name]);
            Some((namespace, path.clone(), namespace.tree.follow(&path)?))
        });
        let said = own.or(inherited);
        let is_said =
            |text: &str| text.trim() == value || value == "true" && ["1", "t", "T", "TRUE", "True"].contains(&text);
        if said.as_ref().and_then(|(.., node)| node.as_str()).is_some_and(is_said) {
            continue;
        }
        // what is taken as it is, or stripped, has no gates at all
        if settings.writing != crate::config::Writing::Anew {
            continue;
        }
        let (place, path, why) = match said {
            Some((holder, path, _)) => (holder.place_of(&path), path, format!("`{name}` says something else")),
            None => (
                workload.place(),
                workload.asked.path.clone(),
                "the API server refuses a change of its template".to_owned(),
            ),
        };
        let message = format!("{} is not held back by `gates.mesh: {}`: {why}", object.id, gate.word());
        found.push(
            Finding::new(&NOT_HELD_BACK, message)
                .with_object(&object.id)
                .with_label(Label::new(place).path(path))
                .with_remedy(format!("write `{name}: \"{value}\"` on its pod template, or set `gates.mesh: job`")),
        );
    }
}
