//! Rook (`ceph.rook.io`).

use super::shapes::CLAIM;
use crate::refs::row::kinds::{PRIORITY_CLASS, PVC};
use crate::refs::row::{Block, GroupKindName, In, ROOT, Reads, Row, Rows, config_map, row, secret, secret_key};

const G: &str = "ceph.rook.io";

const REALM: GroupKindName = (G, "CephObjectRealm");
const ZONE_GROUP: GroupKindName = (G, "CephObjectZoneGroup");
const ZONE: GroupKindName = (G, "CephObjectZone");
const STORE: GroupKindName = (G, "CephObjectStore");
const FILESYSTEM: GroupKindName = (G, "CephFilesystem");
const POOL: GroupKindName = (G, "CephBlockPool");

/// A file or folder that is mounted into Ceph's pods.
static VOLUME_SOURCE: &[Row] = &[
    config_map("volumeSource.configMap.name").optional_here().reads(Reads::All),
    secret("volumeSource.secret.secretName").optional_here().reads(Reads::All),
    config_map("volumeSource.projected.sources[].configMap.name").optional_here().reads(Reads::All),
    secret("volumeSource.projected.sources[].secret.name").optional_here().reads(Reads::All),
    row("volumeSource.persistentVolumeClaim.claimName", PVC),
];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[ZONE_GROUP], at: ROOT, rows: Rows::These(&[row("spec.realm", REALM)]) },
    Block { kinds: &[ZONE], at: ROOT, rows: Rows::These(&[row("spec.zoneGroup", ZONE_GROUP)]) },
    Block {
        kinds: &[STORE],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.zone.name", ZONE),
            secret("spec.gateway.sslCertificateRef"),
            secret("spec.gateway.caBundleRef"),
            row("spec.gateway.priorityClassName", PRIORITY_CLASS),
            secret("spec.security.kms.tokenSecretName"),
            secret("spec.security.s3.tokenSecretName"),
            secret("spec.auth.keystone.serviceUserSecretName"),
        ]),
    },
    Block { kinds: &[(G, "CephCluster")], at: ROOT, rows: Rows::These(&[secret("spec.security.kms.tokenSecretName")]) },
    Block {
        kinds: &[(G, "CephCluster")],
        at: &[
            "spec.mon.volumeClaimTemplate.spec",
            "spec.mon.zones[].volumeClaimTemplate.spec",
            "spec.mon.stretchCluster.zones[].volumeClaimTemplate.spec",
            "spec.storage.storageClassDeviceSets[].volumeClaimTemplates[].spec",
        ],
        rows: Rows::These(CLAIM),
    },
    Block { kinds: &[STORE], at: &["spec.gateway.additionalVolumeMounts[]"], rows: Rows::These(VOLUME_SOURCE) },
    Block {
        kinds: &[(G, "CephNFS")],
        at: &[
            "spec.security.kerberos.configFiles",
            "spec.security.kerberos.keytabFile",
            "spec.security.sssd.sidecar.sssdConfigFile",
            "spec.security.sssd.sidecar.additionalFiles[]",
        ],
        rows: Rows::These(VOLUME_SOURCE),
    },
    Block {
        kinds: &[(G, "CephObjectStoreUser")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.store", STORE).within(In::Field("clusterNamespace")),
            secret_key("spec.keys[].accessKeyRef.name"),
            secret_key("spec.keys[].secretKeyRef.name"),
        ]),
    },
    Block {
        kinds: &[(G, "CephBucketTopic")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.objectStoreName", STORE).within(In::Field("objectStoreNamespace")),
            secret_key("spec.endpoint.kafka.userSecretRef.name"),
            secret_key("spec.endpoint.kafka.passwordSecretRef.name"),
        ]),
    },
    Block {
        kinds: &[(G, "CephBucketNotification")],
        at: ROOT,
        rows: Rows::These(&[row("spec.topic", (G, "CephBucketTopic"))]),
    },
    Block {
        kinds: &[(G, "CephFilesystemSubVolumeGroup")],
        at: ROOT,
        rows: Rows::These(&[row("spec.filesystemName", FILESYSTEM)]),
    },
    Block {
        kinds: &[(G, "CephBlockPoolRadosNamespace")],
        at: ROOT,
        rows: Rows::These(&[row("spec.blockPoolName", POOL)]),
    },
    Block {
        kinds: &[FILESYSTEM],
        at: ROOT,
        rows: Rows::These(&[row("spec.metadataServer.priorityClassName", PRIORITY_CLASS)]),
    },
    // a peer's Secret comes from the other cluster
    Block {
        kinds: &[POOL, FILESYSTEM],
        at: ROOT,
        rows: Rows::These(&[secret("spec.mirroring.peers.secretNames[]").outside()]),
    },
    Block {
        kinds: &[(G, "CephRBDMirror")],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.peers.secretNames[]").outside(),
            row("spec.priorityClassName", PRIORITY_CLASS),
        ]),
    },
    Block {
        kinds: &[(G, "CephFilesystemMirror")],
        at: ROOT,
        rows: Rows::These(&[row("spec.priorityClassName", PRIORITY_CLASS)]),
    },
    Block {
        kinds: &[(G, "CephNFS")],
        at: ROOT,
        rows: Rows::These(&[row("spec.server.priorityClassName", PRIORITY_CLASS)]),
    },
];
