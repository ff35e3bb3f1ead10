//! The formula on graphs made by hand.

use insta::assert_snapshot;

use super::made::{Made, shown};
use crate::config::{Settings, WaveMode};
use crate::flow::Need::{self, Before, Ready};
use crate::flow::Reason::{
    self, Backend, Definition, Explicit, Mesh, Namespace, Producer, Reader, Reference, Registration,
};

type Edges<'e> = &'e [(&'e str, &'e str, Need, Reason)];

const NAMED: Reason = Reference("volumes[].persistentVolumeClaim.claimName");

fn waves(objects: &[&str], edges: Edges<'_>) -> String {
    Made::new(objects).waves(edges, &Settings::default())
}

fn minimal(objects: &[&str], edges: Edges<'_>) -> String {
    let mut settings = Settings::default();
    settings.waves.mode = WaveMode::Minimal;
    Made::new(objects).waves(edges, &settings)
}

/// The plan and what was said.
fn said(objects: &[&str], edges: Edges<'_>) -> String {
    let made = Made::new(objects);
    let (planned, said) = made.plan(edges, &Settings::default());
    format!("{}\n{}", shown(&planned), said.join("\n"))
}

const OPERATOR: &[&str] = &[
    "Widget.example.com first",
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io widgets",
    "Deployment.apps operator",
    "Certificate.cert-manager.io tls",
    "Service operator-service",
    "CustomResourceDefinition.apiextensions.k8s.io widgets.example.com",
    "Namespace ops",
];

const OPERATOR_EDGES: Edges<'_> = &[
    ("ops", "operator", Before, Namespace),
    ("widgets.example.com", "first", Before, Definition),
    ("tls", "operator", Ready, Producer),
    ("operator", "widgets", Ready, Backend),
    ("operator-service", "widgets", Ready, Backend),
    ("tls", "widgets", Before, Reference("metadata.annotations.{cert-manager.io/inject-ca-from}")),
    ("widgets", "first", Ready, Registration),
];

