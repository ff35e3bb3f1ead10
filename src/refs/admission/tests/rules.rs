//! Webhooks and aggregated APIs.

use super::*;

/// Widgets in a namespace and their webhook.
fn widgets(kind: &str, version: &str, more: &str) -> String {
    hook(kind, version, more) + BACKEND + &object("example.com/v2", "Widget", "ops", "first", ", labels: {a: b}")
}

#[test]
fn a_webhook_waits_for_its_backend_and_its_objects_for_it() {
    let (edges, said) = linked(&widgets("Validating", "v1", &rules("example.com", "widgets", "UPDATE")));
    let mut expected = backend_edges("Validating");
    expected.push("ValidatingWebhookConfiguration hook > Widget ops/first registration".to_owned());
    expected.sort();
    let mut sorted = edges;
    sorted.sort();
    assert_eq!((sorted, said), (expected, Vec::new()));
}

#[test]
fn what_cannot_act_waits_for_nobody_and_nobody_for_it() {
    let policy = |policy: &str, rules: &str| format!("failurePolicy: {policy}\n  {rules}");
    for (kind, more) in [
        ("Validating", "rules: []".to_owned()),
        ("Validating", policy("Ignore", &rules("example.com", "widgets", "CREATE"))),
        ("Validating", policy("Ignore", &rules("*", "*/*", "'*'"))),
        ("Mutating", policy("Ignore", &rules("example.com", "widgets", "CREATE"))),
        ("Validating", rules("example.com", "widgets", "DELETE")),
        ("Mutating", rules("", "pods", "CONNECT")),
        ("Validating", rules("example.com", "widgets/status", "UPDATE")),
    ] {
        assert_eq!(linked(&widgets(kind, "v1", &more)), (Vec::new(), Vec::new()), "{kind} {more}");
    }
    let old = rules("example.com", "widgets", "CREATE").replace("[v1]", "[v2]");
    assert_eq!(linked(&widgets("Validating", "v1beta1", &old)).0, [""; 0], "v1beta1 ignores by default");
}

#[test]
fn versions_count_where_a_webhook_says_so() {
    let rule = rules("example.com", "widgets", "CREATE");
    let exact = format!("matchPolicy: Exact\n  {rule}");
    assert_eq!(gated(&widgets("Validating", "v1", &rule)), ["Widget ops/first"]);
    assert_eq!(gated(&widgets("Validating", "v1", &exact)), [""; 0]);
    assert_eq!(gated(&widgets("Validating", "v1", &exact.replace("[v1]", "[v1, v2]"))), ["Widget ops/first"]);
    let old = format!("failurePolicy: Fail\n  {rule}");
    assert_eq!(gated(&widgets("Validating", "v1beta1", &old)), [""; 0], "v1beta1 means versions exactly");
    let equivalent = format!("matchPolicy: Equivalent\n  {old}");
    assert_eq!(gated(&widgets("Validating", "v1beta1", &equivalent)), ["Widget ops/first"]);
}

#[test]
fn a_plural_is_that_of_the_definition_or_regular() {
    let definition = "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgetry.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: Widget, plural: widgetry}, versions: []}
";
    let regular = widgets("Validating", "v1", &rules("example.com", "widgets", "CREATE"));
    assert_eq!(gated(&(regular + definition)), [""; 0]);
    let own = widgets("Validating", "v1", &rules("example.com", "widgetry", "CREATE"));
    assert_eq!(gated(&(own + definition)), ["Widget ops/first"]);
}

#[test]
fn scope_group_and_subresources_count() {
    let scoped = |scope: &str| {
        format!("{}, scope: '{scope}'}}]", rules("example.com", "widgets/*", "CREATE").trim_end_matches("}]"))
    };
    assert_eq!(gated(&widgets("Validating", "v1", &scoped("Namespaced"))), ["Widget ops/first"]);
    assert_eq!(gated(&widgets("Validating", "v1", &scoped("*"))), ["Widget ops/first"]);
    let roles = object("rbac.authorization.k8s.io/v1", "Role", "ops", "a", "")
        + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: a}\n";
    for (scope, expected) in [("Cluster", "ClusterRole a"), ("Namespaced", "Role ops/a")] {
        let rule = rules("rbac.authorization.k8s.io", "roles', 'clusterroles", "CREATE");
        let rule = format!("{}, scope: {scope}}}]", rule.trim_end_matches("}]"));
        assert_eq!(gated(&(hook("Validating", "v1", &rule) + BACKEND + &roles)), [expected]);
    }
    assert_eq!(gated(&widgets("Validating", "v1", &rules("other.example.com", "widgets", "CREATE"))), [""; 0]);
}

