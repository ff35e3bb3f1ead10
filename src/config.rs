//! The configuration: `tidegate.yaml`, and what flags and the environment override in it.
//!
//! [`read`] turns the text of a file, and [`from_node`] an object that was read already, of
//! `apiVersion: tidegate.dev/v1alpha1`, `kind: Tidegate` into a [`Raw`]: what it sets, with places. [`Settings::resolve`] lays flags over the environment
//! over the file over the defaults. Nothing here reads a file or the environment.

mod conversion;
mod openapi;
pub mod parameters;
mod raw;
mod reader;
mod settings;
mod table;
mod text;
mod words;

pub use conversion::{ConvertSettings, ServedVersion};
pub use openapi::OpenApi;
pub use raw::{
    API_VERSION, KIND, Raw, RawBands, RawDependency, RawExternal, RawIgnore, RawIgnoredEdge, RawKind, RawPodTemplate,
    fields, from_node,
};
pub use settings::{
    Argocd, Bands, ChecksumKey, ChecksumSettings, EdgeRow, EdgeSettings, ExternalRow, ExternalSettings,
    FindingSettings, Gates, InputSettings, KindRow, LimitOverrides, Overrides, ReferenceSettings, Settings, Waves,
};
pub use table::{FieldHelp, Spanned};
pub use text::read;
pub use words::{
    ChecksumMode, EdgeReason, Encrypted, EngineName, External, PolicyGates, ProducerGates, SkipDryRun, SplitVersion,
    WaveMode, Word,
};

#[cfg(test)]
mod tests;
