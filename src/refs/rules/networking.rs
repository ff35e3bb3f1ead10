//! Ingress and IngressClass (`networking.k8s.io`, once `extensions`).

use super::cert_manager::ISSUERS_OF_INGRESSES;
use crate::refs::row::kinds::INGRESS_CLASS;
use crate::refs::row::{Block, GroupKindName, In, ROOT, Rows, config_map, named, row, secret, service};

const INGRESS: &[GroupKindName] = &[("networking.k8s.io", "Ingress"), ("extensions", "Ingress")];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: INGRESS,
        at: ROOT,
        rows: Rows::These(&[
            row("spec.ingressClassName", INGRESS_CLASS),
            service("spec.defaultBackend.service.name"),
            service("spec.rules[].http.paths[].backend.service.name"),
            named("spec.defaultBackend.resource.name"),
            named("spec.rules[].http.paths[].backend.resource.name"),
            // v1beta1
            service("spec.backend.serviceName"),
            service("spec.rules[].http.paths[].backend.serviceName"),
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
