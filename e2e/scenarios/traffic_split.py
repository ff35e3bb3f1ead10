"""A TrafficSplit definition whose field changes its type, in a live cluster."""

import json
import subprocess
import time

from api import until
from ground import HERE, check, documents, scenario
from scenarios.gates import end
from scenarios.replay import replay
from splits import NAME, Reader, Webhook, definition, no_faults, old_state, shares, split, stream

ALL = ["v1alpha1", "v1alpha2", "v1alpha3", "v1alpha4"]


def at(ground, version, name):
    return ground.api.get(f"split.smi-spec.io/{version}", "TrafficSplit", "shop", name)


@scenario("2.1", "`conversion: None` breaks reading at the new version")
def naive(ground):
    old_state(ground)
    crd = definition(["v1alpha1", "v1alpha2"], "v1alpha1")
    ground.api.apply(crd)
    ground.established([crd])
    until("v1alpha2 is served", lambda: at(ground, "v1alpha2", "cart"))
    weight = at(ground, "v1alpha2", "cart")["spec"]["backends"][0]["weight"]
    check(weight == "500m", f"v1alpha2 gives {weight!r}: then there is nothing to show here")
    return "a reader of integers gets the string \"500m\""


@scenario("2.2", "in tidegate's order (webhook ready, then the CRD) no read at either version fails", ["plane", "webhook"])
def ordered(ground):
    expected = old_state(ground)
    with Webhook(ground) as webhook:
        readers = [Reader(ground.api, version, expected) for version in ("v1alpha1", "v1alpha2")]
        folder = ground.copy("traffic-split")
        crd = definition(["v1alpha1", "v1alpha2"], "v1alpha1", webhook.conversion)
        (folder / "old.yaml").write_text(stream(crd) + "---\n" + webhook.manifests)
        rendered = ground.tidegate("render", folder).ok().out
        objects = [o for _, o in documents(rendered)]
        ground.remember(objects)
        webhook.start()
        needs = [[f"CustomResourceDefinition {NAME}", "Deployment tidegate/tidegate-webhook", "ready"]]
        ran = replay(ground, "webhook", rendered, needs)
        check(ran.code == 0, f"exit {ran.code}\n{ran.out}{ran.err}")
        until("v1alpha2 is served", lambda: readers[1].reads > 20, 30)
        return all_read(ground, readers)


def all_read(ground, readers):
    """No read of a version failed, and the new version says the same weights."""
    for reader in readers:
        reader.stop()
    no_faults(*readers)
    weights = [b["weight"] for b in at(ground, "v1alpha2", "cart")["spec"]["backends"]]
    check(weights == [500, 1000, 0], f"cart at v1alpha2: {weights}")
    ground.clean()
    again = sum(reader.retried for reader in readers)
    return f"{' + '.join(str(reader.reads) for reader in readers)} reads, {again} asked to come again"


def served(ground, webhook, versions, stored):
    """The webhook's pods and the definition, ready."""
    made = sorted((o for _, o in documents(webhook.manifests)), key=lambda o: o["kind"] != "Namespace")
    ground.apply(stream(*made))
    webhook.start()
    endpoints = "/apis/discovery.k8s.io/v1/namespaces/tidegate/endpointslices"

    def ready():
        slices = ground.api.request("GET", endpoints)["items"]
        return any(e.get("conditions", {}).get("ready") for s in slices for e in s.get("endpoints") or [])
    until("the webhook's pods are ready", ready)
    crd = definition(versions, stored, webhook.conversion)
    ground.apply(stream(crd))
    ground.established([crd])
    ground.apply(stream({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}))
    until("the last version is served", lambda: ("split.smi-spec.io", versions[-1], "TrafficSplit") in known(ground), 20)


def known(ground):
    ground.api.discover()
    return ground.api.kinds


@scenario("2.3", "writes at every version round-trip, whatever version is stored", ["plane", "webhook"])
def round_trips(ground):
    count = 0
    matches = [{"apiGroup": "specs.smi-spec.io", "kind": "HTTPRouteGroup", "name": "beta"}]
    with Webhook(ground) as webhook:
        served(ground, webhook, ALL, "v1alpha1")
        for written in ALL:
            more = {"matches": matches} if written in ("v1alpha3", "v1alpha4") else {}
            weights = ["500m", "1", "0"] if written == "v1alpha1" else [500, 1000, 0]
            name = f"by-{written}"
            o = split(name, written, list(zip(("a", "b", "c"), weights)), **more)
            until("the API server sees the webhook", lambda o=o: ground.api.apply(o), 20)
            for read in ALL:
                got = at(ground, read, name)
                check(shares(got) == shares(o), f"{name} at {read}: {got['spec']}")
                if more and read in ("v1alpha3", "v1alpha4"):
                    check(got["spec"].get("matches") == matches, f"{name} at {read}: {got['spec']}")
                count += 1
            again = at(ground, written, name)["spec"]
            check(more == {} or again == o["spec"], f"{name}: {again}")
        ground.clean()
    return f"{count} reads"


