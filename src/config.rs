//! The configuration: `tidegate.yaml`, and what flags and the environment override in it.
//!
//! [`read`] turns the text of a file, and [`from_node`] an object that was read already, of
//! `apiVersion: tidegate.dev/v1alpha1`, `kind: Tidegate` into a [`Raw`]: what it sets, with places. [`Settings::resolve`] lays flags over the environment
//! over the file over the defaults. Nothing here reads a file or the environment.

mod conversion;
mod flux;
mod mesh;
mod openapi;
pub mod parameters;
mod patches;
mod raw;
mod reader;
mod references;
mod schema;
mod settings;
mod table;
mod text;
mod words;

pub use conversion::{ConvertSettings, ServedVersion};
pub use flux::Flux;
pub use mesh::MeshJob;
pub use openapi::OpenApi;
pub use patches::{PatchBody, PatchRow, PatchTarget};
pub use raw::{
    API_VERSION, KIND, Raw, RawBands, RawConfigVersion, RawDependency, RawExternal, RawFiller, RawFlux, RawIgnore,
    RawIgnoredEdge, RawKind, RawMeshJob, RawPatch, RawPodTemplate, RawProducer, RawReferenceField, RawReload,
    RawSources, RawStage, fields, from_node, schema,
};
pub use references::{FillerRow, ProducerRow, ReferenceField, ReferenceSettings, StageRow};
pub use settings::{
    Argocd, Bands, ChecksumKey, ChecksumSettings, EdgeRow, EdgeSettings, ExternalRow, ExternalSettings,
    FindingSettings, Gates, InputSettings, KindRow, LimitOverrides, Overrides, ReloadRow, ReloadSettings, Settings,
    SourceRow, TemplateSettings, VersionedSettings, Waves, Writing,
};
pub use table::{FieldHelp, Spanned};
pub use text::read;
pub use words::{
    ChecksumMode, EdgeReason, Encrypted, EngineName, External, FluxSource, ForeignReload, MeshGate, MeshJobPlacement,
    PolicyGates, ProducerGates, SkipDryRun, SplitVersion, StageName, WaveMode, Word,
};

#[cfg(test)]
mod tests;
