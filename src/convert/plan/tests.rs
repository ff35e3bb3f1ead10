use std::process::Command;

use super::*;
use crate::config::Settings;
use crate::load;
use crate::source::{SourceFile, SourceMap};

const SPLIT: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: trafficsplits.split.smi-spec.io}
spec:
  group: split.smi-spec.io
  scope: Namespaced
  names: {kind: TrafficSplit, plural: trafficsplits}
  versions:
  - {name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, description: \"it's\"}}}
  - {name: v1alpha2, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}";
const WEBHOOK: &str = "
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {namespace: smi, name: convert, path: /convert}}";

/// The plan for the definition of a text, and what was said.
fn planned(text: &str, to: &str) -> (Option<Plan>, String) {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let loaded = load::objects(&sources, &Settings::default(), &mut found);
    let object = definition(&loaded.objects, None).expect("there is one definition");
    let plan = plan(object, to, &mut found).ok();
    let said = found.sorted().into_iter().map(|finding| {
        let line = finding.place().map_or(0, |place| sources.line_column(place).line);
        format!("{} {} {line}: {}\n", finding.rule.id, finding.severity, finding.message)
    });
    (plan, said.collect())
}

#[test]
fn a_plan_by_webhook_reads_as_steps() {
    let (plan, said) = planned(&format!("{SPLIT}{WEBHOOK}"), "v1alpha2");
    assert_eq!(said, "");
    insta::assert_snapshot!(plan.unwrap().text(), @r#"
    trafficsplits.split.smi-spec.io: from v1alpha1 to v1alpha2

    1. Look at what is there
       why:    a version may be stored that the plan does not know of
       do:     kubectl get crd trafficsplits.split.smi-spec.io -o jsonpath='{.status.storedVersions}'
       until:  no version but v1alpha1 and v1alpha2 is stored

    2. Bring up the webhook, then name it in the definition
       why:    from the moment that two versions are served, reads wait for it and fail without it
       do:     kubectl get endpointslices -n smi -l kubernetes.io/service-name=convert   # ready: true
       do:     kubectl edit crd trafficsplits.split.smi-spec.io   # spec.conversion, as in the manifest
       until:  it has an endpoint that is ready, and the definition holds the certificates it is known by

    3. Serve v1alpha2 beside v1alpha1
       why:    readers of either version find what they ask for, from here to the end
       do:     kubectl edit crd trafficsplits.split.smi-spec.io   # v1alpha2: served: true, storage: false
       until:  each of these answers: kubectl get trafficsplits.v1alpha1.split.smi-spec.io --all-namespaces; kubectl get trafficsplits.v1alpha2.split.smi-spec.io --all-namespaces

    4. Store in v1alpha2
       why:    what is written from now on is stored in it; what was stored stays as it is
       do:     kubectl edit crd trafficsplits.split.smi-spec.io   # v1alpha2: storage: true, the others false
       until:  `status.storedVersions` holds v1alpha2 as well

    5. Write every object anew
       why:    an object is stored anew when it is written, even as it is
       do:     kubectl get trafficsplits.v1alpha2.split.smi-spec.io --all-namespaces -o json | kubectl replace -f -
       until:  every object was written once

    6. Take v1alpha1 out of status.storedVersions
       why:    the API server keeps a version that it believes to be stored
       do:     kubectl patch crd trafficsplits.split.smi-spec.io --subresource=status --type=merge -p '{"status":{"storedVersions":["v1alpha2"]}}'
       until:  `status.storedVersions` is v1alpha2 alone

    7. Stop serving v1alpha1, then take it out of the definition
       why:    a version that is not served can be served again at once; one that is gone cannot
       do:     kubectl edit crd trafficsplits.split.smi-spec.io   # v1alpha1: served: false; later remove it
       until:  no reader asks for it any more

    8. Look again, and write the same into the repository
       why:    an engine that applies the old definition would bring the old version back
       do:     kubectl get crd trafficsplits.split.smi-spec.io -o jsonpath='{.spec.versions[*].name} {.status.storedVersions}'
       do:     kubectl get trafficsplits.v1alpha2.split.smi-spec.io --all-namespaces
       until:  the definition in the repository has v1alpha2 as its storage version, and no v1alpha1
    "#);
}

#[test]
fn without_a_webhook_the_weights_are_looked_at() {
    let (plan, said) = planned(SPLIT, "v1alpha2");
    assert!(said.starts_with("TG452 warning"), "{said}");
    let plan = plan.unwrap();
    assert!(plan.text().contains("See to it that every stored weight is a whole number"), "{}", plan.text());
    assert!(plan.script().contains("\nlook_at_weights\n"), "{}", plan.script());
    let newer = SPLIT.replace("v1alpha2", "v1alpha3").replace("v1alpha1", "v1alpha2");
    let (plan, said) = planned(&newer, "v1alpha3");
    assert_eq!((said, plan.unwrap().script().contains("look_at_weights")), (String::new(), false));
}

#[test]
fn what_is_to_go_is_what_is_stored() {
    let status = |stored: &str| format!("{SPLIT}{WEBHOOK}\nstatus: {{storedVersions: [{stored}]}}");
    let from = |text: &str, to| planned(text, to).0.unwrap().from;
    assert_eq!(from(&status("v1alpha1, v1alpha2"), "v1alpha2"), ["v1alpha1"]);
    assert_eq!(from(SPLIT, "v1alpha1"), ["v1alpha2"], "it is stored at the target: the other one is to go");
    let one = SPLIT.lines().take(9).collect::<Vec<_>>().join("\n");
    let (plan, said) = planned(&one, "v1alpha1");
    let plan = plan.unwrap();
    assert_eq!((said, plan.steps.len()), (String::new(), 0));
    assert!(plan.text().contains("there is nothing to do"));
}

#[test]
fn what_has_no_safe_way_is_said() {
    let stopped = |text: &str, to| {
        let (plan, said) = planned(text, to);
        assert_eq!(plan, None);
        said
    };
    insta::assert_snapshot!([
        stopped(SPLIT, "v1alpha4"),
        stopped(&SPLIT.replace("plural: trafficsplits", "plural: 'a; b'"), "v1alpha2"),
        stopped(&SPLIT.replace("name: v1alpha1", "name: 'v1; rm'"), "v1alpha2"),
        stopped(&format!("{SPLIT}\nstatus: {{storedVersions: [v1alpha1, v1alpha0]}}"), "v1alpha2"),
        stopped(&SPLIT.replace("k8s.io/v1", "k8s.io/v1beta1").replace("type: object}", "type: array}"), "v1alpha2"),
    ].concat(), @"
    TG451 error 9: CustomResourceDefinition trafficsplits.split.smi-spec.io: it has no version v1alpha4; it has v1alpha1, v1alpha2
    TG451 error 5: CustomResourceDefinition trafficsplits.split.smi-spec.io: it does not say what it defines
    TG451 error 9: CustomResourceDefinition trafficsplits.split.smi-spec.io: one of its versions has no valid name
    TG451 error 11: CustomResourceDefinition trafficsplits.split.smi-spec.io: objects are stored in v1alpha0, which is not among its versions: nobody could read them
    TG432 info 9: CustomResourceDefinition trafficsplits.split.smi-spec.io: v1beta1 kept fields that the schema does not name, so `x-kubernetes-preserve-unknown-fields` is written on 1 object of it
    TG431 error 10: CustomResourceDefinition trafficsplits.split.smi-spec.io: the type of a whole object is array, and has to be `object`
    ");
}

#[test]
fn an_old_definition_is_taken_to_v1_first() {
    let text = "apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  preserveUnknownFields: false
  validation: {openAPIV3Schema: {type: object}}
  versions: [{name: v1, served: true, storage: true}, {name: v2, served: true, storage: false}]
  conversion: {strategy: Webhook, conversionReviewVersions: [v1], webhookClientConfig: {url: 'https://x.example.com'}}";
    let (plan, said) = planned(text, "v2");
    let plan = plan.unwrap();
    assert_eq!(said, "");
    assert!(plan.added.contains("\"schema\":{\"openAPIV3Schema\""), "{}", plan.added);
    assert!(plan.script().contains("\nconvert_by_url\n"), "{}", plan.script());
}

#[test]
fn every_form_of_the_script_is_bash() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("skipped: no bash on PATH");
        return;
    }
    let certificate =
        SPLIT.replace("split.smi-spec.io}", "split.smi-spec.io, annotations: {cert-manager.io/inject-ca-from: smi/c}}");
    let url =
        WEBHOOK.replace("service: {namespace: smi, name: convert, path: /convert}", "url: 'https://a.example.com'");
    let texts =
        [SPLIT.to_owned(), format!("{SPLIT}{WEBHOOK}"), format!("{certificate}{WEBHOOK}"), format!("{SPLIT}{url}")];
    for (text, to) in texts.iter().flat_map(|text| [(text, "v1alpha2"), (text, "v1alpha1")]) {
        let script = planned(text, to).0.unwrap().script();
        let checked = Command::new("bash").args(["-n", "-c", &script]).output().unwrap();
        assert!(checked.status.success(), "{}\n{script}", String::from_utf8_lossy(&checked.stderr));
        for step in planned(text, to).0.unwrap().steps {
            let function = format!("\n{}() {{\n", step.call);
            assert_eq!(script.matches(&function).count(), 1, "{} in\n{script}", step.call);
        }
    }
}

