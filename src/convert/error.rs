//! Why an object is not converted.

use std::fmt;

use crate::finding::rules::conversion as rules;
use crate::finding::{Finding, Label, Rule};
use crate::object::Object;
use crate::tree::FieldPath;

/// What kind of obstacle a [`Refusal`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The object has no shape that its version allows, or its kind or version is not converted.
    Shape,
    /// A weight is none.
    Weight,
    /// A Quantity stands where the version takes whole numbers.
    QuantityWeight,
    /// The target cannot hold a field.
    Loss,
}

/// One reason why an object is not converted. Shown with the object and the backend, without a place:
/// `TrafficSplit shop/web, backend web-v2: the weight …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of obstacle it is.
    pub problem: Problem,
    /// The object, as `Kind namespace/name` or `Kind name`.
    pub object: String,
    /// The backend, where it is about one.
    pub backend: Option<String>,
    /// The field in the object as it was written.
    pub path: FieldPath,
    /// What is wrong, without the object and the backend.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.object)?;
        if let Some(backend) = &self.backend {
            write!(f, ", backend `{backend}`")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl Refusal {
    /// The rule of a finding of this.
    pub fn rule(&self) -> &'static Rule {
        match self.problem {
            Problem::Shape => &rules::NOT_CONVERTIBLE,
            Problem::Weight => &rules::NO_WEIGHT,
            Problem::QuantityWeight => &rules::QUANTITY_WEIGHT,
            Problem::Loss => &rules::LOSSY,
        }
    }

    /// The finding of this, with the place that the object (as it was before) has for it.
    pub fn finding(&self, object: &Object<'_>) -> Finding {
        Finding::new(self.rule(), self.to_string())
            .with_object(&self.object)
            .with_label(Label::new(object.place_of(&self.path)).path(self.path.clone()))
            .with_remedy(self.remedy.clone())
    }
}
