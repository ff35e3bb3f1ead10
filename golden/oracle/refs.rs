//! Where kustomize rewrites a name, the table has a row: `kubectl kustomize` puts a prefix before every
//! name, and every reference that it rewrites is one that the table finds, and leads to its target.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use tidegate::flow::Resolution;
use tidegate::refs::{GroupKindName, RowInfo, rows};
use tidegate::source::{SourceFile, SourceMap};

use crate::place::{say, skip};
use crate::refs::form::{cases, is_cluster_scoped, plan};

const PREFIX: &str = "prefix-";
const NAMESPACE: &str = crate::refs::form::HOME;

/// Pod specs, with the kinds that hold them there.
const PODS: &[(&str, &[GroupKindName])] = &[
    ("spec", &[("", "Pod")]),
    ("template.spec", &[("", "PodTemplate")]),
    (
        "spec.template.spec",
        &[
            ("apps", "DaemonSet"),
            ("apps", "Deployment"),
            ("apps", "ReplicaSet"),
            ("apps", "StatefulSet"),
            ("batch", "Job"),
            ("", "ReplicationController"),
        ],
    ),
    ("spec.jobTemplate.spec.template.spec", &[("batch", "CronJob")]),
];

/// Kinds in whose pods kustomize rewrites neither ConfigMaps and Secrets nor accounts, claims and classes.
const NO_CONFIG: &[&str] = &["ReplicationController"];
const NO_OTHERS: &[&str] = &["ReplicaSet", "PodTemplate"];

/// What kustomize rewrites in pod specs (`nameReference` in api/internal/konfig/builtinpluginconsts).
const POD_CONFIG: &[&str] = &[
    "volumes[].configMap.name",
    "volumes[].secret.secretName",
    "volumes[].projected.sources[].configMap.name",
    "volumes[].projected.sources[].secret.name",
    "containers[].env[].valueFrom.configMapKeyRef.name",
    "containers[].env[].valueFrom.secretKeyRef.name",
    "containers[].envFrom[].configMapRef.name",
    "containers[].envFrom[].secretRef.name",
    "initContainers[].env[].valueFrom.configMapKeyRef.name",
    "initContainers[].env[].valueFrom.secretKeyRef.name",
    "initContainers[].envFrom[].configMapRef.name",
    "initContainers[].envFrom[].secretRef.name",
    "imagePullSecrets[].name",
];
const POD_OTHERS: &[&str] = &["serviceAccountName", "priorityClassName", "volumes[].persistentVolumeClaim.claimName"];

const RBAC: &str = "rbac.authorization.k8s.io";
const NETWORKING: &str = "networking.k8s.io";
const ADMISSION: &str = "admissionregistration.k8s.io";

/// What it rewrites elsewhere.
const OTHERS: &[(GroupKindName, &str)] = &[
    (("", "Node"), "spec.configSource.configMap.name"),
    (("", "PersistentVolume"), "spec.azureFile.secretName"),
    (("", "PersistentVolume"), "spec.storageClassName"),
    (("", "PersistentVolumeClaim"), "spec.storageClassName"),
    (("", "PersistentVolumeClaim"), "spec.volumeName"),
    (("", "ServiceAccount"), "imagePullSecrets[].name"),
    (("apps", "StatefulSet"), "spec.serviceName"),
    (("apps", "StatefulSet"), "spec.volumeClaimTemplates[].spec.storageClassName"),
    (("apiregistration.k8s.io", "APIService"), "spec.service.name"),
    (("autoscaling", "HorizontalPodAutoscaler"), "spec.scaleTargetRef.name"),
    ((ADMISSION, "MutatingWebhookConfiguration"), "webhooks[].clientConfig.service.name"),
    ((ADMISSION, "ValidatingWebhookConfiguration"), "webhooks[].clientConfig.service.name"),
    ((ADMISSION, "ValidatingAdmissionPolicyBinding"), "spec.policyName"),
    ((NETWORKING, "Ingress"), "metadata.annotations.{ingress.kubernetes.io/auth-secret}"),
    ((NETWORKING, "Ingress"), "metadata.annotations.{nginx.ingress.kubernetes.io/auth-secret}"),
    ((NETWORKING, "Ingress"), "metadata.annotations.{nginx.ingress.kubernetes.io/auth-tls-secret}"),
    ((NETWORKING, "Ingress"), "metadata.annotations.{nginx.ingress.kubernetes.io/fastcgi-params-configmap}"),
    ((NETWORKING, "Ingress"), "spec.backend.serviceName"),
    ((NETWORKING, "Ingress"), "spec.defaultBackend.service.name"),
    ((NETWORKING, "Ingress"), "spec.ingressClassName"),
    ((NETWORKING, "Ingress"), "spec.rules[].http.paths[].backend.service.name"),
    ((NETWORKING, "Ingress"), "spec.rules[].http.paths[].backend.serviceName"),
    ((NETWORKING, "Ingress"), "spec.tls[].secretName"),
    ((RBAC, "ClusterRole"), "rules[].resourceNames[]"),
    ((RBAC, "ClusterRoleBinding"), "roleRef.name"),
    ((RBAC, "ClusterRoleBinding"), "subjects[].name"),
    ((RBAC, "Role"), "rules[].resourceNames[]"),
    ((RBAC, "RoleBinding"), "roleRef.name"),
    ((RBAC, "RoleBinding"), "subjects[].name"),
    (("serving.knative.dev", "Service"), "spec.template.spec.containers[].env[].valueFrom.secretKeyRef.name"),
    (("storage.k8s.io", "StorageClass"), "parameters.adminSecretName"),
    (("storage.k8s.io", "StorageClass"), "parameters.secretName"),
    (("storage.k8s.io", "StorageClass"), "parameters.secretRef"),
    (("storage.k8s.io", "StorageClass"), "parameters.userSecretName"),
];

