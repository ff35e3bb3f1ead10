"""Argo CD's order, replayed against the API server by a program of its own (argo.py), which knows nothing of tidegate."""

import base64
import concurrent.futures
import json
import re
import sys

import argo
import needs as wants
import sets
from actors import Admission, Issuer
from corpus import corpus_units
from ground import HERE, ROOT, SHARED, Skipped, check, documents, scenario
from splits import given

SETS = 100
WAVE = "argocd.argoproj.io/sync-wave"


class Actors:
    """An admission webhook behind port 9443 of every pod, and an issuer of certificates."""

    def __init__(self, ground, namespaces):
        self.ground = ground
        names = [f"{service}.{namespace}.svc" for namespace in namespaces for service in ("operator", "injector")]
        ground.plane.certificate("replay=" + ",".join([*names, "backup-operator-webhook.backup.svc"]))
        self.admission = Admission(ground.plane.pki("replay.crt"), ground.plane.pki("replay.key"))
        ground.plane.route(9443, self.admission.address)
        ground.api.apply(Issuer.CRD)
        ground.established([Issuer.CRD])
        self.issuer = Issuer(ground.api)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.issuer.stop()
        self.admission.stop()
        self.ground.remember([Issuer.CRD])
        self.ground.plane.route(9443, None)


def authority(ground):
    return base64.b64encode(ground.plane.pki("ca.crt").read_bytes()).decode()


def replay(ground, name, text, needs=(), timeout=90):
    """Runs argo.py over a rendered stream."""
    folder = ground.folder / "work" / f"replay-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "needs.json").write_text(json.dumps(list(needs)))
    (folder / "rendered.yaml").write_text(text)
    return ground.run(
        sys.executable, "-B", HERE / "argo.py", "--socket", ground.api.path, "--needs", folder / "needs.json",
        "--timeout", timeout, folder / "rendered.yaml", timeout=900,
    )


def one_set(ground, seed, ca, tamper=None):
    text, needs = sets.make(seed, ca)
    folder = ground.folder / "work" / f"set-{seed}{'-' + tamper.__name__ if tamper else ''}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all.yaml").write_text(text)
    rendered = ground.tidegate("render", folder / "all.yaml")
    if rendered.code != 0:
        return seed, f"render: exit {rendered.code}\n{rendered.err[-1500:]}", 0
    out = tamper(rendered.out) if tamper else rendered.out
    objects = [o for _, o in documents(out)]
    try:
        ran = replay(ground, f"{seed}{tamper.__name__ if tamper else ''}", out, needs)
        return seed, "" if ran.code == 0 else f"exit {ran.code}: {ran.out.strip()}{ran.err[-1500:]}", len(objects)
    finally:
        # what acts on others first: a webhook without its backend would stand in the way of the rest
        ground.api.delete_all([o for o in objects if o["kind"] == "Namespace"])
        ground.api.delete_all([o for o in objects if not o["metadata"].get("namespace") and o["kind"] != "Namespace"])


@scenario("6.1", f"{SETS} generated sets, in Argo CD's order: nothing comes before what it needs is ready", ["plane"])
def generated(ground):
    seeds = range(1, SETS + 1)
    ca = authority(ground)
    with Actors(ground, [f"set-{seed}-system" for seed in seeds]):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda seed: one_set(ground, seed, ca), seeds))
    faults = [f"set {seed}: {fault}" for seed, fault, _ in results if fault]
    check(not faults, f"{len(faults)} of {SETS} sets\n" + "\n".join(faults[:10]))
    return f"{sum(count for _, _, count in results)} objects"


@scenario("6.2", "the replay rejects three seeded wrong orders", ["plane"])
def seeded(ground):
    ca = authority(ground)
    seeds = {late_config: 1001, early_registration: 1002, early_job: 1003}
    said = []
    with Actors(ground, [f"set-{seed}-system" for seed in range(1001, 1100)]):
        for tamper, start in seeds.items():
            seed = next(seed for seed in range(start, 1100) if tamper(rendered_of(ground, seed, ca)) is not None)
            _, right, _ = one_set(ground, seed, ca)
            check(not right, f"set {seed} is refused as it is: {right}")
            gone(ground, seed)
            _, wrong, _ = one_set(ground, seed, ca, tamper)
            check("is applied before" in wrong or "the sync fails" in wrong, f"{tamper.__name__} goes unseen in set {seed}: {wrong}")
            said.append(f"{tamper.__name__}: {wrong.splitlines()[0]}")
            gone(ground, seed)
    return "each the same set that passes untouched\n" + "\n".join(said)


def gone(ground, seed):
    from api import until
    for namespace in (f"set-{seed}", f"set-{seed}-system"):
        until(f"{namespace} is gone", lambda n=namespace: ground.api.get("v1", "Namespace", None, n) is None, 60)


