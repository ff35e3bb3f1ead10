//! One request for a conversion: read, wait for a turn, convert, answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kube_core::conversion::ConversionReview;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use super::{Event, Shared};
use crate::webhook::review;

/// Up to this many bytes a review is converted where it was read: to hand it to another thread takes
/// longer than to convert it. It waits for no place among the large ones either.
const SMALL: usize = 32 << 10;

/// A request that is answered by a `Status`, and by no review.
struct Refused {
    code: StatusCode,
    message: String,
}

/// What was answered, for those who count.
enum Answer {
    Converted { body: Vec<u8>, objects: usize },
    Failed { body: Vec<u8>, message: String },
}

/// `POST /convert`.
pub(super) async fn convert(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let started = now();
    shared.metrics.in_flight.inc();
    // the count goes down also where the client goes away in the middle
    let _flying = Flying(&shared);
    let answered = answer(&shared, request, started).await;
    let took = started.elapsed();
    let mut response = match answered {
        Ok(Answer::Converted { body, objects }) => {
            shared.metrics.objects.inc_by(objects as u64);
            shared.metrics.review("success", took);
            json_response(StatusCode::OK, body)
        }
        Ok(Answer::Failed { body, message }) => {
            shared.metrics.review("failed", took);
            shared.log.say(Event::Failed(message));
            json_response(StatusCode::OK, body)
        }
        Err(refused) => {
            shared.metrics.review("refused", took);
            refused.into_response()
        }
    };
    if shared.stopping.load(Ordering::Relaxed) {
        // the next request goes elsewhere, and none is on its way when the connection is closed
        response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    }
    response
}

struct Flying<'s>(&'s Shared);

impl Drop for Flying<'_> {
    fn drop(&mut self) {
        self.0.metrics.in_flight.dec();
    }
}

#[allow(clippy::disallowed_methods, reason = "a server bounds how long a request takes")]
fn now() -> Instant {
    Instant::now()
}

async fn answer(shared: &Arc<Shared>, request: Request, started: Instant) -> Result<Answer, Refused> {
    let deadline = started + shared.limits.time;
    let most = shared.limits.body_bytes;
    let announced = announced(request.headers());
    if announced.is_some_and(|bytes| bytes > most) {
        return Err(too_large(most));
    }
    let wanted = announced.unwrap_or(most);
    let held = match wanted <= SMALL {
        true => None,
        false => Some(turn(&shared.held_bytes, wanted, deadline).await?),
    };
    let body = match timeout_at(deadline, to_bytes(request.into_body(), most)).await {
        Ok(Ok(body)) => body,
        Ok(Err(error)) if is_too_long(&error) => return Err(too_large(most)),
        Ok(Err(error)) => return Err(refused(StatusCode::BAD_REQUEST, format!("the body broke off: {error}"))),
        Err(_) => return Err(refused(StatusCode::REQUEST_TIMEOUT, "the body did not come in time".to_owned())),
    };
    let turn = turn(&shared.conversions, 1, deadline).await?;
    if body.len() <= SMALL {
        return guarded(shared, &body, deadline);
    }
    let shared = shared.clone();
    let converted = spawn_blocking(move || {
        let answer = guarded(&shared, &body, deadline);
        drop((held, turn));
        answer
    });
    converted.await.unwrap_or_else(|_| Err(broken()))
}

/// Bytes of the body, if the head says so.
fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

/// Waits for a number of places.
async fn turn(places: &Arc<Semaphore>, wanted: usize, deadline: Instant) -> Result<OwnedSemaphorePermit, Refused> {
    let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
    match timeout_at(deadline, places.clone().acquire_many_owned(wanted)).await {
        Ok(Ok(places)) => Ok(places),
        _ => Err(refused(StatusCode::SERVICE_UNAVAILABLE, "too many reviews at once".to_owned())),
    }
}

/// Converts. A panic in it is an error of tidegate's own, and takes no other request down.
fn guarded(shared: &Shared, body: &Bytes, deadline: Instant) -> Result<Answer, Refused> {
    catch_unwind(AssertUnwindSafe(|| converted(shared, body, deadline))).unwrap_or_else(|_| {
        shared.log.say(Event::Panicked);
        Err(broken())
    })
}

fn converted(shared: &Shared, body: &[u8], deadline: Instant) -> Result<Answer, Refused> {
    let bad = |why: String| refused(StatusCode::BAD_REQUEST, why);
    let review: ConversionReview =
        serde_json::from_slice(body).map_err(|error| bad(format!("the body is no ConversionReview: {error}")))?;
    let goes_on = || now() < deadline;
    let limits = review::Limits { objects: shared.limits.objects, goes_on: &goes_on };
    let answer = review::answer(review, &limits).map_err(|error| bad(error.to_string()))?;
    let body = serde_json::to_vec(&answer).map_err(|error| bad(error.to_string()))?;
    Ok(match answer.response {
        Some(response) if response.result.is_failure() => Answer::Failed { body, message: response.result.message },
        response => Answer::Converted { body, objects: response.map_or(0, |r| r.converted_objects.len()) },
    })
}

fn refused(code: StatusCode, message: String) -> Refused {
    Refused { code, message }
}

fn too_large(most: usize) -> Refused {
    refused(StatusCode::PAYLOAD_TOO_LARGE, format!("the body has more than {most} bytes (--max-body-bytes)"))
}

fn broken() -> Refused {
    refused(StatusCode::INTERNAL_SERVER_ERROR, "internal error in the conversion".to_owned())
}

/// A `Status`, as API servers answer: its message is what they show.
impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = json!({
            "kind": "Status",
            "apiVersion": "v1",
            "status": "Failure",
            "message": self.message,
            "reason": reason(self.code),
            "code": self.code.as_u16(),
        });
        let mut response = json_response(self.code, status.to_string().into_bytes());
        if self.code == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}

/// The reasons of `StatusReason` (apimachinery, `pkg/apis/meta/v1/types.go`) for the codes above.
fn reason(code: StatusCode) -> &'static str {
    match code {
        StatusCode::BAD_REQUEST => "BadRequest",
        StatusCode::REQUEST_TIMEOUT => "Timeout",
        StatusCode::PAYLOAD_TOO_LARGE => "RequestEntityTooLarge",
        StatusCode::SERVICE_UNAVAILABLE => "ServiceUnavailable",
        _ => "InternalError",
    }
}

fn json_response(code: StatusCode, body: Vec<u8>) -> Response {
    (code, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
