//! What a conversion is told.

use std::fmt;
use std::str::FromStr;

use super::weight::Limit;
use crate::config::ConvertSettings;

/// A version of the SMI APIs that are converted. Ordered from old to new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Weights are Quantities.
    V1alpha1,
    /// Weights are whole numbers.
    V1alpha2,
    /// A split may hold for some requests only.
    V1alpha3,
    /// The same for TrafficSplits; pairs with v1alpha4 of HTTPRouteGroups.
    V1alpha4,
}

impl Version {
    /// Every version, from old to new.
    pub const ALL: [Version; 4] = [Version::V1alpha1, Version::V1alpha2, Version::V1alpha3, Version::V1alpha4];

    /// The version as `apiVersion` has it behind the group.
    pub fn word(self) -> &'static str {
        match self {
            Version::V1alpha1 => "v1alpha1",
            Version::V1alpha2 => "v1alpha2",
            Version::V1alpha3 => "v1alpha3",
            Version::V1alpha4 => "v1alpha4",
        }
    }

    /// The version of a word; nothing for any other text.
    pub fn parse(word: &str) -> Option<Self> {
        Version::ALL.into_iter().find(|version| version.word() == word)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What TrafficSplits are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A version of their own API.
    Version(Version),
    /// Routes of Gateway API.
    HttpRoute,
}

/// `v1alpha1` … `v1alpha4`, `httproute`.
impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, Version::parse(text)) {
            (_, Some(version)) => Ok(Target::Version(version)),
            ("httproute", None) => Ok(Target::HttpRoute),
            _ => Err("possible values: v1alpha1, v1alpha2, v1alpha3, v1alpha4, httproute".to_owned()),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Version(version) => version.fmt(f),
            Target::HttpRoute => f.write_str("httproute"),
        }
    }
}

/// What becomes of a field that the target cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lossy {
    /// The conversion is refused.
    #[default]
    Refuse,
    /// The field is dropped and reported.
    Drop,
    /// The field travels in the annotation [`super::ANNOTATION`], out of which every conversion to a
    /// version that can hold it brings it back: for a webhook, which may lose nothing.
    Carry,
}

/// What becomes of metadata that a server owns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metadata {
    /// It goes: for files, which are applied anew.
    #[default]
    Strip,
    /// It stays: for a webhook, which may not touch it.
    Keep,
}

/// How the headers of an HTTPRouteGroup are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderForm {
    /// As they are.
    #[default]
    AsWritten,
    /// As a mapping of names and regular expressions (smi-spec, `apis/traffic-specs/`).
    Mapping,
    /// As a list of mappings of one key each (the definition of smi-sdk-go).
    List,
}

/// What a conversion is told beside its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How large whole weights may become.
    pub weight_limit: Limit,
    /// Whether whole numbers that are there already have to keep to the limit, too; else they are copied.
    pub fits: bool,
    /// What becomes of fields that the target cannot hold.
    pub lossy: Lossy,
    /// Whether a Quantity where a whole number belongs is read as what was meant.
    pub lenient: bool,
    /// What becomes of metadata that a server owns.
    pub metadata: Metadata,
    /// How the headers of an HTTPRouteGroup are written.
    pub headers: HeaderForm,
}

/// What the settings of a run say: for files, so metadata is stripped.
impl From<&ConvertSettings> for Options {
    fn from(settings: &ConvertSettings) -> Self {
        Options {
            weight_limit: settings.weight_limit.and_then(Limit::new).unwrap_or_default(),
            lossy: if settings.allow_lossy { Lossy::Drop } else { Lossy::Refuse },
            lenient: settings.lenient,
            ..Options::default()
        }
    }
}