#[test]
fn object_selectors_are_asked() {
    for (selector, expected) in [
        ("{matchLabels: {a: b}}", &["Widget ops/first"][..]),
        ("{matchExpressions: [{key: a, operator: DoesNotExist}]}", &[]),
        ("null", &["Widget ops/first"]),
    ] {
        let more = format!("objectSelector: {selector}\n  {}", rules("example.com", "widgets", "CREATE"));
        assert_eq!(gated(&widgets("Validating", "v1", &more)), expected, "{selector}");
    }
}

#[test]
fn a_rule_on_pods_is_asked_of_pod_templates() {
    let more = format!(
        "failurePolicy: Ignore\n  objectSelector: {{matchLabels: {{mesh: 'on'}}}}\n  {}",
        rules("", "pods", "CREATE")
    );
    let text = hook("Mutating", "v1", &more)
        + BACKEND
        + &deployment("shop", "in", "labels: {mesh: 'on'}")
        + &deployment("shop", "out", "labels: {mesh: 'off'}")
        + &object("v1", "Pod", "shop", "bare", ", labels: {mesh: 'on'}")
        + "---\napiVersion: v1\nkind: PodTemplate\nmetadata: {name: t, namespace: shop}\ntemplate: {metadata: {labels: {mesh: 'on'}}}\n"
        + "---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly, namespace: shop}\n\
spec: {jobTemplate: {spec: {template: {metadata: {labels: {mesh: 'on'}}}}}}\n";
    assert_eq!(gated(&text), ["Pod shop/bare", "Deployment shop/in", "CronJob shop/nightly"]);
}

#[test]
fn labels_of_namespaces_that_are_not_here_are_not_known_but_for_the_name() {
    let more = |expressions: &str| {
        format!("namespaceSelector: {{{expressions}}}\n  {}", rules("example.com", "widgets", "CREATE"))
    };
    let text = |expressions: &str| {
        widgets("Validating", "v1", &more(expressions))
            + &object("example.com/v1", "Widget", "away", "a", "")
            + &object("example.com/v1", "Widget", "away", "b", "")
    };
    let not_off = "matchExpressions: [{key: quiet, operator: DoesNotExist}]";
    let (edges, said) = linked(&text(not_off));
    assert_eq!(only_gated(&edges), ["Widget ops/first"]);
    assert_eq!(
        said,
        [
            "TG210 nothing in namespace `away` waits for ValidatingWebhookConfiguration hook: the labels that it selects \
by are not known"
        ]
    );
    let by_name = "matchLabels: {kubernetes.io/metadata.name: away}";
    assert_eq!(gated(&text(by_name)), ["Widget away/a", "Widget away/b"]);
    let elsewhere = format!("matchLabels: {{kubernetes.io/metadata.name: shop}}, {not_off}");
    assert_eq!(gated(&text(&elsewhere)), [""; 0], "what decides is known");
}

#[test]
fn what_is_in_no_known_namespace_does_not_wait_and_a_deadlock_is_said() {
    let more = format!(
        "namespaceSelector: {{matchExpressions: [{{key: quiet, operator: DoesNotExist}}]}}\n  {}",
        rules("", "pods", "CREATE")
    );
    let text = hook("Validating", "v1", &more) + BACKEND + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";
    assert_eq!(
        linked(&text).1,
        [
            "TG210 objects whose namespace nobody says do not wait for ValidatingWebhookConfiguration hook, which \
selects by labels of theirs",
            "TG211 webhook `hook.example.com` of ValidatingWebhookConfiguration hook is asked about the pods of \
Deployment ops/hook, which answers it: once none of them runs, none can start",
        ]
    );
}

#[test]
fn what_a_backend_needs_never_waits_for_it() {
    let config = object("v1", "ConfigMap", "ops", "conf", "") + &object("v1", "ConfigMap", "ops", "other", "");
    let reads = BACKEND.replace("image: 'registry.example.com/hook:1'", "envFrom: [{configMapRef: {name: conf}}]");
    let text =
        hook("Validating", "v1", &rules("", "configmaps', 'services', 'namespaces", "CREATE")) + &reads + &config;
    assert_eq!(gated(&text), ["ConfigMap ops/other"]);
}

#[test]
fn beside_a_backend_that_nobody_sees_nothing_waits() {
    let service = BACKEND.split("---\napiVersion: apps").next().unwrap_or_default();
    let others = object("example.com/v2", "Widget", "ops", "first", "")
        + &object("example.com/v2", "Widget", "shop", "second", "");
    let hook =
        hook("Validating", "v1", &rules("", "widgets', 'namespaces", "CREATE").replace("['']", "['', example.com]"));
    for backend in [service, ""] {
        assert_eq!(gated(&format!("{hook}{backend}{others}")), ["Widget shop/second"], "{backend}");
    }
}

