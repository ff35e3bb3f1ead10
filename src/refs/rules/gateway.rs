//! Gateway API (`gateway.networking.k8s.io`), its experiments, its extension for inference, and
//! Linkerd's copy of HTTPRoute.

use super::cert_manager::ISSUERS_OF_INGRESSES;
use crate::refs::row::kinds::{CONFIG_MAP, GATEWAY, SECRET, SERVICE};
use crate::refs::row::{Block, GroupKindName, ROOT, Row, Rows, named, named_or, row};

const G: &str = "gateway.networking.k8s.io";
const X: &str = "gateway.networking.x-k8s.io";
const LINKERD: &str = "policy.linkerd.io";
const INFERENCE: &str = "inference.networking.k8s.io";
const INFERENCE_X: &str = "inference.networking.x-k8s.io";

const ROUTES: &[GroupKindName] =
    &[(G, "GRPCRoute"), (G, "HTTPRoute"), (G, "TCPRoute"), (G, "TLSRoute"), (G, "UDPRoute"), (LINKERD, "HTTPRoute")];

/// What a filter of a route refers to.
static FILTER: &[Row] =
    &[named_or("requestMirror.backendRef.name", SERVICE).with_namespace(), named("extensionRef.name")];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: ROUTES,
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.parentRefs[].name", GATEWAY).with_namespace(),
            named_or("spec.rules[].backendRefs[].name", SERVICE).with_namespace(),
        ]),
    },
    Block {
        kinds: &[(G, "GRPCRoute"), (G, "HTTPRoute"), (LINKERD, "HTTPRoute")],
        at: &["spec.rules[].filters[]", "spec.rules[].backendRefs[].filters[]"],
        rows: Rows::These(FILTER),
    },
    Block {
        kinds: &[(G, "HTTPRoute")],
        at: &["spec.rules[].filters[]", "spec.rules[].backendRefs[].filters[]"],
        rows: Rows::These(&[named_or("externalAuth.backendRef.name", SERVICE).with_namespace()]),
    },
    Block {
        kinds: &[(G, "Gateway")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.gatewayClassName", (G, "GatewayClass")),
            named("spec.infrastructure.parametersRef.name"),
            named_or("spec.listeners[].tls.certificateRefs[].name", SECRET).with_namespace(),
            // experiments of 1.1 and 1.2
            named_or("spec.backendTLS.clientCertificateRef.name", SECRET).with_namespace(),
            named_or("spec.listeners[].tls.frontendValidation.caCertificateRefs[].name", CONFIG_MAP).with_namespace(),
            named_or("spec.tls.backend.clientCertificateRef.name", SECRET).with_namespace(),
            named_or("spec.tls.frontend.default.validation.caCertificateRefs[].name", CONFIG_MAP).with_namespace(),
            named_or("spec.tls.frontend.perPort[].tls.validation.caCertificateRefs[].name", CONFIG_MAP)
                .with_namespace(),
        ]),
    },
    Block { kinds: &[(G, "Gateway")], at: &["metadata.annotations"], rows: Rows::These(ISSUERS_OF_INGRESSES) },
    Block {
        kinds: &[(G, "ListenerSet"), (X, "XListenerSet")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.parentRef.name", GATEWAY).with_namespace(),
            named_or("spec.listeners[].tls.certificateRefs[].name", SECRET).with_namespace(),
        ]),
    },
    Block {
        kinds: &[(G, "GatewayClass")],
        at: ROOT,
        rows: Rows::These(&[named("spec.parametersRef.name").with_namespace()]),
    },
    Block {
        kinds: &[(G, "BackendTLSPolicy"), (G, "BackendLBPolicy"), (X, "XBackendTrafficPolicy")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.targetRefs[].name", SERVICE)]),
    },
    Block {
        kinds: &[(G, "BackendTLSPolicy")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.validation.caCertificateRefs[].name", CONFIG_MAP)]),
    },
    Block {
        kinds: &[(X, "XBackend")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.tls.clientCertificateRef.name", SECRET).with_namespace(),
            named_or("spec.tls.validation.caCertificateRefs[].name", CONFIG_MAP),
        ]),
    },
    Block { kinds: &[(X, "XMesh")], at: ROOT, rows: Rows::These(&[named("spec.parametersRef.name").with_namespace()]) },
    Block {
        kinds: &[(INFERENCE, "InferencePool")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.endpointPickerRef.name", SERVICE)]),
    },
    Block {
        kinds: &[(INFERENCE_X, "InferencePool")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.extensionRef.name", SERVICE)]),
    },
    Block {
        kinds: &[(INFERENCE_X, "InferenceModel")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.poolRef.name", (INFERENCE_X, "InferencePool"))]),
    },
    Block {
        kinds: &[(INFERENCE_X, "InferenceObjective")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.poolRef.name", (INFERENCE, "InferencePool"))]),
    },
];
