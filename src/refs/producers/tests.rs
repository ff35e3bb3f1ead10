use super::*;
use crate::config::Settings;
use crate::flow::{ProductKeys, Reach};
use crate::source::{SourceFile, SourceMap};

/// What the objects of a text make: `KIND NAMESPACE/NAME KEYS`, `=` before all keys, `>` before some,
/// `?` where none is known, `~` where it is only written into.
fn made(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut found = Default::default();
    let loaded = crate::load::objects(&sources, &Settings::default(), &mut found);
    assert_eq!(found.sorted().len(), 0, "{:?}", found.sorted());
    let shown = |product: &Product| {
        let namespace = match (product.reach, product.target.namespace.as_deref()) {
            (Reach::Everywhere, None) => "*/",
            (Reach::Everywhere, Some(_)) => "WRONG/",
            (Reach::Namespace, Some(namespace)) => &format!("{namespace}/"),
            (Reach::Namespace, None) => "",
        };
        let keys = product.keys.known().join(",");
        let keys = match &product.keys {
            ProductKeys::Unknown => "?".to_owned(),
            ProductKeys::Exactly(_) => format!("={keys}"),
            ProductKeys::AtLeast(_) => format!(">{keys}"),
        };
        let creates = if product.creates { "" } else { "~" };
        format!("{creates}{} {namespace}{} {keys}", product.target.kind, product.target.name)
    };
    products(&loaded.objects).iter().map(shown).collect()
}

/// An object in namespace `ns` named `x`.
fn object(api_version: &str, kind: &str, rest: &str) -> String {
    format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: x, namespace: ns}}\n{rest}\n")
}

fn made_by(api_version: &str, kind: &str, rest: &str) -> Vec<String> {
    made(&object(api_version, kind, rest))
}

#[test]
fn certificates_have_the_keys_of_their_formats() {
    let certificate = |spec: &str| made_by("cert-manager.io/v1", "Certificate", &format!("spec: {spec}"));
    assert_eq!(certificate("{secretName: tls}"), ["Secret ns/tls =tls.crt,tls.key,ca.crt"]);
    assert_eq!(
        certificate(
            "{secretName: tls, additionalOutputFormats: [{type: DER}], keystores: {jks: {create: true}, pkcs12: {create: false}}}"
        ),
        ["Secret ns/tls =tls.crt,tls.key,ca.crt,key.der,keystore.jks,truststore.jks"]
    );
    assert_eq!(certificate("{}"), [""; 0]);
    let copied = "{secretName: tls, secretTemplate: {annotations: {reflector.v1.k8s.emberstack.com/reflection-auto-enabled: 'true'}}}";
    assert_eq!(certificate(copied), ["Secret ns/tls =tls.crt,tls.key,ca.crt", "Secret */tls ?"]);
}

#[test]
fn an_annotated_ingress_makes_certificates() {
    let ingress = |annotation: &str| {
        made(&format!(
            "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: x, namespace: ns, annotations: {{{annotation}}}}}\nspec: {{tls: [{{secretName: a}}, {{hosts: [b]}}]}}\n"
        ))
    };
    assert_eq!(ingress("cert-manager.io/cluster-issuer: le"), ["Secret ns/a =tls.crt,tls.key,ca.crt"]);
    assert_eq!(ingress("kubernetes.io/tls-acme: 'false'"), [""; 0]);
}

#[test]
fn external_secrets_write_what_they_fetch_or_template() {
    let external = |spec: &str| made_by("external-secrets.io/v1", "ExternalSecret", &format!("spec: {spec}"));
    assert_eq!(external("{data: [{secretKey: a}]}"), ["Secret ns/x =a"]);
    assert_eq!(external("{target: {name: other}, dataFrom: [{}]}"), ["Secret ns/other ?"]);
    assert_eq!(external("{data: [{secretKey: a}], dataFrom: [{}]}"), ["Secret ns/x >a"]);
    assert_eq!(external("{data: [{secretKey: a}], target: {template: {data: {b: '{{ .a }}'}}}}"), ["Secret ns/x =b"]);
    assert_eq!(
        external("{data: [{secretKey: a}], target: {template: {mergePolicy: Merge, data: {b: x}}}}"),
        ["Secret ns/x =a,b"]
    );
    assert_eq!(external("{data: [{secretKey: a}], target: {template: {type: Opaque}}}"), ["Secret ns/x =a"]);
    assert_eq!(external("{data: [{secretKey: a}], target: {template: {templateFrom: [{}]}}}"), ["Secret ns/x ?"]);
    assert_eq!(external("{target: {creationPolicy: None}, data: [{secretKey: a}]}"), [""; 0]);
    assert_eq!(external("{target: {creationPolicy: Merge}, data: [{secretKey: a}]}"), ["~Secret ns/x =a"]);
    assert_eq!(
        external("{target: {name: other, manifest: {apiVersion: v1, kind: ConfigMap}}, data: [{secretKey: a}]}"),
        ["ConfigMap ns/other ?"]
    );
    let cluster = "apiVersion: external-secrets.io/v1\nkind: ClusterExternalSecret\nmetadata: {name: x}\n\
                   spec: {externalSecretName: other, externalSecretSpec: {data: [{secretKey: a}]}}\n";
    assert_eq!(made(cluster), ["Secret */other =a"]);
    assert_eq!(made_by("external-secrets.io/v1alpha1", "PushSecret", "spec: {}"), [""; 0]);
}

