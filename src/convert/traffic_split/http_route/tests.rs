#![allow(clippy::too_many_lines, reason = "whole documents are compared")]

use super::*;
use crate::config::Settings;
use crate::source::{SourceFile, SourceMap};
use crate::{load, yaml};

/// The routes of every split of a text, then what was said, then with `steps` the way there.
fn told(text: &str, ports: &[u16], with_steps: bool) -> String {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let loaded = load::objects(&sources, &Settings::default(), &mut found);
    assert!(found.sorted().is_empty(), "{:?}", found.sorted());
    let context = Context { ports, ..Context::new(&loaded.objects) };
    let splits = loaded.objects.of_kind("split.smi-spec.io", "TrafficSplit").map(|(_, split)| split);
    let done: Vec<_> = splits.map(|split| (split, convert(split, &context, &mut found))).collect();
    let mut out = String::new();
    for route in done.iter().filter_map(|(_, routes)| routes.as_ref().ok()).flat_map(|routes| &routes.routes) {
        yaml::emit(&route.tree, &mut out);
        out += "---\n";
    }
    for finding in found.sorted() {
        let line = finding.labels.iter().map(|label| sources.line_column(label.place).line.to_string());
        let (rule, lines) = (finding.rule.id, line.collect::<Vec<_>>().join(","));
        out += &format!("{rule} {} {lines}: {}\n", finding.severity, finding.message);
    }
    if with_steps {
        let done: Vec<_> = done.iter().filter_map(|(split, routes)| Some((*split, routes.as_ref().ok()?))).collect();
        out += &steps(&done);
    }
    out
}

fn service(name: &str, ports: &str) -> String {
    format!("\n---\n{{apiVersion: v1, kind: Service, metadata: {{name: {name}, namespace: shop}}, spec: {{{ports}}}}}")
}

/// A split of `cart` with these backends, and what else there is.
fn split(backends: &str, rest: &str) -> String {
    format!(
        "apiVersion: split.smi-spec.io/v1alpha1\nkind: TrafficSplit\nmetadata: {{name: canary, namespace: shop}}\nspec:\n  \
         service: cart\n  backends: [{backends}]{rest}"
    )
}

/// What is said of a split of `cart` with two backends, whose Service has these ports.
fn said(ports: &str, asked: &[u16]) -> String {
    let text =
        split("{service: a, weight: 1}", &service("cart", ports)) + &service("a", "ports: [{port: 80}, {port: 81}]");
    let told = told(&text, asked, false);
    let routes = told.matches("kind: HTTPRoute\n").count();
    let rest = told.rfind("---\n").map_or(&*told, |at| &told[at + 4..]);
    format!("{routes} routes\n{rest}")
}

