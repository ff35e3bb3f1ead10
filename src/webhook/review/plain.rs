//! The types of `kube_core::conversion`, as far as a review needs them, for builds without kube-core.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A review: a request, or a response.
#[derive(Debug, Deserialize, Serialize)]
pub struct ConversionReview {
    /// Its apiVersion and kind.
    #[serde(flatten)]
    pub types: TypeMeta,
    /// What is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<ConversionRequest>,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ConversionResponse>,
}

/// The two words that name a type.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeMeta {
    /// Group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
}

/// What is asked for.
#[derive(Debug, Deserialize, Serialize)]
pub struct ConversionRequest {
    /// Of the review that it came in.
    #[serde(skip)]
    pub types: Option<TypeMeta>,
    /// Comes back in the answer.
    pub uid: String,
    /// Group and version that the objects are to have.
    #[serde(rename = "desiredAPIVersion")]
    pub desired_api_version: String,
    /// The objects.
    pub objects: Vec<Json>,
}

/// The answer.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConversionResponse {
    /// Of the review that was answered.
    #[serde(skip)]
    pub types: Option<TypeMeta>,
    /// Of the request.
    pub uid: String,
    /// Whether all objects were converted.
    pub result: Status,
    /// The objects in the order of the request; none where one failed.
    pub converted_objects: Vec<Json>,
}

/// How it went.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Status {
    /// `Success` or `Failure`.
    pub status: String,
    /// Like one of HTTP; 0 where all is well.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub code: u16,
    /// Why not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Why not, in a word.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

fn is_zero(code: &u16) -> bool {
    *code == 0
}

impl Status {
    pub(super) fn failure(message: &str, reason: &str) -> Self {
        Status { status: "Failure".to_owned(), code: 0, message: message.to_owned(), reason: reason.to_owned() }
    }

    pub(super) fn with_code(mut self, code: u16) -> Self {
        self.code = code;
        self
    }

    pub(super) fn is_failure(&self) -> bool {
        self.status == "Failure"
    }
}

impl ConversionRequest {
    pub(super) fn from_review(review: ConversionReview) -> Result<Self, ()> {
        let types = Some(review.types);
        review.request.map(|request| ConversionRequest { types, ..request }).ok_or(())
    }
}

impl ConversionResponse {
    pub(super) fn for_request(request: ConversionRequest) -> Self {
        let (types, uid) = (request.types, request.uid);
        ConversionResponse { types, uid, result: Status::default(), converted_objects: Vec::new() }
    }

    pub(super) fn success(mut self, objects: Vec<Json>) -> Self {
        self.result.status = "Success".to_owned();
        self.converted_objects = objects;
        self
    }

    pub(super) fn failure(mut self, status: Status) -> Self {
        self.result = status;
        self
    }

    pub(super) fn into_review(mut self) -> ConversionReview {
        let types = self.types.take().unwrap_or_default();
        ConversionReview { types, request: None, response: Some(self) }
    }
}
