//! The tables: which objects make which kinds known.

use super::packages::groups_of_package;
use super::{Made, group};
use crate::object::Object;
use crate::tree::Node;

const CAPI: &str = "operator.cluster.x-k8s.io";
const KNATIVE: &str = "operator.knative.dev";
const TEKTON: &str = "operator.tekton.dev";

/// Kinds whose objects install fixed groups: group, kind, groups (`*.` for those below, too). Sources:
/// the operators' own manifests and reference pages (Cluster API operator, Knative operator, Tekton
/// operator, KubeVirt, CDI, HCO, Tigera operator, Gatekeeper operator, Open Cluster Management).
pub(super) static GROUPS: &[(&str, &str, &[&str])] = &[
    ("cdi.kubevirt.io", "CDI", &["cdi.kubevirt.io"]),
    ("hco.kubevirt.io", "HyperConverged", &["*.kubevirt.io"]),
    (
        "kubevirt.io",
        "KubeVirt",
        &[
            "clone.kubevirt.io",
            "export.kubevirt.io",
            "instancetype.kubevirt.io",
            "kubevirt.io",
            "migrations.kubevirt.io",
            "pool.kubevirt.io",
            "snapshot.kubevirt.io",
        ],
    ),
    (
        "multicluster.openshift.io",
        "MultiClusterEngine",
        &[
            "agent-install.openshift.io",
            "hive.openshift.io",
            "hypershift.openshift.io",
            "addon.open-cluster-management.io",
            "cluster.open-cluster-management.io",
            "work.open-cluster-management.io",
        ],
    ),
    ("operator.open-cluster-management.io", "MultiClusterHub", &["*.open-cluster-management.io"]),
    (CAPI, "AddonProvider", &["addons.cluster.x-k8s.io"]),
    (CAPI, "BootstrapProvider", &["bootstrap.cluster.x-k8s.io"]),
    (CAPI, "ControlPlaneProvider", &["controlplane.cluster.x-k8s.io"]),
    (
        CAPI,
        "CoreProvider",
        &["addons.cluster.x-k8s.io", "cluster.x-k8s.io", "ipam.cluster.x-k8s.io", "runtime.cluster.x-k8s.io"],
    ),
    (CAPI, "IPAMProvider", &["ipam.cluster.x-k8s.io"]),
    (CAPI, "InfrastructureProvider", &["infrastructure.cluster.x-k8s.io"]),
    (
        "operator.gatekeeper.sh",
        "Gatekeeper",
        &[
            "config.gatekeeper.sh",
            "expansion.gatekeeper.sh",
            "externaldata.gatekeeper.sh",
            "mutations.gatekeeper.sh",
            "templates.gatekeeper.sh",
        ],
    ),
    (
        KNATIVE,
        "KnativeEventing",
        &[
            "eventing.knative.dev",
            "flows.knative.dev",
            "messaging.knative.dev",
            "sinks.knative.dev",
            "sources.knative.dev",
        ],
    ),
    (KNATIVE, "KnativeServing", &["*.internal.knative.dev", "serving.knative.dev"]),
    ("operator.openshift.io", "CertManager", &["acme.cert-manager.io", "cert-manager.io"]),
    (
        TEKTON,
        "TektonConfig",
        &["pipelinesascode.tekton.dev", "resolution.tekton.dev", "tekton.dev", "triggers.tekton.dev"],
    ),
    (TEKTON, "TektonPipeline", &["resolution.tekton.dev", "tekton.dev"]),
    (TEKTON, "TektonTrigger", &["triggers.tekton.dev"]),
    ("operator.tigera.io", "APIServer", &["projectcalico.org"]),
    ("operator.tigera.io", "Installation", &["crd.projectcalico.org"]),
];

