//! Other operators and drivers that bring secrets from where they are kept, or make them up.

use super::Special;
use super::makes::{KeysOf, Maker, Row, keys_of, makes, text, texts};
use crate::flow::{Product, ProductKeys};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{CONFIG_MAP, SECRET};
use crate::tree::Node;

const AKV2K8S: GroupKindName = ("spv.no", "AzureKeyVaultSecret");
const CSI: GroupKindName = ("secrets-store.csi.x-k8s.io", "SecretProviderClass");
const INFISICAL: GroupKindName = ("secrets.infisical.com", "InfisicalSecret");
const INFISICAL_STATIC: GroupKindName = ("secrets.infisical.com", "InfisicalStaticSecret");
const INFISICAL_DYNAMIC: GroupKindName = ("secrets.infisical.com", "InfisicalDynamicSecret");

/// A kind of secretgen-controller.
const fn secretgen(kind: &'static str) -> Row {
    makes(("secretgen.k14s.io", kind), SECRET)
}

/// A kind of mittwald's secret generator.
const fn generated(kind: &'static str) -> Row {
    makes(("secretgenerator.mittwald.de", kind), SECRET)
}

fn is_secret(target: &Node<'_>) -> bool {
    text(target, "kind") == Some("Secret")
}

fn is_config_map(target: &Node<'_>) -> bool {
    text(target, "kind") == Some("ConfigMap")
}

pub(super) static ROWS: &[Row] = &[
    // the driver makes the Secret when a pod mounts the class
    makes(CSI, SECRET)
        .at("spec.secretObjects[]", "secretName")
        .keys(KeysOf::Of(|object| ProductKeys::Exactly(texts(object.get("data"), "key")))),
    makes(("onepassword.com", "OnePasswordItem"), SECRET),
    makes(INFISICAL, SECRET).at("spec.managedSecretReference", "secretName").namespace("secretNamespace"),
    makes(INFISICAL, SECRET).at("spec.managedKubeSecretReferences[]", "secretName").namespace("secretNamespace"),
    makes(INFISICAL, CONFIG_MAP)
        .at("spec.managedKubeConfigMapReferences[]", "configMapName")
        .namespace("configMapNamespace"),
    makes(INFISICAL_DYNAMIC, SECRET).at("spec.managedSecretReference", "secretName").namespace("secretNamespace"),
    makes(INFISICAL_STATIC, SECRET).at("spec.targets[]", "name").namespace("namespace").when(is_secret),
    makes(INFISICAL_STATIC, CONFIG_MAP).at("spec.targets[]", "name").namespace("namespace").when(is_config_map),
    makes(("secrets.doppler.com", "DopplerSecret"), SECRET).at("spec.managedSecret", "name").namespace("namespace"),
    makes(("k8s.bitwarden.com", "BitwardenSecret"), SECRET).at("spec", "secretName"),
    makes(("secrets-manager.tuenti.io", "SecretDefinition"), SECRET).at("spec", "name"),
    makes(AKV2K8S, SECRET).at("spec.output.secret", "name"),
    makes(AKV2K8S, CONFIG_MAP).at("spec.output.configMap", "name"),
    makes(("isindir.github.com", "SopsSecret"), SECRET).at("spec.secretTemplates[]", "name").keys(KeysOf::Of(
        |template| ProductKeys::Exactly([keys_of(template.get("data")), keys_of(template.get("stringData"))].concat()),
    )),
    makes(("craftypath.github.io", "SopsSecret"), SECRET),
    generated("BasicAuth").keys(KeysOf::AtLeast(&["username", "password", "auth"])),
    generated("SSHKeyPair").keys(KeysOf::AtLeast(&["ssh-publickey", "ssh-privatekey"])),
    generated("StringSecret"),
    secretgen("Certificate"),
    secretgen("Password"),
    secretgen("RSAKey"),
    secretgen("SSHKey"),
    makes(("secretgen.carvel.dev", "SecretImport"), SECRET),
    makes(("secretgen.carvel.dev", "SecretTemplate"), SECRET),
];

/// OpenShift's service CA makes the Secret that an annotation of a Service names.
pub(super) static SPECIAL: &[Special] = &[("", "Service", serving_certificate)];

const SERVING: [&str; 2] =
    ["service.beta.openshift.io/serving-cert-secret-name", "service.alpha.openshift.io/serving-cert-secret-name"];

fn serving_certificate(maker: &Maker<'_>) -> Vec<Product> {
    let names = SERVING.iter().filter_map(|name| maker.object.annotation(name));
    let keys = || ProductKeys::AtLeast(vec!["tls.crt".into(), "tls.key".into()]);
    names.map(|name| maker.secret(name, keys())).collect()
}
