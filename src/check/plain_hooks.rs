//! Hooks, and names that the cluster completes, for engines that know neither.

use crate::config::{EngineName, Settings};
use crate::finding::{Finding, Findings, Label, Refusal, Rule, Severity};
use crate::flow::Planned;
use crate::object::Object;
use crate::object::annotation::{ARGOCD_HOOK, HELM_HOOK};
use crate::tree::FieldPath;

pub(super) static RULES: &[&Rule] = &[&HOOK, &GENERATED_NAME];

static HOOK: Rule = Rule {
    id: "TG553",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a hook is applied as any other object",
    explanation: "\
Hooks are run by Helm and Argo CD: `helm.sh/hook`, `argocd.argoproj.io/hook`. To kubectl and Flux the
annotation means nothing. A hook of installing or upgrading is applied together with everything else, and
once: a Job that is done does not run again, and one whose template changed is refused (`field is
immutable`).

It is a warning where the object was not meant to be applied at this time at all: what runs before or after
a deletion, after a rollback or a failed sync, and tests. A Job that empties a database before the release
goes is then run on the day it is installed.

Leave such objects out, for example with `--exclude`; write `config.kubernetes.io/depends-on` on what waits
for a Job.
Source: helm.sh/docs/topics/charts_hooks; argo-cd, gitops-engine/pkg/sync/hook.",
};

static GENERATED_NAME: Rule = Rule {
    id: "TG554",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "kubectl apply refuses an object with generateName",
    explanation: "\
`kubectl apply` compares an object with the one of the same name, and refuses one without a name (`cannot
use generate name with apply`); what else is in the stream is applied. `kubectl create` makes a new object
each time, and so does `tidegate apply`.

Give it a name, or create it with another command.
Source: kubectl, pkg/cmd/apply/apply.go.",
};

/// Hooks that mean another time than that of installing.
const OTHER_TIMES: &[(&str, &str)] = &[
    ("PostDelete", "after the Application is deleted"),
    ("PreDelete", "before the Application is deleted"),
    ("Skip", "never"),
    ("SyncFail", "after a sync that failed"),
    ("post-delete", "after the release is deleted"),
    ("post-rollback", "after a rollback"),
    ("pre-delete", "before the release is deleted"),
    ("pre-rollback", "before a rollback"),
    ("test", "when the release is tested"),
    ("test-failure", "when the release is tested"),
    ("test-success", "when the release is tested"),
];

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    let who = match settings.engine {
        EngineName::Argocd => return,
        EngineName::Kubectl => "kubectl",
        EngineName::Flux => "Flux",
    };
    for (_, object) in planned.objects().iter() {
        if let Some(finding) = [ARGOCD_HOOK, HELM_HOOK].into_iter().find_map(|name| hook(object, name, who)) {
            found.push(finding);
        }
    }
}

/// Objects without a name, where `kubectl apply` is to take them.
pub(super) fn generated_names(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    if settings.engine == EngineName::Kubectl {
        let objects = planned.objects().iter().filter(|(_, object)| !object.id.is_fixed());
        objects.for_each(|(_, object)| found.push(generated(object)));
    }
}

fn hook(object: &Object<'_>, annotation: &str, who: &str) -> Option<Finding> {
    let words: Vec<_> = object.annotation(annotation)?.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
    let time = |word: &&str| OTHER_TIMES.iter().find(|(name, _)| name == word).map(|(_, when)| *when);
    let times: Option<Vec<_>> = words.iter().map(time).collect();
    let times = times.filter(|times| !times.is_empty());
    let id = &object.id;
    let (severity, message, remedy) = match times {
        Some(times) => (
            Severity::Warning,
            format!("{who} knows no hooks, and applies {id} with all else; it was meant to be run {}", times[0]),
            "leave it out with `--exclude`, or remove it",
        ),
        None => (
            Severity::Info,
            format!("{who} knows no hooks, and applies {id} with all else, in no phase of its own"),
            "order it by `config.kubernetes.io/depends-on`, and take the annotation away",
        ),
    };
    let path = FieldPath::keys(["metadata", "annotations", annotation]);
    Some(
        Finding::new(&HOOK, message)
            .with_severity(severity)
            .with_object(id)
            .with_label(Label::new(object.place_of(&path)).path(path))
            .with_remedy(remedy),
    )
}

fn generated(object: &Object<'_>) -> Finding {
    let path = FieldPath::keys(["metadata", "generateName"]);
    Finding::new(&GENERATED_NAME, format!("{} has a generateName: `kubectl apply` refuses it", object.id))
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(&path)).path(path))
        .with_remedy("give it a name, or use `tidegate apply`, which creates it anew in every run")
}
