//! cert-manager (`cert-manager.io`, `acme.cert-manager.io`, once `certmanager.k8s.io`) and its
//! annotations.

use super::pod::{ACCOUNT, PRIORITY, PULL_SECRETS};
use crate::refs::row::kinds::{GATEWAY, INGRESS_CLASS};
use crate::refs::row::{Block, GroupKindName, ROOT, Row, Rows, account, by_field, named_or, row, secret, secret_key};

const G: &str = "cert-manager.io";
const ACME: &str = "acme.cert-manager.io";
const OLD: &str = "certmanager.k8s.io";

pub(super) const CERTIFICATE: GroupKindName = (G, "Certificate");
const ISSUER: GroupKindName = (G, "Issuer");
const CLUSTER_ISSUER: GroupKindName = (G, "ClusterIssuer");

/// Kinds that name the issuer of a certificate.
const CERTIFICATES: &[GroupKindName] = &[CERTIFICATE, (G, "CertificateRequest"), (ACME, "Order"), (ACME, "Challenge")];

/// A Secret of a credential, whose `key` may be left out.
const fn credential(path: &'static str) -> Row {
    secret_key(path)
}

/// What the annotations of an Ingress or a Gateway say (website, usage/ingress and usage/gateway).
pub(super) static ISSUERS_OF_INGRESSES: &[Row] = &[
    by_field(
        "{cert-manager.io/issuer}",
        "cert-manager.io/issuer-kind",
        &[("Issuer", ISSUER), ("ClusterIssuer", CLUSTER_ISSUER)],
    ),
    row("{cert-manager.io/cluster-issuer}", CLUSTER_ISSUER),
    row("{certmanager.k8s.io/issuer}", (OLD, "Issuer")),
    row("{certmanager.k8s.io/cluster-issuer}", (OLD, "ClusterIssuer")),
];

/// A solver of ACME challenges.
static SOLVER: &[Row] = &[
    credential("dns01.acmeDNS.accountSecretRef.name"),
    credential("dns01.akamai.accessTokenSecretRef.name"),
    credential("dns01.akamai.clientSecretSecretRef.name"),
    credential("dns01.akamai.clientTokenSecretRef.name"),
    credential("dns01.azureDNS.clientSecretSecretRef.name"),
    credential("dns01.cloudDNS.serviceAccountSecretRef.name"),
    credential("dns01.cloudflare.apiKeySecretRef.name"),
    credential("dns01.cloudflare.apiTokenSecretRef.name"),
    credential("dns01.digitalocean.tokenSecretRef.name"),
    credential("dns01.rfc2136.tsigSecretSecretRef.name"),
    credential("dns01.route53.accessKeyIDSecretRef.name"),
    credential("dns01.route53.secretAccessKeySecretRef.name"),
    account("dns01.route53.auth.kubernetes.serviceAccountRef.name"),
    named_or("http01.gatewayHTTPRoute.parentRefs[].name", GATEWAY).with_namespace(),
    row("http01.ingress.ingressClassName", INGRESS_CLASS),
];

const ISSUERS: &[GroupKindName] = &[ISSUER, CLUSTER_ISSUER];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: CERTIFICATES, at: ROOT, rows: Rows::These(&[named_or("spec.issuerRef.name", ISSUER)]) },
    Block {
        kinds: &[CERTIFICATE],
        at: ROOT,
        rows: Rows::These(&[
            secret_key("spec.keystores.jks.passwordSecretRef.name"),
            secret_key("spec.keystores.pkcs12.passwordSecretRef.name"),
        ]),
    },
    Block {
        kinds: ISSUERS,
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.ca.secretName"),
            // cert-manager makes it
            secret("spec.acme.privateKeySecretRef.name").unordered().outside(),
            credential("spec.acme.externalAccountBinding.keySecretRef.name"),
            credential("spec.vault.caBundleSecretRef.name"),
            credential("spec.vault.clientCertSecretRef.name"),
            credential("spec.vault.clientKeySecretRef.name"),
            credential("spec.vault.auth.tokenSecretRef.name"),
            credential("spec.vault.auth.appRole.secretRef.name"),
            credential("spec.vault.auth.kubernetes.secretRef.name"),
            secret("spec.vault.auth.clientCertificate.secretName"),
            account("spec.vault.auth.kubernetes.serviceAccountRef.name"),
            credential("spec.venafi.cloud.apiTokenSecretRef.name"),
            credential("spec.venafi.tpp.caBundleSecretRef.name"),
            secret("spec.venafi.tpp.credentialsRef.name"),
        ]),
    },
    Block { kinds: ISSUERS, at: &["spec.acme.solvers[]"], rows: Rows::These(SOLVER) },
    Block { kinds: &[(ACME, "Challenge")], at: &["spec.solver"], rows: Rows::These(SOLVER) },
    Block {
        kinds: ISSUERS,
        at: &[
            "spec.acme.solvers[].http01.ingress.podTemplate.spec",
            "spec.acme.solvers[].http01.gatewayHTTPRoute.podTemplate.spec",
        ],
        rows: Rows::Parts(&[PULL_SECRETS, ACCOUNT, PRIORITY]),
    },
    Block {
        kinds: &[(ACME, "Challenge")],
        at: &["spec.solver.http01.ingress.podTemplate.spec", "spec.solver.http01.gatewayHTTPRoute.podTemplate.spec"],
        rows: Rows::Parts(&[PULL_SECRETS, ACCOUNT, PRIORITY]),
    },
    Block {
        kinds: &[(OLD, "Certificate"), (OLD, "Order"), (OLD, "Challenge")],
        at: ROOT,
        rows: Rows::These(&[by_field(
            "spec.issuerRef.name",
            "kind",
            &[("Issuer", (OLD, "Issuer")), ("ClusterIssuer", (OLD, "ClusterIssuer"))],
        )]),
    },
    Block {
        kinds: &[(OLD, "Issuer"), (OLD, "ClusterIssuer")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.ca.secretName")]),
    },
];
