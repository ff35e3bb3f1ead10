//! Kinds whose operators make pods out of a pod spec inside, and that name little else: OpenKruise,
//! JobSet, LeaderWorkerSet, Kubeflow's training jobs, Ray.

use super::pod::{CONTAINERS, INIT_CONTAINERS, PULL_SECRETS, VOLUMES};
use super::shapes::CLAIM;
use crate::refs::row::kinds::DEPLOYMENT;
use crate::refs::row::{Block, ROOT, Rows, named_or, row, secret, service};

const KRUISE: &str = "apps.kruise.io";
const ROLLOUTS: &str = "rollouts.kruise.io";
const KUBEFLOW: &str = "kubeflow.org";

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[(KRUISE, "SidecarSet")],
        at: &["spec"],
        rows: Rows::Parts(&[INIT_CONTAINERS, CONTAINERS, VOLUMES, PULL_SECRETS]),
    },
    Block {
        kinds: &[(KRUISE, "AdvancedCronJob")],
        at: &["spec.template.jobTemplate.spec.template.spec", "spec.template.broadcastJobTemplate.spec.template.spec"],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[(KRUISE, "UnitedDeployment")],
        at: &[
            "spec.template.statefulSetTemplate.spec.template.spec",
            "spec.template.advancedStatefulSetTemplate.spec.template.spec",
            "spec.template.cloneSetTemplate.spec.template.spec",
            "spec.template.deploymentTemplate.spec.template.spec",
        ],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[(KRUISE, "UnitedDeployment")],
        at: &[
            "spec.template.statefulSetTemplate.spec.volumeClaimTemplates[].spec",
            "spec.template.advancedStatefulSetTemplate.spec.volumeClaimTemplates[].spec",
            "spec.template.cloneSetTemplate.spec.volumeClaimTemplates[].spec",
        ],
        rows: Rows::These(CLAIM),
    },
    Block {
        kinds: &[(KRUISE, "WorkloadSpread"), (KRUISE, "PersistentPodState")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.targetRef.name", DEPLOYMENT)]),
    },
    Block {
        kinds: &[(KRUISE, "ImagePullJob")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.pullSecrets[]").optional()]),
    },
    Block {
        kinds: &[(ROLLOUTS, "Rollout")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.workloadRef.name", DEPLOYMENT),
            named_or("spec.objectRef.workloadRef.name", DEPLOYMENT),
            service("spec.strategy.canary.trafficRoutings[].service"),
            row("spec.strategy.canary.trafficRoutings[].ingress.name", ("networking.k8s.io", "Ingress")),
            row(
                "spec.strategy.canary.trafficRoutings[].gateway.httpRouteName",
                ("gateway.networking.k8s.io", "HTTPRoute"),
            ),
        ]),
    },
    Block {
        kinds: &[("jobset.x-k8s.io", "JobSet")],
        at: &["spec.replicatedJobs[].template.spec.template.spec"],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[("leaderworkerset.x-k8s.io", "LeaderWorkerSet")],
        at: &["spec.leaderWorkerTemplate.leaderTemplate.spec", "spec.leaderWorkerTemplate.workerTemplate.spec"],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[(KUBEFLOW, "PyTorchJob")],
        at: &["spec.pytorchReplicaSpecs.*.template.spec"],
        rows: Rows::PodSpec,
    },
    Block { kinds: &[(KUBEFLOW, "TFJob")], at: &["spec.tfReplicaSpecs.*.template.spec"], rows: Rows::PodSpec },
    Block { kinds: &[(KUBEFLOW, "MPIJob")], at: &["spec.mpiReplicaSpecs.*.template.spec"], rows: Rows::PodSpec },
    Block { kinds: &[(KUBEFLOW, "XGBoostJob")], at: &["spec.xgbReplicaSpecs.*.template.spec"], rows: Rows::PodSpec },
    Block { kinds: &[(KUBEFLOW, "PaddleJob")], at: &["spec.paddleReplicaSpecs.*.template.spec"], rows: Rows::PodSpec },
    Block { kinds: &[(KUBEFLOW, "Notebook")], at: &["spec.template.spec"], rows: Rows::PodSpec },
    Block {
        kinds: &[("ray.io", "RayCluster")],
        at: &["spec.headGroupSpec.template.spec", "spec.workerGroupSpecs[].template.spec"],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[("ray.io", "RayJob")],
        at: &[
            "spec.rayClusterSpec.headGroupSpec.template.spec",
            "spec.rayClusterSpec.workerGroupSpecs[].template.spec",
        ],
        rows: Rows::PodSpec,
    },
    Block {
        kinds: &[("ray.io", "RayService")],
        at: &[
            "spec.rayClusterConfig.headGroupSpec.template.spec",
            "spec.rayClusterConfig.workerGroupSpecs[].template.spec",
        ],
        rows: Rows::PodSpec,
    },
    Block { kinds: &[("ray.io", "RayJob")], at: &["spec.submitterPodTemplate.spec"], rows: Rows::PodSpec },
];
