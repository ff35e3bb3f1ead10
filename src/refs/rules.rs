//! The reference table: one file an API group or project, listed once.

mod admission;
mod apps;
mod argoproj;
mod autoscaling;
mod cert_manager;
mod cloudnative_pg;
mod clusters;
mod core;
mod external_secrets;
mod flagger;
mod gateway;
mod grafana;
mod istio;
mod kapp;
mod keda;
mod knative;
mod linkerd;
mod made_pods;
mod monitoring_coreos;
mod networking;
mod openshift;
mod pod;
mod proxies;
mod rbac;
mod resource;
mod rook;
mod shapes;
mod smi;
mod storage;
mod strimzi;
mod tekton;
mod trust_manager;

use super::row::{Block, Row};

/// Rows whose path begins at a pod spec; they hold for every kind that has a pod template.
pub(super) static POD: &[&[Row]] = pod::ALL;

/// Every block.
pub(super) fn blocks() -> impl Iterator<Item = &'static Block> {
    let flat = BLOCKS.iter().copied().flatten();
    let workflows = argoproj::WORKFLOW_BLOCKS.iter().flatten();
    let generators = external_secrets::GENERATED.iter().flatten();
    flat.chain(workflows).chain(generators).chain(tekton::TASK_SPECS.iter().flatten())
}

static BLOCKS: &[&[Block]] = &[
    admission::BLOCKS,
    apps::BLOCKS,
    argoproj::BLOCKS,
    autoscaling::BLOCKS,
    cert_manager::BLOCKS,
    cloudnative_pg::BLOCKS,
    clusters::BLOCKS,
    core::BLOCKS,
    external_secrets::BLOCKS,
    flagger::BLOCKS,
    gateway::BLOCKS,
    grafana::BLOCKS,
    istio::BLOCKS,
    kapp::BLOCKS,
    keda::BLOCKS,
    knative::BLOCKS,
    linkerd::BLOCKS,
    made_pods::BLOCKS,
    monitoring_coreos::BLOCKS,
    monitoring_coreos::DISCOVERY,
    monitoring_coreos::GLOBAL_RECEIVERS,
    monitoring_coreos::POD_SCRAPES,
    monitoring_coreos::PROBES,
    monitoring_coreos::RECEIVERS,
    monitoring_coreos::REMOTE_READS,
    monitoring_coreos::REMOTE_WRITES,
    monitoring_coreos::SCRAPES,
    networking::BLOCKS,
    openshift::BLOCKS,
    proxies::BLOCKS,
    rbac::BLOCKS,
    resource::BLOCKS,
    rook::BLOCKS,
    smi::BLOCKS,
    storage::BLOCKS,
    strimzi::BLOCKS,
    tekton::BLOCKS,
    trust_manager::BLOCKS,
];
