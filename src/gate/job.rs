//! The Job that ends when a control plane answers.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};
use tera::{Context, Tera};

use super::Meshed;
use crate::config::{EngineName, MeshJobPlacement, Settings};
use crate::finding::Findings;
use crate::object::view::mesh::{self, Mesh};
use crate::object::{Name, Object, ObjectId, ObjectSet, Origin};
use crate::source::{DocumentStart, Limits, Place, Span};
use crate::tree::Node;
use crate::{json, yaml};

const TEMPLATE: &str = include_str!("../../templates/mesh-gate.yaml.tera");

/// What answers when Linkerd can mesh a pod: it gets its certificate from identity, asks destination where to send
/// what, and is put into the pod by the injector. A Service has endpoints only while its pods are ready (linkerd2
/// `charts/linkerd-control-plane/templates/{identity,destination,proxy-injector}.yaml`).
const LINKERD: [&str; 3] =
    ["linkerd-identity.linkerd.svc:8080", "linkerd-dst.linkerd.svc:8086", "linkerd-proxy-injector.linkerd.svc:443"];

/// The ports of istiod: its certificates and configuration, and its injector (istio
/// `manifests/charts/istio-control/istio-discovery/templates/service.yaml`).
const ISTIOD_PORTS: [u16; 2] = [15012, 443];

/// Digits of the content in the name: the template of a Job cannot change, so another content is another Job.
const NAME_DIGITS: usize = 8;

/// How much later than its script the Job itself gives up, in seconds: an image has to be pulled first.
const GRACE: i64 = 60;

/// One Job for each mesh that workloads wait for and that no Job of the user's waits for already.
pub(super) fn jobs<'s>(meshed: &[Meshed], objects: &ObjectSet<'_>, settings: &Settings) -> Vec<Object<'s>> {
    let has_own = |mesh: Mesh| mesh::gate_jobs(mesh, objects).next().is_some();
    let of = |mesh: Mesh| {
        let of_mesh: Vec<_> = meshed.iter().filter(|workload| workload.mesh == mesh).collect();
        let namespaces = of_mesh.iter().map(|workload| objects.get(workload.at).id.namespace.as_deref());
        let first = namespaces.min()?;
        let namespace = settings.gates.mesh_job.namespace.as_deref().or(first);
        job(mesh, namespace, &targets(mesh, &of_mesh, settings), of_mesh.first()?.place, settings)
    };
    Mesh::ALL.into_iter().filter(|mesh| !has_own(*mesh)).filter_map(of).collect()
}

/// What must answer.
fn targets(mesh: Mesh, meshed: &[&Meshed], settings: &Settings) -> Vec<String> {
    let job = &settings.gates.mesh_job;
    let given = match mesh {
        Mesh::Linkerd => &job.linkerd,
        Mesh::Istio => &job.istio,
    };
    if !given.is_empty() {
        return given.clone();
    }
    match mesh {
        Mesh::Linkerd => LINKERD.map(str::to_owned).to_vec(),
        Mesh::Istio => {
            let revisions: BTreeSet<_> = meshed.iter().map(|workload| workload.revision.as_deref()).collect();
            let hosts = revisions.into_iter().map(|revision| match revision {
                Some(revision) => format!("istiod-{revision}.istio-system.svc"),
                None => "istiod.istio-system.svc".to_owned(),
            });
            hosts.flat_map(|host| ISTIOD_PORTS.map(|port| format!("{host}:{port}"))).collect()
        }
    }
}

/// The Job. It stands where the field stands that asks for the first proxy.
fn job<'s>(
    mesh: Mesh,
    namespace: Option<&str>,
    targets: &[String],
    place: Place,
    settings: &Settings,
) -> Option<Object<'s>> {
    let job = &settings.gates.mesh_job;
    let is_hook = settings.engine == EngineName::Argocd && job.placement == MeshJobPlacement::PreSync;
    let text = |name: &str| {
        let mut context = Context::new();
        context.insert("name", &scalar(name));
        context.insert("namespace", &namespace.map(scalar));
        context.insert("mesh", mesh.word());
        context.insert("presync", &is_hook);
        context.insert("deadline", &(job.timeout + GRACE));
        context.insert("timeout", &job.timeout);
        context.insert("image", &scalar(&job.image));
        context.insert("targets", &targets.iter().map(|target| scalar(target)).collect::<Vec<_>>());
        Tera::one_off(TEMPLATE, &context, false).ok()
    };
    let digest = Sha256::digest(text("")?);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let name = format!("tidegate-gate-{}-{}", mesh.word(), &digits[..NAME_DIGITS]);
    let at = DocumentStart { file: place.file, offset: place.start };
    let text = text(&name)?;
    let tree = yaml::parse(&text, at, &Limits::default(), &mut Findings::default()).ok()??;
    // through values: the tree must not borrow from the text, nor point into it
    let mut tree: Node<'s> = json::from_value(json::to_value(&tree));
    tree.span = Span { start: 0, len: u32::try_from(place.end - place.start).unwrap_or(0) };
    let id = ObjectId {
        group: "batch".into(),
        kind: "Job".into(),
        namespace: namespace.map(Into::into),
        name: Name::Fixed(name.as_str().into()),
    };
    Some(Object { id, version: "v1".into(), tree, origin: Origin { document: at }, patched: Default::default() })
}

/// A text as YAML writes it.
fn scalar(text: &str) -> String {
    let mut out = String::new();
    yaml::emit(&Node::text(text.to_owned()), &mut out);
    out.trim_end().to_owned()
}
