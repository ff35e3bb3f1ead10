//! The words that settings choose from: the same in the file, in flags and in the environment.

use crate::finding::Threshold;
use crate::object::Scope;

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
}

impl Word for EngineName {
    const WORDS: &'static [(&'static str, Self)] = &[("argocd", EngineName::Argocd), ("kubectl", EngineName::Kubectl)];
    const LATER: &'static [&'static str] = &["flux"];
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
        every_value_has_a_word::<WaveMode>();
        every_value_has_a_word::<External>();
        every_value_has_a_word::<Threshold>();
        every_value_has_a_word::<Scope>();
        assert_eq!(EngineName::parse("ArgoCD"), None);
    }
}
