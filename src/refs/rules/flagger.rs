//! Flagger (`flagger.app`).

use crate::refs::row::kinds::{DEPLOYMENT, GATEWAY, SERVICE};
use crate::refs::row::{Block, In, ROOT, Rows, named, named_or, row, secret};

const G: &str = "flagger.app";

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(G, "Canary")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.targetRef.name", DEPLOYMENT),
            named("spec.autoscalerRef.name"),
            named("spec.ingressRef.name"),
            named("spec.routeRef.name"),
            named("spec.upstreamRef.name").with_namespace(),
            row("spec.service.gateways[]", ("networking.istio.io", "Gateway")).within(In::Slash).except(&["mesh"]),
            named_or("spec.service.gatewayRefs[].name", GATEWAY).with_namespace(),
            row("spec.analysis.metrics[].templateRef.name", (G, "MetricTemplate")).with_namespace(),
            row("spec.analysis.alerts[].providerRef.name", (G, "AlertProvider")).with_namespace(),
            named_or("spec.service.mirror[].backendRef.name", SERVICE).with_namespace(),
            // v1alpha3
            row("spec.canaryAnalysis.metrics[].templateRef.name", (G, "MetricTemplate")).with_namespace(),
            row("spec.canaryAnalysis.alerts[].providerRef.name", (G, "AlertProvider")).with_namespace(),
        ]),
    },
    Block { kinds: &[(G, "MetricTemplate")], at: ROOT, rows: Rows::These(&[secret("spec.provider.secretRef.name")]) },
    Block { kinds: &[(G, "AlertProvider")], at: ROOT, rows: Rows::These(&[secret("spec.secretRef.name")]) },
];
