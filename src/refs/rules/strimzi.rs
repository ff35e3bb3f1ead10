//! Strimzi (`kafka.strimzi.io`).

use super::pod::{PRIORITY, PULL_SECRETS};
use super::shapes::ENV;
use crate::refs::row::kinds::PVC;
use crate::refs::row::{Block, GroupKindName, ROOT, Reads, Row, Rows, config_map, config_map_key, row, secret};

const G: &str = "kafka.strimzi.io";

const KAFKA: GroupKindName = (G, "Kafka");
const CONNECT: GroupKindName = (G, "KafkaConnect");
const MIRROR: GroupKindName = (G, "KafkaMirrorMaker2");
const BRIDGE: GroupKindName = (G, "KafkaBridge");
const POOL: GroupKindName = (G, "KafkaNodePool");
/// Until 0.46.
const OLD_MIRROR: GroupKindName = (G, "KafkaMirrorMaker");

/// How a client proves who it is.
static AUTHENTICATION: &[Row] = &[
    secret("certificateAndKey.secretName").reads(Reads::Field("certificate")),
    secret("passwordSecret.secretName").reads(Reads::Field("password")),
    secret("accessToken.secretName").reads(Reads::Field("key")),
    secret("clientAssertion.secretName").reads(Reads::Field("key")),
    secret("clientSecret.secretName").reads(Reads::Field("key")),
    secret("refreshToken.secretName").reads(Reads::Field("key")),
    secret("tlsTrustedCertificates[].secretName").reads(Reads::Field("certificate")),
];

/// Logging and metrics.
static VALUE: &[Row] = &[config_map_key("valueFrom.configMapKeyRef.name").optional_here()];

/// What a template may set in pods.
static POD: &[&[Row]] = &[
    PULL_SECRETS,
    PRIORITY,
    &[
        config_map("volumes[].configMap.name").optional_here().reads(Reads::All),
        secret("volumes[].secret.secretName").optional_here().reads(Reads::All),
        secret("volumes[].csi.nodePublishSecretRef.name"),
        row("volumes[].persistentVolumeClaim.claimName", PVC),
    ],
];

