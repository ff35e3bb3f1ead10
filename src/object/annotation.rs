//! The annotations that order and checksums are written in, and read from.

/// Argo CD's wave: a whole number as a string.
pub const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";
/// Argo CD's options for one object, a list with commas.
pub const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";
/// Argo CD's hook phases.
pub const ARGOCD_HOOK: &str = "argocd.argoproj.io/hook";
/// Helm's hook phases, which Argo CD reads too.
pub const HELM_HOOK: &str = "helm.sh/hook";
/// Helm's order among hooks; Argo CD reads it as a wave on any object.
pub const HELM_HOOK_WEIGHT: &str = "helm.sh/hook-weight";
/// What a user says about the order of one object: `stage=NAME`, `no-wait`.
pub const ORDER: &str = "tidegate.dev/order";
/// What tidegate wrote on an object outside its own keys.
pub const WROTE: &str = "tidegate.dev/wrote";
/// Objects with this annotation set to `"true"` are input of tools and never applied (KRM functions
/// specification).
pub const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";
