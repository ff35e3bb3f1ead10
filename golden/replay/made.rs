//! Made installations: many kinds that need each other, names in no helpful order, and users who say what they like.

/// A source of numbers, the same ones for the same seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).expect("below a usize")
    }

    /// Once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// What is written down so far.
struct Made {
    dice: Dice,
    documents: Vec<String>,
    /// What explicit dependencies can name.
    named: Vec<String>,
    namespaces: Vec<String>,
}

/// An installation of a few parts, as one stream; the parts and their order are decided by `seed`.
pub(super) fn installation(seed: u64) -> String {
    let mut made = Made { dice: Dice(seed), documents: Vec::new(), named: Vec::new(), namespaces: Vec::new() };
    for _ in 0..=made.dice.below(3) {
        let name = made.name();
        if !made.dice.once_in(5) {
            let labels = made.dice.pick(&["", ", labels: {team: a}", ", annotations: {linkerd.io/inject: enabled}"]);
            made.documents.push(format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}{labels}}}\n"));
        }
        made.namespaces.push(name);
    }
    for _ in 0..=made.dice.below(6) {
        let part = PARTS[made.dice.below(PARTS.len())];
        part(&mut made);
    }
    for at in (1..made.documents.len()).rev() {
        let other = made.dice.below(at + 1);
        made.documents.swap(at, other);
    }
    made.documents.join("---\n")
}

/// Every part that an installation may have.
const PARTS: &[fn(&mut Made)] = &[
    Made::web,
    Made::web,
    Made::stateful,
    Made::batch,
    Made::operator,
    Made::operator,
    Made::secrets,
    Made::splits,
    Made::mesh,
    Made::tekton,
    Made::rollout,
    Made::api,
    Made::hooks,
    Made::pod,
];

impl Made {
    fn name(&mut self) -> String {
        let letter = self.dice.pick(&["a", "b", "m", "x", "z"]);
        format!("{letter}{}", self.documents.len() + 10 * self.dice.below(10))
    }

    fn namespace(&mut self) -> String {
        let at = self.dice.below(self.namespaces.len());
        self.namespaces[at].clone()
    }

    /// Writes an object, with what a user may say about its order.
    fn put(&mut self, version: &str, kind: &str, namespace: &str, name: &str, annotations: &str, rest: &str) {
        let mut notes = annotations.to_owned();
        let group = version.split_once('/').map_or("", |(group, _)| group);
        if annotations.is_empty() && self.dice.once_in(12) {
            let wave = self.dice.pick(&["-30", "-15", "-3", "0", "1", "2", "5", "95"]);
            notes = format!("argocd.argoproj.io/sync-wave: \"{wave}\"");
        } else if annotations.is_empty() && self.dice.once_in(12) && !self.named.is_empty() {
            let at = self.dice.below(self.named.len());
            notes = format!("config.kubernetes.io/depends-on: {}", self.named[at]);
        } else if annotations.is_empty() && self.dice.once_in(20) {
            let word = self.dice.pick(&["no-wait", "stage=config", "stage=workload"]);
            notes = format!("tidegate.dev/order: \"{word}\"");
        }
        let place = if namespace.is_empty() { String::new() } else { format!("namespace: {namespace}, ") };
        let path = if namespace.is_empty() { String::new() } else { format!("namespaces/{namespace}/") };
        self.named.push(format!("{group}/{path}{kind}/{name}"));
        self.documents.push(format!(
            "apiVersion: {version}\nkind: {kind}\nmetadata: {{{place}name: {name}, annotations: {{{notes}}}}}\n{rest}\n"
        ));
    }

    /// A workload whose pods have the label `app: NAME`.
    fn workload(&mut self, (version, kind): (&str, &str), namespace: &str, name: &str, more: &str, pod: &str) {
        let mounts = mounts(pod);
        let template = format!(
            "template: {{metadata: {{labels: {{app: {name}}}}}, spec: {{{pod}containers: [{{{mounts}name: c, image: c}}]}}}}"
        );
        let selector = format!("selector: {{matchLabels: {{app: {name}}}}}, ");
        let selector = if kind == "Job" { "" } else { &selector };
        self.put(version, kind, namespace, name, "", &format!("spec: {{{more}{selector}{template}}}"));
    }

    fn service(&mut self, namespace: &str, name: &str, app: &str) {
        let kind = if self.dice.once_in(3) { "type: LoadBalancer, " } else { "" };
        self.put(
            "v1",
            "Service",
            namespace,
            name,
            "",
            &format!("spec: {{{kind}selector: {{app: {app}}}, ports: [{{port: 80}}]}}"),
        );
    }