def rendered_of(ground, seed, ca):
    folder = ground.folder / "work" / f"set-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all.yaml").write_text(sets.make(seed, ca)[0])
    return ground.tidegate("render", folder / "all.yaml").ok().out


def with_wave(text, chosen, wave):
    """The stream with another wave on the first object that is chosen; None without one."""
    parts, changed = [], False
    for part, o in documents(text):
        if not changed and chosen(o):
            (o["metadata"].setdefault("annotations", {}))[WAVE] = str(wave)
            part, changed = json.dumps(o) + "\n", True
        parts.append(part)
    return "---\n".join(parts) if changed else None


def late_config(text):
    """A ConfigMap two waves after the pods that read it."""
    objects = [o for _, o in documents(text)]
    for o in objects:
        if o["kind"] == "ConfigMap":
            readers = [r for r in objects if r["kind"] in ("Deployment", "StatefulSet") and reads(r, o["metadata"]["name"])]
            if readers:
                name = o["metadata"]["name"]
                return with_wave(text, lambda c: c["kind"] == "ConfigMap" and c["metadata"]["name"] == name, 80)
    return None


def reads(workload, name):
    return re.search(rf'"name": "{name}"', json.dumps(workload["spec"]["template"])) is not None


def early_registration(text):
    """A fail-closed webhook in the wave of what serves it."""
    return with_wave(text, lambda o: o["kind"] == "ValidatingWebhookConfiguration", 0)


def early_job(text):
    """A Job in the wave of the workload that it waits for."""
    def waits(o):
        return o["kind"] == "Job" and "config.kubernetes.io/depends-on" in (o["metadata"].get("annotations") or {})
    return with_wave(text, waits, 0)


# waves and hooks that the example has wrong by hand, to show the findings: their ids, and what comes too early
WRONG_BY_HAND = {
    "04-adopt": (["TG202", "TG230"], [
        "Job shop/migrate is applied before Secret shop/database is there",
        "Deployment shop/shop is applied before ConfigMap shop/shop is there",
    ]),
}


@scenario("6.3", "every example, in Argo CD's order; what is wrong by hand in one is what the findings name", ["plane"])
def examples(ground):
    done = []
    with Actors(ground, []):
        for folder in sorted((ROOT / "examples").glob("*/input")):
            rendered = ground.tidegate("render", folder)
            if rendered.code != 0:
                continue
            text = with_authority(rendered.out, authority(ground))
            ground.remember([o for _, o in documents(text)])
            given(ground, text)
            ran = replay(ground, folder.parent.name, text)
            ids, early = WRONG_BY_HAND.get(folder.parent.name, ([], []))
            said = ran.out.strip().splitlines()
            check(ran.code == (1 if early else 0) and said[:-1] == early,
                  f"{folder.parent.name}: exit {ran.code}\n{ran.out}{ran.err[-1500:]}")
            check(all(f"[{rule}]" in rendered.err for rule in ids), f"{folder.parent.name}: {ids} are not said\n{rendered.err}")
            done.append(f"{folder.parent.name} ({ran.out.strip().splitlines()[-1]})")
            ground.clean()
    check(done, "no example was rendered")
    return "\n" + "\n".join(done)


def with_authority(text, ca):
    """A registration without a CA gets this run's, as an injector in the cluster would do it."""
    parts = []
    for part, o in documents(text):
        if o["kind"].endswith("WebhookConfiguration"):
            for webhook in o["webhooks"]:
                webhook["clientConfig"].setdefault("caBundle", ca)
            part = json.dumps(o) + "\n"
        conversion = o["spec"].get("conversion", {}) if o["kind"] == "CustomResourceDefinition" else {}
        if conversion.get("strategy") == "Webhook":
            conversion["webhook"]["clientConfig"].setdefault("caBundle", ca)
            part = json.dumps(o) + "\n"
        parts.append(part or json.dumps(o) + "\n")
    return "---\n".join(parts)


# its controller does not run before its own registration exists
TURNED = ("ValidatingWebhookConfiguration spire-controller-manager-webhook", "Deployment spire/spire-server")


@scenario("6.4", "every unit of the corpus, in Argo CD's order: judged on paper, no cluster asked")
def corpus(ground):
    root = SHARED / "corpus"
    if not root.is_dir():
        raise Skipped("no ../shared/corpus beside the checkout")
    faults, looked, units = [], 0, 0
    for path, place in corpus_units(ground, root):
        rendered = ground.tidegate("render", place).ok().out
        tasks = [argo.Task(part, o, "default") for part, o in documents(rendered)]
        needed = wants.of([t.o for t in tasks])
        looked += sum(map(len, needed.values()))
        units += 1
        early = argo.on_paper(tasks, needed)
        faults += [f"{path}: {line}" for line in early if not (TURNED[0] in line and TURNED[1] in line)]
    check(not faults, f"{len(faults)} faults\n" + "\n".join(faults[:20]))
    return f"{units} units, {looked} needs"
