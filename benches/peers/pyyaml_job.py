"""The job as a user would script it with PyYAML: read, order by kind, hash config into pod templates, print.

pyyaml_job.py FILE. The loader and dumper in C are required: the pure ones are six times slower, and
a comparison with them would flatter.
"""

import hashlib
import json
import sys

import yaml

KIND_ORDER = [
    "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodDisruptionBudget", "ServiceAccount",
    "Secret", "ConfigMap", "StorageClass", "PersistentVolume", "PersistentVolumeClaim",
    "CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Service",
    "DaemonSet", "Pod", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job",
    "CronJob", "Ingress", "APIService",
]  # fmt: skip
RANK = {kind: rank for rank, kind in enumerate(KIND_ORDER)}
ANNOTATION = "bench.example.com/config-hash"


def order(document):
    meta = document.get("metadata") or {}
    kind = document["kind"]
    return RANK.get(kind, len(RANK)), kind, meta.get("namespace", ""), meta.get("name", "")


def digest(document):
    content = [document.get(field) for field in ("data", "binaryData", "stringData")]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def hashes(documents):
    found = {}
    for document in documents:
        if document["kind"] in ("ConfigMap", "Secret"):
            meta = document["metadata"]
            found[document["kind"], meta.get("namespace"), meta["name"]] = digest(document)
    return found


def named(holder, config_field, secret_field, secret_name="name"):
    if config_field in holder:
        yield "ConfigMap", holder[config_field].get("name")
    if secret_field in holder:
        yield "Secret", holder[secret_field].get(secret_name)


def read_by(pod):
    """What the pod reads, as (kind, name)."""
    for volume in pod.get("volumes") or []:
        yield from named(volume, "configMap", "secret", "secretName")
        for source in (volume.get("projected") or {}).get("sources") or []:
            yield from named(source, "configMap", "secret")
    for container in (pod.get("containers") or []) + (pod.get("initContainers") or []):
        for source in container.get("envFrom") or []:
            yield from named(source, "configMapRef", "secretRef")
        for variable in container.get("env") or []:
            yield from named(variable.get("valueFrom") or {}, "configMapKeyRef", "secretKeyRef")


def stamp(document, known):
    spec = document.get("spec")
    template = spec.get("template") if isinstance(spec, dict) else None
    if not isinstance(template, dict) or "spec" not in template:
        return
    namespace = document["metadata"].get("namespace")
    value = hashlib.sha256()
    for kind, name in sorted({ref for ref in read_by(template["spec"]) if ref[1]}):
        value.update(known.get((kind, namespace, name), "").encode())
    meta = template.get("metadata") or {}
    template["metadata"] = meta
    annotations = meta.get("annotations") or {}
    meta["annotations"] = annotations
    annotations[ANNOTATION] = value.hexdigest()


def main(path):
    with open(path, encoding="utf-8") as file:
        documents = [d for d in yaml.load_all(file, Loader=yaml.CSafeLoader) if d]
    documents.sort(key=order)
    known = hashes(documents)
    for document in documents:
        stamp(document, known)
    yaml.dump_all(documents, sys.stdout, Dumper=yaml.CSafeDumper, sort_keys=False, explicit_start=True)


if __name__ == "__main__":
    main(sys.argv[1])
