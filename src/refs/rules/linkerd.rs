//! Linkerd (`linkerd.io`, `policy.linkerd.io`, `multicluster.linkerd.io`).

use crate::refs::row::{Block, In, ROOT, Rows, account, named, row, secret, service};

const POLICY: &str = "policy.linkerd.io";

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[("linkerd.io", "ServiceProfile")],
        at: ROOT,
        rows: Rows::These(&[
            // a profile is named for the host it is about
            service("metadata.name").within(In::Host),
            service("spec.dstOverrides[].authority").within(In::Host),
        ]),
    },
    Block {
        kinds: &[(POLICY, "ServerAuthorization")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.server.name", (POLICY, "Server")),
            account("spec.client.meshTLS.serviceAccounts[].name").with_namespace(),
        ]),
    },
    Block {
        kinds: &[(POLICY, "AuthorizationPolicy")],
        at: ROOT,
        rows: Rows::These(&[
            named("spec.targetRef.name"),
            named("spec.requiredAuthenticationRefs[].name").with_namespace(),
        ]),
    },
    Block {
        kinds: &[(POLICY, "MeshTLSAuthentication")],
        at: ROOT,
        rows: Rows::These(&[named("spec.identityRefs[].name").with_namespace()]),
    },
    Block {
        kinds: &[(POLICY, "HTTPLocalRateLimitPolicy")],
        at: ROOT,
        rows: Rows::These(&[
            named("spec.targetRef.name"),
            named("spec.overrides[].clientRefs[].name").with_namespace(),
        ]),
    },
    Block {
        kinds: &[("multicluster.linkerd.io", "Link")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.clusterCredentialsSecret")]),
    },
];
