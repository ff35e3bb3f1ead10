#!/usr/bin/env python3
"""Applies manifests in the order of Argo CD, by its rules and nothing else, and watches what it finds there.

  argo.py --socket PATH [--needs FILE] [--namespace NS] [--timeout S] FILE     (`-` is stdin)

The rules are Argo CD's (gitops-engine `pkg/sync/sync_tasks.go`, `sync_context.go`, `pkg/health`): tasks by phase, wave,
kind and name; two repairs of that order; a dry run of all first; wave by wave, the next one only when all of this one
is healthy; the last one, or the only one, is not waited for. No delay between waves: nothing may hang on it.

Before an object is applied, what it needs must be there, or be ready (needs.py says what that is, FILE adds lines
`[needer, needed, "there"|"ready"]` with ids `Kind namespace/name`). Each that is not is printed, and the exit code is 1;
a sync that fails or does not end is exit 2.
"""

import argparse
import json
import pathlib
import sys
import time

import yaml

import needs as wants
from api import Api, ApiError, condition
from ground import documents

PHASES = ["PreSync", "Sync", "PostSync", "SyncFail"]
KINDS = """Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount Secret
SecretList ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole ClusterRoleList
ClusterRoleBinding ClusterRoleBindingList Role RoleList RoleBinding RoleBindingList Service DaemonSet Pod ReplicationController
ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress APIService""".split()
HELM_HOOKS = {"pre-install": "PreSync", "pre-upgrade": "PreSync", "post-install": "PostSync", "post-upgrade": "PostSync"}
LAST_APPLIED = 262144
WAVE = "argocd.argoproj.io/sync-wave"


class SyncError(Exception):
    """The sync has failed as a whole."""


class Task:
    def __init__(self, text, o, namespace):
        self.text, self.o = text, o
        self.group = o["apiVersion"].rpartition("/")[0]
        self.kind = o["kind"]
        meta = o["metadata"]
        self.name = meta.get("name", "")
        self.namespace = meta.get("namespace") or namespace
        self.annotations = meta.get("annotations") or {}
        self.phase = PHASES.index("Sync")
        self.hook = False
        self.skipped = False
        self.read_hooks()
        self.wave = self.read_wave()

    def read_hooks(self):
        said = self.annotations.get("argocd.argoproj.io/hook")
        if said is not None:
            values = [v.strip() for v in said.split(",")]
            known = [v for v in values if v in PHASES]
            self.hook = bool(known)
            self.skipped = not known
        else:
            values = [v.strip() for v in self.annotations.get("helm.sh/hook", "").split(",") if v.strip()]
            known = [HELM_HOOKS[v] for v in values if v in HELM_HOOKS]
            self.hook = bool(known)
            self.skipped = bool(values) and not known and "crd-install" not in values
        if known:
            self.phase = PHASES.index(known[0])

    def read_wave(self):
        for key in (WAVE, "helm.sh/hook-weight"):
            value = self.annotations.get(key)
            if isinstance(value, str) and value.lstrip("+-").isdigit() and len(value) - len(value.lstrip("+-")) <= 1:
                return int(value)
        return 0

    def options(self):
        return {v.strip() for v in (self.annotations.get("argocd.argoproj.io/sync-options") or "").split(",")}

    def order(self):
        place = KINDS.index(self.kind) - len(KINDS) if self.kind in KINDS else 0
        return self.phase, self.wave, place, self.name.encode()

    def id(self):
        return wants.id_of(self.o)


def sort(tasks):
    tasks = sorted(tasks, key=Task.order)
    move_before(tasks, lambda t: t.kind == "Namespace" and t.group == "", lambda t, n: t.namespace == n.name and t is not n)
    move_before(
        tasks, lambda t: t.kind == "CustomResourceDefinition",
        lambda t, crd: (t.group, t.kind) == (crd.o["spec"]["group"], crd.o["spec"]["names"]["kind"]),
    )
    return tasks


