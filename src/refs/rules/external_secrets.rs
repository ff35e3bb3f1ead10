//! External Secrets Operator (`external-secrets.io`, `generators.external-secrets.io`).

use crate::refs::row::kinds::{CONFIG_MAP, SECRET};
use crate::refs::row::{
    Block, GroupKindName, Reads, Row, Rows, account, by_field, config_map, named_or, secret, secret_key,
};

const G: &str = "external-secrets.io";
const GENERATORS: &str = "generators.external-secrets.io";

const STORE: GroupKindName = (G, "SecretStore");
const CLUSTER_STORE: GroupKindName = (G, "ClusterSecretStore");

/// A key of a Secret. Only cluster-scoped kinds may name another namespace.
const fn key(path: &'static str) -> Row {
    secret_key(path).with_namespace()
}

/// The ServiceAccount that logs in.
const fn acting(path: &'static str) -> Row {
    account(path).with_namespace()
}

/// A bundle of certificates.
const fn authority(path: &'static str) -> Row {
    by_field(path, "type", &[("Secret", SECRET), ("ConfigMap", CONFIG_MAP)]).reads(Reads::Field("key")).with_namespace()
}

const fn store(path: &'static str) -> Row {
    by_field(path, "kind", &[("SecretStore", STORE), ("ClusterSecretStore", CLUSTER_STORE)])
}

/// The kind is always written.
const fn generator(path: &'static str) -> Row {
    named_or(path, (GENERATORS, "ClusterGenerator"))
}

/// The spec of an ExternalSecret.
static EXTERNAL_SECRET: &[Row] = &[
    store("secretStoreRef.name"),
    store("data[].sourceRef.storeRef.name"),
    store("dataFrom[].sourceRef.storeRef.name"),
    generator("data[].sourceRef.generatorRef.name"),
    generator("dataFrom[].sourceRef.generatorRef.name"),
    config_map("target.template.templateFrom[].configMap.name").reads(Reads::All),
    secret("target.template.templateFrom[].secret.name").reads(Reads::All),
];

/// The spec of a PushSecret.
static PUSH_SECRET: &[Row] = &[
    store("secretStoreRefs[].name"),
    store("dataTo[].storeRef.name"),
    generator("selector.generatorRef.name"),
    secret("selector.secret.name").reads(Reads::All),
    config_map("template.templateFrom[].configMap.name").reads(Reads::All),
    secret("template.templateFrom[].secret.name").reads(Reads::All),
];

