//! What makes and keeps clusters: Cluster API, Karpenter, Crossplane's packages, Velero, MetalLB.

use super::shapes::ENVIRONMENT;
use crate::refs::row::kinds::{PRIORITY_CLASS, RUNTIME_CLASS};
use crate::refs::row::{
    Block, GroupKindName, ROOT, Reads, Row, Rows, account, by_field, config_map, named, named_or, row, secret,
    secret_key,
};

const CAPI: &str = "cluster.x-k8s.io";
const PKG: &str = "pkg.crossplane.io";
const VELERO: &str = "velero.io";
const METALLB: &str = "metallb.io";

const CLUSTER: GroupKindName = (CAPI, "Cluster");
const LOCATION: GroupKindName = (VELERO, "BackupStorageLocation");
const SNAPSHOTS: GroupKindName = (VELERO, "VolumeSnapshotLocation");

/// An object of a provider: `apiVersion` or `apiGroup`, `kind` and `name`.
const fn part(path: &'static str) -> Row {
    named(path).with_namespace()
}

/// The spec of a machine.
static MACHINE: &[Row] = &[
    row("clusterName", CLUSTER),
    part("bootstrap.configRef.name"),
    part("infrastructureRef.name"),
    secret("bootstrap.dataSecretName"),
];

/// The spec of a backup.
static BACKUP: &[Row] = &[
    row("storageLocation", LOCATION),
    row("volumeSnapshotLocations[]", SNAPSHOTS),
    by_field("resourcePolicy.name", "kind", &[("configmap", ("", "ConfigMap")), ("ConfigMap", ("", "ConfigMap"))])
        .reads(Reads::All),
];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[CLUSTER],
        at: ROOT,
        rows: Rows::These(&[
            part("spec.controlPlaneRef.name"),
            part("spec.infrastructureRef.name"),
            part("spec.topology.controlPlane.machineHealthCheck.remediationTemplate.name"),
            part("spec.topology.controlPlane.healthCheck.remediation.templateRef.name"),
            part("spec.topology.workers.machineDeployments[].machineHealthCheck.remediationTemplate.name"),
            part("spec.topology.workers.machineDeployments[].healthCheck.remediation.templateRef.name"),
            row("spec.topology.class", (CAPI, "ClusterClass")),
            row("spec.topology.classRef.name", (CAPI, "ClusterClass")).with_namespace(),
        ]),
    },
    Block { kinds: &[(CAPI, "Machine")], at: &["spec"], rows: Rows::These(MACHINE) },
    Block {
        kinds: &[(CAPI, "MachineDeployment"), (CAPI, "MachinePool"), (CAPI, "MachineSet")],
        at: &["spec.template.spec"],
        rows: Rows::These(MACHINE),
    },
    Block {
        kinds: &[(CAPI, "MachineHealthCheck")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.clusterName", CLUSTER),
            part("spec.remediationTemplate.name"),
            part("spec.remediation.templateRef.name"),
        ]),
    },
    Block {
        kinds: &[(CAPI, "ClusterClass")],
        at: ROOT,
        rows: Rows::These(&[
            part("spec.controlPlane.ref.name"),
            part("spec.controlPlane.machineInfrastructure.ref.name"),
            part("spec.infrastructure.ref.name"),
            part("spec.workers.machineDeployments[].template.bootstrap.ref.name"),
            part("spec.workers.machineDeployments[].template.infrastructure.ref.name"),
            part("spec.workers.machinePools[].template.bootstrap.ref.name"),
            part("spec.workers.machinePools[].template.infrastructure.ref.name"),
            part("spec.controlPlane.machineHealthCheck.remediationTemplate.name"),
            part("spec.workers.machineDeployments[].machineHealthCheck.remediationTemplate.name"),
            // v1beta2
            part("spec.controlPlane.templateRef.name"),
            part("spec.controlPlane.machineInfrastructure.templateRef.name"),
            part("spec.controlPlane.healthCheck.remediation.templateRef.name"),
            part("spec.infrastructure.templateRef.name"),
            part("spec.workers.machineDeployments[].bootstrap.templateRef.name"),
            part("spec.workers.machineDeployments[].infrastructure.templateRef.name"),
            part("spec.workers.machineDeployments[].healthCheck.remediation.templateRef.name"),
            part("spec.workers.machinePools[].bootstrap.templateRef.name"),
            part("spec.workers.machinePools[].infrastructure.templateRef.name"),
        ]),
    },
    Block {
        kinds: &[("karpenter.sh", "NodePool")],
        at: ROOT,
        rows: Rows::These(&[named("spec.template.spec.nodeClassRef.name")]),
    },
    Block { kinds: &[("karpenter.sh", "NodeClaim")], at: ROOT, rows: Rows::These(&[named("spec.nodeClassRef.name")]) },
    // packages pull with Secrets of Crossplane's own namespace
    Block {
        kinds: &[(PKG, "Configuration"), (PKG, "Function"), (PKG, "Provider")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.packagePullSecrets[].name").optional()]),
    },
    Block {
        kinds: &[(PKG, "Function"), (PKG, "Provider")],
        at: ROOT,
        rows: Rows::These(&[
            // Crossplane makes the one called default
            named_or("spec.runtimeConfigRef.name", (PKG, "DeploymentRuntimeConfig")).except(&["default"]),
            // until 1.20
            named_or("spec.controllerConfigRef.name", (PKG, "ControllerConfig")),
        ]),
    },
    Block {
        kinds: &[(PKG, "DeploymentRuntimeConfig")],
        at: &["spec.deploymentTemplate.spec.template.spec"],
        rows: Rows::PodSpec,
    },
    Block { kinds: &[(PKG, "ControllerConfig")], at: &["spec"], rows: Rows::Parts(ENVIRONMENT) },
    Block {
        kinds: &[(PKG, "ControllerConfig")],
        at: &["spec"],
        rows: Rows::These(&[
            account("serviceAccountName"),
            secret("imagePullSecrets[].name").optional(),
            row("priorityClassName", PRIORITY_CLASS),
            row("runtimeClassName", RUNTIME_CLASS),
        ]),
    },
    Block {
        kinds: &[(PKG, "ImageConfig")],
        at: ROOT,
        // in Crossplane's own namespace
        rows: Rows::These(&[
            secret("spec.registry.authentication.pullSecretRef.name"),
            secret_key("spec.verification.cosign.authorities[].key.secretRef.name"),
            named_or("spec.runtime.configRef.name", (PKG, "DeploymentRuntimeConfig")).except(&["default"]),
        ]),
    },
    Block { kinds: &[(VELERO, "Backup")], at: &["spec"], rows: Rows::These(BACKUP) },
    Block { kinds: &[(VELERO, "Schedule")], at: &["spec.template"], rows: Rows::These(BACKUP) },
    Block {
        kinds: &[(VELERO, "Restore")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.backupName", (VELERO, "Backup")).outside(),
            row("spec.scheduleName", (VELERO, "Schedule")),
            config_map("spec.resourceModifier.name").reads(Reads::All),
        ]),
    },
    Block {
        kinds: &[LOCATION, SNAPSHOTS],
        at: ROOT,
        rows: Rows::These(&[secret_key("spec.credential.name").optional_here()]),
    },
    Block {
        kinds: &[(METALLB, "BGPPeer")],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.passwordSecret.name").with_namespace(),
            row("spec.bfdProfile", (METALLB, "BFDProfile")),
        ]),
    },
    Block {
        kinds: &[(METALLB, "BGPAdvertisement"), (METALLB, "L2Advertisement")],
        at: ROOT,
        rows: Rows::These(&[row("spec.ipAddressPools[]", (METALLB, "IPAddressPool"))]),
    },
];
