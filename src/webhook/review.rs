//! One ConversionReview: the objects of a request, at the version that it asks for.
//!
//! A webhook must lose nothing: what a version cannot hold travels in the annotation
//! [`crate::convert::ANNOTATION`], and comes back out of it when the object comes back. Of metadata nothing but annotations
//! changes, as the API demands. Objects of several versions may stand in one request; those that have
//! the version already come back as they are. If one object cannot be converted, none is.
//!
//! Source: apiextensions-apiserver, `pkg/apis/apiextensions/v1/types.go` (ConversionReview) and
//! `pkg/apiserver/conversion/webhook_converter.go` (what the API server checks in an answer).

#[cfg(not(feature = "kube"))]
mod plain;

#[cfg(feature = "kube")]
use kube_core::Status;
#[cfg(feature = "kube")]
use kube_core::conversion::{ConversionRequest, ConversionResponse, ConversionReview};
#[cfg(not(feature = "kube"))]
use plain::{ConversionRequest, ConversionResponse, ConversionReview, Status};
use serde_json::Value as Json;

use crate::convert::{self, Lossy, Metadata, Options, Refusal, Version};
use crate::json::{from_value, to_value};
use crate::object::gvk::split_api_version;

/// What a review is.
const KIND: &str = "ConversionReview";
const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// Failing objects that a message names.
const TOLD: usize = 10;

/// Bytes of all annotations of one object that a cluster takes (apimachinery, `pkg/api/validation/objectmeta.go`,
/// `TotalAnnotationSizeLimitB`).
const ANNOTATION_BYTES: usize = 256 << 10;

/// Bounds on one review.
#[derive(Clone, Copy)]
pub struct Limits<'l> {
    /// Objects in the request.
    pub objects: usize,
    /// Asked before each object: once it says no, the review has failed.
    pub goes_on: &'l dyn Fn() -> bool,
}

/// No bounds.
impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { objects: usize::MAX, goes_on: &|| true }
    }
}

/// Why there is no answer: there is no request whose uid one could have.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The text is no JSON of the right shape.
    #[error("this is no ConversionReview: {0}")]
    Shape(#[from] serde_json::Error),
    /// It is a review of something else, or of another version.
    #[error("this is {kind} of {api_version}, and no {KIND} of {API_VERSION}")]
    Kind {
        /// Its kind.
        kind: String,
        /// Its apiVersion.
        api_version: String,
    },
    /// There is nothing to answer.
    #[error("the ConversionReview has no request")]
    NoRequest,
}

/// Why objects are not converted: what the answer says.
struct Failure {
    reason: &'static str,
    code: u16,
    message: String,
}

/// Answers a review: the same review with its response in place of the request. That an object cannot be
/// converted is an answer as well, with the status `Failure` and no objects.
///
/// # Errors
/// When it is no v1 ConversionReview with a request.
pub fn answer(review: ConversionReview, limits: &Limits<'_>) -> Result<ConversionReview, ReviewError> {
    let types = &review.types;
    if (types.kind.as_str(), types.api_version.as_str()) != (KIND, API_VERSION) {
        return Err(ReviewError::Kind { kind: types.kind.clone(), api_version: types.api_version.clone() });
    }
    let Ok(mut request) = ConversionRequest::from_review(review) else {
        return Err(ReviewError::NoRequest);
    };
    let objects = std::mem::take(&mut request.objects);
    let converted = convert(&request.desired_api_version, objects, limits);
    let response = ConversionResponse::for_request(request);
    let response = match converted {
        Ok(objects) => response.success(objects),
        Err(failure) => response.failure(Status::failure(&failure.message, failure.reason).with_code(failure.code)),
    };
    Ok(response.into_review())
}

/// [`answer`], from JSON to indented JSON that ends with a line break. Gives whether the objects were converted with it.
///
/// # Errors
/// When the text is no v1 ConversionReview with a request.
pub fn answer_text(text: &str, limits: &Limits<'_>) -> Result<(String, bool), ReviewError> {
    let answer = answer(serde_json::from_str(text)?, limits)?;
    let failed = answer.response.as_ref().is_some_and(|response| response.result.is_failure());
    let mut text = serde_json::to_string_pretty(&answer)?;
    text.push('\n');
    Ok((text, !failed))
}

