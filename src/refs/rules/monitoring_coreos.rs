//! Prometheus Operator (`monitoring.coreos.com`).

use super::pod::{ACCOUNT, CONTAINERS, INIT_CONTAINERS, PRIORITY, PULL_SECRETS, VOLUMES};
use super::shapes::CLAIM;
use crate::refs::row::{
    Block, GroupKindName, ROOT, Reads, Row, Rows, config_map, config_map_key, row, secret, secret_key, service,
};

const G: &str = "monitoring.coreos.com";

const PROMETHEUS: GroupKindName = (G, "Prometheus");
const AGENT: GroupKindName = (G, "PrometheusAgent");
const ALERTMANAGER: GroupKindName = (G, "Alertmanager");
const RULER: GroupKindName = (G, "ThanosRuler");
const CONFIG: GroupKindName = (G, "AlertmanagerConfig");
const SCRAPE_CONFIG: GroupKindName = (G, "ScrapeConfig");

/// A selector of a Secret's key, of the core API.
const fn key(path: &'static str) -> Row {
    secret_key(path).optional_here()
}

/// A selector of a ConfigMap's key, of the core API.
const fn config_key(path: &'static str) -> Row {
    config_map_key(path).optional_here()
}

/// A client's TLS.
static TLS: &[Row] = &[
    key("ca.secret.name"),
    config_key("ca.configMap.name"),
    key("cert.secret.name"),
    config_key("cert.configMap.name"),
    key("keySecret.name"),
];

/// A server's TLS.
static SERVER_TLS: &[Row] = &[
    key("client_ca.secret.name"),
    config_key("client_ca.configMap.name"),
    key("cert.secret.name"),
    config_key("cert.configMap.name"),
    key("keySecret.name"),
];

static BASIC_AUTH: &[Row] = &[key("username.name"), key("password.name")];
static AUTHORIZATION: &[Row] = &[key("credentials.name")];
static OAUTH2: &[Row] = &[key("clientId.secret.name"), config_key("clientId.configMap.name"), key("clientSecret.name")];
static TOKEN: &[Row] = &[key("bearerTokenSecret.name")];
static SIGV4: &[Row] = &[key("accessKey.name"), key("secretKey.name")];

/// Blocks of a client's configuration, at places in some kinds.
macro_rules! client {
    ($kinds:expr; $($at:literal),+) => {
        [
            Block { kinds: $kinds, at: &[$(concat!($at, ".basicAuth")),+], rows: Rows::These(BASIC_AUTH) },
            Block { kinds: $kinds, at: &[$(concat!($at, ".authorization")),+], rows: Rows::These(AUTHORIZATION) },
            Block { kinds: $kinds, at: &[$(concat!($at, ".oauth2")),+], rows: Rows::These(OAUTH2) },
            Block {
                kinds: $kinds,
                at: &[$(concat!($at, ".oauth2.tlsConfig"), concat!($at, ".tlsConfig")),+],
                rows: Rows::These(TLS),
            },
        ]
    };
}

pub(super) static SCRAPES: &[Block] = &client!(&[(G, "ServiceMonitor")]; "spec.endpoints[]");
pub(super) static POD_SCRAPES: &[Block] = &client!(&[(G, "PodMonitor")]; "spec.podMetricsEndpoints[]");
pub(super) static PROBES: &[Block] = &client!(&[(G, "Probe")]; "spec");
pub(super) static REMOTE_WRITES: &[Block] = &client!(&[PROMETHEUS, AGENT, RULER]; "spec.remoteWrite[]");
pub(super) static REMOTE_READS: &[Block] = &client!(&[PROMETHEUS]; "spec.remoteRead[]");
pub(super) static GLOBAL_RECEIVERS: &[Block] =
    &client!(&[ALERTMANAGER]; "spec.alertmanagerConfiguration.global.httpConfig");
