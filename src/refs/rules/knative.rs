//! Knative Serving and Eventing.

use crate::refs::row::{Block, GroupKindName, ROOT, Row, Rows, account, named, named_or, row, secret, secret_key};

const SERVING: &str = "serving.knative.dev";
const EVENTING: &str = "eventing.knative.dev";
const MESSAGING: &str = "messaging.knative.dev";
const FLOWS: &str = "flows.knative.dev";
const SOURCES: &str = "sources.knative.dev";
const SINKS: &str = "sinks.knative.dev";

const BROKER: GroupKindName = (EVENTING, "Broker");
const SOURCE_KINDS: &[GroupKindName] = &[
    (SOURCES, "ApiServerSource"),
    (SOURCES, "ContainerSource"),
    (SOURCES, "IntegrationSource"),
    (SOURCES, "KafkaSource"),
    (SOURCES, "PingSource"),
    (SOURCES, "SinkBinding"),
    (EVENTING, "EventTransform"),
];

/// Whom events go to.
const fn destination(path: &'static str) -> Row {
    named(path).with_namespace()
}

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[(SERVING, "Revision")], at: &["spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[(SERVING, "Route")],
        at: ROOT,
        rows: Rows::These(&[row("spec.traffic[].configurationName", (SERVING, "Configuration"))]),
    },
    Block {
        kinds: &[(SERVING, "DomainMapping")],
        at: ROOT,
        rows: Rows::These(&[named("spec.ref.name").with_namespace(), secret("spec.tls.secretName")]),
    },
    Block {
        kinds: &[BROKER],
        at: ROOT,
        rows: Rows::These(&[
            named("spec.config.name").with_namespace(),
            destination("spec.delivery.deadLetterSink.ref.name"),
        ]),
    },
    Block {
        kinds: &[(EVENTING, "Trigger")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.broker", BROKER),
            named_or("spec.brokerRef.name", BROKER).with_namespace(),
            destination("spec.subscriber.ref.name"),
            destination("spec.delivery.deadLetterSink.ref.name"),
        ]),
    },
    Block {
        kinds: &[(EVENTING, "RequestReply")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.brokerRef.name", BROKER).with_namespace(),
            destination("spec.delivery.deadLetterSink.ref.name"),
        ]),
    },
    Block {
        kinds: &[(EVENTING, "EventType")],
        at: ROOT,
        rows: Rows::These(&[named("spec.reference.name").with_namespace(), row("spec.broker", BROKER)]),
    },
    Block {
        kinds: &[(EVENTING, "EventPolicy")],
        at: ROOT,
        rows: Rows::These(&[named("spec.to[].ref.name"), named("spec.from[].ref.name").with_namespace()]),
    },
    Block { kinds: &[(EVENTING, "KafkaSink")], at: ROOT, rows: Rows::These(&[secret("spec.auth.secret.ref.name")]) },
    Block {
        kinds: &[(MESSAGING, "Subscription")],
        at: ROOT,
        rows: Rows::These(&[
            named("spec.channel.name").with_namespace(),
            destination("spec.subscriber.ref.name"),
            destination("spec.reply.ref.name"),
            destination("spec.delivery.deadLetterSink.ref.name"),
        ]),
    },
    Block {
        kinds: &[(MESSAGING, "Channel"), (MESSAGING, "InMemoryChannel"), (MESSAGING, "KafkaChannel")],
        at: ROOT,
        rows: Rows::These(&[destination("spec.delivery.deadLetterSink.ref.name")]),
    },
    Block {
        kinds: &[(FLOWS, "Sequence")],
        at: ROOT,
        rows: Rows::These(&[
            destination("spec.steps[].ref.name"),
            destination("spec.steps[].delivery.deadLetterSink.ref.name"),
            destination("spec.reply.ref.name"),
        ]),
    },
    Block {
        kinds: &[(FLOWS, "Parallel")],
        at: ROOT,
        rows: Rows::These(&[
            destination("spec.branches[].filter.ref.name"),
            destination("spec.branches[].subscriber.ref.name"),
            destination("spec.branches[].reply.ref.name"),
            destination("spec.branches[].delivery.deadLetterSink.ref.name"),
            destination("spec.reply.ref.name"),
        ]),
    },
    Block { kinds: SOURCE_KINDS, at: ROOT, rows: Rows::These(&[destination("spec.sink.ref.name")]) },
    Block {
        kinds: &[(SOURCES, "ApiServerSource")],
        at: ROOT,
        rows: Rows::These(&[account("spec.serviceAccountName")]),
    },
    Block { kinds: &[(SOURCES, "ContainerSource")], at: &["spec.template.spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[(SOURCES, "SinkBinding")],
        at: ROOT,
        // the binding changes the subject when that is made, so it cannot wait for it
        rows: Rows::These(&[named("spec.subject.name").with_namespace().unordered()]),
    },
    Block {
        kinds: &[(SOURCES, "KafkaSource")],
        at: &["spec.net"],
        rows: Rows::These(&[
            secret_key("sasl.user.secretKeyRef.name"),
            secret_key("sasl.password.secretKeyRef.name"),
            secret_key("sasl.type.secretKeyRef.name"),
            secret_key("tls.cert.secretKeyRef.name"),
            secret_key("tls.key.secretKeyRef.name"),
            secret_key("tls.caCert.secretKeyRef.name"),
        ]),
    },
    Block {
        kinds: &[(SOURCES, "IntegrationSource"), (SINKS, "IntegrationSink")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.aws.auth.secret.ref.name"), account("spec.aws.auth.serviceAccountName")]),
    },
    Block { kinds: &[(SINKS, "JobSink")], at: &["spec.job.spec.template.spec"], rows: Rows::PodSpec },
];