/// Converts all objects, in their order, or none.
fn convert(desired: &str, objects: Vec<Json>, limits: &Limits<'_>) -> Result<Vec<Json>, Failure> {
    let invalid = |message| Failure { reason: "Invalid", code: 422, message };
    let count = objects.len();
    if count > limits.objects {
        let message = format!("the review has {count} objects, and at most {} are taken", limits.objects);
        return Err(Failure { reason: "RequestEntityTooLarge", code: 413, message });
    }
    let (group, version) = split_api_version(desired)
        .map_err(|error| invalid(format!("desiredAPIVersion `{desired}` is no group and version: {error}")))?;
    let target = Version::parse(version).filter(|_| convert::KINDS.iter().any(|kind| kind.group == group));
    let target = target.ok_or_else(|| {
        let known: Vec<_> = convert::KINDS.iter().map(|kind| kind.group).collect();
        invalid(format!("nothing is converted to `{desired}`: known are v1alpha1 to v1alpha4 of {}", known.join(", ")))
    })?;
    let mut converted = Vec::with_capacity(count);
    let mut failed = Vec::new();
    for (index, object) in objects.into_iter().enumerate() {
        if !(limits.goes_on)() {
            let message = format!("time is up after {index} of {count} objects");
            return Err(Failure { reason: "Timeout", code: 504, message });
        }
        match one(object, group, desired, target) {
            Ok(object) => converted.push(object),
            Err(why) => failed.push(format!("object {} of {count}, {why}", index + 1)),
        }
    }
    if failed.is_empty() {
        return Ok(converted);
    }
    let more = failed.len().saturating_sub(TOLD);
    failed.truncate(TOLD);
    let mut message = failed.join("; ");
    if more > 0 {
        message.push_str(&format!("; and {more} more"));
    }
    Err(invalid(message))
}

/// Converts one object, or says why not.
fn one(object: Json, group: &str, desired: &str, target: Version) -> Result<Json, String> {
    let own = object.get("apiVersion").and_then(Json::as_str).unwrap_or_default();
    if own == desired {
        return Ok(object);
    }
    if own.split_once('/').map(|(group, _)| group) != Some(group) {
        return Err(format!("{}: `{own}` is not of the group {group}", name(&object)));
    }
    let named = name(&object);
    let options = Options { lossy: Lossy::Carry, metadata: Metadata::Keep, ..Options::default() };
    let (tree, _) = convert::tree(&from_value(object), target, &options).map_err(|refusals| told(&refusals))?;
    let converted = to_value(&tree);
    if annotation_bytes(&converted) > ANNOTATION_BYTES {
        return Err(format!(
            "{named}: what {desired} cannot hold is too much for annotations ({ANNOTATION_BYTES} bytes)"
        ));
    }
    Ok(converted)
}

/// Refusals in one line.
fn told(refusals: &[Refusal]) -> String {
    let told: Vec<_> = refusals.iter().map(|refusal| format!("{refusal}: {}", refusal.remedy)).collect();
    told.join("; ")
}

/// An object in a message, as far as it can be told.
fn name(object: &Json) -> String {
    let text = |path: &str| object.pointer(path).and_then(Json::as_str).filter(|text| !text.is_empty());
    let kind = text("/kind").unwrap_or("object");
    match (text("/metadata/namespace"), text("/metadata/name")) {
        (Some(namespace), Some(name)) => format!("{kind} {namespace}/{name}"),
        (None, Some(name)) => format!("{kind} {name}"),
        (_, None) => format!("{kind} without a name"),
    }
}

