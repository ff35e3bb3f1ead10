//! Nothing is lost on the way through the webhook and back, whatever was stored and whatever was read.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tidegate::convert::ANNOTATION;
use tidegate::webhook::review::{Limits, answer_text};

use super::faults_of;

const VERSIONS: [&str; 4] = ["v1alpha1", "v1alpha2", "v1alpha3", "v1alpha4"];

/// The objects of a request at another version.
fn converted(group: &str, version: &str, objects: &[Json]) -> Vec<Json> {
    let request = json!({
        "kind": "ConversionReview",
        "apiVersion": "apiextensions.k8s.io/v1",
        "request": {"uid": "u", "desiredAPIVersion": format!("{group}/{version}"), "objects": objects},
    });
    let (answer, done) = answer_text(&request.to_string(), &Limits::default()).expect("a review");
    assert!(done, "{answer}");
    assert_eq!(faults_of(&request.to_string(), &answer), Vec::<String>::new());
    let answer: Json = serde_json::from_str(&answer).expect("an answer is JSON");
    answer["response"]["convertedObjects"].as_array().expect("there are objects").clone()
}

fn one(group: &str, version: &str, object: &Json) -> Json {
    converted(group, version, std::slice::from_ref(object)).remove(0)
}

/// A weight's value in billionths, of what the strategies below make.
fn nanos(weight: &Json) -> u128 {
    let text = weight.as_str().map_or_else(|| weight.to_string(), str::to_owned);
    match text.strip_suffix('m') {
        Some(milli) => milli.parse::<u128>().expect("digits") * 1_000_000,
        None => text.parse::<u128>().expect("digits") * 1_000_000_000,
    }
}

/// An object without the annotation and without what is only a spelling: a whole number as text.
fn plain(object: &Json) -> Json {
    let mut object = object.clone();
    if let Some(annotations) = object["metadata"].get_mut("annotations").and_then(Json::as_object_mut) {
        annotations.remove(ANNOTATION);
    }
    if object["metadata"]["annotations"].as_object().is_some_and(serde_json::Map::is_empty) {
        object["metadata"].as_object_mut().map(|metadata| metadata.remove("annotations"));
    }
    for backend in object["spec"].get_mut("backends").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(number) = backend["weight"].as_str().and_then(|text| text.parse::<u64>().ok()) {
            backend["weight"] = json!(number);
        }
    }
    object
}

fn metadata() -> impl Strategy<Value = Json> {
    let annotations = prop_oneof![Just(None), Just(Some(json!({"note": "kept"})))];
    (annotations, any::<bool>()).prop_map(|(annotations, labelled)| {
        let mut metadata =
            json!({"name": "web", "namespace": "shop", "uid": "6f0c", "resourceVersion": "991", "generation": 2});
        if let Some(annotations) = annotations {
            metadata["annotations"] = annotations;
        }
        if labelled {
            metadata["labels"] = json!({"team": "shop"});
        }
        metadata
    })
}

fn split() -> impl Strategy<Value = Json> {
    // small enough that no limit rounds: a rounded weight comes back as it was, too, but is another in between
    let quantity = prop_oneof![
        (0_u32..80).prop_map(|n| json!(n)),
        (0_u32..80).prop_map(|n| json!(n.to_string())),
        (0_u32..2000).prop_map(|n| json!(format!("{n}m"))),
    ];
    let whole = (0_u32..2000).prop_map(|n| json!(n));
    let backends = (0..4_usize).prop_flat_map(move |version| {
        let weight = if version == 0 { quantity.clone().boxed() } else { whole.clone().boxed() };
        (Just(version), prop::collection::vec(weight, 1..5), any::<bool>())
    });
    (backends, metadata()).prop_map(|((version, weights, matched), metadata)| {
        let backend = |(index, weight): (usize, Json)| json!({"service": format!("web-{index}"), "weight": weight});
        let mut object = json!({
            "apiVersion": format!("split.smi-spec.io/{}", VERSIONS[version]),
            "kind": "TrafficSplit",
            "metadata": metadata,
            "spec": {"service": "web", "backends": weights.into_iter().enumerate().map(backend).collect::<Vec<_>>()},
        });
        if matched && version >= 2 {
            object["spec"]["matches"] =
                json!([{"kind": "HTTPRouteGroup", "name": "beta", "apiGroup": "specs.smi-spec.io"}]);
        }
        object
    })
}

fn group() -> impl Strategy<Value = Json> {
    let headers = prop_oneof![
        Just(None),
        Just(Some(json!({"x-user": "beta-.*", "cookie": "a"}))),
        Just(Some(json!([{"x-user": "beta-.*"}, {"x-user": "b"}]))),
    ];
    let matches = prop::collection::vec((0..3_u8, headers), 0..4);
    (0..4_usize, matches, metadata()).prop_map(|(version, matches, metadata)| {
        let item = |(name, headers): (u8, Option<Json>)| {
            let mut item = json!({"name": format!("m{name}"), "methods": ["GET"], "pathRegex": format!("/{name}")});
            if let Some(headers) = headers.filter(|_| version > 0) {
                item["headers"] = headers;
            }
            item
        };
        let matches: Vec<Json> = matches.into_iter().map(item).collect();
        let mut object = json!({
            "apiVersion": format!("specs.smi-spec.io/{}", VERSIONS[version]),
            "kind": "HTTPRouteGroup",
            "metadata": metadata,
        });
        match version {
            0 | 1 => object["matches"] = json!(matches),
            _ => object["spec"] = json!({"matches": matches}),
        }
        object
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn splits_come_back_as_they_were(stored in split(), through in prop::collection::vec(0..4_usize, 1..4)) {
        let home = stored["apiVersion"].as_str().and_then(|text| text.split('/').nth(1)).expect("a version").to_owned();
        let mut object = stored.clone();
        for version in through {
            object = one("split.smi-spec.io", VERSIONS[version], &object);
            let weights = |object: &Json| -> Vec<u128> {
                object["spec"]["backends"].as_array().expect("a list").iter().map(|b| nanos(&b["weight"])).collect()
            };
            let (before, after) = (weights(&stored), weights(&object));
            for (a, b) in before.iter().zip(&after) {
                // one factor an object: every pair keeps its ratio
                prop_assert!(before.iter().zip(&after).all(|(c, d)| a * d == b * c), "{before:?} {after:?}");
            }
        }
        let back = one("split.smi-spec.io", &home, &object);
        prop_assert_eq!(plain(&back), plain(&stored));
        prop_assert!(back["metadata"].pointer("/annotations/tidegate.dev~1conversion").is_none(), "{}", back);
    }

    #[test]
    fn route_groups_come_back_as_they_were(stored in group(), through in prop::collection::vec(0..4_usize, 1..4)) {
        let home = stored["apiVersion"].as_str().and_then(|text| text.split('/').nth(1)).expect("a version").to_owned();
        let mut object = stored.clone();
        for version in through {
            object = one("specs.smi-spec.io", VERSIONS[version], &object);
        }
        let back = one("specs.smi-spec.io", &home, &object);
        prop_assert_eq!(back, stored);
    }

    #[test]
    fn many_at_once_are_each_alone(stored in prop::collection::vec(split(), 0..6), version in 0..4_usize) {
        let alone: Vec<Json> = stored.iter().map(|object| one("split.smi-spec.io", VERSIONS[version], object)).collect();
        prop_assert_eq!(converted("split.smi-spec.io", VERSIONS[version], &stored), alone);
    }
}