    /// A pod spec that reads configuration; the claim is read by whoever is given it.
    fn pod_spec(&mut self, namespace: &str, claim: Option<&str>) -> String {
        let (config, secret, account) = (self.name(), self.name(), self.name());
        let mut volumes = Vec::new();
        if self.dice.once_in(2) {
            self.put("v1", "ConfigMap", namespace, &config, "", "data: {a: \"1\"}");
            volumes.push(format!("{{name: config, configMap: {{name: {config}}}}}"));
        }
        if self.dice.once_in(3) {
            self.put("v1", "Secret", namespace, &secret, "", "stringData: {a: \"1\"}");
            volumes.push(format!("{{name: secret, secret: {{secretName: {secret}, optional: true}}}}"));
        }
        volumes.extend(claim.map(|claim| format!("{{name: data, persistentVolumeClaim: {{claimName: {claim}}}}}")));
        let account = if self.dice.once_in(3) {
            self.put("v1", "ServiceAccount", namespace, &account, "", "");
            format!("serviceAccountName: {account}, ")
        } else {
            String::new()
        };
        format!("{account}volumes: [{}], ", volumes.join(", "))
    }

    fn web(&mut self) {
        let (namespace, name, claim) = (self.namespace(), self.name(), self.name());
        let has_claim = self.dice.once_in(2);
        if has_claim {
            self.put("v1", "PersistentVolumeClaim", &namespace, &claim, "", "spec: {accessModes: [ReadWriteMany]}");
        }
        let pod = self.pod_spec(&namespace, has_claim.then_some(claim.as_str()));
        let more = self.dice.pick(&["", "", "", "replicas: 0, ", "paused: true, "]);
        self.workload(("apps/v1", "Deployment"), &namespace, &name, more, &pod);
        self.service(&namespace, &name, &name);
        if self.dice.once_in(2) {
            let backend = format!("spec: {{defaultBackend: {{service: {{name: {name}, port: {{number: 80}}}}}}}}");
            self.put("networking.k8s.io/v1", "Ingress", &namespace, &name, "", &backend);
        }
        if self.dice.once_in(2) {
            let target = format!(
                "spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}, maxReplicas: 3}}"
            );
            self.put("autoscaling/v2", "HorizontalPodAutoscaler", &namespace, &name, "", &target);
        }
        if has_claim && self.dice.once_in(2) {
            let other = self.name();
            let pod = self.pod_spec(&namespace, Some(&claim));
            self.workload(("batch/v1", "Job"), &namespace, &other, "", &pod);
        }
    }

    fn stateful(&mut self) {
        let (namespace, name) = (self.namespace(), self.name());
        let pod = self.pod_spec(&namespace, None);
        self.service(&namespace, &name, &name);
        self.workload(("apps/v1", "StatefulSet"), &namespace, &name, &format!("serviceName: {name}, "), &pod);
        let target = format!(
            "spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: StatefulSet, name: {name}}}, maxReplicas: 3}}"
        );
        self.put("autoscaling/v2", "HorizontalPodAutoscaler", &namespace, &name, "", &target);
    }

    fn batch(&mut self) {
        let (namespace, name, claim) = (self.namespace(), self.name(), self.name());
        self.put("v1", "PersistentVolumeClaim", &namespace, &claim, "", "spec: {accessModes: [ReadWriteOnce]}");
        let pod = self.pod_spec(&namespace, Some(&claim));
        let mounts = mounts(&pod);
        let spec = format!("{{template: {{spec: {{{pod}containers: [{{{mounts}name: c, image: c}}]}}}}}}");
        self.put("batch/v1", "CronJob", &namespace, &name, "", &format!("spec: {{jobTemplate: {{spec: {spec}}}}}"));
    }

