//! KEDA (`keda.sh`, `http.keda.sh`, `eventing.keda.sh`).

use crate::refs::row::kinds::DEPLOYMENT;
use crate::refs::row::{Block, ROOT, Row, Rows, account, by_field, config_map_key, named_or, secret_key, service};

const G: &str = "keda.sh";
const EVENTING: &str = "eventing.keda.sh";

const fn authentication(path: &'static str) -> Row {
    const KINDS: &[(&str, (&str, &str))] = &[
        ("TriggerAuthentication", (G, "TriggerAuthentication")),
        ("ClusterTriggerAuthentication", (G, "ClusterTriggerAuthentication")),
    ];
    by_field(path, "kind", KINDS)
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(G, "ScaledObject")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.scaleTargetRef.name", DEPLOYMENT),
            authentication("spec.triggers[].authenticationRef.name"),
        ]),
    },
    Block {
        kinds: &[(G, "ScaledJob")],
        at: ROOT,
        rows: Rows::These(&[authentication("spec.triggers[].authenticationRef.name")]),
    },
    Block { kinds: &[(G, "ScaledJob")], at: &["spec.jobTargetRef.template.spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[(G, "TriggerAuthentication"), (G, "ClusterTriggerAuthentication")],
        at: &["spec"],
        // those of the cluster are looked for in the namespace of the operator
        rows: Rows::These(&[
            secret_key("secretTargetRef[].name"),
            config_map_key("configMapTargetRef[].name"),
            secret_key("awsSecretManager.credentials.accessKey.valueFrom.secretKeyRef.name"),
            secret_key("awsSecretManager.credentials.accessSecretKey.valueFrom.secretKeyRef.name"),
            secret_key("awsSecretManager.credentials.accessToken.valueFrom.secretKeyRef.name"),
            secret_key("azureKeyVault.credentials.clientSecret.valueFrom.secretKeyRef.name"),
            secret_key("gcpSecretManager.credentials.clientSecret.valueFrom.secretKeyRef.name"),
            account("boundServiceAccountToken[].serviceAccountName"),
            account("hashiCorpVault.credential.serviceAccount"),
        ]),
    },
    Block {
        kinds: &[(EVENTING, "CloudEventSource"), (EVENTING, "ClusterCloudEventSource")],
        at: ROOT,
        rows: Rows::These(&[authentication("spec.authenticationRef.name")]),
    },
    Block {
        kinds: &[("http.keda.sh", "HTTPScaledObject")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.scaleTargetRef.name", DEPLOYMENT), service("spec.scaleTargetRef.service")]),
    },
];