def move_before(tasks, is_needed, needs):
    """A namespace behind the first object in it, a definition behind its first object, is put before that one and
    takes its phase and wave."""
    for task in [t for t in tasks if is_needed(t)]:
        at = tasks.index(task)
        for first in range(at):
            if needs(tasks[first], task):
                task.phase, task.wave = tasks[first].phase, tasks[first].wave
                tasks.insert(first, tasks.pop(at))
                break


def health(o):
    """Healthy, Progressing, Degraded or Suspended; an object without a check is healthy at once."""
    kind, status, spec = o["kind"], o.get("status", {}), o.get("spec", {})
    if kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"):
        return workload_health(o, kind, spec, status)
    if kind == "Job":
        if condition(o, "Failed") == "True":
            return "Degraded"
        if condition(o, "Suspended") == "True":
            return "Suspended"
        return "Healthy" if condition(o, "Complete") == "True" else "Progressing"
    if kind == "Pod":
        if status.get("phase") == "Failed":
            return "Degraded"
        return "Healthy" if status.get("phase") == "Succeeded" or condition(o, "Ready") == "True" else "Progressing"
    if kind == "Service":
        waits = spec.get("type") == "LoadBalancer" and not status.get("loadBalancer", {}).get("ingress")
        return "Progressing" if waits else "Healthy"
    if kind == "Ingress":
        return "Healthy" if status.get("loadBalancer", {}).get("ingress") else "Progressing"
    if kind == "PersistentVolumeClaim":
        return "Healthy" if status.get("phase") == "Bound" else "Progressing"
    if kind == "CustomResourceDefinition":
        return "Healthy" if condition(o, "Established") == "True" else "Progressing"
    if kind == "APIService":
        return "Healthy" if condition(o, "Available") == "True" else "Progressing"
    if kind == "HorizontalPodAutoscaler":
        return "Healthy" if condition(o, "AbleToScale") == "True" and condition(o, "ScalingActive") == "True" else "Progressing"
    if kind == "PodDisruptionBudget":
        return "Healthy" if status.get("conditions") else "Progressing"
    if o["apiVersion"].startswith("cert-manager.io/"):
        return {"True": "Healthy", "False": "Degraded"}.get(condition(o, "Ready"), "Progressing")
    return "Healthy"


def workload_health(o, kind, spec, status):
    if spec.get("paused"):
        return "Suspended"
    if status.get("observedGeneration", 0) < o["metadata"].get("generation", 0):
        return "Progressing"
    if condition(o, "Progressing") == "False":
        return "Degraded"
    if kind == "Deployment" and status.get("replicas", 0) > status.get("updatedReplicas", 0):
        return "Progressing"
    if kind == "DaemonSet":
        wanted = status.get("desiredNumberScheduled", 0)
        counts = (status.get("updatedNumberScheduled", 0), status.get("numberAvailable", 0))
    else:
        wanted = spec.get("replicas", 1)
        updated = wanted if kind == "ReplicaSet" else status.get("updatedReplicas", 0)
        counts = (updated, status.get("availableReplicas", 0))
    return "Healthy" if all(count >= wanted for count in counts) else "Progressing"


