//! Rook (`ceph.rook.io`).

use crate::refs::row::kinds::PRIORITY_CLASS;
use crate::refs::row::{Block, GroupKindName, In, ROOT, Rows, row, secret, secret_key};

const G: &str = "ceph.rook.io";

const REALM: GroupKindName = (G, "CephObjectRealm");
const ZONE_GROUP: GroupKindName = (G, "CephObjectZoneGroup");
const ZONE: GroupKindName = (G, "CephObjectZone");
const STORE: GroupKindName = (G, "CephObjectStore");
const FILESYSTEM: GroupKindName = (G, "CephFilesystem");
const POOL: GroupKindName = (G, "CephBlockPool");

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
