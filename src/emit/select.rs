//! Which objects of a plan are printed.

use std::ops::RangeInclusive;
use std::str::FromStr;

pub use crate::object::labels::{LabelSelector, SelectorError};
pub use crate::object::pattern::{Pattern, PatternError};

use crate::flow::{Slot, Stage};
use crate::object::Object;

/// Conditions that all must hold; an empty one takes everything.
#[derive(Debug, Default)]
pub struct Selection {
    /// Stages to take; empty means all.
    pub stages: Vec<Stage>,
    /// Waves to take.
    pub waves: Option<Waves>,
    /// Labels that an object must have.
    pub labels: Option<LabelSelector>,
    /// Objects to take; empty means all.
    pub include: Vec<Pattern>,
    /// Objects to leave out.
    pub exclude: Vec<Pattern>,
}

impl Selection {
    /// Whether an object is printed.
    pub fn takes(&self, object: &Object<'_>, slot: &Slot) -> bool {
        (self.stages.is_empty() || self.stages.contains(&slot.stage))
            && self.waves.as_ref().is_none_or(|waves| waves.0.contains(&slot.wave))
            && self.labels.as_ref().is_none_or(|labels| labels.matches(object))
            && (self.include.is_empty() || self.include.iter().any(|pattern| pattern.matches(&object.id)))
            && !self.exclude.iter().any(|pattern| pattern.matches(&object.id))
    }

    /// Whether nothing is asked for.
    pub fn is_everything(&self) -> bool {
        self.stages.is_empty()
            && self.waves.is_none()
            && self.labels.is_none()
            && self.include.is_empty()
            && self.exclude.is_empty()
    }
}

/// A wave, or a range of waves with both ends: `-20`, `0..3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waves(pub RangeInclusive<i64>);

/// Text that is neither a wave nor a range of waves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a whole number, or two with `..` between them, as in -20..0")]
pub struct WavesError;

impl FromStr for Waves {
    type Err = WavesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let wave = |text: &str| text.trim().parse().map_err(|_| WavesError);
        Ok(Waves(wave(first)?..=wave(last)?))
    }
}
