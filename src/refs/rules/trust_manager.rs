//! trust-manager (`trust.cert-manager.io`, later `trust-manager.io`).

use crate::refs::row::kinds::{CONFIG_MAP, SECRET};
use crate::refs::row::{Block, ROOT, Reads, Rows, by_field, config_map_key, secret_key};

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[("trust.cert-manager.io", "Bundle")],
        at: ROOT,
        rows: Rows::These(&[config_map_key("spec.sources[].configMap.name"), secret_key("spec.sources[].secret.name")]),
    },
    Block {
        kinds: &[("trust-manager.io", "ClusterBundle")],
        at: ROOT,
        rows: Rows::These(&[by_field(
            "spec.sourceRefs[].name",
            "kind",
            &[("ConfigMap", CONFIG_MAP), ("Secret", SECRET)],
        )
        .reads(Reads::Field("key"))]),
    },
];
