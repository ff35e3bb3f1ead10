use crate::config::{Gates, ProducerGates, Settings};
use crate::refs::fixture::{edges, edges_with, linked};

const SEALED: &str = "
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: db, namespace: shop}
spec: {encryptedData: {password: AgBexample}}
---
";

/// A workload that reads the Secret `db`, in a pod spec of this text.
fn reader(api: &str, kind: &str, pod: &str) -> String {
    format!(
        "apiVersion: {api}\nkind: {kind}\nmetadata: {{name: {}, namespace: shop}}\nspec: {{template: {{spec: {pod}}}}}\n---\n",
        kind.to_ascii_lowercase()
    )
}

const ENV: &str = "{containers: [{name: a, envFrom: [{secretRef: {name: db}}]}]}";

fn with(producers: ProducerGates) -> Settings {
    Settings { gates: Gates { producers, ..Gates::default() }, ..Settings::default() }
}

#[test]
fn pods_wait_for_who_makes_what_they_read() {
    let mounted = "{containers: [{name: a, volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, secret: {secretName: db}}]}";
    let unmounted = "{containers: [{name: a}], volumes: [{name: v, secret: {secretName: db}}]}";
    for (pod, waits) in [(ENV, true), (mounted, true), (unmounted, false), ("{containers: [{name: a}]}", false)] {
        let text = format!("{SEALED}{}", reader("apps/v1", "Deployment", pod));
        let expected: &[&str] =
            if waits { &["SealedSecret shop/db → Deployment shop/deployment (ready, line 10)"] } else { &[] };
        assert_eq!(edges(&text, "producer"), expected, "{pod}");
    }
}

#[test]
fn a_setting_lets_jobs_alone_wait_or_nobody() {
    let text = format!("{SEALED}{}{}", reader("apps/v1", "Deployment", ENV), reader("batch/v1", "Job", ENV));
    let count = |producers| edges_with(&text, "producer", &with(producers)).len();
    assert_eq!([ProducerGates::Wait, ProducerGates::JobsOnly, ProducerGates::Off].map(count), [2, 1, 0]);
    let jobs = edges_with(&text, "producer", &with(ProducerGates::JobsOnly));
    assert_eq!(jobs, ["SealedSecret shop/db → Job shop/job (ready, line 15)"]);
}

#[test]
fn nothing_waits_for_a_maker_that_says_so() {
    let sealed = SEALED.replace("namespace: shop}", "namespace: shop, annotations: {tidegate.dev/order: no-wait}}");
    let text = format!("{sealed}{}", reader("apps/v1", "Deployment", ENV));
    assert_eq!(edges(&text, "producer"), ["SealedSecret shop/db → Deployment shop/deployment (before, line 10)"]);
    let no_wait = linked(&text, &Settings::default(), |linked, _| {
        linked.no_wait.iter().map(|at| linked.loaded.objects.get(*at).id.to_string()).collect::<Vec<_>>()
    });
    assert_eq!(no_wait, ["SealedSecret shop/db"]);
}

#[test]
fn a_certificate_that_traffic_proves_is_not_waited_for() {
    let text = |kind: &str, namespace: &str, solvers: &str, group: &str| {
        format!(
            "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {{name: web, namespace: shop}}\nspec: \
             {{secretName: db, issuerRef: {{name: ca, kind: {kind}{group}}}}}\n---\napiVersion: cert-manager.io/v1\nkind: \
             {kind}\nmetadata: {{name: ca{namespace}}}\nspec: {solvers}\n---\n{}",
            reader("apps/v1", "Deployment", ENV)
        )
    };
    let http = "{acme: {solvers: [{dns01: {}}, {http01: {ingress: {}}}]}}";
    let dns = "{acme: {solvers: [{dns01: {}}]}}";
    for (text, need) in [
        (text("Issuer", ", namespace: shop", http, ""), "before"),
        (text("ClusterIssuer", "", http, ", group: cert-manager.io"), "before"),
        (text("Issuer", ", namespace: other", http, ""), "ready"),
        (text("Issuer", ", namespace: shop", dns, ""), "ready"),
        (text("Issuer", ", namespace: shop", "{ca: {secretName: ca}}", ""), "ready"),
        (text("Issuer", ", namespace: shop", http, ", group: other.example.org"), "ready"),
    ] {
        let found = edges(&text, "producer");
        assert!(found.iter().any(|edge| edge.contains("Deployment") && edge.contains(need)), "{text}\n{found:?}");
    }
}

#[test]
fn a_workload_known_to_make_something_is_waited_for() {
    let istiod = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: istiod, namespace: istio-system, labels: {app: istiod}}\nspec: {template: {metadata: {labels: {app: istiod}}, spec: {containers: [{name: discovery, image: docker.io/istio/pilot:1.24.0}]}}}\n---\n";
    let pod = "{containers: [{name: a, volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, configMap: {name: istio-ca-root-cert}}]}";
    let text = format!("{istiod}{}", reader("batch/v1", "Job", pod));
    assert_eq!(edges(&text, "producer"), ["Deployment istio-system/istiod → Job shop/job (ready, line 9)"]);
}