#[test]
fn one_port_is_one_route() {
    let text = "apiVersion: split.smi-spec.io/v1alpha1
kind: TrafficSplit
metadata:
  name: cart-canary
  namespace: shop
  uid: x
  labels: {app: cart}
  annotations: {note: kept, kubectl.kubernetes.io/last-applied-configuration: '{}'}
spec:
  service: cart.shop.svc.cluster.local
  backends:
  - {service: cart-v1, weight: 1}
  - {service: cart-v2, weight: 250m}
  - {service: cart-v3, weight: 0m}"
        .to_owned()
        + &["cart", "cart-v1", "cart-v2", "cart-v3"].map(|name| service(name, "ports: [{port: 8080}]")).concat();
    insta::assert_snapshot!(told(&text, &[], true), @r#"
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: cart-canary
      namespace: shop
      labels:
        app: cart
      annotations:
        note: kept
    spec:
      parentRefs:
      - group: ""
        kind: Service
        name: cart
        port: 8080
      rules:
      - backendRefs:
        - name: cart-v1
          port: 8080
          weight: 1000
        - name: cart-v2
          port: 8080
          weight: 250
        - name: cart-v3
          port: 8080
          weight: 0
    ---
    1. The API server serves HTTPRoute.
         kubectl get crd httproutes.gateway.networking.k8s.io
    2. The backends are there.
         kubectl get services -n shop cart-v1 cart-v2 cart-v3
    3. Apply the routes, beside the splits. Nothing changes yet: the ServiceProfile that the SMI extension keeps for a split wins over them.
         kubectl get httproute -n shop cart-canary
    4. Delete the splits, in a change of its own that comes after the routes: the extension empties its profile, and the routes take over.
         kubectl delete trafficsplit -n shop cart-canary
    5. No ServiceProfile of the Services has `dstOverrides` or `routes` any more; delete it, or take them out.
         kubectl get serviceprofile -n shop cart.shop.svc.cluster.local -o yaml
    6. When no split is left in the cluster, remove the SMI extension. Without it a profile that still has `dstOverrides` would stay in force.
         kubectl get trafficsplits --all-namespaces
    "#);
}

#[test]
fn each_port_is_a_route() {
    insta::assert_snapshot!(told(
        &(split("{service: a, weight: 1}, {service: b, weight: 1}", &service("cart", "ports: [{port: 80}, {port: 90}]"))
            + &service("a", "ports: [{port: 90}, {port: 80}]")
            + &service("b", "ports: [{port: 80}, {port: 90}]")),
        &[],
        false
    ), @r#"
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: canary-80
      namespace: shop
    spec:
      parentRefs:
      - group: ""
        kind: Service
        name: cart
        port: 80
      rules:
      - backendRefs:
        - name: a
          port: 80
          weight: 1
        - name: b
          port: 80
          weight: 1
    ---
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: canary-90
      namespace: shop
    spec:
      parentRefs:
      - group: ""
        kind: Service
        name: cart
        port: 90
      rules:
      - backendRefs:
        - name: a
          port: 90
          weight: 1
        - name: b
          port: 90
          weight: 1
    ---
    "#);
}

#[test]
fn matches_are_closed_and_the_rest_goes_to_the_root() {
    let text = "apiVersion: split.smi-spec.io/v1alpha4
kind: TrafficSplit
metadata: {name: ab, namespace: shop}
spec:
  service: site
  matches: [{kind: HTTPRouteGroup, name: beta}, {kind: HTTPRouteGroup, name: old, apiGroup: specs.smi-spec.io}]
  backends: [{service: site-v2, weight: 100}]
---
apiVersion: specs.smi-spec.io/v1alpha4
kind: HTTPRouteGroup
metadata: {name: beta, namespace: shop}
spec:
  matches:
  - {name: api, pathRegex: /api, methods: [GET, HEAD], headers: {x-user: beta-.*}}
  - {name: all, pathRegex: '.*', methods: ['*'], headers: {x-flag: 'on-1'}}
  - {name: every}
---
apiVersion: specs.smi-spec.io/v1alpha1
kind: HTTPRouteGroup
metadata: {name: old, namespace: shop}
matches:
- {name: health, pathRegex: 'a|ab', methods: [POST]}"
        .to_owned();
    insta::assert_snapshot!(told(&(text + &service("site", "ports: [{port: 80}]")), &[], false), @r#"
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: ab
      namespace: shop
      annotations:
        tidegate.dev/smi-matches: beta/api,beta/all,beta/every,old/health
    spec:
      parentRefs:
      - group: ""
        kind: Service
        name: site
        port: 80
      rules:
      - matches:
        - method: GET
          path:
            type: RegularExpression
            value: ^(?:/api).*$
          headers:
          - name: x-user
            type: RegularExpression
            value: ^(?:beta-.*)$
        - method: HEAD
          path:
            type: RegularExpression
            value: ^(?:/api).*$
          headers:
          - name: x-user
            type: RegularExpression
            value: ^(?:beta-.*)$
        - headers:
          - name: x-flag
            type: Exact
            value: on-1
        - path:
            type: PathPrefix
            value: /
        - method: POST
          path:
            type: RegularExpression
            value: ^(?:a|ab).*$
        backendRefs:
        - name: site-v2
          port: 80
          weight: 100
      - backendRefs:
        - name: site
          port: 80
          weight: 1
    ---
    TG445 warning 7: TrafficSplit shop/ab: the backend site-v2 is no Service of the input
    TG446 warning 15: TrafficSplit shop/ab: the header `x-flag` is compared with `on-1` as a whole
    "#);
}

#[test]
fn a_group_has_to_be_one_that_a_route_can_say() {
    let group = |matches: &str| {
        let text = format!(
            "apiVersion: split.smi-spec.io/v1alpha4\nkind: TrafficSplit\nmetadata: {{name: ab, namespace: shop}}\nspec:\n  \
             service: site\n  matches: [{{kind: HTTPRouteGroup, name: g}}]\n  backends: [{{service: b, weight: 1}}]\n---\n\
             apiVersion: specs.smi-spec.io/v1alpha4\nkind: HTTPRouteGroup\nmetadata: {{name: g, namespace: shop}}\nspec:\n  \
             matches: [{matches}]"
        );
        told(&text, &[80], false)
    };
    let many = (0..129).map(|nth| format!("{{name: m{nth}, pathRegex: /{nth}}}")).collect::<Vec<_>>().join(", ");
    let all = [
        "{name: a, pathRegex: '/(?!x)'}",
        "{name: a, pathRegex: '('}",
        "{name: a, headers: {':authority': x}}",
        "{name: a, headers: [{X-A: '^a$'}, {x-a: '^b$'}]}",
        "{name: a, methods: [get]}",
        "",
        &format!("{{name: a, pathRegex: {}}}", "x".repeat(1024)),
        &many,
    ];
    insta::assert_snapshot!(all.map(group).concat(), @"
    TG440 error 13: TrafficSplit shop/ab: the expression `/(?!x)` cannot be read: look-around, including look-ahead and look-behind, is not supported
    TG440 error 13: TrafficSplit shop/ab: the expression `(` cannot be read: unclosed group
    TG440 error 13: TrafficSplit shop/ab: `:authority` is no header of a route
    TG440 error 13: TrafficSplit shop/ab: the header `x-a` is given twice
    TG440 error 13: TrafficSplit shop/ab: `get` is no method of a route
    TG440 error 13: TrafficSplit shop/ab: the group matches nothing
    TG447 error 13: TrafficSplit shop/ab: the expression of a path takes at most 1024 characters
    TG447 error 6: TrafficSplit shop/ab: a route holds at most 128 matches, and these are 129
    ");
    let most = (0..128).map(|nth| format!("{{name: m{nth}, pathRegex: /{nth}}}")).collect::<Vec<_>>().join(", ");
    let most = group(&most);
    assert_eq!((most.matches("- matches:").count(), most.matches("RegularExpression").count()), (15, 128), "{most}");
}

#[test]
fn what_no_route_can_say_is_refused() {
    let cart = service("cart", "ports: [{port: 80}]");
    let with = |backends: &str| told(&split(backends, &cart), &[], false);
    let named =
        |root: &str| told(&split("{service: a, weight: 1}", &cart).replace("service: cart\n", root), &[], false);
    let all = [
        with("{service: a, weight: 0}, {service: b, weight: 0m}"),
        with(""),
        with("{service: a.other, weight: 1}"),
        with("{service: a, weight: x}"),
        named("service: cart.other.svc.cluster.local\n"),
        named("service: shop.example.com\n"),
        named("service: missing\n"),
        told(
            &split(
                "{service: a, weight: 1}",
                "\n  matches: [{kind: TCPRoute, name: t}, {kind: HTTPRouteGroup, name: g}]",
            )
            .replace("v1alpha1", "v1alpha4"),
            &[80],
            false,
        ),
        with(&(0..17).map(|nth| format!("{{service: b{nth}, weight: 1}}")).collect::<Vec<_>>().join(", ")),
    ];
    insta::assert_snapshot!(all.join("--\n"), @"
    TG440 error 6: TrafficSplit shop/canary: the weights of all backends are 0
    --
    TG440 error 6: TrafficSplit shop/canary: the split has no backends
    --
    TG440 error 6: TrafficSplit shop/canary: `a.other` leads to the namespace `other`
    --
    TG413 error 6: TrafficSplit shop/canary, backend `a`: its weight `x` is no Quantity (as in 1, 0.5, 500m, 1k, 1Ki, 1e3)
    --
    TG440 error 5: TrafficSplit shop/canary: `cart.other.svc.cluster.local` leads to the namespace `other`
    --
    TG440 error 5: TrafficSplit shop/canary: `shop.example.com` is not the name of a Service
    --
    TG441 error 5: TrafficSplit shop/canary: the ports of Service missing are not known: it is not in the input
    TG445 warning 6: TrafficSplit shop/canary: the backend a is no Service of the input
    --
    TG440 error 7: TrafficSplit shop/canary: it matches by TCPRoute t, which is no HTTPRouteGroup of specs.smi-spec.io
    TG440 error 7: TrafficSplit shop/canary: it matches by HTTPRouteGroup g, which is not in the input
    --
    TG447 error 6: TrafficSplit shop/canary: a rule holds at most 16 backends, and the split has 17
    TG445 warning 6: TrafficSplit shop/canary: the backend b0 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b1 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b2 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b3 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b4 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b5 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b6 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b7 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b8 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b9 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b10 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b11 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b12 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b13 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b14 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b15 is no Service of the input
    TG445 warning 6: TrafficSplit shop/canary: the backend b16 is no Service of the input
    ");
}

#[test]
fn ports_have_to_speak_http() {
    let all = [
        said("ports: [{port: 80}, {port: 3306}]", &[]),
        said("ports: [{port: 80}, {port: 3306}]", &[80]),
        said("ports: [{port: 80}, {port: 3306}]", &[3306, 9]),
        said("ports: [{port: 80, protocol: UDP}]", &[]),
        said("ports: [{port: 80, protocol: UDP}, {port: 80}]", &[]),
        said("ports: [{port: 80, appProtocol: mysql}, {port: 81, appProtocol: kubernetes.io/h2c}]", &[]),
        said("clusterIP: None, ports: [{port: 80}]", &[]),
        said("type: ExternalName, externalName: a.example.com, ports: [{port: 80}]", &[]),
        said("", &[]),
    ];
    insta::assert_snapshot!(all.join("--\n"), @"
    0 routes
    TG442 error 5,8: TrafficSplit shop/canary: port 3306 carries no HTTP that a proxy sees: it is opaque to the proxy, unless an annotation says otherwise
    --
    1 routes
    --
    0 routes
    TG441 error 5,8: TrafficSplit shop/canary: the Service cart has no port 9
    TG442 error 5,8: TrafficSplit shop/canary: port 3306 carries no HTTP that a proxy sees: it is opaque to the proxy, unless an annotation says otherwise
    --
    0 routes
    TG442 error 5,8: TrafficSplit shop/canary: port 80 carries no HTTP that a proxy sees: it is UDP
    --
    1 routes
    --
    0 routes
    TG442 error 5,8: TrafficSplit shop/canary: port 80 carries no HTTP that a proxy sees: it is `appProtocol: mysql`
    --
    0 routes
    TG440 error 5,8: TrafficSplit shop/canary: the Service cart is headless (`clusterIP: None`), and no route can be attached to it
    --
    0 routes
    TG440 error 5,8: TrafficSplit shop/canary: the Service cart is an alias (`type: ExternalName`), and no route can be attached to it
    --
    0 routes
    TG441 error 5,8: TrafficSplit shop/canary: the Service cart has no ports
    ");
    let named = |on: &str| {
        let service = service("cart", "ports: [{port: 80, name: web}, {port: 3306}]");
        let service = service.replace("name: cart, ", &format!("name: cart, {on}"));
        told(&split("{service: a, weight: 1}", &service), &[], false)
    };
    let own = named("annotations: {config.linkerd.io/opaque-ports: 'web,70-90'}, ");
    assert!(
        own.contains("TG442 error 5,8: TrafficSplit shop/canary: port 80 carries no HTTP") && !own.contains("3306"),
        "{own}"
    );
    let namespace = named("") + "";
    assert!(namespace.contains("port 3306 carries no HTTP"), "{namespace}");
    let text = split("{service: a, weight: 1}", &service("cart", "ports: [{port: 3306}]"))
        + "\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, annotations: {config.linkerd.io/opaque-ports: '25'}}";
    assert!(told(&text, &[], false).contains("kind: HTTPRoute"), "the Namespace says that 3306 is not opaque");
}

#[test]
fn backends_have_to_have_the_port() {
    let text =
        split("{service: a, weight: 1}, {service: b, weight: 0}, {service: c, weight: 0}, {service: d, weight: 1}", "")
            + &service("cart", "ports: [{port: 80}]")
            + &service("a", "ports: [{port: 80}]")
            + &service("b", "ports: [{port: 81}]");
    let out = told(&text, &[], false);
    insta::assert_snapshot!(out, @r#"
    apiVersion: gateway.networking.k8s.io/v1
    kind: HTTPRoute
    metadata:
      name: canary
      namespace: shop
    spec:
      parentRefs:
      - group: ""
        kind: Service
        name: cart
        port: 80
      rules:
      - backendRefs:
        - name: a
          port: 80
          weight: 1
        - name: c
          port: 80
          weight: 0
        - name: d
          port: 80
          weight: 1
    ---
    TG445 warning 6,12: TrafficSplit shop/canary: the backend b (weight 0) has no port 80: it is left out of the route
    TG445 warning 6: TrafficSplit shop/canary: the backend d is no Service of the input
    "#);
    let out = told(&text.replace("{service: b, weight: 0}", "{service: b, weight: 2}"), &[], false);
    assert!(
        out.starts_with("TG445 error 6,12: TrafficSplit shop/canary: the backend b (weight 2) has no port 80"),
        "{out}"
    );
}

#[test]
fn what_meets_the_routes_is_said() {
    let text = split("{service: a, weight: 1}", &service("cart", "ports: [{port: 80}]"))
        + &service("a", "ports: [{port: 80}]")
        + "
---
apiVersion: linkerd.io/v1alpha2
kind: ServiceProfile
metadata: {name: cart.shop.svc.cluster.local, namespace: shop}
spec: {routes: [], dstOverrides: [{authority: a.shop.svc.cluster.local, weight: 1}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: GRPCRoute
metadata: {name: grpc, namespace: shop}
spec: {parentRefs: [{group: '', kind: Service, name: cart}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: elsewhere, namespace: shop}
spec: {parentRefs: [{group: '', kind: Service, name: cart, port: 81}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: canary, namespace: shop}
spec: {parentRefs: [{group: '', kind: Service, name: other}]}
---
apiVersion: split.smi-spec.io/v1alpha2
kind: TrafficSplit
metadata: {name: second, namespace: shop}
spec: {service: cart.shop, backends: [{service: a, weight: 1}]}";
    insta::assert_snapshot!(told(&text, &[], false), @"
    TG449 error 3,27: TrafficSplit shop/canary: there is an HTTPRoute canary already
    TG443 warning 5,15: TrafficSplit shop/canary: ServiceProfile shop/cart.shop.svc.cluster.local has dstOverrides, which hide the routes
    TG444 error 5,35: TrafficSplit shop/canary: TrafficSplit shop/second splits the Service cart as well
    TG449 warning 5,20: TrafficSplit shop/canary: GRPCRoute shop/grpc is attached to the Service cart and takes its HTTP/2 traffic from the new routes
    TG443 warning 35,15: TrafficSplit shop/second: ServiceProfile shop/cart.shop.svc.cluster.local has dstOverrides, which hide the routes
    TG444 error 35,5: TrafficSplit shop/second: TrafficSplit shop/canary splits the Service cart as well
    TG449 warning 35,20: TrafficSplit shop/second: GRPCRoute shop/grpc is attached to the Service cart and takes its HTTP/2 traffic from the new routes
    ");
}
