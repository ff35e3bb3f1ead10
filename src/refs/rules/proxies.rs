//! Ingress controllers with kinds of their own: Traefik, Contour.

use crate::refs::row::kinds::{GATEWAY, INGRESS_CLASS, SERVICE};
use crate::refs::row::{Block, GroupKindName, In, ROOT, Row, Rows, by_field, config_map, row, secret, service};

const TRAEFIK: &str = "traefik.io";
/// The group until Traefik 2.9.
const OLD: &str = "traefik.containo.us";
const CONTOUR: &str = "projectcontour.io";

/// A middleware. `NAME@PROVIDER` is of another provider than Kubernetes.
const fn middleware(path: &'static str, kind: &'static str) -> Row {
    row(path, (TRAEFIK, kind)).with_namespace()
}

/// Where HTTP requests go.
const fn backend(path: &'static str) -> Row {
    const KINDS: &[(&str, GroupKindName)] = &[("Service", SERVICE), ("TraefikService", (TRAEFIK, "TraefikService"))];
    by_field(path, "kind", KINDS).with_namespace()
}

/// TLS of a route.
static TLS: &[Row] = &[
    secret("secretName"),
    row("options.name", (TRAEFIK, "TLSOption")).with_namespace(),
    row("store.name", (TRAEFIK, "TLSStore")).with_namespace(),
];

/// Whom a proxy trusts behind it, and what it shows them.
static TRUST: &[Row] = &[
    secret("rootCAsSecrets[]"),
    secret("certificatesSecrets[]"),
    secret("rootCAs[].secret"),
    config_map("rootCAs[].configMap"),
];

/// A Secret that Contour reads, perhaps delegated by another namespace.
const fn delegated(path: &'static str) -> Row {
    secret(path).within(In::Slash)
}

const fn extension(path: &'static str) -> Row {
    row(path, (CONTOUR, "ExtensionService")).with_namespace()
}