#[test]
fn an_operator_with_a_webhook_on_its_own_kind() {
    assert_snapshot!(waves(OPERATOR, OPERATOR_EDGES), @r"
    config: ops -20
    crd: widgets.example.com -10
    workload: operator-service 0, tls 0, operator 1, widgets 2, first 3
    ");
}

#[test]
fn a_producer_that_nobody_waits_for_is_no_gate() {
    let mut edges = OPERATOR_EDGES.to_vec();
    edges[2].2 = Before;
    assert_snapshot!(waves(OPERATOR, &edges), @r"
    config: ops -20
    crd: widgets.example.com -10
    workload: operator-service 0, tls 0, operator 0, widgets 1, first 2
    ");
}

#[test]
fn a_wave_of_the_user_on_what_comes_last_changes_nothing_else() {
    let mut objects = OPERATOR.to_vec();
    objects[0] = "Widget.example.com first argocd.argoproj.io/sync-wave=7";
    assert_snapshot!(waves(&objects, OPERATOR_EDGES), @r"
    config: ops -20
    crd: widgets.example.com -10
    workload: operator-service 0, tls 0, operator 1, widgets 2, first 7
    ");
}

const MESH: &[&str] = &[
    "TrafficSplit.split.smi-spec.io split",
    "Deployment.apps web-v1 | spec: {template: {metadata: {labels: {app: web, version: v1}}}}",
    "Deployment.apps web-v2 | spec: {template: {metadata: {labels: {app: web, version: v2}}}}",
    "Service web | spec: {selector: {app: web}}",
    "Ingress.networking.k8s.io ingress",
    "MutatingWebhookConfiguration.admissionregistration.k8s.io webhook",
    "Deployment.apps injector",
    "Deployment.apps destination",
    "Deployment.apps identity",
    "Service injector-service",
    "ConfigMap config",
    "Namespace shop",
];

const MESH_EDGES: Edges<'_> = &[
    ("config", "injector", Before, Reference("volumes[].configMap")),
    ("web", "ingress", Before, Reference("spec.defaultBackend.service.name")),
    ("web", "split", Before, Reference("spec.service")),
    ("split", "destination", Before, Reader),
    ("identity", "destination", Ready, Mesh),
    ("identity", "injector", Ready, Mesh),
    ("destination", "injector", Ready, Mesh),
    ("injector", "webhook", Ready, Backend),
    ("injector-service", "webhook", Ready, Backend),
    ("webhook", "web-v1", Ready, Registration),
    ("webhook", "web-v2", Ready, Registration),
];

#[test]
fn a_mesh_and_what_it_meshes() {
    assert_snapshot!(waves(MESH, MESH_EDGES), @r"
    config: shop -20, config -20
    workload: injector-service 0, web 0, identity 0, split 0, destination 1, injector 2, webhook 3, web-v1 4, web-v2 4, ingress 90
    ");
}

/// Its TrafficSplit gates its pods: raised to them it would raise them, without end.
#[test]
fn a_load_balancer_stays_before_pods_that_it_gates() {
    let mut objects = MESH.to_vec();
    objects[3] = "Service web | spec: {type: LoadBalancer, selector: {app: web}}";
    assert_snapshot!(said(&objects, MESH_EDGES), @r"
    config: shop -20, config -20
    workload: injector-service 0, web 0, identity 0, split 0, destination 1, injector 2, webhook 3, web-v1 4, web-v2 4, ingress 90
    TG206 warning: Service web (wave 0) holds up the waves behind it until it has a load balancer; without one they never come: Deployment destination, Deployment injector, MutatingWebhookConfiguration webhook, 3 more
    ");
}

#[test]
fn a_load_balancer_that_nobody_waits_for_sits_with_its_first_workload() {
    let objects = [
        "Service web | spec: {type: LoadBalancer, selector: {app: web}}",
        "Service plain | spec: {selector: {app: web}}",
        "Deployment.apps web-v1 | spec: {template: {metadata: {labels: {app: web, version: v1}}}}",
        "Deployment.apps web-v2 | spec: {template: {metadata: {labels: {app: web, version: v2}}}}",
        "Deployment.apps other | spec: {template: {metadata: {labels: {app: other}}}}",
        "Certificate.cert-manager.io tls",
        "Certificate.cert-manager.io slow",
        "Ingress.networking.k8s.io ingress",
    ];
    let edges: Edges<'_> = &[
        ("tls", "slow", Ready, Producer),
        ("tls", "web-v1", Ready, Producer),
        ("slow", "web-v2", Ready, Producer),
        ("web", "ingress", Before, Reference("spec.defaultBackend.service.name")),
    ];
    assert_snapshot!(said(&objects, edges), @r"
    workload: plain 0, other 0, tls 0, web 1, web-v1 1, slow 1, web-v2 2, ingress 90
    TG206 warning: Service web (wave 1) holds up the waves behind it until it has a load balancer; without one they never come: Deployment web-v2, Ingress ingress
    ");
}

#[test]
fn a_claim_sits_with_its_first_consumer_and_the_others_follow() {
    let objects = [
        "PersistentVolumeClaim data",
        "PersistentVolumeClaim spare",
        "Deployment.apps web",
        "Deployment.apps late",
        "Deployment.apps away | spec: {replicas: 0}",
        "CronJob.batch backup",
        "Service first",
    ];
    let edges: Edges<'_> = &[
        ("first", "web", Ready, Explicit),
        ("web", "late", Ready, Explicit),
        ("data", "web", Before, NAMED),
        ("data", "late", Before, NAMED),
        ("data", "away", Before, NAMED),
        ("data", "backup", Before, NAMED),
        ("spare", "backup", Before, NAMED),
    ];
    assert_snapshot!(waves(&objects, edges), @"workload: first 0, data 1, away 1, web 1, late 2, spare 90, backup 90");
}

/// A consumer that starts no pods leads to the one that does: the claim cannot join it.
#[test]
fn a_claim_is_not_raised_to_what_waits_for_it() {
    let objects = ["PersistentVolumeClaim data", "Deployment.apps away | spec: {replicas: 0}", "Deployment.apps web"];
    let edges: Edges<'_> =
        &[("data", "away", Before, NAMED), ("data", "web", Before, NAMED), ("away", "web", Ready, Explicit)];
    assert_snapshot!(waves(&objects, edges), @"workload: data 0, away 0, web 1");
}

/// Either could sit with its consumer alone; both would lift each other without end.
#[test]
fn two_that_would_lift_each_other_do_not() {
    let objects = [
        "Certificate.cert-manager.io a",
        "Certificate.cert-manager.io b",
        "Deployment.apps one",
        "Deployment.apps two",
        "Service first",
    ];
    let edges: Edges<'_> = &[
        ("first", "one", Ready, Explicit),
        ("a", "one", Before, Producer),
        ("b", "two", Before, Producer),
        ("a", "two", Ready, Explicit),
        ("b", "one", Ready, Explicit),
    ];
    assert_snapshot!(waves(&objects, edges), @"workload: first 0, b 0, a 1, one 1, two 2");
}

#[test]
fn what_can_block_goes_last_if_it_gates_nothing() {
    let objects = [
        "Ingress.networking.k8s.io ingress",
        "Ingress.networking.k8s.io fixed argocd.argoproj.io/sync-wave=1",
        "Ingress.networking.k8s.io gate",
        "HorizontalPodAutoscaler.autoscaling hpa",
        "CronJob.batch cron",
        "Job.batch asleep | spec: {suspend: true}",
        "Rollout.argoproj.io canary | spec: {strategy: {canary: {steps: [{pause: {}}]}}}",
        "PersistentVolumeClaim spare",
        "Deployment.apps paused | spec: {paused: true}",
        "Deployment.apps web",
        "Deployment.apps other",
        "Service service",
    ];
    let edges: Edges<'_> = &[
        ("web", "other", Ready, Explicit),
        ("paused", "hpa", Before, Reference("spec.scaleTargetRef")),
        ("gate", "web", Before, Explicit),
        ("spare", "cron", Before, NAMED),
        ("asleep", "ingress", Ready, Explicit),
    ];
    assert_snapshot!(waves(&objects, edges), @"workload: service 0, asleep 0, gate 0, web 0, other 1, fixed 1, spare 90, paused 90, hpa 90, cron 90, ingress 90, canary 90");
}

#[test]
fn the_last_wave_comes_after_every_other_one() {
    let objects = ["Deployment.apps late argocd.argoproj.io/sync-wave=500", "Service a", "CronJob.batch cron"];
    assert_snapshot!(waves(&objects, &[]), @"workload: a 0, late 500, cron 501");
    let objects = [&format!("Service late argocd.argoproj.io/sync-wave={}", i64::MAX), "Service a", "CronJob.batch c"];
    assert_snapshot!(waves(&objects, &[]), @"workload: a 0, late 9223372036854775807, c 9223372036854775807");
}

#[test]
fn with_one_wave_nothing_goes_last() {
    let objects =
        ["ConfigMap conf", "Service a", "CronJob.batch cron", "Job.batch hook argocd.argoproj.io/hook=PostSync"];
    assert_snapshot!(waves(&objects, &[]), @r"
    config: conf -20
    workload: a 0, hook 0, cron 0
    ");
}

#[test]
fn what_a_fixed_object_needs_is_pulled_to_it() {
    let objects = [
        "Deployment.apps early argocd.argoproj.io/sync-wave=-30",
        "Service needed",
        "ConfigMap deeper",
        "Service ready",
        "ConfigMap other",
    ];
    let edges: Edges<'_> = &[
        ("needed", "early", Before, Reference("spec.serviceName")),
        ("deeper", "needed", Before, Reference("spec")),
        ("ready", "early", Ready, Mesh),
    ];
    assert_snapshot!(waves(&objects, edges), @"
    config: ready -31, deeper -30, needed -30, early -30, other -20
    ");
}

#[test]
fn a_contradiction_between_waves_names_both_and_is_an_error_if_it_is_explicit() {
    let objects = [
        "Deployment.apps early argocd.argoproj.io/sync-wave=1",
        "Service between",
        "Deployment.apps late argocd.argoproj.io/sync-wave=9",
        "Deployment.apps same argocd.argoproj.io/sync-wave=1",
    ];
    let edges: Edges<'_> = &[
        ("late", "between", Before, Reference("spec.a")),
        ("between", "early", Before, Explicit),
        ("early", "same", Ready, Mesh),
        ("late", "same", Before, Explicit),
    ];
    assert_snapshot!(said(&objects, edges), @r"
    workload: between 1, early 1, same 1, late 9
    TG202 warning: Service between (wave 1) comes before Deployment late (wave 9), which it needs: the object names it in `spec.a`
    TG202 error: Deployment same (wave 1) comes before Deployment late (wave 9), which it needs: an explicit dependency says so
    TG202 warning: Deployment same (wave 1) does not wait for Deployment early (wave 1), which it needs: the mesh starts in this order
    ");
}

/// The contradiction falls on the inferred edge, wherever it stands in the chain.
#[test]
fn an_explicit_dependency_holds_against_a_pull() {
    let objects = [
        "Deployment.apps early argocd.argoproj.io/sync-wave=1",
        "Service between",
        "Deployment.apps late argocd.argoproj.io/sync-wave=9",
    ];
    let edges: Edges<'_> =
        &[("late", "between", Ready, Explicit), ("between", "early", Before, Reference("spec.serviceName"))];
    assert_snapshot!(said(&objects, edges), @r"
    workload: early 1, late 9, between 10
    TG202 warning: Deployment early (wave 1) comes before Service between (wave 10), which it needs: the object names it in `spec.serviceName`
    ");
}

#[test]
fn an_explicit_dependency_moves_an_object_out_of_its_stage_and_its_readers_follow() {
    let objects =
        ["Deployment.apps web", "ConfigMap conf", "ConfigMap plain", "Deployment.apps reader", "Job.batch job"];
    let edges: Edges<'_> = &[
        ("web", "conf", Ready, Explicit),
        ("conf", "reader", Before, Reference("volumes[].configMap")),
        ("job", "conf", Ready, Registration),
        ("job", "plain", Ready, Registration),
    ];
    assert_snapshot!(said(&objects, edges), @r"
    config: plain -20
    workload: web 0, job 0, conf 1, reader 1
    TG204 info: Job job is not put before ConfigMap plain, though it is registered to act on the object: its stage comes later
    ");
}

#[test]
fn a_user_says_the_stage_and_what_is_needed_there_follows() {
    let objects = [
        "Job.batch setup tidegate.dev/order=stage=config",
        "Service store",
        "ConfigMap late tidegate.dev/order=stage=workload",
        "Deployment.apps web",
    ];
    let edges: Edges<'_> = &[
        ("store", "setup", Before, Reference("spec.store")),
        ("web", "late", Before, Registration),
        ("late", "web", Before, Reference("volumes[].configMap")),
    ];
    assert_snapshot!(said(&objects, edges), @r"
    config: store -20, setup -20
    workload: late 0, web 0
    TG204 info: Deployment web is not put before ConfigMap late, though it is registered to act on the object: it needs that object in turn (ConfigMap late → Deployment web)
    ");
}

#[test]
fn a_definition_comes_after_the_backend_that_converts_it() {
    let objects = [
        "CustomResourceDefinition.apiextensions.k8s.io moons.example.com",
        "Deployment.apps converter",
        "Moon.example.com io",
        "Deployment.apps reader",
    ];
    let edges: Edges<'_> = &[
        ("converter", "moons.example.com", Ready, Backend),
        ("moons.example.com", "io", Before, Definition),
        ("io", "reader", Before, Reader),
    ];
    assert_snapshot!(said(&objects, edges), @r"workload: converter 0, moons.example.com 1, io 1, reader 2");
}

#[test]
fn what_makes_a_namespace_comes_before_what_lives_there() {
    let objects = ["SubnamespaceAnchor.hnc.x-k8s.io team", "ConfigMap conf", "Deployment.apps web"];
    let edges: Edges<'_> = &[
        ("team", "conf", Ready, Producer),
        ("team", "web", Ready, Producer),
        ("conf", "web", Before, Reference("volumes[].configMap")),
    ];
    assert_snapshot!(said(&objects, edges), @"workload: team 0, conf 1, web 1");
}

#[test]
fn a_circle_of_explicit_dependencies_loses_no_object() {
    let objects = ["Service a", "Service b", "Service c"];
    let edges: Edges<'_> = &[("a", "b", Ready, Explicit), ("b", "c", Ready, Explicit), ("c", "a", Ready, Explicit)];
    assert_snapshot!(said(&objects, edges), @"workload: a 0, b 1, c 2");
}

#[test]
fn a_minimal_order_saves_the_waves_that_nobody_waits_for() {
    assert_snapshot!(minimal(MESH, MESH_EDGES), @r"
    config: shop 0, config 0
    workload: injector-service 0, web 0, identity 0, split 0, destination 1, injector 2, webhook 3, web-v1 4, web-v2 4, ingress 90
    ");
    assert_snapshot!(minimal(OPERATOR, OPERATOR_EDGES), @r"
    config: ops -10
    crd: widgets.example.com -10
    workload: operator-service 0, tls 0, operator 1, widgets 2, first 3
    ");
}

/// A stage that holds something with a health check, or a boundary, keeps its wave.
#[test]
fn a_minimal_order_keeps_stages_that_hold_a_boundary() {
    let objects = ["Deployment.apps web tidegate.dev/order=stage=config", "ConfigMap conf", "Service a"];
    assert_snapshot!(minimal(&objects, &[]), @r"
    config: conf -20, web -20
    workload: a 0
    ");
    let objects = ["Deployment.apps web argocd.argoproj.io/sync-wave=-15", "ConfigMap conf", "Service a"];
    assert_snapshot!(minimal(&objects, &[]), @r"
    config: web -15, conf 0
    workload: a 0
    ");
    let objects = ["ConfigMap one argocd.argoproj.io/sync-wave=-15", "ConfigMap conf", "Service a"];
    assert_snapshot!(minimal(&objects, &[("conf", "one", Ready, Explicit)]), @r"
    config: conf -20, one -15
    workload: a 0
    ");
    assert_snapshot!(minimal(&objects, &[]), @r"
    config: one -15, conf 0
    workload: a 0
    ");
}

/// A bare Pod is refused without its class, and Argo CD would put the class last.
#[test]
fn a_minimal_order_keeps_the_boundary_between_a_class_and_a_bare_pod() {
    let objects = ["Pod bare", "PriorityClass.scheduling.k8s.io high", "Deployment.apps web", "CronJob.batch cron"];
    let edges: Edges<'_> = &[
        ("high", "bare", Before, Reference("priorityClassName")),
        ("high", "web", Before, Reference("priorityClassName")),
    ];
    assert_snapshot!(minimal(&objects, edges), @r"
    config: high 0
    workload: web 0, cron 0, bare 1
    ");
}

#[test]
fn hooks_move_nothing_and_nothing_moves_them() {
    let objects = [
        "Job.batch first argocd.argoproj.io/hook=Sync argocd.argoproj.io/sync-wave=5",
        "Deployment.apps web",
        "ConfigMap conf argocd.argoproj.io/hook=PostSync",
        "Job.batch second argocd.argoproj.io/hook=Sync",
        "Service service",
    ];
    let edges: Edges<'_> = &[
        ("web", "first", Ready, Registration),
        ("first", "service", Before, Reference("spec.a")),
        ("web", "second", Ready, Registration),
    ];
    assert_snapshot!(said(&objects, edges), @r"
    config: conf -20
    workload: web 0, first 0, service 0, second 0
    TG202 warning: Job second (wave 0) does not wait for Deployment web (wave 0), which it needs: it is registered to act on the object
    TG202 warning: Service service (wave 0) comes before Job first (wave 5), which it needs: the object names it in `spec.a`
    ");
}

#[test]
fn what_argo_cd_never_applies_is_said() {
    let objects = [
        "Job.batch typo argocd.argoproj.io/hook=Presync",
        "Job.batch both argocd.argoproj.io/hook=Presync,Sync",
        "Job.batch helm helm.sh/hook=preinstall",
        "Job.batch test helm.sh/hook=test",
        "Job.batch skip argocd.argoproj.io/hook=Skip",
        "Job.batch deleted argocd.argoproj.io/hook=PostDelete",
        "Job.batch mixed argocd.argoproj.io/hook=nothing helm.sh/hook=post-install",
    ];
    let (_, said) = Made::new(&objects).plan(&[], &Settings::default());
    assert_snapshot!(said.join("\n"), @r"
    TG231 warning: Job typo is a hook of a kind that does not exist, `Presync`: Argo CD never applies the object
    TG231 warning: Job both is a hook of a kind that does not exist, `Presync`
    TG231 warning: Job helm is a hook of a kind that does not exist, `preinstall`: Argo CD never applies the object
    TG234 info: Job test is a hook for test of Helm alone: Argo CD never applies it
    TG231 warning: Job mixed is a hook of a kind that does not exist, `nothing`
    ");
}
