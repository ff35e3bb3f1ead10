//! Operators of databases and queues: credentials, certificates and Services.

use std::sync::Arc;

use super::Special;
use super::makes::{KeysOf, Maker, Row, keys_of, makes, text, texts};
use crate::flow::{Product, ProductKeys};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{SECRET, SERVICE};
use crate::tree::Node;

const CNPG: GroupKindName = ("postgresql.cnpg.io", "Cluster");
const ZALANDO: GroupKindName = ("acid.zalan.do", "postgresql");
const CRUNCHY: GroupKindName = ("postgres-operator.crunchydata.com", "PostgresCluster");
const RABBIT: GroupKindName = ("rabbitmq.com", "RabbitmqCluster");
const ELASTIC: GroupKindName = ("elasticsearch.k8s.elastic.co", "Elasticsearch");
const KIBANA: GroupKindName = ("kibana.k8s.elastic.co", "Kibana");

const CERTIFICATE: KeysOf = KeysOf::AtLeast(&["tls.crt", "tls.key"]);
const PUBLIC_CERTIFICATE: KeysOf = KeysOf::AtLeast(&["tls.crt", "ca.crt"]);
const LOGIN: KeysOf = KeysOf::AtLeast(&["username", "password"]);

/// A Secret of KubeDB with the credentials of the superuser.
const fn kubedb(kind: &'static str) -> Row {
    makes(("kubedb.com", kind), SECRET).named("*-auth").keys(LOGIN)
}

/// Whether the operator is asked to make a password up.
fn is_generated(reference: &Node<'_>) -> bool {
    reference.get("generate").and_then(Node::as_bool) == Some(true)
}

pub(super) static ROWS: &[Row] = &[
    makes(CNPG, SECRET).named("*-app").keys(LOGIN),
    makes(CNPG, SECRET)
        .named("*-superuser")
        .keys(LOGIN)
        .when(|cluster| cluster.at(&["spec", "enableSuperuserAccess"]).and_then(Node::as_bool) == Some(true)),
    makes(CNPG, SECRET).named("*-ca").keys(KeysOf::AtLeast(&["ca.crt", "ca.key"])),
    makes(CNPG, SECRET).named("*-server").keys(CERTIFICATE),
    makes(CNPG, SECRET).named("*-replication").keys(CERTIFICATE),
    makes(CNPG, SERVICE).named("*-rw"),
    makes(CNPG, SERVICE).named("*-ro"),
    makes(CNPG, SERVICE).named("*-r"),
    makes(("postgresql.cnpg.io", "Pooler"), SERVICE),
    makes(ZALANDO, SERVICE),
    makes(ZALANDO, SERVICE).named("*-repl"),
    makes(CRUNCHY, SECRET).named("*-cluster-cert").keys(CERTIFICATE),
    makes(CRUNCHY, SERVICE).named("*-primary"),
    makes(CRUNCHY, SERVICE).named("*-replicas"),
    makes(CRUNCHY, SERVICE).named("*-pgbouncer"),
    makes(("mongodbcommunity.mongodb.com", "MongoDBCommunity"), SERVICE).named("*-svc"),
    makes(("pxc.percona.com", "PerconaXtraDBCluster"), SECRET).at("spec", "secretsName").or("*-secrets"),
    makes(("psmdb.percona.com", "PerconaServerMongoDB"), SECRET).at("spec.secrets", "users"),
    makes(("psmdb.percona.com", "PerconaServerMongoDB"), SECRET).named("*-secrets"),
    makes(("k8s.mariadb.com", "MariaDB"), SECRET).at("spec.rootPasswordSecretKeyRef", "name").when(is_generated),
    makes(("k8s.mariadb.com", "MariaDB"), SECRET).at("spec.passwordSecretKeyRef", "name").when(is_generated),
    makes(("k8s.mariadb.com", "MariaDB"), SERVICE),
    makes(("k8s.mariadb.com", "Connection"), SECRET).at("spec", "secretName").or("*"),
    kubedb("Elasticsearch"),
    kubedb("MariaDB"),
    kubedb("MongoDB"),
    kubedb("MySQL"),
    kubedb("Postgres"),
    kubedb("Redis"),
    makes(RABBIT, SECRET).named("*-default-user").keys(KeysOf::AtLeast(&[
        "username",
        "password",
        "host",
        "port",
        "default_user.conf",
    ])),
    makes(RABBIT, SECRET).named("*-erlang-cookie").keys(KeysOf::AtLeast(&[".erlang.cookie"])),
    makes(RABBIT, SERVICE),
    makes(RABBIT, SERVICE).named("*-nodes"),
    makes(("rabbitmq.com", "User"), SECRET).named("*-user-credentials").keys(LOGIN),
    makes(ELASTIC, SECRET).named("*-es-elastic-user").keys(KeysOf::AtLeast(&["elastic"])),
    makes(ELASTIC, SECRET).named("*-es-http-certs-public").keys(PUBLIC_CERTIFICATE),
    makes(ELASTIC, SECRET).named("*-es-http-certs-internal").keys(CERTIFICATE),
    makes(ELASTIC, SECRET).named("*-es-http-ca-internal").keys(CERTIFICATE),
    makes(ELASTIC, SECRET).named("*-es-transport-certs-public"),
    makes(ELASTIC, SERVICE).named("*-es-http"),
    makes(KIBANA, SECRET).named("*-kb-http-certs-public").keys(PUBLIC_CERTIFICATE),
    makes(KIBANA, SERVICE).named("*-kb-http"),
];

pub(super) static SPECIAL: &[Special] = &[
    (ZALANDO.0, ZALANDO.1, zalando),
    (CRUNCHY.0, CRUNCHY.1, pguser),
    ("pgv2.percona.com", "PerconaPGCluster", pguser),
    ("mongodbcommunity.mongodb.com", "MongoDBCommunity", mongodb),
];

fn login() -> ProductKeys {
    ProductKeys::AtLeast(["username", "password"].map(Into::into).to_vec())
}

/// One Secret a user, by the operator's default template of names.
fn zalando(maker: &Maker<'_>) -> Vec<Product> {
    let cluster = maker.name_by("*");
    let mut users = keys_of(maker.node(&["spec", "users"]));
    users.extend(["postgres", "standby"].map(Into::into));
    let secret = |user: &Arc<str>| {
        let user = user.replace('_', "-");
        maker.secret(&format!("{user}.{cluster}.credentials.postgresql.acid.zalan.do"), login())
    };
    users.iter().map(secret).collect()
}

/// One Secret a user; without users there is one that is named as the cluster.
fn pguser(maker: &Maker<'_>) -> Vec<Product> {
    let cluster = maker.name_by("*");
    let mut users = texts(maker.node(&["spec", "users"]), "name");
    if users.is_empty() {
        users.push(cluster.as_str().into());
    }
    let keys = || ProductKeys::AtLeast(["user", "password"].map(Into::into).to_vec());
    users.iter().map(|user| maker.secret(&format!("{cluster}-pguser-{user}"), keys())).collect()
}

/// One Secret with connection strings a user.
fn mongodb(maker: &Maker<'_>) -> Vec<Product> {
    let cluster = maker.name_by("*");
    let secret = |user: &Node<'_>| {
        let name = text(user, "connectionStringSecretName").map(str::to_owned);
        let database = || text(user, "db").unwrap_or("admin");
        let default = || Some(format!("{cluster}-{}-{}", database(), text(user, "name")?));
        Some(maker.secret(&name.or_else(default)?, login()))
    };
    maker.items(&["spec", "users"]).iter().filter_map(secret).collect()
}