#[test]
fn sealed_secrets_are_named_as_they_are() {
    let sealed = |spec: &str| made_by("bitnami.com/v1alpha1", "SealedSecret", &format!("spec: {spec}"));
    assert_eq!(
        sealed("{encryptedData: {a: x}, template: {metadata: {name: another}, data: {b: z}}}"),
        ["Secret ns/x =a,b"]
    );
    assert_eq!(sealed("{data: AgB}"), ["Secret ns/x ?"]);
}

#[test]
fn bundles_are_everywhere() {
    let bundle = |target: &str| {
        made(&format!(
            "apiVersion: trust.cert-manager.io/v1alpha1\nkind: Bundle\nmetadata: {{name: x}}\nspec: {{target: {target}}}\n"
        ))
    };
    assert_eq!(bundle("{configMap: {key: ca.pem}}"), ["ConfigMap */x =ca.pem"]);
    assert_eq!(
        bundle("{secret: {key: ca.pem}, additionalFormats: {jks: {key: ca.jks}}}"),
        ["Secret */x =ca.pem,ca.jks"]
    );
}

#[test]
fn rows_find_names_namespaces_and_keys() {
    let kafka =
        made_by("kafka.strimzi.io/v1beta2", "Kafka", "spec: {clientsCa: {generateCertificateAuthority: false}}");
    assert!(kafka.contains(&"Secret ns/x-cluster-ca-cert >ca.crt,ca.p12,ca.password".to_owned()));
    assert!(kafka.contains(&"Service ns/x-kafka-bootstrap ?".to_owned()));
    assert!(!kafka.iter().any(|made| made.contains("clients-ca")), "{kafka:?}");
    let user = |spec: &str| made_by("kafka.strimzi.io/v1beta2", "KafkaUser", &format!("spec: {spec}"));
    assert_eq!(user("{authentication: {type: scram-sha-512}}"), ["Secret ns/x >password,sasl.jaas.config"]);
    assert_eq!(user("{}"), [""; 0]);
    let vault = |destination: &str| {
        made_by("secrets.hashicorp.com/v1beta1", "VaultStaticSecret", &format!("spec: {{destination: {destination}}}"))
    };
    assert_eq!(vault("{name: other, create: true}"), ["Secret ns/other ?"]);
    assert_eq!(vault("{name: other}"), ["~Secret ns/other ?"]);
    assert_eq!(
        made_by(
            "secrets.infisical.com/v1alpha1",
            "InfisicalSecret",
            "spec: {managedKubeSecretReferences: [{secretName: a, secretNamespace: m}, {secretName: b}]}"
        ),
        ["Secret m/a ?", "Secret ns/b ?"]
    );
    assert_eq!(
        made_by(
            "secrets-store.csi.x-k8s.io/v1",
            "SecretProviderClass",
            "spec: {secretObjects: [{secretName: a, data: [{key: k, objectName: o}]}]}"
        ),
        ["Secret ns/a =k"]
    );
    assert_eq!(made_by("pxc.percona.com/v1", "PerconaXtraDBCluster", "spec: {}"), ["Secret ns/x-secrets ?"]);
}

#[test]
fn canaries_make_the_services_of_their_target() {
    let canary = |spec: &str| made_by("flagger.app/v1beta1", "Canary", &format!("spec: {spec}"));
    let services = |names: [&str; 3]| names.map(|name| format!("Service ns/{name} ?"));
    assert_eq!(canary("{targetRef: {kind: Deployment, name: web}}"), services(["web", "web-canary", "web-primary"]));
    assert_eq!(
        canary("{targetRef: {kind: Deployment, name: web}, service: {name: app}}"),
        services(["app", "app-canary", "app-primary"])
    );
    assert_eq!(canary("{targetRef: {kind: Service, name: web}}"), services(["web", "web-canary", "web-primary"])[1..]);
}

