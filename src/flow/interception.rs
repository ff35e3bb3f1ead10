//! What webhooks refuse while nobody answers them.

use crate::object::ObjRef;
use crate::source::Place;
use crate::tree::FieldPath;

/// A webhook with `failurePolicy: Fail` that is asked when an object is created or changed, or when
/// pods of it are: while its backend does not answer, that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interception {
    /// The webhook configuration.
    pub registration: ObjRef,
    /// Which of its webhooks, from 0.
    pub webhook: usize,
    /// The object.
    pub object: ObjRef,
    /// Whether its pods are meant, not the object itself.
    pub is_pods: bool,
    /// The rule that matches.
    pub path: FieldPath,
    /// Where the rule stands.
    pub place: Place,
}