/// The providers of a store, but for Vault.
static PROVIDERS: &[Row] = &[
    key("akeyless.authSecretRef.kubernetesAuth.secretRef.name"),
    acting("akeyless.authSecretRef.kubernetesAuth.serviceAccountRef.name"),
    key("akeyless.authSecretRef.secretRef.accessID.name"),
    key("akeyless.authSecretRef.secretRef.accessType.name"),
    key("akeyless.authSecretRef.secretRef.accessTypeParam.name"),
    authority("akeyless.caProvider.name"),
    key("alibaba.auth.secretRef.accessKeyIDSecretRef.name"),
    key("alibaba.auth.secretRef.accessKeySecretSecretRef.name"),
    acting("aws.auth.jwt.serviceAccountRef.name"),
    key("aws.auth.secretRef.accessKeyIDSecretRef.name"),
    key("aws.auth.secretRef.secretAccessKeySecretRef.name"),
    key("aws.auth.secretRef.sessionTokenSecretRef.name"),
    key("azurekv.authSecretRef.clientCertificate.name"),
    key("azurekv.authSecretRef.clientId.name"),
    key("azurekv.authSecretRef.clientSecret.name"),
    key("azurekv.authSecretRef.tenantId.name"),
    acting("azurekv.serviceAccountRef.name"),
    key("barbican.auth.password.secretRef.name"),
    key("barbican.auth.username.secretRef.name"),
    key("beyondtrust.auth.apiKey.secretRef.name"),
    key("beyondtrust.auth.certificate.secretRef.name"),
    key("beyondtrust.auth.certificateKey.secretRef.name"),
    key("beyondtrust.auth.clientId.secretRef.name"),
    key("beyondtrust.auth.clientSecret.secretRef.name"),
    key("bitwardensecretsmanager.auth.secretRef.credentials.name"),
    authority("bitwardensecretsmanager.caProvider.name"),
    key("chef.auth.secretRef.privateKeySecretRef.name"),
    key("cloudrusm.auth.secretRef.accessKeyIDSecretRef.name"),
    key("cloudrusm.auth.secretRef.accessKeySecretSecretRef.name"),
    key("conjur.auth.apikey.apiKeyRef.name"),
    key("conjur.auth.apikey.userRef.name"),
    key("conjur.auth.jwt.secretRef.name"),
    acting("conjur.auth.jwt.serviceAccountRef.name"),
    authority("conjur.caProvider.name"),
    key("delinea.clientId.secretRef.name"),
    key("delinea.clientSecret.secretRef.name"),
    key("device42.auth.secretRef.credentials.name"),
    acting("doppler.auth.oidcConfig.serviceAccountRef.name"),
    key("doppler.auth.secretRef.dopplerToken.name"),
    key("dvls.auth.secretRef.appId.name"),
    key("dvls.auth.secretRef.appSecret.name"),
    key("fortanix.apiKey.secretRef.name"),
    key("gcpsm.auth.secretRef.secretAccessKeySecretRef.name"),
    acting("gcpsm.auth.workloadIdentity.serviceAccountRef.name"),
    secret("gcpsm.auth.workloadIdentityFederation.awsSecurityCredentials.awsCredentialsSecretRef.name")
        .with_namespace(),
    config_map("gcpsm.auth.workloadIdentityFederation.credConfig.name").reads(Reads::Field("key")).with_namespace(),
    acting("gcpsm.auth.workloadIdentityFederation.serviceAccountRef.name"),
    key("github.auth.privateKey.name"),
    key("gitlab.auth.SecretRef.accessToken.name"),
    authority("gitlab.caProvider.name"),
    key("ibm.auth.secretRef.secretApiKeySecretRef.name"),
    key("infisical.auth.awsAuthCredentials.identityId.name"),
    key("infisical.auth.azureAuthCredentials.identityId.name"),
    key("infisical.auth.azureAuthCredentials.resource.name"),
    key("infisical.auth.gcpIamAuthCredentials.identityId.name"),
    key("infisical.auth.gcpIamAuthCredentials.serviceAccountKeyFilePath.name"),
    key("infisical.auth.gcpIdTokenAuthCredentials.identityId.name"),
    key("infisical.auth.jwtAuthCredentials.identityId.name"),
    key("infisical.auth.jwtAuthCredentials.jwt.name"),
    key("infisical.auth.kubernetesAuthCredentials.identityId.name"),
    key("infisical.auth.kubernetesAuthCredentials.serviceAccountTokenPath.name"),
    key("infisical.auth.ldapAuthCredentials.identityId.name"),
    key("infisical.auth.ldapAuthCredentials.ldapPassword.name"),
    key("infisical.auth.ldapAuthCredentials.ldapUsername.name"),
    key("infisical.auth.ociAuthCredentials.fingerprint.name"),
    key("infisical.auth.ociAuthCredentials.identityId.name"),
    key("infisical.auth.ociAuthCredentials.privateKey.name"),
    key("infisical.auth.ociAuthCredentials.privateKeyPassphrase.name"),
    key("infisical.auth.ociAuthCredentials.region.name"),
    key("infisical.auth.ociAuthCredentials.tenancyId.name"),
    key("infisical.auth.ociAuthCredentials.userId.name"),
    key("infisical.auth.tokenAuthCredentials.accessToken.name"),
    key("infisical.auth.universalAuthCredentials.clientId.name"),
    key("infisical.auth.universalAuthCredentials.clientSecret.name"),
    authority("infisical.caProvider.name"),
    key("keepersecurity.authRef.name"),
    key("kubernetes.auth.cert.clientCert.name"),
    key("kubernetes.auth.cert.clientKey.name"),
    acting("kubernetes.auth.serviceAccount.name"),
    acting("kubernetes.auth.serviceAccount.serviceAccount.name"),
    key("kubernetes.auth.token.bearerToken.name"),
    key("kubernetes.authRef.name"),
    authority("kubernetes.server.caProvider.name"),
    key("nebiusmysterybox.auth.serviceAccountCredsSecretRef.name"),
    key("nebiusmysterybox.auth.tokenSecretRef.name"),
    key("nebiusmysterybox.caProvider.certSecretRef.name"),
    key("ngrok.auth.apiKey.secretRef.name"),
    key("onboardbase.auth.apiKeyRef.name"),
    key("onboardbase.auth.passcodeRef.name"),
    key("onepassword.auth.secretRef.connectTokenSecretRef.name"),
    key("onepasswordSDK.auth.serviceAccountSecretRef.name"),
    key("oracle.auth.secretRef.fingerprint.name"),
    key("oracle.auth.secretRef.privatekey.name"),
    acting("oracle.serviceAccountRef.name"),
    authority("ovh.auth.mtls.caProvider.name"),
    key("ovh.auth.mtls.certSecretRef.name"),
    key("ovh.auth.mtls.keySecretRef.name"),
    key("ovh.auth.token.tokenSecretRef.name"),
    key("passbolt.auth.passwordSecretRef.name"),
    key("passbolt.auth.privateKeySecretRef.name"),
    authority("passbolt.caProvider.name"),
    key("passworddepot.auth.secretRef.credentials.name"),
    key("previder.auth.secretRef.accessToken.name"),
    key("pulumi.accessToken.secretRef.name"),
    key("pulumi.auth.accessToken.secretRef.name"),
    acting("pulumi.auth.oidcConfig.serviceAccountRef.name"),
    key("scaleway.accessKey.secretRef.name"),
    key("scaleway.secretKey.secretRef.name"),
    authority("secretserver.caProvider.name"),
    key("secretserver.password.secretRef.name"),
    key("secretserver.username.secretRef.name"),
    key("senhasegura.auth.clientSecretSecretRef.name"),
    key("volcengine.auth.secretRef.accessKeyID.name"),
    key("volcengine.auth.secretRef.secretAccessKey.name"),
    key("volcengine.auth.secretRef.token.name"),
    key("webhook.auth.ntlm.passwordSecret.name"),
    key("webhook.auth.ntlm.usernameSecret.name"),
    authority("webhook.caProvider.name"),
    key("webhook.secrets[].secretRef.name"),
    key("yandexcertificatemanager.auth.authorizedKeySecretRef.name"),
    key("yandexcertificatemanager.caProvider.certSecretRef.name"),
    key("yandexlockbox.auth.authorizedKeySecretRef.name"),
    key("yandexlockbox.caProvider.certSecretRef.name"),
];

