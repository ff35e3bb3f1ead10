//! The words that settings choose from: the same in the file, in flags and in the environment.

use crate::finding::{Severity, Threshold};
use crate::object::Scope;
use crate::object::reload::Reload;

/// A setting that is one of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// Every value and its word, in the order messages list them.
    const WORDS: &'static [(&'static str, Self)];

    /// Words that the documentation speaks of and this version does not know yet.
    const LATER: &'static [&'static str] = &[];

    /// The value of a word; nothing for a word that is none of [`Word::WORDS`].
    fn parse(word: &str) -> Option<Self> {
        let row = Self::WORDS.iter().find(|(name, _)| *name == word);
        row.map(|(_, value)| *value)
    }

    /// The word of this value.
    fn word(self) -> &'static str {
        let row = Self::WORDS.iter().find(|(_, value)| *value == self);
        row.map_or("", |(name, _)| name)
    }
}

/// Who applies the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EngineName {
    /// Argo CD: stages and gates become sync waves.
    #[default]
    Argocd,
    /// kubectl, stage by stage or driven by tidegate.
    Kubectl,
    /// Flux: a folder and a Kustomization for each stage.
    Flux,
}

impl Word for EngineName {
    const WORDS: &'static [(&'static str, Self)] =
        &[("argocd", EngineName::Argocd), ("kubectl", EngineName::Kubectl), ("flux", EngineName::Flux)];
}

/// The kinds of sources that Flux takes manifests from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FluxSource {
    /// A repository of git.
    #[default]
    Git,
    /// An artifact in a registry of images.
    Oci,
    /// A bucket of an object store.
    Bucket,
}

impl Word for FluxSource {
    const WORDS: &'static [(&'static str, Self)] =
        &[("GitRepository", FluxSource::Git), ("OCIRepository", FluxSource::Oci), ("Bucket", FluxSource::Bucket)];
}

/// How many waves a rollout has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WaveMode {
    /// Every stage that is not empty has its band.
    #[default]
    Staged,
    /// A stage that nothing waits for shares the wave of the next one.
    Minimal,
}

impl Word for WaveMode {
    const WORDS: &'static [(&'static str, Self)] = &[("staged", WaveMode::Staged), ("minimal", WaveMode::Minimal)];
}

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageName {
    /// Configuration and access.
    Config,
    /// Definitions of kinds.
    Crd,
    /// Everything else.
    Workload,
}

impl Word for StageName {
    const WORDS: &'static [(&'static str, Self)] =
        &[("config", StageName::Config), ("crd", StageName::Crd), ("workload", StageName::Workload)];
}

/// Which workloads get a checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ChecksumMode {
    /// All that restart for one.
    #[default]
    All,
    /// Those of them that ask.
    Labelled,
    /// None.
    Off,
}

impl Word for ChecksumMode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("all", ChecksumMode::All), ("labelled", ChecksumMode::Labelled), ("off", ChecksumMode::Off)];
}

/// How ciphertext in the input stands in for what it will be decrypted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encrypted {
    /// It takes part in checksums as it is written.
    #[default]
    Proxy,
    /// It takes no part.
    Off,
}

impl Word for Encrypted {
    const WORDS: &'static [(&'static str, Self)] = &[("proxy", Encrypted::Proxy), ("off", Encrypted::Off)];
}

impl Word for Reload {
    const WORDS: &'static [(&'static str, Self)] = &[
        (Reload::Restart.word(), Reload::Restart),
        (Reload::Hot.word(), Reload::Hot),
        (Reload::Ignore.word(), Reload::Ignore),
    ];
}

/// What the annotations of other tools that restart pods mean: those of Reloader and of wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ForeignReload {
    /// They are read as policy.
    #[default]
    Read,
    /// Nothing.
    Off,
}

impl Word for ForeignReload {
    const WORDS: &'static [(&'static str, Self)] = &[("read", ForeignReload::Read), ("off", ForeignReload::Off)];
}

/// What fail-closed policy engines, known by rules with `*` as group or resource, mean for the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PolicyGates {
    /// Nothing: their registrations wait for their backends, and nothing waits for them.
    #[default]
    Ignore,
    /// What their rules match waits for them.
    Enforce,
}

impl Word for PolicyGates {
    const WORDS: &'static [(&'static str, Self)] =
        &[("ignore", PolicyGates::Ignore), ("enforce", PolicyGates::Enforce)];
}

/// Whether pods wait for what makes the Secrets and ConfigMaps that they read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ProducerGates {
    /// They do.
    #[default]
    Wait,
    /// Jobs do: what fails in them stays failed.
    JobsOnly,
    /// They do not.
    Off,
}

impl Word for ProducerGates {
    const WORDS: &'static [(&'static str, Self)] =
        &[("wait", ProducerGates::Wait), ("jobs-only", ProducerGates::JobsOnly), ("off", ProducerGates::Off)];
}

/// What holds meshed pods back until their control plane answers, where that is not in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshGate {
    /// Nothing.
    #[default]
    Off,
    /// An annotation on their template: their containers start when the proxy is ready.
    ProxyAwait,
    /// An annotation on their template: the proxy is a native sidecar.
    NativeSidecar,
    /// A Job that comes before them and ends when the control plane answers.
    Job,
}

