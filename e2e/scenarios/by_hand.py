"""What else `tidegate apply` promises, on a server that means it: looks that change nothing, a script that does the same,
pruning as the last step, states that heal and states that do not, and no Secret in what is said."""

import base64
import os
import signal
import time

from api import until
from ground import check, documents, scenario
from scenarios.gates import BACKUP, end, held_back, operator, release


def objects_in(folder):
    return [o for file in sorted(folder.rglob("*.yaml")) for _, o in documents(file.read_text())]


def taken(ground, fixture):
    """A copy of a fixture, whose objects this scenario takes away again: (folder, objects)."""
    folder = ground.copy(fixture)
    objects = objects_in(folder)
    ground.remember(objects)
    return folder, objects


def named(objects, kind, name):
    return next(o for o in objects if (o["kind"], o["metadata"]["name"]) == (kind, name))


def edit(file, old, new):
    text = file.read_text()
    check(text.count(old) == 1, f"{old!r} does not stand once in {file.name}")
    file.write_text(text.replace(old, new))


@scenario("8.1", "`--dry-run=server` and `--diff` say what would be, and change nothing", ["apply"])
def looks(ground):
    folder, objects = taken(ground, "by-hand")
    empty = ground.tidegate("apply", folder, "--dry-run=server").ok()
    check("Job by-hand/seed is new" in empty.out, f"the dry run of a first install says\n{empty.out}")
    check(ground.tidegate("apply", folder, "--diff").code == 1, "the diff of a first install finds no difference")
    check(not [o for o in objects if ground.there(o)], "a look has made something")
    # the cluster by name instead of by the environment
    ground.tidegate("apply", folder, "--kubeconfig", ground.kubeconfig, more={"KUBECONFIG": "/dev/null"}).ok()
    same = ground.tidegate("apply", folder, "--diff")
    check(same.code == 0, f"nothing has changed, and the diff says {same.code}\n{same.out}{same.err}")
    before = ground.there(named(objects, "ConfigMap", "settings"))["metadata"]["resourceVersion"]
    edit(folder / "all.yaml", "level: one", "level: two")
    other = ground.tidegate("apply", folder, "--diff")
    check(other.code == 1 and "+  level: two" in other.out, f"exit {other.code}\n{other.out}{other.err}")
    ground.tidegate("apply", folder, "--dry-run=server").ok()
    after = ground.there(named(objects, "ConfigMap", "settings"))["metadata"]["resourceVersion"]
    check(before == after, "a look has changed something")
    (folder / "wrong.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: no-ports, namespace: by-hand}\nspec: {selector: {app: web}}\n")
    wrong = ground.tidegate("apply", folder, "--dry-run=server")
    check(wrong.code == 1 and "spec.ports" in wrong.out + wrong.err, f"exit {wrong.code}\n{wrong.out}{wrong.err}")
    return "new, same, changed, refused"


@scenario("8.2", "what `--script` prints does the same under bash: waits, and goes on", ["apply", "plane"])
def script(ground):
    folder, objects = taken(ground, "first-install")
    text = ground.tidegate("apply", folder, "--script").ok().out
    ground.run("bash", "-c", text).ok()
    missing = [o["metadata"]["name"] for o in objects if ground.there(o) is None]
    check(not missing, f"not there: {missing}")
    folder, admission = operator(ground)
    held_back(ground, admission, ground.start("bash", "-c", ground.tidegate("apply", folder, "--script").ok().out))
    folder, objects = taken(ground, "failed-job")
    failed = ground.run("bash", "-c", ground.tidegate("apply", folder, "--script").ok().out)
    check(failed.code == 1 and "job migrate failed" in failed.err, f"exit {failed.code}\n{failed.err}")
    check(ground.there(named(objects, "Deployment", "web")) is None, "the Deployment came though its Job failed")
    return "a first install, a gate, a Job that fails"


@scenario("8.3", "pruning is the last step: a run that fails prunes nothing, a run that ends what is gone from the input",
          ["apply", "plane"])