/// Vault, as a store and as a generator.
static VAULT: &[Row] = &[
    key("auth.appRole.roleRef.name"),
    key("auth.appRole.secretRef.name"),
    key("auth.cert.clientCert.name"),
    key("auth.cert.secretRef.name"),
    key("auth.gcp.secretRef.secretAccessKeySecretRef.name"),
    acting("auth.gcp.serviceAccountRef.name"),
    acting("auth.gcp.workloadIdentity.serviceAccountRef.name"),
    acting("auth.iam.jwt.serviceAccountRef.name"),
    key("auth.iam.secretRef.accessKeyIDSecretRef.name"),
    key("auth.iam.secretRef.secretAccessKeySecretRef.name"),
    key("auth.iam.secretRef.sessionTokenSecretRef.name"),
    acting("auth.jwt.kubernetesServiceAccountToken.serviceAccountRef.name"),
    key("auth.jwt.secretRef.name"),
    key("auth.kubernetes.secretRef.name"),
    acting("auth.kubernetes.serviceAccountRef.name"),
    key("auth.ldap.secretRef.name"),
    key("auth.tokenSecretRef.name"),
    key("auth.userPass.secretRef.name"),
    authority("caProvider.name"),
    key("tls.certSecretRef.name"),
    key("tls.keySecretRef.name"),
];