impl Word for MeshGate {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("off", MeshGate::Off),
        ("proxy-await", MeshGate::ProxyAwait),
        ("native-sidecar", MeshGate::NativeSidecar),
        ("job", MeshGate::Job),
    ];
}

/// Where the Job that waits for a mesh runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshJobPlacement {
    /// In a wave before the meshed workloads.
    #[default]
    Wave,
    /// Before everything, as a PreSync hook of Argo CD.
    PreSync,
}

impl Word for MeshJobPlacement {
    const WORDS: &'static [(&'static str, Self)] =
        &[("wave", MeshJobPlacement::Wave), ("presync", MeshJobPlacement::PreSync)];
}

/// On which custom resources Argo CD is told to go on without their definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SkipDryRun {
    /// Those whose definition an object of the input makes.
    #[default]
    Auto,
    /// Those, and all others whose definition is not in the input.
    All,
}

impl Word for SkipDryRun {
    const WORDS: &'static [(&'static str, Self)] = &[("auto", SkipDryRun::Auto), ("all", SkipDryRun::All)];
}

/// Which version TrafficSplits (split.smi-spec.io) are brought to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SplitVersion {
    /// Those of v1alpha1 to the lowest later version that is served; the others stay.
    #[default]
    Auto,
    /// All stay.
    Off,
    /// All to v1alpha1.
    V1alpha1,
    /// All to v1alpha2.
    V1alpha2,
    /// All to v1alpha3.
    V1alpha3,
    /// All to v1alpha4.
    V1alpha4,
    /// All become routes of Gateway API.
    HttpRoute,
}

impl Word for SplitVersion {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", SplitVersion::Auto),
        ("off", SplitVersion::Off),
        ("v1alpha1", SplitVersion::V1alpha1),
        ("v1alpha2", SplitVersion::V1alpha2),
        ("v1alpha3", SplitVersion::V1alpha3),
        ("v1alpha4", SplitVersion::V1alpha4),
        ("httproute", SplitVersion::HttpRoute),
    ];
}

/// Why there is an edge, in the words of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EdgeReason(pub &'static str);

impl Word for EdgeReason {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("namespace", EdgeReason("namespace")),
        ("definition", EdgeReason("definition")),
        ("backend", EdgeReason("backend")),
        ("own-registration", EdgeReason("own-registration")),
        ("mesh", EdgeReason("mesh")),
        ("reference", EdgeReason("reference")),
        ("registration", EdgeReason("registration")),
        ("conversion", EdgeReason("conversion")),
        ("producer", EdgeReason("producer")),
        ("definition-producer", EdgeReason("definition-producer")),
        ("reader", EdgeReason("reader")),
        ("definition-reader", EdgeReason("definition-reader")),
        ("controller", EdgeReason("controller")),
    ];
}

/// What is thought of an object that the input names and does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum External {
    /// It may be missing: a warning, or an error where the input shows a slip.
    #[default]
    Warn,
    /// Somebody else brings it: the input is one of many.
    Trust,
}

impl Word for External {
    const WORDS: &'static [(&'static str, Self)] = &[("warn", External::Warn), ("trust", External::Trust)];
}

impl Word for Threshold {
    const WORDS: &'static [(&'static str, Self)] =
        &[("error", Threshold::Error), ("warning", Threshold::Warning), ("never", Threshold::Never)];
}

impl Word for Severity {
    const WORDS: &'static [(&'static str, Self)] =
        &[("error", Severity::Error), ("warning", Severity::Warning), ("info", Severity::Info)];
}

/// The words of `spec.scope` of a CRD.
impl Word for Scope {
    const WORDS: &'static [(&'static str, Self)] = &[("Cluster", Scope::Cluster), ("Namespaced", Scope::Namespaced)];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_value_has_a_word<W: Word + std::fmt::Debug>() {
        for (word, value) in W::WORDS {
            assert_eq!(W::parse(word), Some(*value));
            assert_eq!(value.word(), *word);
        }
        for word in W::LATER {
            assert_eq!(W::parse(word), None);
        }
    }

    #[test]
    fn words_go_both_ways() {
        every_value_has_a_word::<EngineName>();
        every_value_has_a_word::<FluxSource>();
        every_value_has_a_word::<WaveMode>();
        every_value_has_a_word::<StageName>();
        every_value_has_a_word::<ChecksumMode>();
        every_value_has_a_word::<Encrypted>();
        every_value_has_a_word::<MeshGate>();
        every_value_has_a_word::<MeshJobPlacement>();
        every_value_has_a_word::<PolicyGates>();
        every_value_has_a_word::<ProducerGates>();
        every_value_has_a_word::<SkipDryRun>();
        every_value_has_a_word::<EdgeReason>();
        every_value_has_a_word::<External>();
        every_value_has_a_word::<Threshold>();
        every_value_has_a_word::<Severity>();
        every_value_has_a_word::<Scope>();
        assert_eq!(EngineName::parse("ArgoCD"), None);
    }
}
