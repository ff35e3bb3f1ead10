"""Sets of manifests made by chance, each one an installation with needs that are known by how it was made.

`make(seed, authority)` gives (text, needs): the same for the same seed. All names of cluster-scoped objects carry the
seed, so that sets can be applied side by side. The pods' images are names only.
"""

import json
import random


class Set:
    def __init__(self, seed, authority):
        self.random = random.Random(seed)
        self.seed, self.authority = seed, authority
        self.namespace = f"set-{seed}"
        self.system = f"set-{seed}-system"
        self.group = f"g{seed}.e2e.example.com"
        self.objects, self.needs = [], []
        self.configs, self.secrets, self.accounts, self.workloads = [], [], [], []

    def add(self, api_version, kind, name, namespace=None, annotations=None, labels=None, **fields):
        meta = {"name": name}
        for key, value in (("namespace", namespace), ("labels", labels), ("annotations", annotations)):
            if value:
                meta[key] = value
        self.objects.append({"apiVersion": api_version, "kind": kind, "metadata": meta, **fields})
        return f"{kind} {namespace + '/' if namespace else ''}{name}"

    def maybe(self, share):
        return self.random.random() < share

    # parts

    def base(self):
        self.add("v1", "Namespace", self.namespace)
        for i in range(self.random.randint(1, 4)):
            keys = {f"key-{k}": f"{self.random.randint(0, 99)}" for k in range(self.random.randint(1, 4))}
            self.configs.append((f"config-{i}", list(keys)))
            self.add("v1", "ConfigMap", f"config-{i}", self.namespace, data=keys)
        for i in range(self.random.randint(0, 2)):
            self.secrets.append(f"secret-{i}")
            self.add("v1", "Secret", f"secret-{i}", self.namespace, stringData={"password": "not one"})
        for i in range(self.random.randint(0, 2)):
            self.accounts.append(f"account-{i}")
            self.add("v1", "ServiceAccount", f"account-{i}", self.namespace)

    def pods(self, name, labels=None, annotations=None, extra_volume=None, config=True):
        container = {"name": "main", "image": "registry.example.com/main:1", "env": []}
        spec = {"containers": [container], "volumes": []}
        for config_name, keys in self.configs if config else ():
            how = self.random.choice(["no", "no", "env", "envFrom", "volume"])
            if how == "env":
                key = self.random.choice(keys)
                container["env"].append({"name": f"{config_name}_{key}".upper().replace("-", "_"),
                                         "valueFrom": {"configMapKeyRef": {"name": config_name, "key": key}}})
            elif how == "envFrom":
                container.setdefault("envFrom", []).append({"configMapRef": {"name": config_name}})
            elif how == "volume":
                spec["volumes"].append({"name": config_name, "configMap": {"name": config_name}})
                container.setdefault("volumeMounts", []).append({"name": config_name, "mountPath": f"/etc/{config_name}"})
        for secret in self.secrets if config else ():
            if self.maybe(0.3):
                container.setdefault("envFrom", []).append({"secretRef": {"name": secret}})
        if extra_volume:
            spec["volumes"].append({"name": "given", "secret": {"secretName": extra_volume}})
            container.setdefault("volumeMounts", []).append({"name": "given", "mountPath": "/etc/given"})
        if self.accounts and config and self.maybe(0.5):
            spec["serviceAccountName"] = self.random.choice(self.accounts)
        meta = {"labels": {"app": name, **(labels or {})}}
        if annotations:
            meta["annotations"] = annotations
        return {"metadata": meta, "spec": spec}

    def slow(self):
        return {"e2e.tidegate.dev/slow": "true"} if self.maybe(0.1) else None

    def workload(self, name, namespace=None, kind="Deployment", own=None, **more):
        spec = {"selector": {"matchLabels": {"app": name}}, "template": self.pods(name, annotations=self.slow(), **more)}
        if kind != "DaemonSet":
            spec["replicas"] = self.random.randint(1, 2)
        if kind == "StatefulSet":
            spec["serviceName"] = name
        return self.add("apps/v1", kind, name, namespace or self.namespace, annotations=own, spec=spec)

    def service(self, name, namespace, port):
        self.add("v1", "Service", name, namespace, spec={"selector": {"app": name}, "ports": [{"port": 443, "targetPort": port}]})

    def apps(self):
        for i in range(self.random.randint(1, 4)):
            kind = self.random.choice(["Deployment", "Deployment", "StatefulSet", "DaemonSet"])
            name = f"app-{i}"
            own = None
            if self.workloads and self.maybe(0.25):
                other_kind, other = self.random.choice(self.workloads)
                own = {"config.kubernetes.io/depends-on": f"apps/namespaces/{self.namespace}/{other_kind}/{other}"}
                self.needs.append([f"{kind} {self.namespace}/{name}", f"{other_kind} {self.namespace}/{other}", "ready"])
            labels = {"inject": "yes"} if self.maybe(0.4) else None
            self.workload(name, kind=kind, own=own, labels=labels)
            self.workloads.append((kind, name))
            if kind == "StatefulSet" or self.maybe(0.3):
                self.service(name, self.namespace, 8080)
        if self.maybe(0.3):
            self.add("policy/v1", "PodDisruptionBudget", "app-0", self.namespace,
                     spec={"maxUnavailable": 1, "selector": {"matchLabels": {"app": "app-0"}}})
        if self.maybe(0.2):
            self.add("networking.k8s.io/v1", "Ingress", "app-0", self.namespace, spec={"defaultBackend": {
                "service": {"name": "app-0", "port": {"number": 443}}}})
            if not any(o["kind"] == "Service" and o["metadata"]["name"] == "app-0" for o in self.objects):
                self.service("app-0", self.namespace, 8080)

    def operator(self):
        """A definition, objects of it, and an operator whose fail-closed webhook sees every one of them."""
        self.add("v1", "Namespace", self.system)
        kind = self.random.choice(["Backup", "Widget", "Account", "Zone"])
        plural = kind.lower() + "s"
        self.add("apiextensions.k8s.io/v1", "CustomResourceDefinition", f"{plural}.{self.group}", spec={
            "group": self.group, "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}}}]})
        self.workload("operator", self.system, config=False)
        self.service("operator", self.system, 9443)
        self.registration("Validating", f"{self.random.choice('amz')}-operator-{self.seed}", "operator", [{
            "apiGroups": [self.group], "apiVersions": ["v1"], "resources": [plural], "operations": ["CREATE", "UPDATE"]}])
        for i in range(self.random.randint(1, 3)):
            self.add(f"{self.group}/v1", kind, f"{self.random.choice('bxy')}-{i}", self.namespace, spec={"size": i})

    def injector(self):
        """A fail-closed mutating webhook that sees the pods labelled `inject`."""
        if not any(o["metadata"]["name"] == self.system for o in self.objects):
            self.add("v1", "Namespace", self.system)
        self.workload("injector", self.system, config=False)
        self.service("injector", self.system, 9443)
        self.registration("Mutating", f"injector-{self.seed}", "injector", [{
            "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}],
            namespaceSelector={"matchLabels": {"kubernetes.io/metadata.name": self.namespace}},
            objectSelector={"matchLabels": {"inject": "yes"}})

    def registration(self, which, name, service, rules, **more):
        self.add("admissionregistration.k8s.io/v1", which + "WebhookConfiguration", name, webhooks=[{
            "name": f"{service}.{self.group}", "admissionReviewVersions": ["v1"], "sideEffects": "None", "failurePolicy": "Fail",
            "timeoutSeconds": 5, "rules": rules, **more,
            "clientConfig": {"caBundle": self.authority, "service": {"name": service, "namespace": self.system, "path": "/"}}}])

    def certificate(self):
        """A Secret that somebody makes after its Certificate is there, and pods that read it."""
        made = self.add("cert-manager.io/v1", "Certificate", "serving", self.namespace, spec={
            "secretName": "serving-tls", "dnsNames": [f"serving.{self.namespace}.svc"],
            "issuerRef": {"name": "given", "kind": "ClusterIssuer"}})
        self.needs.append([self.workload("serving", extra_volume="serving-tls"), made, "ready"])

    def job(self):
        own = None
        if self.maybe(0.7):
            kind, name = self.random.choice(self.workloads)
            own = {"config.kubernetes.io/depends-on": f"apps/namespaces/{self.namespace}/{kind}/{name}"}
            self.needs.append([f"Job {self.namespace}/migrate", f"{kind} {self.namespace}/{name}", "ready"])
        pods = self.pods("migrate")
        pods["spec"]["restartPolicy"] = "Never"
        self.add("batch/v1", "Job", "migrate", self.namespace, annotations=own, spec={"template": pods, "backoffLimit": 0})

    def cron_job(self):
        pods = self.pods("nightly")
        pods["spec"]["restartPolicy"] = "Never"
        self.add("batch/v1", "CronJob", "nightly", self.namespace, spec={
            "schedule": "0 3 * * *", "jobTemplate": {"spec": {"template": pods}}})


def make(seed, authority):
    made = Set(seed, authority)
    made.base()
    made.apps()
    for part, share in ((made.operator, 0.5), (made.injector, 0.3), (made.certificate, 0.3), (made.job, 0.4), (made.cron_job, 0.2)):
        if made.maybe(share):
            part()
    made.random.shuffle(made.objects)
    return "".join(f"---\n{json.dumps(o, indent=1)}\n" for o in made.objects), made.needs
