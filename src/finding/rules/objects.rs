//! Rules about documents and objects: what they are and who they are.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &TEMPLATE,
    &EMPTY,
    &NOT_A_MANIFEST,
    &NEARLY_A_MANIFEST,
    &KUSTOMIZATION,
    &KUSTOMIZATION_IGNORED,
    &KUSTOMIZATION_LEAVES_OUT,
    &NOT_APPLIED,
    &TOO_MANY_OBJECTS,
    &SAME_OBJECT,
    &DIFFERENT_OBJECT,
    &NAMESPACE_ON_CLUSTER_SCOPE,
    &ASSUMED_NAMESPACE,
];

/// A template that nobody rendered.
pub static TEMPLATE: Rule = Rule {
    id: "TG028",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a document is a template that was not rendered",
    explanation: "The document holds `{{` and is not valid YAML, so it is meant for a template engine. \
Render it first (`helm template CHART | tidegate render -`), or name the file in `.tidegateignore`. Braces \
in a document that is valid YAML are plain text and stay as they are. A template of ytt is valid YAML, whose \
comments that begin with `#@` are code: what it reads as without ytt is not what is meant.",
};

/// Nothing to render.
pub static EMPTY: Rule = Rule {
    id: "TG020",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: true,
    summary: "the input holds no manifests",
    explanation: "No object was found. An empty answer is dangerous in GitOps: a tool that prunes would take \
everything away. Check the path; files are read when they end in `.yaml`, `.yml` or `.json`. If empty input is \
right, say `--allow-empty`.",
};

/// A document that is something else.
pub static NOT_A_MANIFEST: Rule = Rule {
    id: "TG021",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a document is not a manifest and was skipped",
    explanation: "None of its top-level keys is, or looks like, `apiVersion`, `kind`, `metadata` or `spec`, so it \
is something else that lies beside the manifests: values, a workflow, a dashboard. With `input.strict: true` \
this is an error. Name such files in `.tidegateignore` to say that they are meant to be there.",
};

/// A document that would be a manifest but for a slip.
pub static NEARLY_A_MANIFEST: Rule = Rule {
    id: "TG022",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a document is nearly a manifest",
    explanation: "It has some of `apiVersion`, `kind`, `metadata` and `spec`, but not what makes an object: a valid \
`apiVersion`, a `kind`, and a `metadata.name` or `metadata.generateName`. Skipping it would leave the object out \
of the cluster in silence, or prune it. Often a key has a slip (`Kind`, `apiversion`): the finding names the \
nearest one.",
};

/// A kustomization that does more than gather files.
pub static KUSTOMIZATION: Rule = Rule {
    id: "TG023",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a kustomization in the input must be built first",
    explanation: "kustomize would change the files that lie here, or bring in others; rendering them as they are \
would deploy something else than is meant. Build the kustomization and pipe the result: `kubectl kustomize DIR | \
tidegate render -`. To render the plain files anyway, name the kustomization in `.tidegateignore`.",
};

/// A kustomization that only gathers files.
pub static KUSTOMIZATION_IGNORED: Rule = Rule {
    id: "TG024",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a kustomization that only lists files of the input was ignored",
    explanation: "It has no field but `resources`, and all of them are in the input: building it would give the \
same objects.",
};

/// A kustomization that does not list its neighbours.
pub static KUSTOMIZATION_LEAVES_OUT: Rule = Rule {
    id: "TG025",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a kustomization does not list manifests of its folder",
    explanation: "The folder is rendered as it is, so these manifests are in the output, though kustomize would \
leave them out. List them, move them away, or name them in `.tidegateignore`.",
};

/// A document that is an object in form only.
pub static NOT_APPLIED: Rule = Rule {
    id: "TG026",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a document is input of a tool and was skipped",
    explanation: "It has the form of an object but is never applied to a cluster: a file of kustomize or of \
tidegate itself, or one that `config.kubernetes.io/local-config: \"true\"` marks as local.",
};

/// More objects than the limit.
pub static TOO_MANY_OBJECTS: Rule = Rule {
    id: "TG027",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: true,
    summary: "the input holds more objects than the limit",
    explanation: "A limit keeps a shared renderer alive whatever it is given. Only a flag raises it.",
};

/// The same object twice, with the same content.
pub static SAME_OBJECT: Rule = Rule {
    id: "TG101",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object stands in the input twice, with the same content",
    explanation: "Group, kind, namespace and name are the same, and so is the content: one of the two is \
printed. Delete the other before somebody edits only one of them.",
};

/// The same object twice, with different content.
pub static DIFFERENT_OBJECT: Rule = Rule {
    id: "TG102",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: true,
    summary: "an object stands in the input twice, with different content",
    explanation: "Group, kind, namespace and name are the same, so a cluster can hold only one of them: the one \
that is applied last wins, and the next apply may turn it round. Delete or rename one.",
};

/// A namespace where none can be.
pub static NAMESPACE_ON_CLUSTER_SCOPE: Rule = Rule {
    id: "TG103",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a cluster-scoped object names a namespace",
    explanation: "The API server drops `metadata.namespace` of cluster-scoped objects; tools that compare the \
manifest with the cluster show a difference for ever. Remove it.",
};

/// The namespace that references imply.
pub static ASSUMED_NAMESPACE: Rule = Rule {
    id: "TG104",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a default namespace was assumed from references",
    explanation: "No default namespace was given, objects name none, and exactly one namespace is named by the \
references to them that must name one (subjects of bindings, services of webhooks). Names are looked up there; \
nothing is written. Say `--namespace` to be sure.",
};
