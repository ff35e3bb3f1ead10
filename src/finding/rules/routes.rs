//! Rules about TrafficSplits that become routes of Gateway API.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &NO_ROUTE,
    &NO_PORT,
    &NOT_HTTP,
    &PROFILE_WINS,
    &SPLITS_MEET,
    &BACKEND,
    &HEADER_MEANS_ALL,
    &TOO_MANY,
    &OTHER_ROUTE,
];

/// A split that no route can say.
pub static NO_ROUTE: Rule = Rule {
    id: "TG440",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a TrafficSplit says what no HTTPRoute can",
    explanation: "\
A route is about one Service of its own namespace, and sends requests to backends of which at least one has a
weight. So a split is refused whose weights are all 0 (every proxy does something else with it), whose names
lead into another namespace, whose root Service is headless or an alias, or whose matches are no
HTTPRouteGroup that the input holds.

Nothing is left out to make it fit: mend the split, or write the route by hand. Only a match by a kind of another
API group is dropped, beside others that stay, where a loss is allowed; the report names it.",
};

/// A root Service whose ports nobody knows.
pub static NO_PORT: Rule = Rule {
    id: "TG441",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "the ports of a split Service are not known",
    explanation: "\
A TrafficSplit splits every port of its Service and names none; a backend of an HTTPRoute without a port is
invalid, and its share of the requests fails. So the ports come from the Service in the input, and there is
one route a port.

Add the Service to the input, or say the ports: `tidegate convert --to httproute --port 8080`.",
};

/// A port that no HTTPRoute reaches.
pub static NOT_HTTP: Rule = Rule {
    id: "TG442",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a port of a split Service does not speak HTTP",
    explanation: "\
An HTTPRoute is about requests. A port that is opaque to the proxy (`config.linkerd.io/opaque-ports` on the
Service or its Namespace, else 25, 587, 3306, 4444, 5432, 6379, 9300 and 11211), that is not TCP, or whose
`appProtocol` is another one carries connections, and a route on it does nothing.

Name the ports that speak HTTP (`--port`); for the others there is TCPRoute, which is experimental.",
};

/// A ServiceProfile that hides the routes.
pub static PROFILE_WINS: Rule = Rule {
    id: "TG443",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a ServiceProfile of the same Service hides its HTTPRoutes",
    explanation: "\
Linkerd's proxies take a ServiceProfile with `routes` or `dstOverrides` before any HTTPRoute, in silence. The
SMI extension writes `dstOverrides` for every TrafficSplit, and empties them when the split is deleted; what
stands in a manifest stays.

Delete the profile, or take both fields out of it, after the routes are there: until then it keeps the split
in force.",
};

/// Two splits of one Service.
pub static SPLITS_MEET: Rule = Rule {
    id: "TG444",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "several TrafficSplits split the same Service",
    explanation: "\
What several splits of one Service mean was never said. Several HTTPRoutes of one Service are merged, and the
oldest wins, so the outcome would depend on the order in which they were created.

Keep one split of the Service, or make one of them.",
};

/// A backend that a route cannot reach.
pub static BACKEND: Rule = Rule {
    id: "TG445",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a backend of a split cannot be reached at the port of a route",
    explanation: "\
A split leaves a backend without the port out; a route sends it its share all the same, and these requests
fail with status 500. So such a backend with a weight is an error. With weight 0 it is left out of the route,
and said (warning). So is a backend whose Service is not in the input (warning): it may be elsewhere.",
};

/// A header that is compared as a whole.
pub static HEADER_MEANS_ALL: Rule = Rule {
    id: "TG446",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a header is compared as a whole",
    explanation: "\
SMI does not say whether the expression of a header has to cover the whole value or may hit a part of it; its
examples (`.*Firefox.*`) take it for the whole, and so does the route. An expression without `.*` and
without an anchor may have been meant for a part.

Write `.*` around it if a part is enough, or `^` and `$` if it is not, and the question is settled.",
};

/// More than a route may hold.
pub static TOO_MANY: Rule = Rule {
    id: "TG447",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a route would hold more than Gateway API allows",
    explanation: "\
An HTTPRoute has at most 16 backends a rule, 64 matches a rule and 128 in all, 16 headers a match, 1024
characters of a path and 4096 of a header. Bundles up to 1.1 allow 8 matches a rule; more of them are split
over several rules here, of which there are at most 16. Each method of a match makes one of its own.",
};

/// A route that somebody else wrote.
pub static OTHER_ROUTE: Rule = Rule {
    id: "TG449",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "another route is attached to a split Service",
    explanation: "\
A GRPCRoute takes all HTTP/2 traffic of its Service from the HTTPRoutes; several HTTPRoutes of one Service are
merged, and the oldest wins where they meet. An HTTPRoute that has the name of one that is made is an error.",
};
