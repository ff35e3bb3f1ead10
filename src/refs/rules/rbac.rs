//! Roles and bindings (`rbac.authorization.k8s.io`).

use crate::refs::row::kinds::{CONFIG_MAP, PV, SECRET, SERVICE_ACCOUNT};
use crate::refs::row::{Block, GroupKindName, ROOT, Row, Rows, by_field, row};

const G: &str = "rbac.authorization.k8s.io";

/// Names in rules need not be there, and no role waits for them; they count when a name changes.
const fn resource_name(resource: &'static str, kind: GroupKindName) -> Row {
    row("rules[].resourceNames[]", kind).only_if("resources", resource).unordered().outside()
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(G, "RoleBinding")],
        at: ROOT,
        rows: Rows::These(&[by_field(
            "roleRef.name",
            "kind",
            &[("Role", (G, "Role")), ("ClusterRole", (G, "ClusterRole"))],
        )]),
    },
    Block {
        kinds: &[(G, "ClusterRoleBinding")],
        at: ROOT,
        rows: Rows::These(&[by_field("roleRef.name", "kind", &[("ClusterRole", (G, "ClusterRole"))])]),
    },
    Block {
        kinds: &[(G, "RoleBinding"), (G, "ClusterRoleBinding")],
        at: ROOT,
        rows: Rows::These(&[
            by_field("subjects[].name", "kind", &[("ServiceAccount", SERVICE_ACCOUNT)]).with_namespace()
        ]),
    },
    Block {
        kinds: &[(G, "Role"), (G, "ClusterRole")],
        at: ROOT,
        rows: Rows::These(&[resource_name("configmaps", CONFIG_MAP), resource_name("secrets", SECRET)]),
    },
    Block { kinds: &[(G, "ClusterRole")], at: ROOT, rows: Rows::These(&[resource_name("persistentvolumes", PV)]) },
];
