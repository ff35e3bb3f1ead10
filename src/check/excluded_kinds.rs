//! Kinds that Argo CD leaves out.

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::tree::FieldPath;

pub(super) static RULES: &[&Rule] = &[&EXCLUDED];

static EXCLUDED: Rule = Rule {
    id: "TG552",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "Argo CD leaves objects of this kind out",
    explanation: "\
Argo CD neither applies nor deletes objects of the kinds that its settings exclude; the Application gets the
condition `ExcludedResourceWarning`. Since version 3.0 the settings that come with it exclude what
controllers make by themselves: Endpoints and EndpointSlices (also those that somebody writes by hand for a
Service without a selector), Leases, reviews of access, CertificateSigningRequests, CertificateRequests of
cert-manager, identities and endpoints of Cilium, reports of Kyverno. Events, Leases and what metrics.k8s.io
serves are always left out.

For an address outside of the cluster use a Service of type ExternalName; else take the kind out of
`resource.exclusions` of the ConfigMap argocd-cm, and suppress the finding.
Source: argo-cd, manifests/base/config/argocd-cm.yaml, util/settings/resources_filter.go,
docs/operator-manual/upgrading/2.14-3.0.md.",
};

/// Groups all of whose kinds are left out.
const GROUPS: &[&str] = &["events.k8s.io", "metrics.k8s.io"];

const REVIEWS: &[&str] = &[
    "LocalSubjectAccessReview",
    "SelfSubjectAccessReview",
    "SelfSubjectReview",
    "SelfSubjectRulesReview",
    "SubjectAccessReview",
    "TokenReview",
];

const REPORTS: &[&str] = &[
    "AdmissionReport",
    "BackgroundScanReport",
    "ClusterAdmissionReport",
    "ClusterBackgroundScanReport",
    "ClusterEphemeralReport",
    "ClusterPolicyReport",
    "EphemeralReport",
    "PolicyReport",
    "UpdateRequest",
];

/// Groups and those of their kinds that are left out.
const KINDS: &[(&str, &[&str])] = &[
    ("", &["Endpoints", "Event"]),
    ("authentication.k8s.io", REVIEWS),
    ("authorization.k8s.io", REVIEWS),
    ("cert-manager.io", &["CertificateRequest"]),
    ("certificates.k8s.io", &["CertificateSigningRequest"]),
    ("cilium.io", &["CiliumEndpoint", "CiliumEndpointSlice", "CiliumIdentity"]),
    ("coordination.k8s.io", &["Lease"]),
    ("discovery.k8s.io", &["EndpointSlice"]),
    ("kyverno.io", REPORTS),
    ("reports.kyverno.io", REPORTS),
    ("wgpolicyk8s.io", REPORTS),
];

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    if settings.engine != EngineName::Argocd {
        return;
    }
    let is_excluded = |group: &str, kind: &str| {
        GROUPS.contains(&group) || KINDS.iter().any(|(of, kinds)| *of == group && kinds.contains(&kind))
    };
    for (_, object) in planned.objects().iter().filter(|(_, object)| is_excluded(&object.id.group, &object.id.kind)) {
        let path = FieldPath::keys(["kind"]);
        let message = format!("Argo CD leaves {} out: its settings exclude the kind", object.id);
        let remedy = match &*object.id.kind {
            "Endpoints" | "EndpointSlice" => "let a Service select pods or name the host (`type: ExternalName`)",
            _ => "leave it to its controller, or take the kind out of `resource.exclusions` of argocd-cm",
        };
        found.push(
            Finding::new(&EXCLUDED, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy(remedy),
        );
    }
}