    /// A definition, its objects, and a webhook whose backend may wait for a certificate.
    fn operator(&mut self) {
        let (namespace, name, group) = (self.namespace(), self.name(), format!("{}.example.com", self.name()));
        let definition = format!(
            "spec: {{group: {group}, scope: Namespaced, names: {{kind: Widget, plural: widgets}}, versions: \
             [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]}}"
        );
        self.put(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            "",
            &format!("widgets.{group}"),
            "",
            &definition,
        );
        let mut volumes = String::new();
        if self.dice.once_in(2) {
            let spec = format!(
                "spec: {{secretName: {name}-tls, dnsNames: [a], issuerRef: {{kind: ClusterIssuer, name: ca}}}}"
            );
            let annotations = self.dice.pick(&["", "", "tidegate.dev/order: no-wait"]);
            self.put("cert-manager.io/v1", "Certificate", &namespace, &name, annotations, &spec);
            volumes = format!("volumes: [{{name: tls, secret: {{secretName: {name}-tls}}}}], ");
        }
        self.workload(("apps/v1", "Deployment"), &namespace, &name, "", &volumes);
        self.service(&namespace, &name, &name);
        let kind = self.dice.pick(&["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"]);
        let policy = self.dice.pick(&["Fail", "Fail", "Ignore"]);
        let (groups, resources) = match self.dice.below(5) {
            0 => ("", "configmaps"),
            1 => ("", "pods"),
            _ => (group.as_str(), "widgets"),
        };
        let webhook = format!(
            "webhooks: [{{name: a.example.com, failurePolicy: {policy}, sideEffects: None, admissionReviewVersions: [v1], \
             clientConfig: {{service: {{name: {name}, namespace: {namespace}}}}}, rules: [{{apiGroups: [\"{groups}\"], \
             apiVersions: [v1], operations: [CREATE], resources: [{resources}]}}]}}]"
        );
        let annotations = format!("cert-manager.io/inject-ca-from: {namespace}/{name}");
        self.put("admissionregistration.k8s.io/v1", kind, "", &name, &annotations, &webhook);
        for _ in 0..=self.dice.below(2) {
            let (namespace, name) = (self.namespace(), self.name());
            self.put(&format!("{group}/v1"), "Widget", &namespace, &name, "", "spec: {size: 1}");
        }
    }

    fn secrets(&mut self) {
        let (namespace, name, store) = (self.namespace(), self.name(), self.name());
        self.put(
            "external-secrets.io/v1",
            "SecretStore",
            &namespace,
            &store,
            "",
            "spec: {provider: {fake: {data: []}}}",
        );
        let spec = format!(
            "spec: {{secretStoreRef: {{name: {store}, kind: SecretStore}}, target: {{name: {name}-made}}, dataFrom: [{{extract: {{key: a}}}}]}}"
        );
        self.put("external-secrets.io/v1", "ExternalSecret", &namespace, &name, "", &spec);
        let pod = format!("volumes: [{{name: made, secret: {{secretName: {name}-made}}}}], ");
        let kind = [("apps/v1", "Deployment"), ("batch/v1", "Job")][self.dice.below(2)];
        self.workload(kind, &namespace, &name, "", &pod);
    }

    /// A TrafficSplit and the controller that reads it.
    fn splits(&mut self) {
        let (namespace, name, reader) = (self.namespace(), self.name(), self.name());
        self.service(&namespace, &name, &name);
        self.workload(("apps/v1", "Deployment"), &namespace, &name, "", "");
        let spec = format!("spec: {{service: {name}, backends: [{{service: {name}, weight: 1}}]}}");
        self.put("split.smi-spec.io/v1alpha2", "TrafficSplit", &namespace, &name, "", &spec);
        self.put("v1", "ServiceAccount", &namespace, &reader, "", "");
        let rules = "rules: [{apiGroups: [split.smi-spec.io], resources: [trafficsplits], verbs: [list, watch]}]";
        self.put("rbac.authorization.k8s.io/v1", "ClusterRole", "", &reader, "", rules);
        let binding = format!(
            "roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {reader}}}\nsubjects: [{{kind: \
             ServiceAccount, name: {reader}, namespace: {namespace}}}]"
        );
        self.put("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", &reader, "", &binding);
        let kind = [("apps/v1", "Deployment"), ("apps/v1", "StatefulSet")][self.dice.below(2)];
        self.workload(kind, &namespace, &reader, "", &format!("serviceAccountName: {reader}, "));
    }

    fn mesh(&mut self) {
        let namespace = self.namespace();
        for part in ["identity", "destination", "proxy-injector"] {
            let name = self.name();
            let labels = format!("{{linkerd.io/control-plane-component: {part}}}");
            let spec = format!(
                "spec: {{selector: {{matchLabels: {labels}}}, template: {{metadata: {{labels: {labels}}}, spec: {{containers: [{{name: c, image: c}}]}}}}}}"
            );
            self.put("apps/v1", "Deployment", &namespace, &name, "", &spec);
        }
    }

