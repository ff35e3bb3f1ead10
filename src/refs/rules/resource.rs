//! Dynamic resource allocation (`resource.k8s.io`).

use crate::refs::row::{Block, ROOT, Row, Rows, named, row};

const G: &str = "resource.k8s.io";
const CLASS: (&str, &str) = (G, "DeviceClass");

/// The spec of a ResourceClaim, in the shapes of v1alpha2 to v1.
static CLAIM: &[Row] = &[
    row("devices.requests[].exactly.deviceClassName", CLASS),
    row("devices.requests[].firstAvailable[].deviceClassName", CLASS),
    row("devices.requests[].deviceClassName", CLASS),
    row("resourceClassName", (G, "ResourceClass")),
    named("parametersRef.name"),
];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[(G, "ResourceClaim")], at: &["spec"], rows: Rows::These(CLAIM) },
    Block { kinds: &[(G, "ResourceClaimTemplate")], at: &["spec.spec"], rows: Rows::These(CLAIM) },
    Block {
        kinds: &[(G, "ResourceClass")],
        at: ROOT,
        // a class is configuration: what it names of a later stage cannot come first
        rows: Rows::These(&[named("parametersRef.name").with_namespace().unordered()]),
    },
];