@scenario("2.4", "the stored-versions plan ends with v1alpha1 gone", ["plane", "webhook", "convert"])
def plan(ground):
    expected = old_state(ground)
    with Webhook(ground) as webhook:
        served(ground, webhook, ["v1alpha1", "v1alpha2"], "v1alpha1")
        ground.remember([split("cart", "v1alpha2", []), split("pay", "v1alpha2", [])])
        folder = ground.copy("traffic-split")
        for file in folder.iterdir():
            file.unlink()
        dump = ground.kubectl("get", "crd", NAME, "-o", "yaml").ok().out
        (folder / "crd.yaml").write_text(dump)
        script = ground.tidegate("convert", "--plan=script", "--to", "v1alpha2", folder).ok().out
        reader = Reader(ground.api, "v1alpha2", expected)
        ran = ground.run("bash", "-c", script, cwd=folder)
        no_faults(reader.stop())
        check(ran.code == 0, f"the script: exit {ran.code}\n{ran.out[-1500:]}{ran.err[-1500:]}")
        crd = ground.api.get("apiextensions.k8s.io/v1", "CustomResourceDefinition", None, NAME)
        check(crd["status"]["storedVersions"] == ["v1alpha2"], f"storedVersions: {crd['status']['storedVersions']}")
        left = [v["name"] for v in crd["spec"]["versions"] if v["name"] == "v1alpha1"]
        check(not left, "v1alpha1 still stands in the definition")
        weights = [b["weight"] for b in at(ground, "v1alpha2", "cart")["spec"]["backends"]]
        check(weights == [500, 1000, 0], f"cart: {weights}")
        ground.clean()
    return f"{reader.reads} reads meanwhile, {reader.retried} asked to come again"


@scenario("2.5", "the HTTPRoutes are accepted by the real Gateway API definitions", ["convert"])
def http_routes(ground):
    for crd in gateway_definitions():
        ground.apply(crd)
    ground.established(ground.made)
    folder = ground.copy("http-route")
    routes = ground.tidegate("convert", "--to", "httproute", folder).ok().out
    ground.apply("---\napiVersion: v1\nkind: Namespace\nmetadata: {name: routes}\n")
    made = ground.apply("---\n".join(part for part, o in documents(routes) if o["kind"] == "HTTPRoute"))
    check(len(made) >= 2, f"{len(made)} routes")
    cart = next(o for o in made if o["metadata"]["name"].startswith("cart-canary"))
    weights = [b["weight"] for b in cart["spec"]["rules"][0]["backendRefs"]]
    check(weights == [1000, 250], f"weights {weights}")
    return f"{len(made)} routes at {made[0]['apiVersion']}"


@scenario("2.6", "`tidegate apply` waits for the webhook's pods before it changes the CRD; no read fails meanwhile",
          ["apply", "plane", "webhook"])
def applied(ground):
    expected = old_state(ground)
    with Webhook(ground) as webhook:
        readers = [Reader(ground.api, version, expected) for version in ("v1alpha1", "v1alpha2")]
        folder = ground.copy("traffic-split")
        crd = definition(["v1alpha1", "v1alpha2"], "v1alpha1", webhook.conversion)
        made = [o for _, o in documents(webhook.manifests)]
        deployment = next(o for o in made if o["kind"] == "Deployment")
        # its pods are ready when the scenario says so
        deployment["spec"]["template"]["metadata"].setdefault("annotations", {})["e2e.tidegate.dev/hold"] = "true"
        (folder / "old.yaml").write_text(stream(crd, *made))
        ground.remember([crd, *made])
        run = ground.start(ground.programs / "tidegate", "apply", folder, "--force-conflicts")
        try:
            def pods():
                found = ground.api.list("v1", "Pod", "tidegate")
                return found if len(found) == deployment["spec"].get("replicas", 1) else None
            held = until("the webhook's pods are made", pods, 60)
            time.sleep(5)
            check(run.poll() is None, "apply ended before the webhook was ready")
            live = ground.api.get("apiextensions.k8s.io/v1", "CustomResourceDefinition", None, NAME)
            check(len(live["spec"]["versions"]) == 1, "the definition names the webhook before it is ready")
            webhook.start()
            for pod in held:
                ground.api.patch(ground.api.where_of(pod), {"metadata": {"annotations": {"e2e.tidegate.dev/hold": None}}})
            out, _ = run.communicate(timeout=120)
            check(run.returncode == 0, f"exit {run.returncode}\n{out[-3000:]}")
            until("v1alpha2 is served", lambda: readers[1].reads > 20, 30)
        finally:
            end(run)
        return all_read(ground, readers)


def gateway_definitions():
    """The published HTTPRoute and ReferenceGrant definitions, out of their own module."""
    module = HERE / "gateway-api"
    command = ["go", "mod", "download", "-json", "sigs.k8s.io/gateway-api"]
    folder = json.loads(subprocess.run(command, cwd=module, check=True, capture_output=True, text=True).stdout)["Dir"]
    for name in ("httproutes", "referencegrants"):
        with open(f"{folder}/config/crd/standard/gateway.networking.k8s.io_{name}.yaml", encoding="utf-8") as file:
            yield file.read()