pub(super) static RECEIVERS: &[Block] = &client!(
    &[CONFIG];
    "spec.receivers[].discordConfigs[].httpConfig",
    "spec.receivers[].msteamsConfigs[].httpConfig",
    "spec.receivers[].msteamsv2Configs[].httpConfig",
    "spec.receivers[].opsgenieConfigs[].httpConfig",
    "spec.receivers[].pagerdutyConfigs[].httpConfig",
    "spec.receivers[].pushoverConfigs[].httpConfig",
    "spec.receivers[].rocketchatConfigs[].httpConfig",
    "spec.receivers[].slackConfigs[].httpConfig",
    "spec.receivers[].snsConfigs[].httpConfig",
    "spec.receivers[].telegramConfigs[].httpConfig",
    "spec.receivers[].victoropsConfigs[].httpConfig",
    "spec.receivers[].webexConfigs[].httpConfig",
    "spec.receivers[].webhookConfigs[].httpConfig",
    "spec.receivers[].wechatConfigs[].httpConfig"
);
pub(super) static DISCOVERY: &[Block] = &client!(
    &[SCRAPE_CONFIG];
    "spec",
    "spec.azureSDConfigs[]",
    "spec.consulSDConfigs[]",
    "spec.dockerSDConfigs[]",
    "spec.dockerSwarmSDConfigs[]",
    "spec.eurekaSDConfigs[]",
    "spec.hetznerSDConfigs[]",
    "spec.httpSDConfigs[]",
    "spec.kubernetesSDConfigs[]",
    "spec.kumaSDConfigs[]",
    "spec.lightSailSDConfigs[]",
    "spec.nomadSDConfigs[]",
    "spec.puppetDBSDConfigs[]"
);

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[PROMETHEUS, AGENT, ALERTMANAGER, RULER],
        at: &["spec"],
        rows: Rows::Parts(&[INIT_CONTAINERS, CONTAINERS, VOLUMES, PULL_SECRETS, ACCOUNT, PRIORITY]),
    },
    Block {
        kinds: &[PROMETHEUS, AGENT, ALERTMANAGER, RULER],
        at: &["spec.storage.volumeClaimTemplate.spec", "spec.storage.ephemeral.volumeClaimTemplate.spec"],
        rows: Rows::These(CLAIM),
    },
    Block {
        kinds: &[PROMETHEUS, AGENT, ALERTMANAGER, RULER],
        at: &["spec.web.tlsConfig"],
        rows: Rows::These(SERVER_TLS),
    },
    Block {
        kinds: &[PROMETHEUS, AGENT, ALERTMANAGER],
        at: ROOT,
        // mounted into the pods
        rows: Rows::These(&[
            secret("spec.secrets[]").reads(Reads::All),
            config_map("spec.configMaps[]").reads(Reads::All),
        ]),
    },
    Block {
        kinds: &[PROMETHEUS, AGENT, ALERTMANAGER, RULER],
        at: ROOT,
        rows: Rows::These(&[service("spec.serviceName")]),
    },
    Block { kinds: &[PROMETHEUS, AGENT], at: ROOT, rows: Rows::These(&[key("spec.additionalScrapeConfigs.name")]) },
    Block {
        kinds: &[PROMETHEUS],
        at: ROOT,
        rows: Rows::These(&[
            key("spec.additionalAlertRelabelConfigs.name"),
            key("spec.additionalAlertManagerConfigs.name"),
            key("spec.thanos.objectStorageConfig.name"),
            key("spec.thanos.tracingConfig.name"),
            // often another installation's, or the one that the operator makes for an Alertmanager
            service("spec.alerting.alertmanagers[].name").with_namespace().outside(),
        ]),
    },
    Block {
        kinds: &[PROMETHEUS],
        at: &["spec.thanos.grpcServerTlsConfig", "spec.alerting.alertmanagers[].tlsConfig"],
        rows: Rows::These(TLS),
    },
    Block {
        kinds: &[PROMETHEUS, AGENT],
        at: &["spec.apiserverConfig.tlsConfig", "spec.tracingConfig.tlsConfig", "spec.scrapeClasses[].tlsConfig"],
        rows: Rows::These(TLS),
    },
    Block {
        kinds: &[PROMETHEUS, AGENT],
        at: &["spec.apiserverConfig.authorization", "spec.scrapeClasses[].authorization"],
        rows: Rows::These(AUTHORIZATION),
    },
    Block { kinds: &[PROMETHEUS, AGENT], at: &["spec.apiserverConfig.basicAuth"], rows: Rows::These(BASIC_AUTH) },
    Block {
        kinds: &[PROMETHEUS],
        at: &["spec.alerting.alertmanagers[].authorization"],
        rows: Rows::These(AUTHORIZATION),
    },
    Block { kinds: &[PROMETHEUS], at: &["spec.alerting.alertmanagers[].basicAuth"], rows: Rows::These(BASIC_AUTH) },
    Block { kinds: &[PROMETHEUS], at: &["spec.alerting.alertmanagers[].sigv4"], rows: Rows::These(SIGV4) },
    Block {
        kinds: &[PROMETHEUS, AGENT, RULER],
        at: &["spec.remoteWrite[]"],
        rows: Rows::These(&[
            key("sigv4.accessKey.name"),
            key("sigv4.secretKey.name"),
            key("azureAd.oauth.clientSecret.name"),
        ]),
    },
    Block {
        kinds: &[RULER],
        at: ROOT,
        rows: Rows::These(&[
            key("spec.queryConfig.name"),
            key("spec.objectStorageConfig.name"),
            key("spec.alertmanagersConfig.name"),
            key("spec.alertRelabelConfigs.name"),
            key("spec.tracingConfig.name"),
        ]),
    },
    Block { kinds: &[RULER], at: &["spec.grpcServerTlsConfig"], rows: Rows::These(TLS) },
    Block {
        kinds: &[ALERTMANAGER],
        at: ROOT,
        rows: Rows::These(&[
            // the operator starts with an empty configuration where it is not there
            secret("spec.configSecret").reads(Reads::All),
            row("spec.alertmanagerConfiguration.name", CONFIG),
            key("spec.alertmanagerConfiguration.templates[].secret.name"),
            config_key("spec.alertmanagerConfiguration.templates[].configMap.name"),
            key("spec.alertmanagerConfiguration.global.opsGenieApiKey.name"),
            key("spec.alertmanagerConfiguration.global.opsGenieApiUrl.name"),
            key("spec.alertmanagerConfiguration.global.slackApiUrl.name"),
            key("spec.alertmanagerConfiguration.global.smtp.authPassword.name"),
            key("spec.alertmanagerConfiguration.global.smtp.authSecret.name"),
            key("spec.alertmanagerConfiguration.global.rocketChat.token.name"),
            key("spec.alertmanagerConfiguration.global.rocketChat.tokenID.name"),
            key("spec.alertmanagerConfiguration.global.victorops.apiKey.name"),
            key("spec.alertmanagerConfiguration.global.wechat.apiSecret.name"),
        ]),
    },
    Block {
        kinds: &[ALERTMANAGER],
        at: &["spec.alertmanagerConfiguration.global.smtp.tlsConfig", "spec.clusterTLS.client"],
        rows: Rows::These(TLS),
    },
    Block { kinds: &[ALERTMANAGER], at: &["spec.clusterTLS.server"], rows: Rows::These(SERVER_TLS) },
    Block {
        kinds: &[CONFIG],
        at: &["spec.receivers[]"],
        rows: Rows::These(&[
            key("discordConfigs[].apiURL.name"),
            key("emailConfigs[].authPassword.name"),
            key("emailConfigs[].authSecret.name"),
            key("msteamsConfigs[].webhookUrl.name"),
            key("msteamsv2Configs[].webhookURL.name"),
            key("opsgenieConfigs[].apiKey.name"),
            key("pagerdutyConfigs[].routingKey.name"),
            key("pagerdutyConfigs[].serviceKey.name"),
            key("pushoverConfigs[].token.name"),
            key("pushoverConfigs[].userKey.name"),
            key("rocketchatConfigs[].token.name"),
            key("rocketchatConfigs[].tokenID.name"),
            key("slackConfigs[].apiURL.name"),
            key("snsConfigs[].sigv4.accessKey.name"),
            key("snsConfigs[].sigv4.secretKey.name"),
            key("telegramConfigs[].botToken.name"),
            key("victoropsConfigs[].apiKey.name"),
            key("webhookConfigs[].urlSecret.name"),
            key("wechatConfigs[].apiSecret.name"),
        ]),
    },
    Block { kinds: &[CONFIG], at: &["spec.receivers[].emailConfigs[].tlsConfig"], rows: Rows::These(TLS) },
    Block { kinds: &[(G, "ServiceMonitor")], at: &["spec.endpoints[]"], rows: Rows::These(TOKEN) },
    Block { kinds: &[(G, "PodMonitor")], at: &["spec.podMetricsEndpoints[]"], rows: Rows::These(TOKEN) },
    Block { kinds: &[(G, "Probe")], at: &["spec"], rows: Rows::These(TOKEN) },
    Block {
        kinds: &[CONFIG],
        at: &[
            "spec.receivers[].discordConfigs[].httpConfig",
            "spec.receivers[].msteamsConfigs[].httpConfig",
            "spec.receivers[].msteamsv2Configs[].httpConfig",
            "spec.receivers[].opsgenieConfigs[].httpConfig",
            "spec.receivers[].pagerdutyConfigs[].httpConfig",
            "spec.receivers[].pushoverConfigs[].httpConfig",
            "spec.receivers[].rocketchatConfigs[].httpConfig",
            "spec.receivers[].slackConfigs[].httpConfig",
            "spec.receivers[].snsConfigs[].httpConfig",
            "spec.receivers[].telegramConfigs[].httpConfig",
            "spec.receivers[].victoropsConfigs[].httpConfig",
            "spec.receivers[].webexConfigs[].httpConfig",
            "spec.receivers[].webhookConfigs[].httpConfig",
            "spec.receivers[].wechatConfigs[].httpConfig",
        ],
        rows: Rows::These(TOKEN),
    },
    Block {
        kinds: &[ALERTMANAGER],
        at: &["spec.alertmanagerConfiguration.global.httpConfig"],
        rows: Rows::These(TOKEN),
    },
    Block {
        kinds: &[SCRAPE_CONFIG],
        at: ROOT,
        rows: Rows::These(&[
            key("spec.azureSDConfigs[].clientSecret.name"),
            key("spec.consulSDConfigs[].tokenRef.name"),
            key("spec.ec2SDConfigs[].accessKey.name"),
            key("spec.ec2SDConfigs[].secretKey.name"),
            key("spec.lightSailSDConfigs[].accessKey.name"),
            key("spec.lightSailSDConfigs[].secretKey.name"),
            key("spec.openstackSDConfigs[].applicationCredentialSecret.name"),
            key("spec.openstackSDConfigs[].password.name"),
            key("spec.ovhcloudSDConfigs[].applicationSecret.name"),
            key("spec.ovhcloudSDConfigs[].consumerKey.name"),
            key("spec.scalewaySDConfigs[].secretKey.name"),
        ]),
    },
    // these know no basicAuth, or no more than TLS
    Block {
        kinds: &[SCRAPE_CONFIG],
        at: &[
            "spec.digitalOceanSDConfigs[].authorization",
            "spec.ionosSDConfigs[].authorization",
            "spec.linodeSDConfigs[].authorization",
        ],
        rows: Rows::These(AUTHORIZATION),
    },
    Block {
        kinds: &[SCRAPE_CONFIG],
        at: &["spec.digitalOceanSDConfigs[].oauth2", "spec.ionosSDConfigs[].oauth2", "spec.linodeSDConfigs[].oauth2"],
        rows: Rows::These(OAUTH2),
    },
    Block {
        kinds: &[SCRAPE_CONFIG],
        at: &[
            "spec.digitalOceanSDConfigs[].oauth2.tlsConfig",
            "spec.digitalOceanSDConfigs[].tlsConfig",
            "spec.ionosSDConfigs[].oauth2.tlsConfig",
            "spec.ionosSDConfigs[].tlsConfig",
            "spec.linodeSDConfigs[].oauth2.tlsConfig",
            "spec.linodeSDConfigs[].tlsConfig",
            "spec.ec2SDConfigs[].tlsConfig",
            "spec.openstackSDConfigs[].tlsConfig",
            "spec.scalewaySDConfigs[].tlsConfig",
        ],
        rows: Rows::These(TLS),
    },
];
