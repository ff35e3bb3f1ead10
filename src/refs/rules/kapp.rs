//! kapp-controller (`kappctrl.k14s.io`, `packaging.carvel.dev`).

use crate::refs::row::{Block, GroupKindName, ROOT, Reads, Row, Rows, account, config_map, row, secret, secret_key};

const APP: GroupKindName = ("kappctrl.k14s.io", "App");
const INSTALL: GroupKindName = ("packaging.carvel.dev", "PackageInstall");
const REPOSITORY: GroupKindName = ("packaging.carvel.dev", "PackageRepository");

/// Files and values out of ConfigMaps and Secrets.
static FROM: &[Row] = &[config_map("configMapRef.name").reads(Reads::All), secret("secretRef.name").reads(Reads::All)];

/// A source's credentials.
static FETCH: &[Row] = &[
    secret("image.secretRef.name"),
    secret("imgpkgBundle.secretRef.name"),
    secret("http.secretRef.name"),
    secret("git.secretRef.name"),
];

static CHART: &[Row] = &[secret("helmChart.repository.secretRef.name")];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[APP, INSTALL],
        at: ROOT,
        rows: Rows::These(&[account("spec.serviceAccountName"), secret_key("spec.cluster.kubeconfigSecretRef.name")]),
    },
    Block { kinds: &[APP], at: &["spec.fetch[]"], rows: Rows::Parts(&[FETCH, CHART]) },
    Block { kinds: &[REPOSITORY], at: &["spec.fetch"], rows: Rows::These(FETCH) },
    Block {
        kinds: &[APP],
        at: &[
            "spec.fetch[].inline.pathsFrom[]",
            "spec.template[].ytt.inline.pathsFrom[]",
            "spec.template[].ytt.valuesFrom[]",
            "spec.template[].helmTemplate.valuesFrom[]",
            "spec.template[].cue.valuesFrom[]",
        ],
        rows: Rows::These(FROM),
    },
    Block { kinds: &[REPOSITORY], at: &["spec.fetch.inline.pathsFrom[]"], rows: Rows::These(FROM) },
    Block {
        kinds: &[APP],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.template[].sops.pgp.privateKeysSecretRef.name"),
            secret("spec.template[].sops.age.privateKeysSecretRef.name"),
        ]),
    },
    Block {
        kinds: &[INSTALL],
        at: ROOT,
        rows: Rows::These(&[
            secret_key("spec.values[].secretRef.name"),
            // a repository brings it
            row("spec.packageRef.refName", ("data.packaging.carvel.dev", "PackageMetadata")).outside(),
        ]),
    },
];
