//! What Argo CD ignores without a word, or takes for something else: values of its annotations, and
//! annotations where it does not look.
//!
//! Sources: argo-cd, gitops-engine/pkg/sync/hook/ (delete_policy.go, helm/), syncwaves/waves.go and
//! common/types.go.

use super::hooks::{self, HELM, Phase, values};
use super::word::atoi;
use crate::config::Settings;
use crate::finding::{Finding, Findings, Label, Rule, nearest, rules::hooks as rules, rules::order};
use crate::flow::Linked;
use crate::object::Object;
use crate::object::annotation::{
    ARGOCD_HOOK, ARGOCD_HOOK_DELETE_POLICY, HELM_HOOK, HELM_HOOK_DELETE_POLICY, HELM_HOOK_WEIGHT, SYNC_OPTIONS,
    SYNC_WAVE,
};
use crate::object::view::pod_template;
use crate::tree::FieldPath;

/// The annotations that hold lists of words of their own, and the words.
const LISTS: &[(&str, &[&str])] = &[
    (ARGOCD_HOOK_DELETE_POLICY, &["BeforeHookCreation", "HookFailed", "HookSucceeded"]),
    (HELM_HOOK_DELETE_POLICY, &["before-hook-creation", "hook-failed", "hook-succeeded"]),
];

/// The sync options that count on an object.
const OPTIONS: &[&str] = &[
    "ClientSideApplyMigration",
    "Delete",
    "Force",
    "Prune",
    "PruneLast",
    "Replace",
    "ServerSideApply",
    "SkipDryRunOnMissingResource",
    "Validate",
];

/// Those that count on an Application only.
const OPTIONS_OF_APPLICATIONS: &[&str] = &[
    "ApplyOutOfSyncOnly",
    "CreateNamespace",
    "FailOnSharedResource",
    "PrunePropagationPolicy",
    "RespectIgnoreDifferences",
];

/// Says all of it, for every object.
pub(super) fn report(linked: &Linked<'_>, settings: &Settings, found: &mut Findings) {
    for (_, object) in linked.loaded.objects.iter() {
        lists(object, found);
        options(object, found);
        numbers(object, found);
        never_applied(object, found);
        two_hooks(object, found);
        on_template(object, settings, found);
    }
}

/// A finding at an annotation.
fn at(object: &Object<'_>, rule: &'static Rule, annotation: &str, message: String) -> Finding {
    let path = FieldPath::keys(["metadata", "annotations", annotation]);
    Finding::new(rule, message).with_object(&object.id).with_label(Label::new(object.place_of(&path)).path(path))
}

/// Policies of deletion that are none.
fn lists(object: &Object<'_>, found: &mut Findings) {
    for (annotation, known) in LISTS {
        for word in values(object, annotation).filter(|word| !known.contains(word)) {
            let message = format!("`{word}` in `{annotation}` of {} is no policy: Argo CD ignores it", object.id);
            let remedy = match nearest(word, known.iter().copied()) {
                Some(near) => format!("write `{near}`"),
                None => format!("the policies are {}", known.join(", ")),
            };
            found.push(at(object, &rules::UNKNOWN_DELETE_POLICY, annotation, message).with_remedy(remedy));
        }
    }
}

