//! What kinds of the core group refer to, apart from their pods.

use super::shapes::CLAIM;
use crate::refs::row::kinds::{ATTRIBUTES_CLASS, PRIORITY_CLASS, PVC, STORAGE_CLASS};
use crate::refs::row::{Block, In, ROOT, Row, Rows, account, config_map, row, secret, service};

/// A Secret of a volume's driver.
const fn credential(path: &'static str) -> Row {
    secret(path).with_namespace()
}

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[("", "PersistentVolumeClaim")], at: &["spec"], rows: Rows::These(CLAIM) },
    Block {
        kinds: &[("", "PersistentVolume")],
        at: &["spec"],
        rows: Rows::These(&[
            row("storageClassName", STORAGE_CLASS),
            row("volumeAttributesClassName", ATTRIBUTES_CLASS),
            // the claim names the volume, too
            row("claimRef.name", PVC).with_namespace().unordered().outside(),
            credential("csi.controllerPublishSecretRef.name"),
            credential("csi.controllerExpandSecretRef.name"),
            credential("csi.nodeStageSecretRef.name"),
            credential("csi.nodePublishSecretRef.name"),
            credential("csi.nodeExpandSecretRef.name"),
            secret("azureFile.secretName").within(In::Field("secretNamespace")),
            credential("cephfs.secretRef.name"),
            credential("cinder.secretRef.name"),
            credential("flexVolume.secretRef.name"),
            credential("iscsi.secretRef.name"),
            credential("rbd.secretRef.name"),
            credential("scaleIO.secretRef.name"),
            credential("storageos.secretRef.name"),
            row("glusterfs.endpoints", ("", "Endpoints")).within(In::Field("endpointsNamespace")).outside().unordered(),
        ]),
    },
    Block {
        kinds: &[("", "ServiceAccount")],
        at: ROOT,
        rows: Rows::These(&[
            // a pull without it may succeed
            secret("imagePullSecrets[].name").optional(),
            // the token controller deletes a token Secret whose account is not there yet: the Secret comes last
            secret("secrets[].name").unordered().outside(),
        ]),
    },
    Block {
        kinds: &[("", "Secret")],
        at: ROOT,
        rows: Rows::These(&[account("metadata.annotations.{kubernetes.io/service-account.name}")]),
    },
    Block {
        kinds: &[("", "Endpoints")],
        at: ROOT,
        // the two belong together by name; there are Endpoints without a Service
        rows: Rows::These(&[service("metadata.name").outside()]),
    },
    Block {
        kinds: &[("discovery.k8s.io", "EndpointSlice")],
        at: ROOT,
        rows: Rows::These(&[service("metadata.labels.{kubernetes.io/service-name}")]),
    },
    Block {
        kinds: &[("", "Node")],
        at: ROOT,
        // dynamic kubelet configuration, until 1.22
        rows: Rows::These(&[config_map("spec.configSource.configMap.name").with_namespace()]),
    },
    Block {
        kinds: &[("", "ResourceQuota")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.scopeSelector.matchExpressions[].values[]", PRIORITY_CLASS).only_if("scopeName", "PriorityClass")
        ]),
    },
];
