//! What a pod spec refers to (`core/v1` `PodSpec`).

use crate::refs::row::kinds::{ATTRIBUTES_CLASS, PRIORITY_CLASS, PVC, RUNTIME_CLASS, STORAGE_CLASS};
use crate::refs::row::{Reads, Row, account, config_map, named_or, row, secret};

/// The rows of one list of containers.
macro_rules! containers {
    ($list:literal) => {
        [
            config_map(concat!($list, "[].env[].valueFrom.configMapKeyRef.name")).optional_here().reads(Reads::EnvKey),
            secret(concat!($list, "[].env[].valueFrom.secretKeyRef.name")).optional_here().reads(Reads::EnvKey),
            config_map(concat!($list, "[].envFrom[].configMapRef.name")).optional_here().reads(Reads::EnvFrom),
            secret(concat!($list, "[].envFrom[].secretRef.name")).optional_here().reads(Reads::EnvFrom),
        ]
    };
}

pub(super) static INIT_CONTAINERS: &[Row] = &containers!("initContainers");
pub(super) static CONTAINERS: &[Row] = &containers!("containers");
static EPHEMERAL_CONTAINERS: &[Row] = &containers!("ephemeralContainers");

pub(super) static VOLUMES: &[Row] = &[
    config_map("volumes[].configMap.name").optional_here().reads(Reads::Volume),
    secret("volumes[].secret.secretName").optional_here().reads(Reads::Volume),
    config_map("volumes[].projected.sources[].configMap.name").optional_here().reads(Reads::Projected),
    secret("volumes[].projected.sources[].secret.name").optional_here().reads(Reads::Projected),
    row("volumes[].projected.sources[].clusterTrustBundle.name", ("certificates.k8s.io", "ClusterTrustBundle"))
        .optional_here(),
    // Secrets that mounting a volume needs, and no container reads
    secret("volumes[].csi.nodePublishSecretRef.name"),
    secret("volumes[].azureFile.secretName"),
    secret("volumes[].cephfs.secretRef.name"),
    secret("volumes[].cinder.secretRef.name"),
    secret("volumes[].flexVolume.secretRef.name"),
    secret("volumes[].iscsi.secretRef.name"),
    secret("volumes[].rbd.secretRef.name"),
    secret("volumes[].scaleIO.secretRef.name"),
    secret("volumes[].storageos.secretRef.name"),
    row("volumes[].csi.volumeAttributes.secretProviderClass", ("secrets-store.csi.x-k8s.io", "SecretProviderClass")),
    // a controller fills them from a Service
    row("volumes[].glusterfs.endpoints", ("", "Endpoints")).outside(),
    row("volumes[].persistentVolumeClaim.claimName", PVC),
    row("volumes[].ephemeral.volumeClaimTemplate.spec.storageClassName", STORAGE_CLASS),
    row("volumes[].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName", ATTRIBUTES_CLASS),
    named_or("volumes[].ephemeral.volumeClaimTemplate.spec.dataSource.name", PVC),
    named_or("volumes[].ephemeral.volumeClaimTemplate.spec.dataSourceRef.name", PVC).with_namespace(),
];

/// The kubelet pulls without a Secret that is not there, so a missing one is no error by itself.
pub(super) static PULL_SECRETS: &[Row] = &[secret("imagePullSecrets[].name").optional()];
pub(super) static ACCOUNT: &[Row] = &[account("serviceAccountName")];
/// The old name of the field, which the API server still reads.
pub(super) static OLD_ACCOUNT: &[Row] = &[account("serviceAccount")];
pub(super) static PRIORITY: &[Row] = &[row("priorityClassName", PRIORITY_CLASS)];
pub(super) static RUNTIME: &[Row] = &[row("runtimeClassName", RUNTIME_CLASS)];

static CLAIMS: &[Row] = &[
    row("resourceClaims[].resourceClaimName", ("resource.k8s.io", "ResourceClaim")),
    row("resourceClaims[].resourceClaimTemplateName", ("resource.k8s.io", "ResourceClaimTemplate")),
];

/// The whole of it.
pub(super) static ALL: &[&[Row]] = &[
    INIT_CONTAINERS,
    CONTAINERS,
    EPHEMERAL_CONTAINERS,
    VOLUMES,
    PULL_SECRETS,
    ACCOUNT,
    OLD_ACCOUNT,
    PRIORITY,
    RUNTIME,
    CLAIMS,
];
