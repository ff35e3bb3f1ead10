//! Linkerd (`linkerd.io`, `policy.linkerd.io`, `multicluster.linkerd.io`).

use crate::refs::row::{Block, In, ROOT, Row, Rows, account, named, row, secret, service};

const POLICY: &str = "policy.linkerd.io";

const AUTHENTICATIONS: &str = "spec.requiredAuthenticationRefs[].name";

/// A kind of authentication that a policy requires.
const fn authentication(kind: &'static str) -> Row {
    row(AUTHENTICATIONS, (POLICY, kind)).with_namespace().only_if("kind", kind)
}

/// Who may call: often somebody of another installation, who need not be there.
const fn caller(row: Row) -> Row {
    row.with_namespace().outside()
}

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
            caller(account("spec.client.meshTLS.serviceAccounts[].name")),
        ]),
    },
    Block {
        kinds: &[(POLICY, "AuthorizationPolicy")],
        at: ROOT,
        rows: Rows::These(&[
            named("spec.targetRef.name"),
            authentication("MeshTLSAuthentication"),
            authentication("NetworkAuthentication"),
            caller(account(AUTHENTICATIONS)).only_if("kind", "ServiceAccount"),
        ]),
    },
    Block {
        kinds: &[(POLICY, "MeshTLSAuthentication")],
        at: ROOT,
        rows: Rows::These(&[caller(named("spec.identityRefs[].name"))]),
    },
    Block {
        kinds: &[(POLICY, "HTTPLocalRateLimitPolicy")],
        at: ROOT,
        rows: Rows::These(&[named("spec.targetRef.name"), caller(named("spec.overrides[].clientRefs[].name"))]),
    },
    Block {
        kinds: &[("multicluster.linkerd.io", "Link")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.clusterCredentialsSecret")]),
    },
];
