use crate::config::Settings;
use crate::refs::fixture::{edges, linked};

/// An object of a kind with a spec, as flow YAML.
fn object(api: &str, kind: &str, spec: &str) -> String {
    format!("apiVersion: {api}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {spec}\n---\n")
}

/// The kinds whose objects wait for a maker, of those in the list.
fn wait(maker: (&str, &str, &str), kinds: &[(&str, &str)]) -> Vec<String> {
    let (api, kind, spec) = maker;
    let others: String = kinds.iter().map(|(api, kind)| object(api, kind, "{}")).collect();
    let found = edges(&format!("{}{others}", object(api, kind, spec)), "definition-producer");
    let arrow = |edge: &String| {
        let (from, to) = edge.split_once(" → ").unwrap();
        assert!(from.starts_with(kind), "{edge}");
        to.split_once(' ').unwrap().0.to_owned()
    };
    found.iter().map(arrow).collect()
}

#[test]
fn a_template_makes_the_kind_that_it_names() {
    let template =
        ("templates.gatekeeper.sh/v1", "ConstraintTemplate", "{crd: {spec: {names: {kind: K8sRequiredLabels}}}}");
    let kinds = [
        ("constraints.gatekeeper.sh/v1beta1", "K8sRequiredLabels"),
        ("constraints.gatekeeper.sh/v1beta1", "Other"),
        ("example.org/v1", "K8sRequiredLabels"),
    ];
    assert_eq!(wait(template, &kinds), ["K8sRequiredLabels"]);
}

#[test]
fn a_composite_definition_makes_the_resource_and_its_claim() {
    let definition = (
        "apiextensions.crossplane.io/v1",
        "CompositeResourceDefinition",
        "{group: example.org, names: {kind: XDatabase}, claimNames: {kind: Database}}",
    );
    let kinds = [("example.org/v1", "Database"), ("example.org/v1", "Other"), ("example.org/v1", "XDatabase")];
    assert_eq!(wait(definition, &kinds), ["Database", "XDatabase"]);
    let managed = (
        "apiextensions.crossplane.io/v1alpha1",
        "ManagedResourceDefinition",
        "{group: example.org, names: {kind: Database}, state: Active}",
    );
    assert_eq!(wait(managed, &kinds), ["Database"]);
    let inactive = (managed.0, managed.1, "{group: example.org, names: {kind: Database}}");
    assert_eq!(wait(inactive, &kinds), [""; 0]);
}

#[test]
fn graphs_promises_and_bundles_say_what_they_make() {
    let kinds = [("example.org/v1", "Shop"), ("kro.run/v1alpha1", "Shop")];
    let graph = |schema| wait(("kro.run/v1alpha1", "ResourceGraphDefinition", schema), &kinds[..]).len();
    assert_eq!(graph("{schema: {kind: Shop}}"), 1);
    assert_eq!(graph("{schema: {kind: Other, group: example.org}}"), 0);
    let promise = "{api: {spec: {group: example.org, names: {kind: Shop}}}}";
    assert_eq!(wait(("platform.kratix.io/v1alpha1", "Promise", promise), &kinds), ["Shop"]);
    let bundle = "{customresourcedefinitions: {owned: [{name: shops.example.org, kind: Shop, version: v1}]}}";
    assert_eq!(wait(("operators.coreos.com/v1alpha1", "ClusterServiceVersion", bundle), &kinds), ["Shop"]);
}

#[test]
fn a_provider_makes_the_groups_of_its_name() {
    let kinds = [
        ("aws.upbound.io/v1beta1", "ProviderConfig"),
        ("ec2.aws.upbound.io/v1beta1", "VPC"),
        ("helm.crossplane.io/v1beta1", "Release"),
        ("s3.aws.m.upbound.io/v1beta1", "Bucket"),
    ];
    let provider =
        |package: &str| wait(("pkg.crossplane.io/v1", "Provider", &format!("{{package: '{package}'}}")), &kinds);
    assert_eq!(provider("xpkg.upbound.io/upbound/provider-aws-s3:v1.2.0"), ["ProviderConfig", "Bucket"]);
    assert_eq!(provider("registry.example.com:5000/upbound/provider-family-aws@sha256:12"), ["ProviderConfig"]);
    assert_eq!(provider("crossplane-contrib/provider-aws"), ["ProviderConfig", "VPC", "Bucket"]);
    assert_eq!(provider("xpkg.upbound.io/crossplane-contrib/provider-helm:v0.19.0"), ["Release"]);
    assert_eq!(provider("example/function-helm:v1"), [""; 0]);
}

#[test]
fn a_subscription_makes_the_groups_of_its_package() {
    let kinds = [("argoproj.io/v1beta1", "ArgoCD"), ("kafka.strimzi.io/v1beta2", "Kafka")];
    let subscription = ("operators.coreos.com/v1alpha1", "Subscription", "{name: openshift-gitops-operator}");
    assert_eq!(wait(subscription, &kinds), ["ArgoCD"]);
    let extension =
        ("olm.operatorframework.io/v1", "ClusterExtension", "{source: {catalog: {packageName: amq-streams}}}");
    assert_eq!(wait(extension, &kinds), ["Kafka"]);
}

#[test]
fn what_installs_a_whole_api_waits_not_for_itself() {
    let kinds = [("kubevirt.io/v1", "VirtualMachine"), ("cdi.kubevirt.io/v1beta1", "DataVolume")];
    assert_eq!(wait(("kubevirt.io/v1", "KubeVirt", "{}"), &kinds), ["VirtualMachine"]);
    assert_eq!(wait(("hco.kubevirt.io/v1beta1", "HyperConverged", "{}"), &kinds), ["DataVolume", "VirtualMachine"]);
}

#[test]
fn a_definition_in_the_input_beats_whoever_else_makes_it() {
    let template =
        object("templates.gatekeeper.sh/v1", "ConstraintTemplate", "{crd: {spec: {names: {kind: K8sRequiredLabels}}}}");
    let constraint = object("constraints.gatekeeper.sh/v1beta1", "K8sRequiredLabels", "{}");
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: \
                      {group: constraints.gatekeeper.sh, names: {kind: K8sRequiredLabels}, scope: Cluster}\n";
    let undefined = |text: &str| {
        linked(text, &Settings::default(), |linked, _| {
            let name = |at| linked.loaded.objects.get(at).id.kind.to_string();
            let rows = linked.undefined.iter().map(|(at, maker)| (name(*at), maker.map(name)));
            rows.collect::<Vec<_>>()
        })
    };
    let made = [
        ("K8sRequiredLabels".to_owned(), Some("ConstraintTemplate".to_owned())),
        ("ConstraintTemplate".to_owned(), None),
    ];
    assert_eq!(undefined(&format!("{template}{constraint}")), made);
    let whole = format!("{template}{constraint}{definition}");
    assert_eq!(undefined(&whole), made[1..]);
    assert_eq!(edges(&whole, "definition-producer"), [""; 0]);
}