/// What kustomize 5.5 (kubectl 1.32) does not rewrite yet.
const NEWER: &[(GroupKindName, &str)] = &[((NETWORKING, "Ingress"), "spec.ingressClassName")];

/// Every field that kustomize rewrites.
fn rewritten() -> BTreeSet<(GroupKindName, String)> {
    let mut all: BTreeSet<_> = OTHERS.iter().map(|(kind, path)| (*kind, (*path).to_owned())).collect();
    for (spec, kinds) in PODS {
        for kind in *kinds {
            let config = POD_CONFIG.iter().filter(|_| !NO_CONFIG.contains(&kind.1));
            let others = POD_OTHERS.iter().filter(|_| !NO_OTHERS.contains(&kind.1));
            all.extend(config.chain(others).map(|path| (*kind, format!("{spec}.{path}"))));
        }
    }
    all
}

/// A referrer of its own for each row, and the kind it refers to.
struct Made {
    info: RowInfo,
    to: GroupKindName,
    name: String,
    target: String,
    objects: [Value; 2],
}

fn made(wanted: &BTreeSet<(GroupKindName, String)>) -> Vec<Made> {
    let infos = rows().filter(|info| wanted.contains(&((info.group, info.kind), info.path.to_owned())));
    let mut all = Vec::new();
    for case in infos.flat_map(cases).filter(|case| !case.away && !case.is_made_up()) {
        let nth = all.len();
        let (name, target) = (format!("referrer-{nth}"), format!("target-{nth}"));
        let mut objects = [case.referrer(&name, &target, false), case.target(&target)];
        for object in &mut objects {
            version(object);
        }
        all.push(Made { info: case.info, to: case.to, name, target, objects });
    }
    all
}

/// kustomize has its table by version where a group has several.
fn version(object: &mut Value) {
    if object["apiVersion"] == "autoscaling/v1" {
        object["apiVersion"] = "autoscaling/v2".into();
    }
}

#[test]
fn what_kustomize_rewrites_is_in_the_table() {
    let wanted = rewritten();
    let known: BTreeSet<_> = rows().map(|info| ((info.group, info.kind), info.path.to_owned())).collect();
    let unknown: Vec<_> = wanted.difference(&known).collect();
    assert!(unknown.is_empty(), "no rows: {unknown:?}");

    let made = made(&wanted);
    let Some(built) = kustomize(&made) else { return };
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("built.yaml", built));
    let planned = plan(&sources);
    let set = &planned.linked.loaded.objects;
    let (mut faults, mut count) = (Vec::new(), 0);
    for Made { info, to, name, target, .. } in &made {
        let namespace = (!is_cluster_scoped((info.group, info.kind))).then_some(NAMESPACE);
        // the names of an APIService and of a definition say what they serve
        let named = |name: &str| set.find(info.group, info.kind, namespace, name);
        let from = named(&format!("{PREFIX}{name}")).or_else(|| named(name));
        let found = planned.linked.references.iter().find(|found| {
            Some(found.from) == from && found.row == info.path && (&*found.target.group, &*found.target.kind) == *to
        });
        match found.map(|found| (found.leads_to, &*found.target.name)) {
            Some((Resolution::Object(_), name)) if name == format!("{PREFIX}{target}") => count += 1,
            Some((_, name)) if name == target && NEWER.contains(&((info.group, info.kind), info.path)) => {}
            other => faults.push(format!("{} {} → {to:?}: {other:?}", info.kind, info.path)),
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    say(&format!("oracle: kustomize rewrote {count} names in {} fields, all found", wanted.len()));
}

/// What `kubectl kustomize` makes of the referrers and their targets.
fn kustomize(made: &[Made]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder is made");
    let documents: Vec<String> = made.iter().flat_map(|made| &made.objects).map(Value::to_string).collect();
    std::fs::write(folder.path().join("all.yaml"), documents.join("\n---\n")).expect("the objects are written");
    let kustomization = format!("namePrefix: {PREFIX}\nresources: [all.yaml]\n");
    std::fs::write(folder.path().join("kustomization.yaml"), kustomization).expect("the kustomization is written");
    let Ok(output) = Command::new("kubectl").arg("kustomize").arg(folder.path()).output() else {
        skip("references that kustomize rewrites", "no kubectl on PATH");
        return None;
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "kubectl kustomize: {stderr}");
    Some(String::from_utf8(output.stdout).expect("kustomize writes UTF-8"))
}
