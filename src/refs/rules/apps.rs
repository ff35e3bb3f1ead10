//! What workloads refer to, apart from their pods.

use super::shapes::CLAIM;
use crate::refs::row::{Block, ROOT, Rows, service};

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[("apps", "StatefulSet"), ("apps.kruise.io", "StatefulSet")],
        at: ROOT,
        // pods run without it, but have no names in DNS; Argo CD, for one, brings none
        rows: Rows::These(&[service("spec.serviceName").optional()]),
    },
    Block {
        kinds: &[("apps", "StatefulSet"), ("apps.kruise.io", "StatefulSet"), ("apps.kruise.io", "CloneSet")],
        at: &["spec.volumeClaimTemplates[].spec"],
        rows: Rows::These(CLAIM),
    },
];