/// What an object makes known, where its text says it.
type Makes = fn(&Object<'_>, &mut Vec<Made>);

/// Kinds whose objects say what they make known.
pub(super) static KINDS: &[(&str, &str, Makes)] = &[
    ("apiextensions.crossplane.io", "CompositeResourceDefinition", composite),
    ("apiextensions.crossplane.io", "ManagedResourceDefinition", managed),
    ("apps", "Deployment", cilium),
    ("kro.run", "ResourceGraphDefinition", resource_graph),
    ("olm.operatorframework.io", "ClusterExtension", extension),
    ("operators.coreos.com", "ClusterServiceVersion", service_version),
    ("operators.coreos.com", "Subscription", subscription),
    ("pkg.crossplane.io", "Provider", provider),
    ("platform.kratix.io", "Promise", promise),
    ("templates.gatekeeper.sh", "ConstraintTemplate", constraint),
];

fn text<'o>(object: &'o Object<'_>, path: &[&str]) -> Option<&'o str> {
    object.tree.at(path).and_then(Node::as_str).filter(|text| !text.is_empty())
}

fn kind(group: Option<&str>, kind: Option<&str>, made: &mut Vec<Made>) {
    if let (Some(group), Some(kind)) = (group, kind) {
        made.push(Made::Kind(group.to_owned(), kind.to_owned()));
    }
}

/// The composite resource and its claim.
fn composite(object: &Object<'_>, made: &mut Vec<Made>) {
    for names in ["names", "claimNames"] {
        kind(text(object, &["spec", "group"]), text(object, &["spec", names, "kind"]), made);
    }
}

/// A definition of Crossplane 2, which becomes a CRD while it is active.
fn managed(object: &Object<'_>, made: &mut Vec<Made>) {
    if text(object, &["spec", "state"]) == Some("Active") {
        kind(text(object, &["spec", "group"]), text(object, &["spec", "names", "kind"]), made);
    }
}

/// The operator of Cilium registers its CRDs when it starts; no manifest holds them.
fn cilium(object: &Object<'_>, made: &mut Vec<Made>) {
    if object.id.is_fixed() && object.id.name.text() == "cilium-operator" {
        made.push(Made::Group("cilium.io".to_owned()));
    }
}

/// The kind of a graph's instances; the group is kro's own where none is said.
fn resource_graph(object: &Object<'_>, made: &mut Vec<Made>) {
    let group = text(object, &["spec", "schema", "group"]).unwrap_or("kro.run");
    kind(Some(group), text(object, &["spec", "schema", "kind"]), made);
}

fn extension(object: &Object<'_>, made: &mut Vec<Made>) {
    let package = text(object, &["spec", "source", "catalog", "packageName"]);
    made.extend(package.into_iter().flat_map(groups_of_package).map(|name| group(name)));
}

fn subscription(object: &Object<'_>, made: &mut Vec<Made>) {
    let package = text(object, &["spec", "name"]);
    made.extend(package.into_iter().flat_map(groups_of_package).map(|name| group(name)));
}

/// The CRDs that a bundle owns, named as CRDs are: `PLURAL.GROUP`.
fn service_version(object: &Object<'_>, made: &mut Vec<Made>) {
    let owned = object.tree.at(&["spec", "customresourcedefinitions", "owned"]).and_then(Node::items);
    for row in owned.unwrap_or_default() {
        let text = |field| row.get(field).and_then(Node::as_str);
        kind(text("name").and_then(|name| name.split_once('.')).map(|(_, group)| group), text("kind"), made);
    }
}

/// The groups of a provider of Crossplane, by the name of its package: `provider-aws-s3` brings
/// `s3.aws.upbound.io` and, by the family that it depends on, `aws.upbound.io`; `provider-helm` brings
/// `helm.crossplane.io`. Namespaced resources of Crossplane 2 have `m.` before the domain.
fn provider(object: &Object<'_>, made: &mut Vec<Made>) {
    let Some(package) = text(object, &["spec", "package"]) else { return };
    let image = package.rsplit('/').next().unwrap_or(package);
    let image = image.split(['@', ':']).next().unwrap_or(image);
    let Some(name) = image.strip_prefix("provider-") else { return };
    for domain in ["crossplane.io", "m.crossplane.io", "upbound.io", "m.upbound.io"] {
        match name
            .strip_prefix("family-")
            .map(|cloud| (cloud, None))
            .or_else(|| name.split_once('-').map(|(cloud, service)| (cloud, Some(service))))
        {
            Some((cloud, service)) => {
                made.push(Made::Group(format!("{cloud}.{domain}")));
                made.extend(service.map(|service| Made::Group(format!("{service}.{cloud}.{domain}"))));
            }
            None => made.push(Made::GroupsBelow(format!("{name}.{domain}"))),
        }
    }
}

/// The API that a promise holds as a whole CRD.
fn promise(object: &Object<'_>, made: &mut Vec<Made>) {
    let at = ["spec", "api", "spec"];
    let api = object.tree.at(&at);
    let text = |path: &[&str]| api.and_then(|api| api.at(path)).and_then(Node::as_str);
    kind(text(&["group"]), text(&["names", "kind"]), made);
}

fn constraint(object: &Object<'_>, made: &mut Vec<Made>) {
    kind(Some("constraints.gatekeeper.sh"), text(object, &["spec", "crd", "spec", "names", "kind"]), made);
}
