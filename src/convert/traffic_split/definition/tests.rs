use super::*;
use crate::convert::crd_v1beta1;
use crate::finding::Findings;
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};

fn read(text: &str) -> Node<'_> {
    let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
    yaml::parse(text, DocumentStart { file, offset: 0 }, &Limits::default(), &mut Findings::default()).unwrap().unwrap()
}

fn every(conversion: &Conversion) -> Vec<Definition> {
    let subsets = (1..16u8).map(|bits| {
        let chosen = Version::ALL.into_iter().enumerate().filter(|(nth, _)| bits & (1 << nth) != 0);
        chosen.map(|(_, version)| version).collect::<Vec<_>>()
    });
    let with = |served: Vec<Version>| {
        let conversion = conversion.clone();
        Version::ALL.map(|stored| Definition { served: served.clone(), stored, conversion: conversion.clone() })
    };
    subsets.flat_map(with).collect()
}

#[test]
fn every_choice_of_versions_is_a_definition() {
    let webhook = Conversion::Webhook(Webhook::new("1", "true", Ca::CertManager("tidegate/webhook".to_owned())));
    let all = every(&Conversion::None).into_iter().chain(every(&webhook));
    for definition in all {
        let text = definition.render().unwrap();
        let tree = read(&text);
        let versions = tree.at(&["spec", "versions"]).and_then(Node::items).unwrap();
        let stored: Vec<_> =
            versions.iter().filter(|version| version.get("storage").unwrap().as_bool().unwrap()).collect();
        assert_eq!(stored.len(), 1, "{text}");
        assert_eq!(stored[0].get("name").and_then(Node::as_str), Some(definition.stored.word()));
        for version in versions {
            let name = Version::parse(version.get("name").unwrap().as_str().unwrap()).unwrap();
            assert_eq!(version.get("served").unwrap().as_bool(), Some(definition.served.contains(&name)), "{text}");
            let fields = ["schema", "openAPIV3Schema", "properties", "spec", "properties"];
            let fields = version.at(&fields).unwrap();
            assert_eq!(fields.get("matches").is_some(), name >= Version::V1alpha3, "{text}");
            let weight = fields.at(&["backends", "items", "properties", "weight"]).unwrap();
            let is_quantity = weight.get("x-kubernetes-int-or-string").is_some();
            assert_eq!(is_quantity, name == Version::V1alpha1, "{text}");
        }
        assert_eq!(text.contains("strategy: None"), definition.conversion == Conversion::None, "{text}");
        if definition.conversion != Conversion::None {
            let service = tree.at(&["spec", "conversion", "webhook", "clientConfig", "service"]).unwrap();
            assert_eq!(service.get("namespace").unwrap().as_str(), Some("1"), "a name stays text");
            assert_eq!(service.get("name").unwrap().as_str(), Some("true"), "a name stays text");
            assert!(text.contains("cert-manager.io/inject-ca-from: tidegate/webhook"), "{text}");
        }
    }
}

#[test]
fn its_schemas_are_structural() {
    for definition in every(&Conversion::None) {
        let text = definition.render().unwrap().replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1");
        let text = text.replace("\nspec:\n", "\nspec:\n  preserveUnknownFields: false\n");
        let tree = read(&text);
        let (_, notes) = crd_v1beta1::to_v1(&tree);
        assert_eq!(notes, [], "{text}");
    }
}

#[test]
fn what_makes_no_definition_is_refused() {
    let with = |change: &dyn Fn(&mut Webhook)| {
        let mut webhook = Webhook::new("smi", "convert", Ca::Elsewhere);
        change(&mut webhook);
        let conversion = Conversion::Webhook(webhook);
        let definition = Definition { served: vec![Version::V1alpha1], stored: Version::V1alpha1, conversion };
        definition.render()
    };
    assert!(with(&|_| {}).is_ok());
    let pem = b"\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".to_vec();
    let text = with(&|webhook| webhook.ca = Ca::Pem(pem.clone())).unwrap();
    assert!(text.contains(&format!("        caBundle: {}\n", STANDARD.encode(&pem))), "{text}");
    for (change, error) in [
        (&(|webhook: &mut Webhook| webhook.namespace = "a b".to_owned()) as &dyn Fn(&mut Webhook), "namespace"),
        (&|webhook| webhook.service = "x: y".to_owned(), "Service"),
        (&|webhook| webhook.path = "convert".to_owned(), "begins with `/`"),
        (&|webhook| webhook.path = "/a\nb: c".to_owned(), "begins with `/`"),
        (&|webhook| webhook.ca = Ca::CertManager("webhook".to_owned()), "Certificate"),
        (&|webhook| webhook.ca = Ca::Pem(b"x".to_vec()), "PEM"),
    ] {
        let said = with(change).unwrap_err().to_string();
        assert!(said.contains(error), "{said}");
    }
    let none = Definition { served: Vec::new(), stored: Version::V1alpha1, conversion: Conversion::None };
    assert_eq!(none.render(), Err(DefinitionError::NothingServed));
}

#[test]
fn none_between_quantities_and_whole_numbers_wants_a_look() {
    let caution = |served: &str, stored, conversion| {
        Definition { served: versions(served).unwrap(), stored, conversion }.caution().is_some()
    };
    assert!(caution("v1alpha1,v1alpha2", Version::V1alpha1, Conversion::None));
    assert!(caution("v1alpha2", Version::V1alpha1, Conversion::None));
    assert!(!caution("v1alpha1", Version::V1alpha1, Conversion::None));
    assert!(!caution("v1alpha2, v1alpha3", Version::V1alpha2, Conversion::None));
    let webhook = Conversion::Webhook(Webhook::new("smi", "convert", Ca::Elsewhere));
    assert!(!caution("v1alpha1,v1alpha2", Version::V1alpha1, webhook));
}

#[test]
fn lists_of_versions_are_read() {
    assert_eq!(versions("v1alpha2, v1alpha1"), Ok(vec![Version::V1alpha2, Version::V1alpha1]));
    assert_eq!(
        versions("v1").unwrap_err(),
        "`v1` is no version of TrafficSplit: v1alpha1, v1alpha2, v1alpha3, v1alpha4 are"
    );
}