#[test]
fn users_of_databases_have_their_own() {
    let zalando = made_by("acid.zalan.do/v1", "postgresql", "spec: {users: {app_owner: []}}");
    assert!(
        zalando.contains(&"Secret ns/app-owner.x.credentials.postgresql.acid.zalan.do >username,password".to_owned())
    );
    let crunchy = made_by("postgres-operator.crunchydata.com/v1beta1", "PostgresCluster", "spec: {}");
    assert!(crunchy.contains(&"Secret ns/x-pguser-x >user,password".to_owned()), "{crunchy:?}");
    let mongodb = "spec: {users: [{name: app, db: shop}, {name: b, connectionStringSecretName: c}]}";
    let mongodb = made_by("mongodbcommunity.mongodb.com/v1", "MongoDBCommunity", mongodb);
    assert!(mongodb.contains(&"Secret ns/x-shop-app >username,password".to_owned()), "{mongodb:?}");
    assert!(mongodb.contains(&"Secret ns/c >username,password".to_owned()), "{mongodb:?}");
}

#[test]
fn any_kind_of_the_clouds_may_leave_credentials() {
    assert_eq!(
        made_by("db.example.org/v1", "Instance", "spec: {writeConnectionSecretToRef: {name: other, namespace: m}}"),
        ["Secret m/other ?"]
    );
    assert_eq!(
        made_by(
            "dbforpostgresql.azure.com/v1",
            "FlexibleServer",
            "spec: {operatorSpec: {configMaps: {host: {name: other, key: h}}, secrets: {p: {name: z, key: k}}}}"
        ),
        ["Secret ns/z ?", "ConfigMap ns/other ?"]
    );
}

#[test]
fn workloads_are_known_by_their_containers() {
    let pods = |kind: &str, api_version: &str, container: &str| {
        made_by(api_version, kind, &format!("spec: {{template: {{spec: {{containers: [{container}]}}}}}}"))
    };
    assert_eq!(
        pods("Deployment", "apps/v1", "{name: discovery, image: docker.io/istio/pilot:1}"),
        ["ConfigMap */istio-ca-root-cert >root-cert.pem"]
    );
    assert_eq!(pods("StatefulSet", "apps/v1", "{name: spire-server}"), ["ConfigMap ns/spire-bundle >bundle.crt"]);
    for args in ["[create, --secret-name=hook]", "[create, --host=a, --secret-name, hook]"] {
        assert_eq!(pods("Job", "batch/v1", &format!("{{name: c, args: {args}}}")), ["Secret ns/hook ?"]);
    }
    assert_eq!(pods("Job", "batch/v1", "{name: c, args: [create, --secret-name=$(NAME)]}"), [""; 0]);
    assert_eq!(pods("Job", "batch/v1", "{name: c, args: [patch, --secret-name=hook]}"), [""; 0]);
    let claims = "spec: {replicas: 2, volumeClaimTemplates: [{metadata: {name: data}}], template: {}}";
    assert_eq!(
        made_by("apps/v1", "StatefulSet", claims),
        ["PersistentVolumeClaim ns/data-x-0 ?", "PersistentVolumeClaim ns/data-x-1 ?"]
    );
}

#[test]
fn annotations_copy_sources_elsewhere() {
    let secret = |annotation: &str| {
        made(&format!(
            "apiVersion: v1\nkind: Secret\nmetadata: {{name: x, namespace: ns, annotations: {{{annotation}}}}}\nstringData: {{a: b}}\n"
        ))
    };
    assert_eq!(secret("kubed.appscode.com/sync: ''"), ["Secret */x ?"]);
    assert_eq!(secret("replicator.v1.mittwald.de/replicate-to: 'a,b-.*'"), ["Secret */x ?"]);
    assert_eq!(secret("reflector.v1.k8s.emberstack.com/reflection-auto-enabled: 'false'"), [""; 0]);
    let policy = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: x}\nspec:\n  rules:\n\
                  \x20 - generate: {apiVersion: v1, kind: ConfigMap, name: zk, namespace: '{{request.object.metadata.name}}', data: {data: {a: b}}}\n\
                  \x20 - generate: {apiVersion: v1, kind: Secret, name: '{{x}}', namespace: ns}\n";
    assert_eq!(made(policy), ["ConfigMap */zk >a"]);
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: x, namespace: ns, annotations: {service.beta.openshift.io/serving-cert-secret-name: tls}}\n";
    assert_eq!(made(service), ["Secret ns/tls >tls.crt,tls.key"]);
}

#[test]
fn a_kind_of_another_group_makes_nothing() {
    assert_eq!(made_by("networking.istio.io/v1", "Certificate", "spec: {secretName: tls}"), [""; 0]);
}