class Sync:
    def __init__(self, api, tasks, needs, timeout):
        self.api, self.needs, self.timeout = api, needs, timeout
        self.tasks = sort([t for t in tasks if not t.skipped])
        self.violations = []
        self.live = {}

    def run(self):
        self.dry_run()
        steps = []
        for task in self.tasks:
            if steps and (steps[-1][0].phase, steps[-1][0].wave) == (task.phase, task.wave):
                steps[-1].append(task)
            else:
                steps.append([task])
        hooks = any(t.hook for t in self.tasks)
        for number, step in enumerate(steps):
            failures = []
            for task in step:
                self.look(task)
                try:
                    self.apply(task)
                except ApiError as error:
                    failures.append(f"{task.id()}: {error.message}")
            if failures:
                raise SyncError("; ".join(failures))
            if number < len(steps) - 1 or hooks:
                self.wait(step)
        return len(steps)

    def dry_run(self):
        here = {(t.o["spec"]["group"], t.o["spec"]["names"]["kind"]) for t in self.tasks if t.kind == "CustomResourceDefinition"}
        for task in self.tasks:
            if (task.group, task.kind) in here or "SkipDryRunOnMissingResource=true" in task.options():
                continue
            try:
                self.api.kind(task.o["apiVersion"], task.kind)
            except ApiError as error:
                raise SyncError(f"dry run: {task.id()}: {error.message}") from error

    def look(self, task):
        for needed, how in self.needs.get(task.id(), ()):
            o = self.find(needed)
            if o is None:
                self.violations.append(f"{task.id()} is applied before {needed} is there")
            elif how == "ready" and health(o) != "Healthy":
                self.violations.append(f"{task.id()} is applied before {needed} is ready")

    def find(self, identity):
        kind, _, place = identity.partition(" ")
        namespace, _, name = place.rpartition("/")
        task = next((t for t in self.tasks if t.id() == identity), None)
        version = task.o["apiVersion"] if task else wants.VERSIONS.get(kind)
        if version is None:
            return None
        try:
            return self.api.get(version, kind, namespace, name)
        except ApiError:
            return None

    def apply(self, task):
        if "ServerSideApply=true" not in task.options() and len(json.dumps(task.o)) > LAST_APPLIED:
            raise ApiError(422, f"metadata.annotations: Too long: may not be more than {LAST_APPLIED} bytes")
        _, namespaced = self.api.kind(task.o["apiVersion"], task.kind)
        text = task.text
        if namespaced and not task.o["metadata"].get("namespace"):
            task.o["metadata"]["namespace"], text = task.namespace, None
        self.api.apply(task.o, text, manager="argocd-controller")
        if task.kind == "CustomResourceDefinition":
            end = time.monotonic() + 3
            while time.monotonic() < end and condition(self.find(task.id()), "Established") != "True":
                time.sleep(0.1)
            self.api.discover()

    def wait(self, step):
        end = time.monotonic() + self.timeout
        waiting = list(step)
        while True:
            states = {t.id(): health(self.find(t.id()) or {"kind": "", "apiVersion": ""}) for t in waiting}
            for identity, state in states.items():
                if state == "Degraded":
                    raise SyncError(f"{identity} is degraded")
            waiting = [t for t in waiting if states[t.id()] != "Healthy"]
            if not waiting:
                return
            if time.monotonic() > end:
                said = ", ".join(f"{t.id()} is {states[t.id()]}" for t in waiting)
                raise SyncError(f"wave {step[0].wave} does not end: {said}")
            time.sleep(0.1)


def on_paper(tasks, needs):
    """What the order alone says is too early, as if every wave became ready: no cluster is asked."""
    order = sort([t for t in tasks if not t.skipped])
    place = {t.id(): (i, (t.phase, t.wave)) for i, t in enumerate(order)}
    found = []
    for task in order:
        for needed, how in needs.get(task.id(), ()):
            at, step = place[task.id()]
            before, earlier = place.get(needed, (-1, (-9, 0)))
            # a Service is ready once it is there
            late = earlier >= step if how == "ready" and not needed.startswith("Service ") else before >= at
            if late:
                found.append(f"{task.id()} is applied before {needed} is {how}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--socket", required=True)
    parser.add_argument("--needs", type=pathlib.Path)
    parser.add_argument("--namespace", default="default")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("file")
    options = parser.parse_args()
    text = sys.stdin.read() if options.file == "-" else pathlib.Path(options.file).read_text()
    tasks = [Task(part, o, options.namespace) for part, o in documents(text)]
    needed = wants.of([t.o for t in tasks])
    if options.needs:
        for needer, other, how in json.loads(options.needs.read_text()):
            needed.setdefault(needer, []).append((other, how))
    sync = Sync(Api(options.socket), tasks, needed, options.timeout)
    try:
        steps = sync.run()
    except SyncError as error:
        for violation in sync.violations:
            print(violation)
        print(f"the sync fails: {error}")
        return 2
    for violation in sync.violations:
        print(violation)
    print(f"{len(sync.tasks)} objects in {steps} steps, {sum(map(len, needed.values()))} needs looked at")
    return 1 if sync.violations else 0


if __name__ == "__main__":
    sys.exit(main())
