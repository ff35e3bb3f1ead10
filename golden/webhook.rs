//! ConversionReviews and their answers: `webhook/CASE.request.json` in, `webhook/CASE.answer.json` out, each with its
//! why in `webhook/cases.tsv`. `TRYCMD=overwrite` accepts new answers, as for all cases.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use tidegate::webhook::review::{Limits, answer_text};

use crate::place::{below, root, say};

mod manifests;
#[cfg(feature = "webhook")]
mod program;
mod round;

#[test]
fn reviews_are_answered_as_recorded() {
    let folder = root().join("golden/webhook");
    let table = std::fs::read_to_string(folder.join("cases.tsv")).expect("the table is there");
    let rows: Vec<_> = table.lines().skip(1).filter_map(|line| line.split_once('\t')).collect();
    let listed: BTreeSet<String> = rows.iter().map(|(case, _)| (*case).to_owned()).collect();
    let there = below(&folder, "").into_iter().filter_map(|file| file.strip_suffix(".request.json").map(str::to_owned));
    assert_eq!(listed, there.collect::<BTreeSet<_>>(), "every case has a request, a row and a reason");
    let mut faults = Vec::new();
    for (case, why) in &rows {
        assert!(!why.is_empty(), "{case} says why it is there");
        let read = |end: &str| std::fs::read_to_string(folder.join(format!("{case}.{end}.json"))).unwrap_or_default();
        let (answer, _) = answer_text(&read("request"), &Limits::default()).expect("a review");
        if std::env::var_os("TRYCMD").is_some_and(|word| word == "overwrite") {
            std::fs::write(folder.join(format!("{case}.answer.json")), &answer).expect("the answer is written");
        }
        if answer != read("answer") {
            faults.push(format!("{case} ({why}):\n{answer}"));
        }
        assert_eq!(faults_of(&read("request"), &answer), Vec::<String>::new(), "{case}");
    }
    say(&format!("webhook: {} recorded reviews", rows.len()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What an API server would refuse an answer for (apiextensions-apiserver, `pkg/apiserver/conversion/webhook_converter.go`,
/// `getConvertedObjectsFromResponse`, `restoreObjectMeta` and `validateConvertedObject`).
pub(crate) fn faults_of(request: &str, answer: &str) -> Vec<String> {
    let request: Json = serde_json::from_str(request).expect("a request is JSON");
    let answer: Json = serde_json::from_str(answer).expect("an answer is JSON");
    let (asked, given) = (&request["request"], &answer["response"]);
    let mut faults = Vec::new();
    let mut hold = |holds: bool, what: &str| {
        if !holds {
            faults.push(what.to_owned());
        }
    };
    hold(answer["kind"] == "ConversionReview" && answer["apiVersion"] == request["apiVersion"], "another type");
    hold(answer.get("request").is_none(), "the request comes back");
    hold(given["uid"] == asked["uid"], "another uid");
    let objects = given["convertedObjects"].as_array().cloned().unwrap_or_default();
    if given["result"]["status"] != "Success" {
        hold(given["result"]["status"] == "Failure", "neither success nor failure");
        hold(given["result"]["message"].as_str().is_some_and(|text| !text.is_empty()), "a failure without a message");
        hold(objects.is_empty(), "a failure with objects");
        return faults;
    }
    let originals = asked["objects"].as_array().cloned().unwrap_or_default();
    hold(objects.len() == originals.len(), "another number of objects");
    for (object, original) in objects.iter().zip(&originals) {
        hold(object["apiVersion"] == asked["desiredAPIVersion"], "another version than the desired one");
        hold(object["kind"] == original["kind"], "another kind");
        hold(fixed(object) == fixed(original), "metadata changed beside labels and annotations");
        let labels = |object: &Json| object["metadata"].get("labels").cloned();
        hold(labels(object) == labels(original), "labels changed");
    }
    faults
}

/// The metadata of an object that no webhook may change.
fn fixed(object: &Json) -> Json {
    let mut metadata = object["metadata"].clone();
    for field in ["labels", "annotations"] {
        metadata.as_object_mut().map(|metadata| metadata.remove(field));
    }
    metadata
}