def prunes(ground):
    folder, objects = taken(ground, "by-hand")
    extra = named(objects, "ConfigMap", "extra")
    listed = ("--inventory", "by-hand/list")
    ground.tidegate("apply", folder, *listed, "--prune").ok()
    (folder / "extra.yaml").unlink()
    edit(folder / "all.yaml", "labels: {app: web}\n    spec", "labels: {app: web}\n      annotations: {e2e.tidegate.dev/hold: \"true\"}\n    spec")
    late = ground.tidegate("apply", folder, *listed, "--prune", "--wait-timeout", "8s")
    check(late.code == 1, f"exit {late.code}\n{late.err}")
    check(ground.there(extra) is not None, "the run failed, and pruned")
    edit(folder / "all.yaml", "      annotations: {e2e.tidegate.dev/hold: \"true\"}\n", "")
    shown = ground.tidegate("apply", folder, *listed, "--prune", "--dry-run=server").ok()
    check("would be pruned: ConfigMap by-hand/extra" in shown.out, shown.out)
    check(ground.there(extra) is not None, "a dry run has pruned")
    done = ground.tidegate("apply", folder, *listed, "--prune").ok()
    check("pruned: ConfigMap by-hand/extra" in done.err, done.err)
    check(ground.there(extra) is None, "what is gone from the input is still there")
    left = [o["metadata"]["name"] for o in objects_in(folder) if ground.there(o) is None]
    check(not left, f"pruned though it is in the input: {left}")
    return "held back by a pod that was not ready, then done"


@scenario("8.4", "a failed Job ends the run at once, with its reason; what waits for it does not come", ["apply", "plane"])
def failed_job(ground):
    folder, objects = taken(ground, "failed-job")
    ran = ground.tidegate("apply", folder)
    check(ran.code == 1, f"exit {ran.code}\n{ran.err}")
    for word in ("Job failed-job/migrate", "BackoffLimitExceeded", "workload 1 (1 object): not begun"):
        check(word in ran.err, f"{word!r} is not said\n{ran.err}")
    check(ground.there(named(objects, "Deployment", "web")) is None, "the Deployment came though its Job failed")
    check(ran.seconds < 60, f"it took {ran.seconds:.0f} s")
    return f"after {ran.seconds:.0f} s"


def crash(pod, crashes):
    """The status of a pod whose container waits after a crash, or runs again without being ready."""
    container = {"name": "worker", "image": "registry.k8s.io/pause:3.10", "imageID": "", "ready": False, "restartCount": 3}
    state = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off restarting failed container"}} if crashes \
        else {"running": {"startedAt": pod["metadata"]["creationTimestamp"]}}
    last = {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}
    return {"phase": "Running", "containerStatuses": [{**container, "state": state, "lastState": last}]}


def ready(pod):
    container = {"name": "worker", "image": "registry.k8s.io/pause:3.10", "imageID": "", "ready": True, "restartCount": 4,
                 "state": {"running": {"startedAt": pod["metadata"]["creationTimestamp"]}}}
    conditions = [{"type": kind, "status": "True"} for kind in ("Initialized", "ContainersReady", "Ready", "PodScheduled")]
    return {"phase": "Running", "containerStatuses": [container], "conditions": conditions}


def worker(ground):
    def bound():
        pods = ground.api.list("v1", "Pod", "crash-loop", "app=worker")
        return next((pod for pod in pods if pod["spec"].get("nodeName")), None)
    return until("the worker's pod is on its node", bound)


@scenario("8.5", "CrashLoopBackOff ends the run when three looks in a row see it, and not while the container runs in between",
          ["apply", "plane"])
def crash_loop(ground):
    folder, objects = taken(ground, "crash-loop")
    looks = ("--poll-interval", "400ms")
    run = ground.start(ground.programs / "tidegate", "apply", folder, *looks)
    try:
        pod = worker(ground)
        status = ground.api.where_of(pod) + "/status"
        for crashes in (True, False) * 5:
            ground.api.patch(status, {"status": crash(pod, crashes)})
            # pods are looked at every fifth time: never three looks in such a while
            time.sleep(3.5)
            check(run.poll() is None, "the run ended while the container came up again and again")
        ground.api.patch(status, {"status": ready(pod)})
        out, _ = run.communicate(timeout=60)
        check(run.returncode == 0, f"exit {run.returncode}\n{out[-2000:]}")
        check("CrashLoopBackOff" in out or "not ready" in out or "available" in out, out)
    finally:
        end(run)
    ground.api.delete_all(objects)
    until("the namespace is gone", lambda: ground.there(named(objects, "Namespace", "crash-loop")) is None, 60)
    run = ground.start(ground.programs / "tidegate", "apply", folder, *looks)
    try:
        pod = worker(ground)
        ground.api.patch(ground.api.where_of(pod) + "/status", {"status": crash(pod, True)})
        began = time.monotonic()
        out, _ = run.communicate(timeout=90)
        took = time.monotonic() - began
        check(run.returncode == 1, f"exit {run.returncode}\n{out[-2000:]}")
        check("CrashLoopBackOff" in out and "137 (OOMKilled)" in out, f"the pod's reason is not said\n{out[-2000:]}")
        check(ground.there(named(objects, "Job", "after")) is None, "the Job came though its gate never opened")
    finally:
        end(run)
    return f"five times up again: it waits; for good: over after {took:.0f} s"


