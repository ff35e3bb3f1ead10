"""A changed ConfigMap: who rolls, who does not, and what is there first."""

import json
import re

from api import Watch, condition, until
from argo import health
from ground import Skipped, check, documents, scenario

WORKLOADS = ("Deployment", "StatefulSet")


def render(ground, folder):
    return ground.tidegate("render", folder, "--engine", "kubectl").ok().out


def settled(ground, namespace):
    """Waits until every workload of the namespace is ready."""
    def ready():
        objects = [o for kind in WORKLOADS for o in ground.api.list("apps/v1", kind, namespace)]
        return objects and all(health(o) == "Healthy" for o in objects)
    until(f"the workloads of {namespace} are ready", ready)


def generations(ground, namespace):
    """Which version of its template each workload runs."""
    found = {}
    for o in ground.api.list("apps/v1", "ReplicaSet", namespace):
        owner = o["metadata"]["ownerReferences"][0]["name"]
        if o["spec"].get("replicas", 0) > 0:
            found[owner] = o["metadata"]["name"]
    for o in ground.api.list("apps/v1", "StatefulSet", namespace):
        found[o["metadata"]["name"]] = o["status"].get("updateRevision")
    return found


def edit(folder, *changes):
    file = folder / "all.yaml"
    text = file.read_text()
    for old, new in changes:
        check(text.count(old) == 1, f"{old!r} does not stand once in {file.name}")
        text = text.replace(old, new)
    file.write_text(text)


def first_run(ground, fixture, how):
    folder = ground.copy(fixture)
    text = how(folder)
    ground.remember([o for _, o in documents(text)])
    ground.kubectl("apply", "--server-side", "-f", "-", stdin=text).ok()
    settled(ground, fixture)
    return folder


@scenario("3.1", "plain kubectl: a changed ConfigMap restarts nobody")
def naive(ground):
    def plain(folder):
        return (folder / "all.yaml").read_text()
    folder = first_run(ground, "config-change", plain)
    before = generations(ground, "config-change")
    edit(folder, ("web: one", "web: two"))
    ground.kubectl("apply", "--server-side", "-f", "-", stdin=plain(folder)).ok()
    settled(ground, "config-change")
    check(generations(ground, "config-change") == before, "somebody was restarted: then there is nothing to show here")
    return "four workloads keep pods that read the old value"


@scenario("3.2", "only workloads that read the changed key roll; the ConfigMap is there before the first new pod")
def rolls(ground):
    folder = first_run(ground, "config-change", lambda f: render(ground, f))
    before = generations(ground, "config-change")
    maps = Watch(ground.api, "v1", "ConfigMap", "config-change")
    pods = Watch(ground.api, "v1", "Pod", "config-change")
    edit(folder, ("web: one", "web: two"))
    ground.kubectl("apply", "--server-side", "-f", "-", stdin=render(ground, folder)).ok()
    settled(ground, "config-change")
    after = generations(ground, "config-change")
    rolled = {name for name in before if before[name] != after.get(name)}
    check(rolled == {"reads-web", "reads-all"}, f"rolled: {sorted(rolled)}")
    changed = [o for kind, o in maps.stop() if kind == "MODIFIED" and o["metadata"]["name"] == "settings"]
    new = [o for kind, o in pods.stop() if kind == "ADDED"]
    check(len(changed) == 1, f"the ConfigMap changed {len(changed)} times")
    check(len(new) >= 2, f"{len(new)} new pods seen")
    at = int(changed[0]["metadata"]["resourceVersion"])
    early = [o["metadata"]["name"] for o in new if int(o["metadata"]["resourceVersion"]) < at]
    check(not early, f"before the ConfigMap: {early}")
    return "reads-web and reads-all; not the reader of another key, not the hot one"


@scenario("3.3", "a change that a workload hot-reloads rolls nobody, reformatting neither")
def hot(ground):
    folder = first_run(ground, "config-change", lambda f: render(ground, f))
    before = generations(ground, "config-change")
    edit(folder, ("level: one", "level: two"), ("data:\n  web: one\n  other: same", 'data: {"other": "same", "web": "one"}'))
    ground.kubectl("apply", "--server-side", "-f", "-", stdin=render(ground, folder)).ok()
    settled(ground, "config-change")
    check(ground.api.get("v1", "ConfigMap", "config-change", "watched")["data"]["level"] == "two", "the change did not arrive")
    check(generations(ground, "config-change") == before, "somebody was restarted")


@scenario("3.4", "versioned config: old pods keep the old map until they are gone", ["plane"])
def versioned(ground):
    folder = ground.copy("versioned")
    old_name = versioned_name(render(ground, folder))
    if old_name is None:
        raise Skipped("this version renders no versioned config (tidegate.dev/versioned is not read)")
    folder = first_run(ground, "versioned", lambda f: render(ground, f))
    pods = Watch(ground.api, "v1", "Pod", "versioned")
    edit(folder, ("level: one", "level: two"))
    # the first new pods hang: the rollout stands still half way
    hold = {"spec": {"template": {"metadata": {"annotations": {"e2e.tidegate.dev/hold": "true"}}}}}
    text = with_hold(render(ground, folder), hold)
    new_name = versioned_name(text)
    check(new_name != old_name, "the name does not change with the content")
    ground.remember([o for _, o in documents(text)])
    ground.kubectl("apply", "--server-side", "-f", "-", stdin=text).ok()
    until("a new pod is made", lambda: [o for kind, o in pods.events if kind == "ADDED" and map_of(o) == new_name])
    running = [o for o in ground.api.list("v1", "Pod", "versioned") if condition(o, "Ready") == "True"]
    check(running and all(map_of(o) == old_name for o in running), "a ready pod reads the new map before it is released")
    for name, level in ((old_name, "one"), (new_name, "two")):
        there = ground.api.get("v1", "ConfigMap", "versioned", name)
        check(there and there["data"]["level"] == level, f"{name} does not hold {level}")
        check(there.get("immutable") is True, f"{name} is not immutable")
    refused = ground.kubectl("patch", "configmap", "-n", "versioned", old_name, "-p", '{"data":{"level":"three"}}')
    check(refused.code != 0 and "immutable" in refused.err, "the API server lets the old map be edited")
    ground.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", stdin=render(ground, folder)).ok()
    settled(ground, "versioned")
    until(f"only pods that read {new_name} are left",
          lambda: {map_of(o) for o in ground.api.list("v1", "Pod", "versioned")} == {new_name}, 30)
    ground.remember([{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": old_name, "namespace": "versioned"}}])
    return f"{old_name} beside {new_name}"


def versioned_name(text):
    names = [o["metadata"]["name"] for _, o in documents(text) if o["kind"] == "ConfigMap"]
    return next((name for name in names if re.fullmatch(r"settings-[0-9a-f]{10}", name)), None)


def map_of(pod):
    return pod["spec"]["containers"][0]["envFrom"][0]["configMapRef"]["name"]


def with_hold(text, hold):
    out = []
    for part, o in documents(text):
        if o["kind"] == "Deployment":
            meta = o["spec"]["template"].setdefault("metadata", {})
            meta.setdefault("annotations", {}).update(hold["spec"]["template"]["metadata"]["annotations"])
            part = json.dumps(o) + "\n"
        out.append(part)
    return "---\n".join(out)
