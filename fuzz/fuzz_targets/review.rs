//! Any text as a ConversionReview: nothing panics, what is answered is answered as an API server takes it, and a
//! review with objects that were converted gives them back as they were.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value as Json, json};
use tidegate::webhook::review::{Limits, answer_text};

fuzz_target!(|text: &str| {
    let Ok((answer, done)) = answer_text(text, &Limits::default()) else { return };
    let request: Json = serde_json::from_str(text).expect("it was read");
    let answer: Json = serde_json::from_str(&answer).expect("an answer is JSON");
    let (asked, given) = (&request["request"], &answer["response"]);
    assert_eq!(given["uid"], asked["uid"]);
    let objects = given["convertedObjects"].as_array().expect("a list");
    if !done {
        assert!(objects.is_empty() && given["result"]["message"].as_str().is_some_and(|text| !text.is_empty()));
        return;
    }
    let originals = asked["objects"].as_array().expect("a list");
    assert_eq!(objects.len(), originals.len());
    for (object, original) in objects.iter().zip(originals) {
        assert_eq!(object["apiVersion"], asked["desiredAPIVersion"]);
        assert_eq!(object["kind"], original["kind"]);
        assert_eq!(fixed(object), fixed(original));
        assert_eq!(same(&object["status"]), same(&original["status"]));
        // the way back: what was converted can be, and goes the same way again
        let back = json!({
            "kind": "ConversionReview",
            "apiVersion": "apiextensions.k8s.io/v1",
            "request": { "uid": "u", "desiredAPIVersion": original["apiVersion"], "objects": [object] },
        });
        let (back, done) = answer_text(&back.to_string(), &Limits::default()).expect("a review");
        assert!(done, "no way back: {back}");
    }
});

/// The metadata that no webhook may change.
fn fixed(object: &Json) -> Json {
    let mut metadata = object["metadata"].clone();
    if let Some(metadata) = metadata.as_object_mut() {
        metadata.remove("annotations");
    }
    same(&metadata)
}

/// A value with every number as a float: `1.0` is read as 1.
fn same(value: &Json) -> Json {
    match value {
        Json::Number(number) => json!(number.as_f64()),
        Json::Array(items) => items.iter().map(same).collect(),
        Json::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), same(value))).collect(),
        other => other.clone(),
    }
}