/// A kubectl that knows of a definition with v1alpha1 stored, and of an endpoint that is ready where `ENDPOINT` is set.
const KUBECTL: &str = r#"#!/usr/bin/env bash
case "$*" in
  'patch --help') echo '--subresource' ;;
  *endpointslices*) echo "${ENDPOINT:-}" ;;
  *metadata.name*) echo trafficsplits.split.smi-spec.io ;;
  *Established*) echo True ;;
  *storedVersions*) echo v1alpha1 ;;
  *conversion.strategy*) echo Webhook ;;
  *caBundle*) ;;
  *) echo "not expected: $*" >&2; exit 1 ;;
esac
"#;

/// What the script of a plan says on standard error with that kubectl.
#[cfg(unix)]
fn stopped_script(text: &str, endpoint: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let kubectl = folder.path().join("kubectl");
    std::fs::write(&kubectl, KUBECTL).unwrap();
    std::fs::set_permissions(&kubectl, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = planned(text, "v1alpha2").0.unwrap().script();
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).env("KUBECTL", &kubectl).env("ENDPOINT", endpoint);
    let out = bash.env("TIMEOUT", "0").env("SETTLE", "0").output().unwrap();
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stdout));
    String::from_utf8(out.stderr).unwrap()
}

#[cfg(unix)]
#[test]
fn a_webhook_that_is_not_ready_stops_the_script_with_what_to_do() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("skipped: no bash on PATH");
        return;
    }
    let by_hand = format!("{SPLIT}{WEBHOOK}");
    let certificate =
        SPLIT.replace("split.smi-spec.io}", "split.smi-spec.io, annotations: {cert-manager.io/inject-ca-from: smi/c}}");
    insta::assert_snapshot!(stopped_script(&by_hand, ""), @"
    stopped: Service smi/convert has an endpoint that is ready: not so after 0 seconds
        look at its pods:   kubectl get pods --namespace smi; kubectl describe service --namespace smi convert
        where it was never applied: tidegate-webhook manifests --image IMAGE | kubectl apply -f -
        then run this again: nothing was changed yet. TIMEOUT=SECONDS waits longer.
    ");
    insta::assert_snapshot!(stopped_script(&by_hand, "10.0.0.7"), @"
    stopped: the definition holds the certificates by which the webhook is known: not so after 0 seconds
        write them into spec.conversion.webhook.clientConfig.caBundle (base64 of PEM), in the manifest too
        then run this again: no version was served or stored anew yet.
    ");
    insta::assert_snapshot!(stopped_script(&format!("{certificate}{WEBHOOK}"), "10.0.0.7"), @"
    stopped: the definition holds the certificates by which the webhook is known: not so after 0 seconds
        cert-manager's cainjector writes them there: see to it that it runs, and that the Certificate of the annotation
        is ready:   kubectl get certificate --all-namespaces
        then run this again: no version was served or stored anew yet.
    ");
}
