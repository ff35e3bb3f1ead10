//! Ingress and IngressClass (`networking.k8s.io`, once `extensions`).

use super::cert_manager::ISSUERS_OF_INGRESSES;
use crate::refs::row::kinds::INGRESS_CLASS;
use crate::refs::row::{Block, GroupKindName, In, ROOT, Row, Rows, config_map, named, row, secret, service};

const INGRESS: &[GroupKindName] = &[("networking.k8s.io", "Ingress"), ("extensions", "Ingress")];

/// The port of a backend that the AWS load balancer controller takes from an annotation of the Ingress.
/// The name then is that of the annotation (`alb.ingress.kubernetes.io/actions.NAME`), and a Service need
/// not be there (its guide, Ingress annotations, Actions).
const BY_ANNOTATION: &str = "use-annotation";

/// The Service of a backend.
const fn backend(path: &'static str) -> Row {
    service(path).optional_if(&["port", "name"], BY_ANNOTATION)
}

/// The Service of a backend before `networking.k8s.io/v1`.
const fn old_backend(path: &'static str) -> Row {
    service(path).optional_if(&["servicePort"], BY_ANNOTATION)
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: INGRESS,
        at: ROOT,
        rows: Rows::These(&[
            row("spec.ingressClassName", INGRESS_CLASS),
            backend("spec.defaultBackend.service.name"),
            backend("spec.rules[].http.paths[].backend.service.name"),
            named("spec.defaultBackend.resource.name"),
            named("spec.rules[].http.paths[].backend.resource.name"),
            // v1beta1
            old_backend("spec.backend.serviceName"),
            old_backend("spec.rules[].http.paths[].backend.serviceName"),
            named("spec.backend.resource.name"),
            secret("spec.tls[].secretName"),
        ]),
    },
    Block {
        kinds: INGRESS,
        at: &["metadata.annotations"],
        // ingress-nginx, user-guide/nginx-configuration/annotations.md
        rows: Rows::These(&[
            secret("{ingress.kubernetes.io/auth-secret}").within(In::Slash),
            secret("{nginx.ingress.kubernetes.io/auth-secret}").within(In::Slash),
            secret("{nginx.ingress.kubernetes.io/auth-tls-secret}").within(In::Slash),
            secret("{nginx.ingress.kubernetes.io/proxy-ssl-secret}").within(In::Slash),
            service("{nginx.ingress.kubernetes.io/default-backend}"),
            config_map("{nginx.ingress.kubernetes.io/auth-proxy-set-headers}").within(In::Slash),
            config_map("{nginx.ingress.kubernetes.io/custom-headers}").within(In::Slash),
            config_map("{nginx.ingress.kubernetes.io/fastcgi-params-configmap}").within(In::Slash),
        ]),
    },
    Block { kinds: INGRESS, at: &["metadata.annotations"], rows: Rows::These(ISSUERS_OF_INGRESSES) },
    Block {
        kinds: &[("networking.k8s.io", "IngressClass")],
        at: ROOT,
        // a class is configuration: what it names of a later stage cannot come first
        rows: Rows::These(&[named("spec.parameters.name").with_namespace().unordered()]),
    },
];
