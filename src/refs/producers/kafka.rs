//! Strimzi.

use super::Special;
use super::makes::{KeysOf, Maker, Row, makes};
use crate::flow::{Product, ProductKeys};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{SECRET, SERVICE};
use crate::tree::Node;

const KAFKA: GroupKindName = ("kafka.strimzi.io", "Kafka");

/// The public half of a certificate authority.
const CA: KeysOf = KeysOf::AtLeast(&["ca.crt", "ca.p12", "ca.password"]);
const CA_KEY: KeysOf = KeysOf::AtLeast(&["ca.key"]);

/// Whether Strimzi makes a certificate authority, or the user brings one.
fn makes_ca(kafka: &Node<'_>, which: &str) -> bool {
    kafka.at(&["spec", which, "generateCertificateAuthority"]).and_then(Node::as_bool) != Some(false)
}

fn makes_cluster_ca(kafka: &Node<'_>) -> bool {
    makes_ca(kafka, "clusterCa")
}

fn makes_clients_ca(kafka: &Node<'_>) -> bool {
    makes_ca(kafka, "clientsCa")
}

pub(super) static ROWS: &[Row] = &[
    makes(KAFKA, SECRET).named("*-cluster-ca-cert").keys(CA).when(makes_cluster_ca),
    makes(KAFKA, SECRET).named("*-cluster-ca").keys(CA_KEY).when(makes_cluster_ca),
    makes(KAFKA, SECRET).named("*-clients-ca-cert").keys(CA).when(makes_clients_ca),
    makes(KAFKA, SECRET).named("*-clients-ca").keys(CA_KEY).when(makes_clients_ca),
    makes(KAFKA, SERVICE).named("*-kafka-bootstrap"),
    makes(KAFKA, SERVICE).named("*-kafka-brokers"),
    makes(KAFKA, SERVICE).named("*-kafka-external-bootstrap"),
    makes(("kafka.strimzi.io", "KafkaConnect"), SERVICE).named("*-connect-api"),
    makes(("kafka.strimzi.io", "KafkaBridge"), SERVICE).named("*-bridge-service"),
];

pub(super) static SPECIAL: &[Special] = &[("kafka.strimzi.io", "KafkaUser", user)];

/// What a user's Secret holds, by how it authenticates; other ways make none.
const USER_KEYS: [(&str, &[&str]); 2] = [
    ("tls", &["ca.crt", "user.crt", "user.key", "user.p12", "user.password"]),
    ("scram-sha-512", &["password", "sasl.jaas.config"]),
];

fn user(maker: &Maker<'_>) -> Vec<Product> {
    let way = maker.text(&["spec", "authentication", "type"]);
    let keys = USER_KEYS.iter().find(|(name, _)| way == Some(name));
    let secret = |(_, keys): &(&str, &[&str])| {
        maker.secret(&maker.name_by("*"), ProductKeys::AtLeast(keys.iter().map(|key| (*key).into()).collect()))
    };
    keys.map(secret).into_iter().collect()
}