static ACR: &[Row] = &[
    key("auth.servicePrincipal.secretRef.clientId.name"),
    key("auth.servicePrincipal.secretRef.clientSecret.name"),
    acting("auth.workloadIdentity.serviceAccountRef.name"),
];

static ACCOUNT: &[Row] = &[acting("serviceAccountRef.name")];

static AWS: &[Row] = &[
    acting("auth.jwt.serviceAccountRef.name"),
    key("auth.secretRef.accessKeyIDSecretRef.name"),
    key("auth.secretRef.secretAccessKeySecretRef.name"),
    key("auth.secretRef.sessionTokenSecretRef.name"),
];

static GCR: &[Row] = &[
    key("auth.secretRef.secretAccessKeySecretRef.name"),
    acting("auth.workloadIdentity.serviceAccountRef.name"),
    secret("auth.workloadIdentityFederation.awsSecurityCredentials.awsCredentialsSecretRef.name").with_namespace(),
    config_map("auth.workloadIdentityFederation.credConfig.name").reads(Reads::Field("key")).with_namespace(),
    acting("auth.workloadIdentityFederation.serviceAccountRef.name"),
];

static GITHUB: &[Row] = &[key("auth.privateKey.secretRef.name")];

static GRAFANA: &[Row] = &[secret_key("auth.basic.password.name"), secret_key("auth.token.name")];

static MFA: &[Row] = &[key("secret.name")];

static WEBHOOK: &[Row] = &[
    key("auth.ntlm.usernameSecret.name"),
    key("auth.ntlm.passwordSecret.name"),
    authority("caProvider.name"),
    secret_key("secrets[].secretRef.name"),
];

/// A generator: its kind, and where its spec stands in a ClusterGenerator.
macro_rules! generator {
    ($kind:literal, $at:literal, $rows:expr) => {
        [
            Block { kinds: &[(GENERATORS, $kind)], at: &["spec"], rows: Rows::These($rows) },
            Block {
                kinds: &[(GENERATORS, "ClusterGenerator")],
                at: &[concat!("spec.generator.", $at)],
                rows: Rows::These($rows),
            },
        ]
    };
}

pub(super) static GENERATED: &[[Block; 2]] = &[
    generator!("ACRAccessToken", "acrAccessTokenSpec", ACR),
    generator!("CloudsmithAccessToken", "cloudsmithAccessTokenSpec", ACCOUNT),
    generator!("ECRAuthorizationToken", "ecrAuthorizationTokenSpec", AWS),
    generator!("GCRAccessToken", "gcrAccessTokenSpec", GCR),
    generator!("GithubAccessToken", "githubAccessTokenSpec", GITHUB),
    generator!("Grafana", "grafanaSpec", GRAFANA),
    generator!("MFA", "mfaSpec", MFA),
    generator!("QuayAccessToken", "quayAccessTokenSpec", ACCOUNT),
    generator!("STSSessionToken", "stsSessionTokenSpec", AWS),
    generator!("Webhook", "webhookSpec", WEBHOOK),
];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[(G, "ExternalSecret")], at: &["spec"], rows: Rows::These(EXTERNAL_SECRET) },
    Block {
        kinds: &[(G, "ClusterExternalSecret")],
        at: &["spec.externalSecretSpec"],
        rows: Rows::These(EXTERNAL_SECRET),
    },
    Block { kinds: &[(G, "PushSecret")], at: &["spec"], rows: Rows::These(PUSH_SECRET) },
    Block { kinds: &[(G, "ClusterPushSecret")], at: &["spec.pushSecretSpec"], rows: Rows::These(PUSH_SECRET) },
    Block { kinds: &[STORE, CLUSTER_STORE], at: &["spec.provider"], rows: Rows::These(PROVIDERS) },
    Block { kinds: &[STORE, CLUSTER_STORE], at: &["spec.provider.vault"], rows: Rows::These(VAULT) },
    Block { kinds: &[(GENERATORS, "VaultDynamicSecret")], at: &["spec.provider"], rows: Rows::These(VAULT) },
    Block {
        kinds: &[(GENERATORS, "ClusterGenerator")],
        at: &["spec.generator.vaultDynamicSecretSpec.provider"],
        rows: Rows::These(VAULT),
    },
];
