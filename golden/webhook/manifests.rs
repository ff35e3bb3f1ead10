//! What the webhook needs in a cluster comes before the definition that names it.

use tidegate::config::Settings;
use tidegate::emit::{self, Form, select::Selection};
use tidegate::finding::Findings;
use tidegate::render;
use tidegate::source::{SourceFile, SourceMap};
use tidegate::webhook::manifests::{Authority, Choices, conversion, deployment};

const NAME: &str = "trafficsplits.split.smi-spec.io";

fn choices(authority: Authority) -> Choices {
    Choices {
        name: "tidegate-webhook".to_owned(),
        namespace: "tidegate".to_owned(),
        image: "registry.example.com/tidegate-webhook:0.1.0".to_owned(),
        replicas: 2,
        secret: "tidegate-webhook-tls".to_owned(),
        authority,
    }
}

/// A definition that names the webhook: names and versions of its own, and the conversion out of the patch for it.
fn definition(choices: &Choices) -> String {
    let patches = conversion(choices).expect("the choices are right");
    let patch = patches.split("---\n").find(|patch| patch.contains(NAME)).expect("there is a patch for it");
    let version = |name: &str, storage: bool| {
        format!(
            "  - {{name: {name}, served: true, storage: {storage}, schema: {{openAPIV3Schema: {{type: object, \
             x-kubernetes-preserve-unknown-fields: true}}}}}}\n"
        )
    };
    format!(
        "{patch}  group: split.smi-spec.io\n  scope: Namespaced\n  names: {{plural: trafficsplits, singular: trafficsplit, \
         kind: TrafficSplit, listKind: TrafficSplitList}}\n  versions:\n{}{}",
        version("v1alpha1", true),
        version("v1alpha2", false)
    )
}

/// The objects of a render, in order, as `kind/name`; and what was found, as `id: message`.
fn rendered(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let mut map = SourceMap::default();
    for (path, text) in files {
        map.add(SourceFile::new(*path, *text));
    }
    let (settings, mut found) = (Settings::default(), Findings::default());
    let mut planned = render::plan(&map, &settings, &mut found);
    let mut out = Vec::new();
    emit::write(&mut planned, &settings, &Selection::default(), Form::Name, &mut out).expect("memory takes it");
    let names = String::from_utf8(out).expect("names are text").lines().map(str::to_owned).collect();
    (names, found.sorted().iter().map(|f| format!("{}: {}", f.rule.id, f.message)).collect())
}

#[test]
fn render_places_all_of_it_before_the_definition_that_names_it() {
    let pem = "-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n".to_owned();
    for authority in [Authority::CertManager, Authority::Bundle(pem)] {
        let choices = choices(authority);
        let server = deployment(&choices).expect("the choices are right");
        let reader = "apiVersion: split.smi-spec.io/v1alpha2\nkind: TrafficSplit\nmetadata: {name: web, namespace: tidegate}\n\
                      spec: {service: web, backends: [{service: web, weight: 1}]}\n";
        let (names, found) = rendered(&[("a.yaml", reader), ("b.yaml", &definition(&choices)), ("c.yaml", &server)]);
        let at = |name: &str| {
            let found = names.iter().position(|line| line.starts_with(name));
            found.unwrap_or_else(|| panic!("{name} is in {names:?}, {found:?}"))
        };
        let definition = at(&format!("customresourcedefinition.apiextensions.k8s.io/{NAME}"));
        assert_eq!(definition, names.len() - 2, "{names:?}");
        assert_eq!(at("trafficsplit.split.smi-spec.io/web"), names.len() - 1, "{names:?}");
        for name in
            ["namespace/", "serviceaccount/", "networkpolicy.", "service/", "poddisruptionbudget.", "deployment."]
        {
            assert!(at(name) < definition, "{name} in {names:?}");
        }
        if choices.authority == Authority::CertManager {
            let certificates = names.iter().filter(|name| name.starts_with("certificate.")).count();
            assert_eq!(certificates, 2, "{names:?}");
            assert!(at("certificate.cert-manager.io/tidegate-webhook") < at("deployment."), "{names:?}");
            // the given Secret is not in the input, which is said; here nothing is left to say
            assert!(!found.iter().any(|finding| finding.contains("tidegate-webhook-tls")), "{found:?}");
        }
        assert!(!found.iter().any(|finding| finding.contains("internal")), "{found:?}");
    }
}
