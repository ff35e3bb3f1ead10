//! Storage: classes, attachments, snapshots.

use crate::refs::row::kinds::{PV, PVC, STORAGE_CLASS};
use crate::refs::row::{Block, In, ROOT, Row, Rows, row, secret};

const G: &str = "storage.k8s.io";
const SNAPSHOT: &str = "snapshot.storage.k8s.io";
const GROUP_SNAPSHOT: &str = "groupsnapshot.storage.k8s.io";

/// A Secret of a CSI driver; names and namespaces may hold `${…}`, which the driver fills in.
macro_rules! csi_secret {
    ($whose:literal) => {
        secret(concat!("{csi.storage.k8s.io/", $whose, "-secret-name}")).within(In::Field(concat!(
            "csi.storage.k8s.io/",
            $whose,
            "-secret-namespace"
        )))
    };
}

const fn parameter(path: &'static str, namespace: &'static str) -> Row {
    secret(path).within(In::Field(namespace))
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(G, "StorageClass")],
        at: &["parameters"],
        rows: Rows::These(&[
            csi_secret!("provisioner"),
            csi_secret!("controller-publish"),
            csi_secret!("controller-expand"),
            csi_secret!("node-stage"),
            csi_secret!("node-publish"),
            csi_secret!("node-expand"),
            // drivers that were part of Kubernetes
            parameter("secretName", "secretNamespace"),
            parameter("secretRef", "secretNamespace"),
            parameter("adminSecretName", "adminSecretNamespace"),
            parameter("userSecretName", "userSecretNamespace"),
        ]),
    },
    Block {
        kinds: &[(G, "VolumeAttachment")],
        at: ROOT,
        rows: Rows::These(&[row("spec.source.persistentVolumeName", PV)]),
    },
    Block {
        kinds: &[(G, "CSIStorageCapacity")],
        at: ROOT,
        rows: Rows::These(&[row("storageClassName", STORAGE_CLASS)]),
    },
    Block {
        kinds: &[(SNAPSHOT, "VolumeSnapshot")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.volumeSnapshotClassName", (SNAPSHOT, "VolumeSnapshotClass")),
            row("spec.source.persistentVolumeClaimName", PVC),
            row("spec.source.volumeSnapshotContentName", (SNAPSHOT, "VolumeSnapshotContent")),
        ]),
    },
    Block {
        kinds: &[(SNAPSHOT, "VolumeSnapshotContent")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.volumeSnapshotClassName", (SNAPSHOT, "VolumeSnapshotClass")),
            // the snapshot names its content, too
            row("spec.volumeSnapshotRef.name", (SNAPSHOT, "VolumeSnapshot")).with_namespace().unordered().outside(),
        ]),
    },
    Block {
        kinds: &[(SNAPSHOT, "VolumeSnapshotClass"), (GROUP_SNAPSHOT, "VolumeGroupSnapshotClass")],
        at: &["parameters"],
        rows: Rows::These(&[
            csi_secret!("snapshotter"),
            csi_secret!("snapshotter-list"),
            csi_secret!("group-snapshotter"),
        ]),
    },
    Block {
        kinds: &[(GROUP_SNAPSHOT, "VolumeGroupSnapshotContent")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.volumeGroupSnapshotClassName", (GROUP_SNAPSHOT, "VolumeGroupSnapshotClass")),
            row("spec.volumeGroupSnapshotRef.name", (GROUP_SNAPSHOT, "VolumeGroupSnapshot"))
                .with_namespace()
                .unordered()
                .outside(),
        ]),
    },
    Block {
        kinds: &[(GROUP_SNAPSHOT, "VolumeGroupSnapshot")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.volumeGroupSnapshotClassName", (GROUP_SNAPSHOT, "VolumeGroupSnapshotClass")),
            row("spec.source.volumeGroupSnapshotContentName", (GROUP_SNAPSHOT, "VolumeGroupSnapshotContent")),
        ]),
    },
];
