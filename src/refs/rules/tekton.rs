//! Tekton (`tekton.dev`, `triggers.tekton.dev`, `pipelinesascode.tekton.dev`).

use super::pod::{PRIORITY, PULL_SECRETS, RUNTIME, VOLUMES};
use super::shapes::{CLAIM, ENV, ENVIRONMENT};
use crate::refs::row::kinds::PVC;
use crate::refs::row::{
    Block, GroupKindName, ROOT, Reads, Row, Rows, account, by_field, config_map, named_or, row, secret, secret_key,
    service,
};

const G: &str = "tekton.dev";
const TRIGGERS: &str = "triggers.tekton.dev";

const TASK: GroupKindName = (G, "Task");
const TASK_RUN: GroupKindName = (G, "TaskRun");
const PIPELINE: GroupKindName = (G, "Pipeline");
const PIPELINE_RUN: GroupKindName = (G, "PipelineRun");

/// A task, of whichever kind. What a resolver finds has no name here.
const fn task(path: &'static str) -> Row {
    named_or(path, TASK)
}

/// The spec of a task, apart from its containers.
static TASK_SPEC: &[Row] = &[row("steps[].ref.name", (G, "StepAction"))];

/// The spec of a pipeline.
static PIPELINE_SPEC: &[Row] = &[
    task("tasks[].taskRef.name"),
    task("finally[].taskRef.name"),
    row("tasks[].pipelineRef.name", PIPELINE),
    row("finally[].pipelineRef.name", PIPELINE),
];

/// What a run may set in its pods.
static POD_TEMPLATE: &[&[Row]] = &[ENV, VOLUMES, PULL_SECRETS, PRIORITY, RUNTIME];

/// What a trigger does.
static TRIGGER: &[Row] = &[
    account("serviceAccountName"),
    by_field(
        "bindings[].ref",
        "kind",
        &[
            ("TriggerBinding", (TRIGGERS, "TriggerBinding")),
            ("ClusterTriggerBinding", (TRIGGERS, "ClusterTriggerBinding")),
        ],
    ),
    row("template.ref", (TRIGGERS, "TriggerTemplate")),
    // Tekton Triggers brings the common ones along
    by_field(
        "interceptors[].ref.name",
        "kind",
        &[
            ("ClusterInterceptor", (TRIGGERS, "ClusterInterceptor")),
            ("NamespacedInterceptor", (TRIGGERS, "Interceptor")),
        ],
    )
    .outside(),
    secret("interceptors[].params[].value.secretRef.secretName").reads(Reads::Field("secretKey")),
];

/// Where task specs stand.
macro_rules! task_spec {
    ($kinds:expr, $($at:literal),+) => {
        [
            Block { kinds: $kinds, at: &[$($at),+], rows: Rows::These(TASK_SPEC) },
            Block { kinds: $kinds, at: &[$($at),+], rows: Rows::These(VOLUMES) },
            Block {
                kinds: $kinds,
                at: &[$(
                    concat!($at, ".steps[]"), concat!($at, ".sidecars[]"), concat!($at, ".stepTemplate")
                ),+],
                rows: Rows::Parts(ENVIRONMENT),
            },
        ]
    };
}

pub(super) static TASK_SPECS: &[[Block; 3]] = &[
    task_spec!(&[TASK, (G, "ClusterTask")], "spec"),
    task_spec!(&[TASK_RUN], "spec.taskSpec"),
    task_spec!(&[PIPELINE], "spec.tasks[].taskSpec", "spec.finally[].taskSpec"),
    task_spec!(&[PIPELINE_RUN], "spec.pipelineSpec.tasks[].taskSpec", "spec.pipelineSpec.finally[].taskSpec"),
];

pub(super) static BLOCKS: &[Block] = &[
    Block { kinds: &[(G, "StepAction")], at: &["spec"], rows: Rows::These(ENV) },
    Block { kinds: &[PIPELINE], at: &["spec"], rows: Rows::These(PIPELINE_SPEC) },
    Block { kinds: &[PIPELINE_RUN], at: &["spec.pipelineSpec"], rows: Rows::These(PIPELINE_SPEC) },
    Block {
        kinds: &[TASK_RUN],
        at: ROOT,
        rows: Rows::These(&[task("spec.taskRef.name"), account("spec.serviceAccountName")]),
    },
    Block {
        kinds: &[PIPELINE_RUN],
        at: ROOT,
        rows: Rows::These(&[
            row("spec.pipelineRef.name", PIPELINE),
            account("spec.taskRunTemplate.serviceAccountName"),
            account("spec.taskRunSpecs[].serviceAccountName"),
            // v1beta1
            account("spec.serviceAccountName"),
            account("spec.taskRunSpecs[].taskServiceAccountName"),
        ]),
    },
    Block {
        kinds: &[(G, "CustomRun")],
        at: ROOT,
        rows: Rows::These(&[account("spec.serviceAccountName"), task("spec.customRef.name")]),
    },
    Block { kinds: &[TASK_RUN], at: &["spec.podTemplate"], rows: Rows::Parts(POD_TEMPLATE) },
    Block {
        kinds: &[PIPELINE_RUN],
        at: &[
            "spec.podTemplate",
            "spec.taskRunTemplate.podTemplate",
            "spec.taskRunSpecs[].podTemplate",
            "spec.taskRunSpecs[].taskPodTemplate",
        ],
        rows: Rows::Parts(POD_TEMPLATE),
    },
    Block {
        kinds: &[TASK_RUN, PIPELINE_RUN, (G, "CustomRun")],
        at: &["spec.workspaces[]"],
        rows: Rows::These(&[
            row("persistentVolumeClaim.claimName", PVC),
            config_map("configMap.name").optional_here().reads(Reads::All),
            secret("secret.secretName").optional_here().reads(Reads::All),
            config_map("projected.sources[].configMap.name").optional_here().reads(Reads::All),
            secret("projected.sources[].secret.name").optional_here().reads(Reads::All),
            secret("csi.nodePublishSecretRef.name"),
        ]),
    },
    Block {
        kinds: &[TASK_RUN, PIPELINE_RUN, (G, "CustomRun")],
        at: &["spec.workspaces[].volumeClaimTemplate.spec"],
        rows: Rows::These(CLAIM),
    },
    Block { kinds: &[(TRIGGERS, "EventListener")], at: &["spec.triggers[]"], rows: Rows::These(TRIGGER) },
    Block { kinds: &[(TRIGGERS, "Trigger")], at: &["spec"], rows: Rows::These(TRIGGER) },
    Block {
        kinds: &[(TRIGGERS, "EventListener")],
        at: ROOT,
        rows: Rows::These(&[
            account("spec.serviceAccountName"),
            row("spec.triggers[].triggerRef", (TRIGGERS, "Trigger")),
        ]),
    },
    Block {
        kinds: &[(TRIGGERS, "EventListener")],
        at: &["spec.resources.kubernetesResource.spec.template.spec"],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[(TRIGGERS, "ClusterInterceptor"), (TRIGGERS, "Interceptor")],
        at: ROOT,
        rows: Rows::These(&[service("spec.clientConfig.service.name").with_namespace()]),
    },
    Block {
        kinds: &[("pipelinesascode.tekton.dev", "Repository")],
        at: ROOT,
        rows: Rows::These(&[
            secret_key("spec.git_provider.secret.name"),
            secret_key("spec.git_provider.webhook_secret.name"),
        ]),
    },
];
