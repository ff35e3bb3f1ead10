//! CloudNativePG (`postgresql.cnpg.io`, `barmancloud.cnpg.io`).

use super::shapes::ENVIRONMENT;
use crate::refs::row::kinds::{ATTRIBUTES_CLASS, PRIORITY_CLASS, STORAGE_CLASS};
use crate::refs::row::{
    Block, GroupKindName, ROOT, Reads, Row, Rows, config_map, config_map_key, named, named_or, row, secret, secret_key,
};

const G: &str = "postgresql.cnpg.io";
const BARMAN: &str = "barmancloud.cnpg.io";

const CLUSTER: GroupKindName = (G, "Cluster");

/// Where a Barman object store is, and who may read it.
static OBJECT_STORE: &[Row] = &[
    secret_key("azureCredentials.connectionString.name"),
    secret_key("azureCredentials.storageAccount.name"),
    secret_key("azureCredentials.storageKey.name"),
    secret_key("azureCredentials.storageSasToken.name"),
    secret_key("endpointCA.name"),
    secret_key("googleCredentials.applicationCredentials.name"),
    secret_key("s3Credentials.accessKeyId.name"),
    secret_key("s3Credentials.secretAccessKey.name"),
    secret_key("s3Credentials.region.name"),
    secret_key("s3Credentials.sessionToken.name"),
];

/// Lists of files with SQL.
static SQL: &[Row] = &[config_map_key("configMapRefs[].name"), secret_key("secretRefs[].name")];

/// A volume of the database.
static STORAGE: &[Row] = &[
    row("storageClass", STORAGE_CLASS),
    row("pvcTemplate.storageClassName", STORAGE_CLASS),
    row("pvcTemplate.volumeAttributesClassName", ATTRIBUTES_CLASS),
];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[CLUSTER],
        at: &["spec.backup.barmanObjectStore", "spec.externalClusters[].barmanObjectStore"],
        rows: Rows::These(OBJECT_STORE),
    },
    Block { kinds: &[(BARMAN, "ObjectStore")], at: &["spec.configuration"], rows: Rows::These(OBJECT_STORE) },
    Block {
        kinds: &[CLUSTER],
        at: &[
            "spec.bootstrap.initdb.postInitSQLRefs",
            "spec.bootstrap.initdb.postInitApplicationSQLRefs",
            "spec.bootstrap.initdb.postInitTemplateSQLRefs",
        ],
        rows: Rows::These(SQL),
    },
    Block {
        kinds: &[CLUSTER],
        at: &["spec.storage", "spec.walStorage", "spec.tablespaces[].storage"],
        rows: Rows::These(STORAGE),
    },
    Block { kinds: &[CLUSTER], at: &["spec"], rows: Rows::Parts(ENVIRONMENT) },
    Block {
        kinds: &[CLUSTER],
        at: &["spec"],
        rows: Rows::These(&[
            secret("imagePullSecrets[].name").optional(),
            row("priorityClassName", PRIORITY_CLASS),
            named_or("imageCatalogRef.name", (G, "ImageCatalog")),
            secret("superuserSecret.name"),
            secret_key("bootstrap.recovery.backup.endpointCA.name"),
            secret("bootstrap.initdb.secret.name"),
            secret("bootstrap.pg_basebackup.secret.name"),
            secret("bootstrap.recovery.secret.name"),
            row("bootstrap.recovery.backup.name", (G, "Backup")),
            named("bootstrap.recovery.volumeSnapshots.storage.name"),
            named("bootstrap.recovery.volumeSnapshots.walStorage.name"),
            row("backup.volumeSnapshot.className", ("snapshot.storage.k8s.io", "VolumeSnapshotClass")),
            row("backup.volumeSnapshot.walClassName", ("snapshot.storage.k8s.io", "VolumeSnapshotClass")),
            secret("certificates.clientCASecret"),
            secret("certificates.replicationTLSSecret"),
            secret("certificates.serverCASecret"),
            secret("certificates.serverTLSSecret"),
            secret_key("externalClusters[].password.name").optional_here(),
            secret_key("externalClusters[].sslCert.name").optional_here(),
            secret_key("externalClusters[].sslKey.name").optional_here(),
            secret_key("externalClusters[].sslRootCert.name").optional_here(),
            secret("managed.roles[].passwordSecret.name"),
            config_map_key("monitoring.customQueriesConfigMap[].name"),
            secret_key("monitoring.customQueriesSecret[].name"),
            secret_key("postgresql.ldap.bindSearchAuth.bindPassword.name").optional_here(),
            config_map("projectedVolumeTemplate.sources[].configMap.name").optional_here().reads(Reads::All),
            secret("projectedVolumeTemplate.sources[].secret.name").optional_here().reads(Reads::All),
        ]),
    },
    Block {
        kinds: &[
            (G, "Backup"),
            (G, "Database"),
            (G, "DatabaseRole"),
            (G, "Pooler"),
            (G, "Publication"),
            (G, "ScheduledBackup"),
            (G, "Subscription"),
        ],
        at: ROOT,
        rows: Rows::These(&[row("spec.cluster.name", CLUSTER)]),
    },
    Block { kinds: &[(G, "Pooler")], at: &["spec.template.spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[(G, "Pooler")],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.pgbouncer.authQuerySecret.name"),
            secret("spec.pgbouncer.clientCASecret.name"),
            secret("spec.pgbouncer.clientTLSSecret.name"),
            secret("spec.pgbouncer.serverCASecret.name"),
            secret("spec.pgbouncer.serverTLSSecret.name"),
        ]),
    },
    Block { kinds: &[(G, "DatabaseRole")], at: ROOT, rows: Rows::These(&[secret("spec.passwordSecret.name")]) },
];
