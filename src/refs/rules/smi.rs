//! Service Mesh Interface (`*.smi-spec.io`) and Open Service Mesh.

use crate::refs::row::kinds::{SERVICE, SERVICE_ACCOUNT};
use crate::refs::row::{Block, In, ROOT, Row, Rows, by_field, service};

const ACCESS: &str = "access.smi-spec.io";
const SPECS: &str = "specs.smi-spec.io";
const OSM: &str = "policy.openservicemesh.io";

/// Routes of the `specs` group.
const fn routes(path: &'static str) -> Row {
    const KINDS: &[(&str, (&str, &str))] = &[
        ("HTTPRouteGroup", (SPECS, "HTTPRouteGroup")),
        ("TCPRoute", (SPECS, "TCPRoute")),
        ("UDPRoute", (SPECS, "UDPRoute")),
    ];
    by_field(path, "kind", KINDS)
}

/// Who sends or receives. A sender need not be there.
const fn identity(path: &'static str) -> Row {
    const KINDS: &[(&str, (&str, &str))] = &[("ServiceAccount", SERVICE_ACCOUNT), ("Service", SERVICE)];
    by_field(path, "kind", KINDS).with_namespace()
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[("split.smi-spec.io", "TrafficSplit")],
        at: ROOT,
        rows: Rows::These(&[
            service("spec.service").within(In::Host),
            service("spec.backends[].service").within(In::Host),
            routes("spec.matches[].name"),
        ]),
    },
    Block {
        kinds: &[(ACCESS, "TrafficTarget")],
        at: ROOT,
        rows: Rows::These(&[
            identity("spec.destination.name"),
            identity("spec.sources[].name").outside(),
            routes("spec.rules[].name"),
            // v1alpha1
            identity("destination.name"),
            identity("sources[].name").outside(),
            routes("specs[].name"),
        ]),
    },
    Block {
        kinds: &[(OSM, "IngressBackend")],
        at: ROOT,
        rows: Rows::These(&[
            service("spec.backends[].name"),
            by_field("spec.sources[].name", "kind", &[("Service", SERVICE)]).with_namespace().outside(),
            routes("spec.matches[].name"),
        ]),
    },
    Block {
        kinds: &[(OSM, "Egress")],
        at: ROOT,
        rows: Rows::These(&[identity("spec.sources[].name"), routes("spec.matches[].name")]),
    },
    Block {
        kinds: &[(OSM, "Retry")],
        at: ROOT,
        rows: Rows::These(&[identity("spec.source.name"), identity("spec.destinations[].name")]),
    },
    Block {
        kinds: &[(OSM, "UpstreamTrafficSetting")],
        at: ROOT,
        rows: Rows::These(&[service("spec.host").within(In::Host)]),
    },
];