static TRUSTED: &[Row] = &[secret("trustedCertificates[].secretName").reads(Reads::Field("certificate"))];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[CONNECT, BRIDGE], at: &["spec.authentication"], rows: Rows::These(AUTHENTICATION) },
    Block {
        kinds: &[MIRROR],
        at: &["spec.clusters[].authentication", "spec.target.authentication", "spec.mirrors[].source.authentication"],
        rows: Rows::These(AUTHENTICATION),
    },
    Block { kinds: &[CONNECT, BRIDGE], at: &["spec.tls"], rows: Rows::These(TRUSTED) },
    Block {
        kinds: &[MIRROR],
        at: &["spec.clusters[].tls", "spec.target.tls", "spec.mirrors[].source.tls"],
        rows: Rows::These(TRUSTED),
    },
    Block {
        kinds: &[OLD_MIRROR],
        at: &["spec.consumer.authentication", "spec.producer.authentication"],
        rows: Rows::These(AUTHENTICATION),
    },
    Block { kinds: &[OLD_MIRROR], at: &["spec.consumer.tls", "spec.producer.tls"], rows: Rows::These(TRUSTED) },
    Block {
        kinds: &[KAFKA],
        at: &[
            "spec.kafka.logging",
            "spec.kafka.metricsConfig",
            "spec.zookeeper.logging",
            "spec.zookeeper.metricsConfig",
            "spec.entityOperator.topicOperator.logging",
            "spec.entityOperator.userOperator.logging",
            "spec.cruiseControl.logging",
            "spec.cruiseControl.metricsConfig",
        ],
        rows: Rows::These(VALUE),
    },
    Block {
        kinds: &[CONNECT, MIRROR, BRIDGE, OLD_MIRROR],
        at: &["spec.logging", "spec.metricsConfig"],
        rows: Rows::These(VALUE),
    },
    Block {
        kinds: &[KAFKA],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.cruiseControl.apiUsers.valueFrom.secretKeyRef.name").reads(Reads::Field("key")),
            secret("spec.kafka.listeners[].configuration.brokerCertChainAndKey.secretName")
                .reads(Reads::Field("certificate")),
            secret("spec.kafka.listeners[].authentication.clientSecret.secretName").reads(Reads::Field("key")),
            secret("spec.kafka.listeners[].authentication.secrets[].secretName").reads(Reads::Field("key")),
            secret("spec.kafka.listeners[].authentication.tlsTrustedCertificates[].secretName")
                .reads(Reads::Field("certificate")),
            secret("spec.kafka.authorization.tlsTrustedCertificates[].secretName").reads(Reads::Field("certificate")),
        ]),
    },
    Block {
        kinds: &[KAFKA],
        at: &[
            "spec.kafka.template.pod",
            "spec.zookeeper.template.pod",
            "spec.entityOperator.template.pod",
            "spec.cruiseControl.template.pod",
            "spec.kafkaExporter.template.pod",
            "spec.jmxTrans.template.pod",
        ],
        rows: Rows::Parts(POD),
    },
    Block { kinds: &[CONNECT, MIRROR], at: &["spec.template.pod", "spec.template.buildPod"], rows: Rows::Parts(POD) },
    Block { kinds: &[BRIDGE, POOL, OLD_MIRROR], at: &["spec.template.pod"], rows: Rows::Parts(POD) },
    Block {
        kinds: &[KAFKA],
        at: &[
            "spec.kafka.template.kafkaContainer",
            "spec.kafka.template.initContainer",
            "spec.zookeeper.template.zookeeperContainer",
            "spec.entityOperator.template.topicOperatorContainer",
            "spec.entityOperator.template.userOperatorContainer",
            "spec.entityOperator.template.tlsSidecarContainer",
            "spec.cruiseControl.template.cruiseControlContainer",
            "spec.cruiseControl.template.tlsSidecarContainer",
            "spec.kafkaExporter.template.container",
            "spec.jmxTrans.template.container",
        ],
        rows: Rows::These(ENV),
    },
    Block {
        kinds: &[POOL],
        at: &["spec.template.kafkaContainer", "spec.template.initContainer"],
        rows: Rows::These(ENV),
    },
    Block {
        kinds: &[CONNECT, MIRROR],
        at: &[
            "spec.template.connectContainer",
            "spec.template.initContainer",
            "spec.template.buildContainer",
            "spec.externalConfiguration",
        ],
        rows: Rows::These(ENV),
    },
    Block {
        kinds: &[BRIDGE],
        at: &["spec.template.bridgeContainer", "spec.template.initContainer"],
        rows: Rows::These(ENV),
    },
    Block {
        kinds: &[CONNECT, MIRROR],
        at: ROOT,
        rows: Rows::These(&[
            config_map("spec.externalConfiguration.volumes[].configMap.name").optional_here().reads(Reads::All),
            secret("spec.externalConfiguration.volumes[].secret.secretName").optional_here().reads(Reads::All),
        ]),
    },
    Block {
        kinds: &[CONNECT],
        at: ROOT,
        rows: Rows::These(&[secret("spec.build.output.pushSecret"), secret("spec.template.buildConfig.pullSecret")]),
    },
    Block {
        kinds: &[MIRROR],
        at: &[
            "spec.mirrors[].sourceConnector",
            "spec.mirrors[].checkpointConnector",
            "spec.mirrors[].heartbeatConnector",
        ],
        rows: Rows::These(&[
            config_map("alterOffsets.fromConfigMap.name").reads(Reads::All),
            config_map("listOffsets.toConfigMap.name").unordered().outside(),
        ]),
    },
    Block { kinds: &[OLD_MIRROR], at: &["spec.template.mirrorMakerContainer"], rows: Rows::These(ENV) },
    Block {
        kinds: &[(G, "KafkaUser")],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.authentication.password.valueFrom.secretKeyRef.name").reads(Reads::Field("key"))
        ]),
    },
    Block {
        kinds: &[(G, "KafkaConnector")],
        at: ROOT,
        rows: Rows::These(&[
            config_map("spec.alterOffsets.fromConfigMap.name").reads(Reads::All),
            // the operator writes it
            config_map("spec.listOffsets.toConfigMap.name").unordered().outside(),
            row("metadata.labels.{strimzi.io/cluster}", CONNECT),
        ]),
    },
    Block {
        kinds: &[(G, "KafkaUser"), (G, "KafkaTopic"), (G, "KafkaRebalance")],
        at: ROOT,
        rows: Rows::These(&[row("metadata.labels.{strimzi.io/cluster}", KAFKA)]),
    },
    Block {
        kinds: &[POOL],
        at: ROOT,
        // neither starts without the other
        rows: Rows::These(&[row("metadata.labels.{strimzi.io/cluster}", KAFKA).unordered()]),
    },
];
