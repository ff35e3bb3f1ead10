//! Rules about the form of the output: trees of files, and engines that read them.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&NO_KUSTOMIZATION, &IDLE_BASELINE];

/// An object that kustomize refuses.
pub static NO_KUSTOMIZATION: Rule = Rule {
    id: "TG701",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object whose name the cluster makes stands in no kustomization",
    explanation: "\
kustomize refuses an object with `generateName` and without a name, and so does `kubectl apply`, which could not tell
one run from the next. In an output folder the object has its file like any other, but no kustomization lists it:
`kubectl apply -k` leaves it out, and so does Flux.

Create it by hand (`kubectl create -f FILE`), or give it a name. Argo CD creates it if it is a hook.",
};

/// A baseline that knows what is not there.
pub static IDLE_BASELINE: Rule = Rule {
    id: "TG705",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a baseline knows findings that are no longer there",
    explanation: "\
What they were about is mended, or says it in other words. Left in the baseline, an entry would hide the finding if it came
back. `--write-baseline FILE` writes what there is now.",
};