fn annotation_bytes(object: &Json) -> usize {
    let annotations = object.pointer("/metadata/annotations").and_then(Json::as_object);
    let bytes = |(key, value): (&String, &Json)| key.len() + value.as_str().map_or(0, str::len);
    annotations.into_iter().flatten().map(bytes).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn review(desired: &str, objects: &Json) -> String {
        let request = json!({ "uid": "u-1", "desiredAPIVersion": desired, "objects": objects });
        json!({ "kind": KIND, "apiVersion": API_VERSION, "request": request }).to_string()
    }

    fn split(name: &str) -> Json {
        json!({
            "apiVersion": "split.smi-spec.io/v1alpha1",
            "kind": "TrafficSplit",
            "metadata": { "name": name },
            "spec": { "service": "web", "backends": [{ "service": "web-v1", "weight": "1" }] },
        })
    }

    fn message(text: &str, limits: &Limits<'_>) -> (String, u64) {
        let (answer, done) = answer_text(text, limits).unwrap();
        assert!(!done, "{answer}");
        let answer: Json = serde_json::from_str(&answer).unwrap();
        let response = &answer["response"];
        assert_eq!((&response["uid"], &response["convertedObjects"]), (&json!("u-1"), &json!([])));
        let result = &response["result"];
        (result["message"].as_str().unwrap().to_owned(), result["code"].as_u64().unwrap())
    }

    #[test]
    fn what_is_no_review_has_no_answer() {
        let said = |text: &str| answer_text(text, &Limits::default()).unwrap_err().to_string();
        insta::assert_snapshot!(said("{}"), @"this is no ConversionReview: missing field `apiVersion` at line 1 column 2");
        insta::assert_snapshot!(
            said(r#"{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1beta1"}"#),
            @"this is ConversionReview of apiextensions.k8s.io/v1beta1, and no ConversionReview of apiextensions.k8s.io/v1"
        );
        insta::assert_snapshot!(
            said(r#"{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}"#),
            @"the ConversionReview has no request"
        );
    }

    #[test]
    fn bounds_are_kept() {
        let text = review("split.smi-spec.io/v1alpha2", &json!([split("a"), split("b"), split("c")]));
        let (said, code) = message(&text, &Limits { objects: 2, ..Limits::default() });
        assert_eq!((said.as_str(), code), ("the review has 3 objects, and at most 2 are taken", 413));
        let left = std::cell::Cell::new(2);
        let goes_on = || left.replace(left.get() - 1) > 0;
        let (said, code) = message(&text, &Limits { goes_on: &goes_on, ..Limits::default() });
        assert_eq!((said.as_str(), code), ("time is up after 2 of 3 objects", 504));
    }

    #[test]
    fn a_message_names_ten_objects_and_counts_the_rest() {
        let bad: Vec<Json> =
            (0..12).map(|n| json!({ "apiVersion": "example.com/v1", "metadata": { "name": n } })).collect();
        let (said, _) = message(&review("split.smi-spec.io/v1alpha2", &json!(bad)), &Limits::default());
        assert!(
            said.starts_with("object 1 of 12, object without a name: `example.com/v1` is not of the group"),
            "{said}"
        );
        assert!(said.ends_with("; and 2 more") && said.matches("; object ").count() == 9, "{said}");
    }

    #[test]
    fn what_is_too_much_for_annotations_is_not_lost_in_silence() {
        let mut object = split("web");
        object["apiVersion"] = json!("split.smi-spec.io/v1alpha4");
        object["spec"]["backends"][0]["weight"] = json!(1);
        object["spec"]["matches"] = json!([{ "kind": "HTTPRouteGroup", "name": "n".repeat(ANNOTATION_BYTES) }]);
        let (said, _) = message(&review("split.smi-spec.io/v1alpha2", &json!([object])), &Limits::default());
        assert!(said.contains("TrafficSplit web: what split.smi-spec.io/v1alpha2 cannot hold is too much"), "{said}");
    }

    #[test]
    fn versions_that_are_none_are_said() {
        for desired in ["", "split.smi-spec.io/", "split.smi-spec.io/v1", "v1alpha2", "a/b/c"] {
            let (said, _) = message(&review(desired, &json!([split("a")])), &Limits::default());
            assert!(said.contains(&format!("`{desired}`")), "{said}");
        }
        let (answer, done) =
            answer_text(&review("split.smi-spec.io/v1alpha2", &json!([])), &Limits::default()).unwrap();
        assert!(done && answer.contains("\"convertedObjects\": []"), "{answer}");
    }
}
