//! What a pod spec refers to (`core/v1` `PodSpec`).

use crate::refs::row::kinds::{CONFIG_MAP, PRIORITY_CLASS, PVC, RUNTIME_CLASS, SECRET, SERVICE_ACCOUNT};
use crate::refs::row::{In, Reads, Row, row};

/// The referrer of every row here: whatever has a pod spec.
const POD: (&str, &str) = ("", "");

/// The rows of one list of containers.
macro_rules! containers {
    ($list:literal) => {
        [
            row(POD, concat!($list, "[].env[].valueFrom.configMapKeyRef"), CONFIG_MAP)
                .name("name")
                .optional_by("optional")
                .reads(Reads::EnvKey),
            row(POD, concat!($list, "[].env[].valueFrom.secretKeyRef"), SECRET)
                .name("name")
                .optional_by("optional")
                .reads(Reads::EnvKey),
            row(POD, concat!($list, "[].envFrom[].configMapRef"), CONFIG_MAP)
                .name("name")
                .optional_by("optional")
                .reads(Reads::EnvFrom),
            row(POD, concat!($list, "[].envFrom[].secretRef"), SECRET)
                .name("name")
                .optional_by("optional")
                .reads(Reads::EnvFrom),
        ]
    };
}

const INIT: [Row; 4] = containers!("initContainers");
const MAIN: [Row; 4] = containers!("containers");
const EPHEMERAL: [Row; 4] = containers!("ephemeralContainers");

/// A Secret that mounting the volume needs, and no container reads.
const fn credential(path: &'static str) -> Row {
    row(POD, path, SECRET)
}

pub(super) static ROWS: &[Row] = &[
    INIT[0],
    INIT[1],
    INIT[2],
    INIT[3],
    MAIN[0],
    MAIN[1],
    MAIN[2],
    MAIN[3],
    EPHEMERAL[0],
    EPHEMERAL[1],
    EPHEMERAL[2],
    EPHEMERAL[3],
    row(POD, "volumes[].configMap", CONFIG_MAP).name("name").optional_by("optional").reads(Reads::Volume),
    row(POD, "volumes[].secret", SECRET).name("secretName").optional_by("optional").reads(Reads::Volume),
    row(POD, "volumes[].projected.sources[].configMap", CONFIG_MAP)
        .name("name")
        .optional_by("optional")
        .reads(Reads::Projected),
    row(POD, "volumes[].projected.sources[].secret", SECRET)
        .name("name")
        .optional_by("optional")
        .reads(Reads::Projected),
    // the kubelet pulls without a Secret that is not there, so a missing one is no error by itself
    row(POD, "imagePullSecrets[].name", SECRET).optional(),
    credential("volumes[].csi.nodePublishSecretRef.name"),
    credential("volumes[].azureFile.secretName"),
    credential("volumes[].cephfs.secretRef.name"),
    credential("volumes[].cinder.secretRef.name"),
    credential("volumes[].flexVolume.secretRef.name"),
    credential("volumes[].iscsi.secretRef.name"),
    credential("volumes[].rbd.secretRef.name"),
    credential("volumes[].scaleIO.secretRef.name"),
    credential("volumes[].storageos.secretRef.name"),
    row(
        POD,
        "volumes[].csi.volumeAttributes.secretProviderClass",
        ("secrets-store.csi.x-k8s.io", "SecretProviderClass"),
    ),
    row(POD, "volumes[].persistentVolumeClaim.claimName", PVC),
    row(POD, "volumes[].ephemeral.volumeClaimTemplate.spec.storageClassName", crate::refs::row::kinds::STORAGE_CLASS)
        .within(In::Cluster)
        .outside(),
    row(POD, "serviceAccountName", SERVICE_ACCOUNT),
    // the old name of the field, which the API server still reads
    row(POD, "serviceAccount", SERVICE_ACCOUNT),
    row(POD, "priorityClassName", PRIORITY_CLASS).within(In::Cluster).outside(),
    row(POD, "runtimeClassName", RUNTIME_CLASS).within(In::Cluster).outside(),
    row(POD, "resourceClaims[].resourceClaimName", ("resource.k8s.io", "ResourceClaim")),
    row(POD, "resourceClaims[].resourceClaimTemplateName", ("resource.k8s.io", "ResourceClaimTemplate")),
];