    fn tekton(&mut self) {
        let (namespace, task, pipeline, run, claim) =
            (self.namespace(), self.name(), self.name(), self.name(), self.name());
        self.put("tekton.dev/v1", "Task", &namespace, &task, "", "spec: {steps: [{name: s, image: s}]}");
        let spec = format!("spec: {{tasks: [{{name: t, taskRef: {{name: {task}}}}}]}}");
        self.put("tekton.dev/v1", "Pipeline", &namespace, &pipeline, "", &spec);
        self.put("v1", "PersistentVolumeClaim", &namespace, &claim, "", "spec: {accessModes: [ReadWriteOnce]}");
        let spec = format!(
            "spec: {{pipelineRef: {{name: {pipeline}}}, workspaces: [{{name: w, persistentVolumeClaim: {{claimName: {claim}}}}}]}}"
        );
        self.put("tekton.dev/v1", "PipelineRun", &namespace, &run, "", &spec);
    }

    fn rollout(&mut self) {
        let (namespace, name, template, trial) = (self.namespace(), self.name(), self.name(), self.name());
        self.put("argoproj.io/v1alpha1", "AnalysisTemplate", &namespace, &template, "", "spec: {metrics: []}");
        let steps =
            format!("[{{setWeight: 5}}, {{analysis: {{templates: [{{templateName: {template}}}]}}}}, {{pause: {{}}}}]");
        let more = format!("strategy: {{canary: {{steps: {steps}}}}}, ");
        self.workload(("argoproj.io/v1alpha1", "Rollout"), &namespace, &name, &more, "");
        let spec = format!("spec: {{templates: [], analyses: [{{name: a, templateName: {template}}}]}}");
        self.put("argoproj.io/v1alpha1", "Experiment", &namespace, &trial, "", &spec);
    }

    /// An aggregated API, and an object of it.
    fn api(&mut self) {
        let (namespace, name, object) = (self.namespace(), self.name(), self.name());
        self.workload(("apps/v1", "Deployment"), &namespace, &name, "", "");
        self.service(&namespace, &name, &name);
        let group = format!("{name}.api.example.com");
        let spec = format!(
            "spec: {{group: {group}, version: v1, service: {{name: {name}, namespace: {namespace}}}, groupPriorityMinimum: 1, versionPriority: 1}}"
        );
        self.put("apiregistration.k8s.io/v1", "APIService", "", &format!("v1.{group}"), "", &spec);
        self.put(&format!("{group}/v1"), "Metric", &namespace, &object, "", "");
    }

    fn hooks(&mut self) {
        let (namespace, name, config) = (self.namespace(), self.name(), self.name());
        let hook = |dice: &mut Dice| {
            dice.pick(&[
                "argocd.argoproj.io/hook: PreSync",
                "argocd.argoproj.io/hook: Sync, argocd.argoproj.io/sync-wave: \"3\"",
                "argocd.argoproj.io/hook: \"Sync,PostSync\"",
                "argocd.argoproj.io/hook: Skip",
                "helm.sh/hook: \"pre-install,pre-upgrade\", helm.sh/hook-weight: \"-5\"",
                "helm.sh/hook: post-install",
                "helm.sh/hook: test",
            ])
        };
        let own = if self.dice.once_in(2) { hook(&mut self.dice) } else { "" };
        self.put("v1", "ConfigMap", &namespace, &config, own, "data: {a: \"1\"}");
        let annotations = hook(&mut self.dice);
        let pod = format!("volumes: [{{name: c, configMap: {{name: {config}}}}}], containers: [{{name: c, image: c}}]");
        self.put(
            "batch/v1",
            "Job",
            &namespace,
            &name,
            annotations,
            &format!("spec: {{template: {{spec: {{{pod}}}}}}}"),
        );
    }

    /// A bare Pod and a controller of a class.
    fn pod(&mut self) {
        let (namespace, class, pod, other) = (self.namespace(), self.name(), self.name(), self.name());
        self.put("scheduling.k8s.io/v1", "PriorityClass", "", &class, "", "value: 5");
        let spec = format!("spec: {{priorityClassName: {class}, containers: [{{name: c, image: c}}]}}");
        self.put("v1", "Pod", &namespace, &pod, "", &spec);
        self.workload(("apps/v1", "DaemonSet"), &namespace, &other, "", &format!("priorityClassName: {class}, "));
    }
}

/// The mounts of every volume of a pod spec: the kubelet skips a volume that nobody mounts.
fn mounts(pod: &str) -> String {
    let names =
        ["config", "secret", "data", "tls", "made"].iter().filter(|name| pod.contains(&format!("{{name: {name}, ")));
    let mounts: Vec<_> = names.map(|name| format!("{{name: {name}, mountPath: /{name}}}")).collect();
    format!("volumeMounts: [{}], ", mounts.join(", "))
}
