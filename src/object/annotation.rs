//! The annotations that order and checksums are written in, and read from.

/// Argo CD's wave: a whole number as a string.
pub const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";
/// Argo CD's options for one object, a list with commas.
pub const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";
/// Argo CD's hook phases.
pub const ARGOCD_HOOK: &str = "argocd.argoproj.io/hook";
/// When Argo CD deletes a hook.
pub const ARGOCD_HOOK_DELETE_POLICY: &str = "argocd.argoproj.io/hook-delete-policy";
/// Helm's hook phases, which Argo CD reads too.
pub const HELM_HOOK: &str = "helm.sh/hook";
/// When Helm deletes a hook.
pub const HELM_HOOK_DELETE_POLICY: &str = "helm.sh/hook-delete-policy";
/// Helm's order among hooks; Argo CD reads it as a wave on any object.
pub const HELM_HOOK_WEIGHT: &str = "helm.sh/hook-weight";
/// What a user says of an object's place in the order: words with commas between them.
pub const ORDER: &str = "tidegate.dev/order";
/// What an object needs, as cli-utils reads it: objects with commas between them.
pub const DEPENDS_ON: &str = "config.kubernetes.io/depends-on";
/// A group of objects that kapp's rules name; more of them behind a `.`.
pub const CHANGE_GROUP: &str = "kapp.k14s.io/change-group";
/// What kapp does in which order; more of them behind a `.`.
pub const CHANGE_RULE: &str = "kapp.k14s.io/change-rule";
/// What tidegate wrote on an object outside its own keys.
pub const WROTE: &str = "tidegate.dev/wrote";
/// On a Job: the mesh that it waits for, `linkerd` or `istio`; what that mesh gives a proxy comes after it.
pub const GATE: &str = "tidegate.dev/gate";
/// Which versions of ConfigMaps a workload understands, on it or on its pod template: `NAME>=2.4`, with commas.
pub const REQUIRES_CONFIG: &str = "tidegate.dev/requires-config";
/// Which version of configuration a ConfigMap is.
pub const CONFIG_VERSION: &str = "tidegate.dev/config-version";
/// The checksum of what a workload reads, on its pod template.
pub const CONFIG_CHECKSUM: &str = "tidegate.dev/config-checksum";
/// Whether a change of a source restarts pods: a word on a ConfigMap or Secret, a list on a workload.
pub const RELOAD: &str = "tidegate.dev/reload";
/// Whether a ConfigMap or Secret gets a name of its content: `"true"` or `"false"`.
pub const VERSIONED: &str = "tidegate.dev/versioned";
/// Asks for a checksum on a workload, where only those that ask get one.
pub const CHECKSUM: &str = "tidegate.dev/checksum";
/// Objects with this annotation set to `"true"` are input of tools and never applied (KRM functions
/// specification).
pub const LOCAL_CONFIG: &str = "config.kubernetes.io/local-config";
/// The names that an object had before kustomize renamed it, with commas between them, the oldest first.
pub const PREVIOUS_NAMES: &str = "internal.config.kubernetes.io/previousNames";
/// The namespaces that it was in, in the same order.
pub const PREVIOUS_NAMESPACES: &str = "internal.config.kubernetes.io/previousNamespaces";
/// What kustomize put before the name.
pub const PREFIXES: &str = "internal.config.kubernetes.io/prefixes";
/// What kustomize put behind the name.
pub const SUFFIXES: &str = "internal.config.kubernetes.io/suffixes";
/// The file of an item of a ResourceList (KRM functions specification).
pub const ITEM_PATH: &str = "internal.config.kubernetes.io/path";
/// Which object of that file it is, from 0.
pub const ITEM_INDEX: &str = "internal.config.kubernetes.io/index";