/// Sync options that mean nothing on an object.
fn options(object: &Object<'_>, found: &mut Findings) {
    for option in values(object, SYNC_OPTIONS) {
        let name = option.split('=').next().unwrap_or(option).trim();
        if OPTIONS.contains(&name) && option.contains('=') {
            continue;
        }
        let id = &object.id;
        let (message, remedy) = if OPTIONS_OF_APPLICATIONS.contains(&name) {
            let message = format!("the sync option `{name}` counts on an Application only: Argo CD ignores it on {id}");
            (message, Some("put it under `spec.syncPolicy.syncOptions` of the Application".to_owned()))
        } else if OPTIONS.contains(&name) {
            (
                format!("the sync option `{option}` of {id} has no value: Argo CD ignores it"),
                Some(format!("write `{name}=true`")),
            )
        } else {
            let near = nearest(name, OPTIONS.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            (format!("Argo CD knows no sync option `{name}`, and ignores it on {id}"), near)
        };
        let mut finding = at(object, &rules::UNKNOWN_OPTION, SYNC_OPTIONS, message);
        finding.remedy = remedy;
        found.push(finding);
    }
}

/// Numbers that are none, where nobody else says so: the waves of hooks, and weights.
fn numbers(object: &Object<'_>, found: &mut Findings) {
    let is_hook = object.annotation(ARGOCD_HOOK).is_some() || object.annotation(HELM_HOOK).is_some();
    let wrong = |name| object.annotation(name).is_some_and(|text| atoi(text).is_none());
    let wave = object.annotation(SYNC_WAVE);
    let (annotation, what) = match (is_hook && wrong(SYNC_WAVE), wave.is_none() && wrong(HELM_HOOK_WEIGHT)) {
        (true, _) => (SYNC_WAVE, "sync wave"),
        (_, true) => (HELM_HOOK_WEIGHT, "weight"),
        _ => return,
    };
    let instead = object.annotation(HELM_HOOK_WEIGHT).and_then(atoi).unwrap_or(0);
    let message = format!("the {what} of {} is not a whole number: Argo CD takes it for {instead}", object.id);
    let remedy = "write a whole number in quotes, such as \"5\", or remove the annotation";
    found.push(at(object, &order::INVALID_WAVE, annotation, message).with_remedy(remedy));
}

/// Hooks of Helm that no sync of Argo CD applies.
fn never_applied(object: &Object<'_>, found: &mut Findings) {
    let is_known = |value: &str| HELM.iter().any(|(name, _)| *name == value);
    let mut hooks = values(object, HELM_HOOK).peekable();
    if object.annotation(ARGOCD_HOOK).is_some() || hooks.peek().is_none() || !hooks.all(is_known) {
        return;
    }
    // hooks of deletion run when the Application goes
    if !hooks::phases(object).is_empty() || values(object, HELM_HOOK).any(|hook| hook.ends_with("-delete")) {
        return;
    }
    let named: Vec<_> = values(object, HELM_HOOK).collect();
    let message = format!("{} is a hook for {} of Helm alone: Argo CD never applies it", object.id, named.join(", "));
    found.push(at(object, &rules::HOOK_OF_HELM, HELM_HOOK, message));
}

/// Hooks of both tools on one object, where they say different things.
fn two_hooks(object: &Object<'_>, found: &mut Findings) {
    let helm: Vec<Phase> = hooks::helm_phases(object);
    if object.annotation(ARGOCD_HOOK).is_none() || helm.is_empty() {
        return;
    }
    let own = hooks::phases(object);
    if own == helm || own.is_empty() {
        return;
    }
    let shown = |phases: &[Phase]| phases.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let (own, helm) = (shown(&own), shown(&helm));
    let message =
        format!("{} is a hook of {own} to Argo CD, which ignores what Helm's annotation says ({helm})", object.id);
    found.push(at(object, &rules::HOOK_OF_TWO, HELM_HOOK, message));
}

/// Annotations on a pod template, where no engine looks.
fn on_template(object: &Object<'_>, settings: &Settings, found: &mut Findings) {
    let named = &settings.references.pod_templates;
    let Some(held) = pod_template::held(&object.id.group, &object.id.kind, named) else { return };
    if held.path.is_empty() {
        return;
    }
    for annotation in [SYNC_WAVE, ARGOCD_HOOK, SYNC_OPTIONS] {
        let keys: Vec<&str> = held.path.iter().copied().chain(["metadata", "annotations", annotation]).collect();
        if object.tree.at(&keys).is_none() {
            continue;
        }
        let path = FieldPath::keys(keys);
        let message = format!("`{annotation}` on the pod template of {} does nothing", object.id);
        found.push(
            Finding::new(&rules::ON_TEMPLATE, message)
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(&path)).path(path))
                .with_remedy("move it to the annotations of the object itself"),
        );
    }
}