@scenario("8.6", "interrupted while it waits, by SIGINT or SIGTERM, it says where everything stands; the next run goes on",
          ["apply", "plane"])
def interrupts(ground):
    for sig, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        folder, admission = operator(ground)
        run = ground.start(ground.programs / "tidegate", "apply", folder)
        try:
            until("the operator's pod is made", lambda: ground.api.list("v1", "Pod", "gates", "app=operator"), 60)
            until("it waits", lambda: ground.there({**BACKUP, "apiVersion": "v1", "kind": "Service", "metadata": {
                "name": "operator", "namespace": "gates"}}) is not None, 20)
            time.sleep(2)
            os.killpg(run.pid, sig)
            began = time.monotonic()
            out, _ = run.communicate(timeout=30)
            took = time.monotonic() - began
            check(run.returncode == code, f"exit {run.returncode}, not {code}\n{out[-2000:]}")
            check(took < 21, f"it took {took:.0f} s to stop")
            for word in ("where it stands:", ": done", "applied, not ready", "Deployment gates/operator", "not begun",
                         "the same command goes on from here"):
                check(word in out, f"{word!r} is not said\n{out[-2000:]}")
            check(ground.there(BACKUP) is None, "the Backup was applied before the operator was ready")
            release(ground)
            ground.tidegate("apply", folder).ok()
            check(ground.there(BACKUP) is not None, "the second run did not finish the work")
        finally:
            end(run)
            admission.stop()
            ground.plane.route(9443, None)
        ground.clean()
    return "SIGINT 130, SIGTERM 143, then 0"


WORD = "correct-horse-\"battery\"<staple>"
SECRETS = {
    "a number": ("stringData: {pin: 73829164}", ["73829164"]),
    "a list": ("stringData: {words: [tangerine, marmalade]}", ["tangerine", "marmalade"]),
    "no base64": ("data: {password: 'no*base64*marzipan'}", ["marzipan"]),
    "an immutable one": (f"immutable: true\nstringData: {{password: '{WORD}'}}",
                         [WORD, base64.b64encode(WORD.encode()).decode(), "horse", "battery"]),
}


@scenario("8.7", "what kubectl says of a Secret that is refused shows none of its values", ["apply"])
def secrets(ground):
    namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: secret}\n"
    old = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: secret}\nimmutable: true\nstringData: {password: grapefruit-juice}\n"
    ground.apply(f"---\n{namespace}---\n{old}")
    said = []
    for what, (fields, values) in SECRETS.items():
        folder = ground.folder / "work" / f"secret-{what.replace(' ', '-')}"
        folder.mkdir(parents=True, exist_ok=True)
        manifest = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: secret}}\ntype: Opaque\n{fields}\n"
        (folder / "all.yaml").write_text(f"{namespace}---\n{manifest}")
        plain = ground.kubectl("apply", "--server-side", "--force-conflicts", "-f", folder / "all.yaml")
        bare = sum(value in plain.out + plain.err for value in values)
        for way in (["--force-conflicts"], ["--client-side"], ["--force-conflicts", "--dry-run=server"], ["--force-conflicts", "--diff"]):
            ran = ground.tidegate("apply", folder, *way)
            check(ran.code != 0, f"{what}, {way}: it is not refused\n{ran.out}{ran.err}")
            shown = [value for value in [*values, "grapefruit"] if value in ran.out + ran.err]
            check(not shown, f"{what}, {' '.join(way)}: shown\n{ran.out}{ran.err}")
        if bare:
            said.append(what)
    return f"kubectl itself shows {', '.join(said) or 'none of them'}"
