//! Registrations: admission webhooks and policies, API services, conversion webhooks.

use super::cert_manager::CERTIFICATE;
use crate::refs::row::{Block, In, ROOT, Rows, row, secret, service};

const G: &str = "admissionregistration.k8s.io";
const CRD: (&str, &str) = ("apiextensions.k8s.io", "CustomResourceDefinition");

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(G, "MutatingWebhookConfiguration"), (G, "ValidatingWebhookConfiguration")],
        at: ROOT,
        rows: Rows::These(&[service("webhooks[].clientConfig.service.name").with_namespace()]),
    },
    Block {
        kinds: &[(G, "ValidatingAdmissionPolicyBinding")],
        at: ROOT,
        rows: Rows::These(&[row("spec.policyName", (G, "ValidatingAdmissionPolicy"))]),
    },
    Block {
        kinds: &[(G, "MutatingAdmissionPolicyBinding")],
        at: ROOT,
        rows: Rows::These(&[row("spec.policyName", (G, "MutatingAdmissionPolicy"))]),
    },
    Block {
        kinds: &[("apiregistration.k8s.io", "APIService")],
        at: ROOT,
        rows: Rows::These(&[service("spec.service.name").with_namespace()]),
    },
    // cert-manager's cainjector; a definition goes first all the same
    Block {
        kinds: &[
            (G, "MutatingWebhookConfiguration"),
            (G, "ValidatingWebhookConfiguration"),
            ("apiregistration.k8s.io", "APIService"),
        ],
        at: &["metadata.annotations"],
        rows: Rows::These(&[
            row("{cert-manager.io/inject-ca-from}", CERTIFICATE).within(In::Slash),
            // what a webhook makes for itself, as a rule
            secret("{cert-manager.io/inject-ca-from-secret}").within(In::Slash).outside(),
        ]),
    },
    Block {
        kinds: &[CRD],
        at: &["metadata.annotations"],
        rows: Rows::These(&[
            row("{cert-manager.io/inject-ca-from}", CERTIFICATE).within(In::Slash).unordered(),
            secret("{cert-manager.io/inject-ca-from-secret}").within(In::Slash).unordered().outside(),
        ]),
    },
    // whether a definition waits for its converter is not for a name to say
    Block {
        kinds: &[CRD],
        at: ROOT,
        rows: Rows::These(&[
            service("spec.conversion.webhook.clientConfig.service.name").with_namespace().unordered(),
            service("spec.conversion.webhookClientConfig.service.name").with_namespace().unordered(),
        ]),
    },
];