static CONTOUR_SETTINGS: &[Row] = &[
    secret("envoy.clientCertificate.name").with_namespace(),
    service("envoy.service.name").with_namespace(),
    row("gateway.gatewayRef.name", GATEWAY).with_namespace(),
    extension("globalExtAuth.extensionRef.name"),
    secret("httpproxy.fallbackCertificate.name").with_namespace(),
    extension("rateLimitService.extensionService.name"),
    extension("tracing.extensionService.name"),
];

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(TRAEFIK, "IngressRoute")],
        at: ROOT,
        rows: Rows::These(&[
            backend("spec.routes[].services[].name"),
            row("spec.routes[].services[].serversTransport", (TRAEFIK, "ServersTransport")),
            middleware("spec.routes[].middlewares[].name", "Middleware"),
            row("spec.parentRefs[].name", (TRAEFIK, "IngressRoute")).with_namespace(),
        ]),
    },
    Block {
        kinds: &[(TRAEFIK, "IngressRouteTCP")],
        at: ROOT,
        rows: Rows::These(&[
            service("spec.routes[].services[].name").with_namespace(),
            row("spec.routes[].services[].serversTransport", (TRAEFIK, "ServersTransportTCP")),
            middleware("spec.routes[].middlewares[].name", "MiddlewareTCP"),
        ]),
    },
    Block {
        kinds: &[(TRAEFIK, "IngressRouteUDP"), (OLD, "IngressRouteUDP")],
        at: ROOT,
        rows: Rows::These(&[service("spec.routes[].services[].name").with_namespace()]),
    },
    Block {
        kinds: &[(TRAEFIK, "IngressRoute"), (TRAEFIK, "IngressRouteTCP")],
        at: &["spec.tls"],
        rows: Rows::These(TLS),
    },
    Block {
        kinds: &[(OLD, "IngressRoute"), (OLD, "IngressRouteTCP")],
        at: ROOT,
        rows: Rows::These(&[
            by_field("spec.routes[].services[].name", "kind", &[("Service", SERVICE)]).with_namespace(),
            secret("spec.tls.secretName"),
        ]),
    },
    Block {
        kinds: &[(OLD, "IngressRoute")],
        at: ROOT,
        rows: Rows::These(&[row("spec.routes[].middlewares[].name", (OLD, "Middleware")).with_namespace()]),
    },
    Block {
        kinds: &[(TRAEFIK, "TraefikService")],
        at: ROOT,
        rows: Rows::These(&[
            backend("spec.weighted.services[].name"),
            backend("spec.highestRandomWeight.services[].name"),
            backend("spec.mirroring.name"),
            backend("spec.mirroring.mirrors[].name"),
        ]),
    },
    Block {
        kinds: &[(TRAEFIK, "Middleware"), (OLD, "Middleware")],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.basicAuth.secret"),
            secret("spec.digestAuth.secret"),
            secret("spec.forwardAuth.tls.caSecret"),
            secret("spec.forwardAuth.tls.certSecret"),
        ]),
    },
    Block {
        kinds: &[(TRAEFIK, "Middleware")],
        at: ROOT,
        rows: Rows::These(&[
            middleware("spec.chain.middlewares[].name", "Middleware"),
            backend("spec.errors.service.name"),
            secret("spec.rateLimit.redis.secret"),
            secret("spec.rateLimit.redis.tls.caSecret"),
            secret("spec.rateLimit.redis.tls.certSecret"),
        ]),
    },
    Block { kinds: &[(TRAEFIK, "ServersTransport")], at: &["spec"], rows: Rows::These(TRUST) },
    Block { kinds: &[(TRAEFIK, "ServersTransportTCP")], at: &["spec.tls"], rows: Rows::These(TRUST) },
    Block {
        kinds: &[(TRAEFIK, "TLSOption"), (OLD, "TLSOption")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.clientAuth.secretNames[]")]),
    },
    Block {
        kinds: &[(TRAEFIK, "TLSStore"), (OLD, "TLSStore")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.defaultCertificate.secretName"), secret("spec.certificates[].secretName")]),
    },
    Block {
        kinds: &[(CONTOUR, "HTTPProxy")],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.ingressClassName", INGRESS_CLASS),
            row("spec.includes[].name", (CONTOUR, "HTTPProxy")).with_namespace(),
            row("spec.tcpproxy.include.name", (CONTOUR, "HTTPProxy")).with_namespace(),
            row("spec.tcpproxy.includes.name", (CONTOUR, "HTTPProxy")).with_namespace(),
            service("spec.routes[].services[].name"),
            service("spec.tcpproxy.services[].name"),
            delegated("spec.routes[].services[].validation.caSecret"),
            delegated("spec.tcpproxy.services[].validation.caSecret"),
            delegated("spec.virtualhost.tls.secretName"),
            delegated("spec.virtualhost.tls.clientValidation.caSecret"),
            delegated("spec.virtualhost.tls.clientValidation.crlSecret"),
            delegated("spec.virtualhost.jwtProviders[].remoteJWKS.validation.caSecret"),
            extension("spec.virtualhost.authorization.extensionRef.name"),
        ]),
    },
    Block {
        kinds: &[(CONTOUR, "ExtensionService")],
        at: ROOT,
        rows: Rows::These(&[service("spec.services[].name"), delegated("spec.validation.caSecret")]),
    },
    Block {
        kinds: &[(CONTOUR, "TLSCertificateDelegation")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.delegations[].secretName")]),
    },
    Block { kinds: &[(CONTOUR, "ContourConfiguration")], at: &["spec"], rows: Rows::These(CONTOUR_SETTINGS) },
    Block {
        kinds: &[(CONTOUR, "ContourDeployment")],
        at: &["spec.runtimeSettings"],
        rows: Rows::These(CONTOUR_SETTINGS),
    },
];
