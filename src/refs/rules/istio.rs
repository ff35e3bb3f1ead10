//! Istio (`networking.istio.io`, `security.istio.io`, `telemetry.istio.io`, `extensions.istio.io`).

use crate::refs::row::kinds::GATEWAY;
use crate::refs::row::{Block, GroupKindName, In, ROOT, Row, Rows, account, named_or, row, secret, service};

const NETWORKING: &str = "networking.istio.io";
const VIRTUAL_SERVICE: GroupKindName = (NETWORKING, "VirtualService");

/// The host of a destination. What is no Service of Kubernetes is for a ServiceEntry to say.
const fn host(path: &'static str) -> Row {
    service(path).within(In::Host)
}

const fn gateway(path: &'static str) -> Row {
    row(path, (NETWORKING, "Gateway")).within(In::Slash).except(&["mesh"])
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[VIRTUAL_SERVICE],
        at: ROOT,
        rows: Rows::These(&[
            gateway("spec.gateways[]"),
            gateway("spec.http[].match[].gateways[]"),
            gateway("spec.tls[].match[].gateways[]"),
            gateway("spec.tcp[].match[].gateways[]"),
            host("spec.http[].route[].destination.host"),
            host("spec.http[].mirror.host"),
            host("spec.http[].mirrors[].destination.host"),
            host("spec.tls[].route[].destination.host"),
            host("spec.tcp[].route[].destination.host"),
            row("spec.http[].delegate.name", VIRTUAL_SERVICE).with_namespace(),
        ]),
    },
    Block {
        kinds: &[(NETWORKING, "DestinationRule")],
        at: ROOT,
        rows: Rows::These(&[
            host("spec.host"),
            // read by the proxy that uses it, which may be a gateway elsewhere
            secret("spec.trafficPolicy.tls.credentialName").outside(),
            secret("spec.trafficPolicy.portLevelSettings[].tls.credentialName").outside(),
            secret("spec.subsets[].trafficPolicy.tls.credentialName").outside(),
        ]),
    },
    Block {
        kinds: &[(NETWORKING, "Gateway")],
        at: ROOT,
        // in the namespace of the gateway's pods
        rows: Rows::These(&[
            secret("spec.servers[].tls.credentialName").outside(),
            secret("spec.servers[].tls.credentialNames[]").outside(),
        ]),
    },
    Block {
        kinds: &[(NETWORKING, "ServiceEntry")],
        at: ROOT,
        rows: Rows::These(&[account("spec.endpoints[].serviceAccount")]),
    },
    Block { kinds: &[(NETWORKING, "WorkloadEntry")], at: ROOT, rows: Rows::These(&[account("spec.serviceAccount")]) },
    Block {
        kinds: &[(NETWORKING, "WorkloadGroup")],
        at: ROOT,
        rows: Rows::These(&[account("spec.template.serviceAccount")]),
    },
    Block {
        kinds: &[
            ("security.istio.io", "AuthorizationPolicy"),
            ("security.istio.io", "RequestAuthentication"),
            ("telemetry.istio.io", "Telemetry"),
            ("extensions.istio.io", "WasmPlugin"),
        ],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.targetRef.name", GATEWAY), named_or("spec.targetRefs[].name", GATEWAY)]),
    },
    Block {
        kinds: &[(NETWORKING, "EnvoyFilter")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.targetRefs[].name", GATEWAY)]),
    },
    Block {
        kinds: &[("extensions.istio.io", "WasmPlugin")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.imagePullSecret")]),
    },
];