#[test]
fn policy_engines_wait_and_gate_only_if_asked() {
    let text = hook("Validating", "v1", &rules("*", "*/*", "CREATE"))
        + &BACKEND.replace("name: hook, image", "name: engine, image")
        + &deployment("shop", "web", "labels: {}");
    let (edges, said) = linked(&text);
    assert_eq!(edges, backend_edges("Validating"));
    assert!(said.len() == 1 && said[0].starts_with("TG211 "), "{said:?}");
    assert_eq!(only_gated(&linked_with(&text, &enforce()).0), ["Deployment shop/web"]);
}

#[test]
fn linkerd_gates_pods_that_ask() {
    let namespaces = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: meshed, annotations: {linkerd.io/inject: ingress}}\n\
---\napiVersion: v1\nkind: Namespace\nmetadata: {name: plain}\n";
    let hook = |policy: &str| {
        let more = format!("failurePolicy: {policy}\n  {}", rules("", "pods", "CREATE"));
        hook("Mutating", "v1", &more).replace("hook.example.com", "injector.linkerd.io")
    };
    let pods = deployment("meshed", "asks", "labels: {}")
        + &deployment("meshed", "silent", "annotations: {linkerd.io/inject: disabled}")
        + &deployment("plain", "silent", "labels: {}")
        + &deployment("plain", "asks", "annotations: {linkerd.io/inject: enabled}")
        + &deployment("away", "silent", "labels: {}")
        + &deployment("away", "asks", "annotations: {linkerd.io/inject: enabled}");
    let text = format!("{}{BACKEND}{namespaces}{pods}", hook("Ignore"));
    assert_eq!(gated(&text), ["Deployment away/asks", "Deployment meshed/asks", "Deployment plain/asks"]);
    let fails = format!("{}{BACKEND}{namespaces}{pods}", hook("Fail"));
    assert_eq!(only_gated(&linked(&fails).0).len(), 6);
}

#[test]
fn a_controller_that_needs_its_registration_comes_after_it() {
    let controller = BACKEND.replace("name: hook, image", "name: spire-controller-manager, image");
    let (edges, _) = linked(&(hook("Validating", "v1", &rules("example.com", "widgets", "CREATE")) + &controller));
    assert_eq!(edges, ["ValidatingWebhookConfiguration hook > Deployment ops/hook own-registration"]);
}

#[test]
fn admission_is_never_asked_about_what_configures_it() {
    let policy =
        "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: a}\n";
    let text = hook("Validating", "v1", &rules("*", "*", "CREATE")) + policy;
    assert_eq!(linked_with(&text, &enforce()).0, [""; 0]);
}

#[test]
fn an_aggregated_api_waits_for_its_backend_and_gates_its_version() {
    let api = |service: &str| {
        format!(
            "---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {{name: v1.example.com}}
spec: {{group: example.com, version: v1, service: {service}}}
"
        )
    };
    let objects =
        object("example.com/v1", "Widget", "shop", "a", "") + &object("example.com/v2", "Widget", "shop", "b", "");
    let (edges, _) = linked(&(api("{name: hook, namespace: ops}") + BACKEND + &objects));
    assert_eq!(
        edges,
        [
            "Service ops/hook > APIService v1.example.com backend",
            "Deployment ops/hook > APIService v1.example.com backend",
            "APIService v1.example.com > Widget shop/a registration",
        ]
    );
    assert_eq!(linked(&(api("null") + BACKEND + &objects)).0, [""; 0], "the API server answers it itself");
}

#[test]
fn registrations_without_a_namespace_of_their_backend_find_it() {
    let homeless = BACKEND.replace(", namespace: ops", "");
    let text = hook("Validating", "v1", &rules("example.com", "widgets", "CREATE")) + &homeless;
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let (settings, mut found) = (Settings::default(), Findings::default());
    let linked = refs::link(load::objects(&sources, &settings, &mut found), &settings, &mut found);
    let backend = linked.graph.edges().iter().filter(|edge| edge.reason == Reason::Backend);
    assert_eq!(backend.count(), 2);
}

/// The place of every edge is the field that says so.
#[test]
fn edges_know_where_they_were_read() {
    let text = widgets("Validating", "v1", &rules("example.com", "widgets", "CREATE"));
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("a.yaml", text.clone()));
    let (settings, mut found) = (Settings::default(), Findings::default());
    let linked = refs::link(load::objects(&sources, &settings, &mut found), &settings, &mut found);
    let at = |reason| {
        let edge = linked.graph.edges().iter().find(|edge| edge.reason == reason).expect("an edge");
        assert_eq!(edge.place.file, file);
        &text[edge.place.start..edge.place.end]
    };
    assert_eq!(at(Reason::Backend), "hook");
    assert!(at(Reason::Registration).starts_with("{apiGroups: ['example.com']"));
}
