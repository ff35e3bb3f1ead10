"""TrafficSplits in the scenarios: the definition at chosen versions, the webhook's process, readers."""

import base64
import json
import threading
import time
from fractions import Fraction

from api import ApiError, until
from ground import check, documents

GROUP = "split.smi-spec.io"
NAME = f"trafficsplits.{GROUP}"
SUFFIXES = {"": 1, "m": Fraction(1, 1000), "k": 1000, "Ki": 1024, "M": 10**6, "u": Fraction(1, 10**6)}


def definition(served, stored, conversion=None):
    """The CRD with these versions; converted as `conversion` says, by nobody without it."""
    def version(name):
        weight = {"x-kubernetes-int-or-string": True} if name == "v1alpha1" else {"type": "integer", "minimum": 0}
        backend = {"type": "object", "required": ["service", "weight"],
                   "properties": {"service": {"type": "string"}, "weight": weight}}
        spec = {"type": "object", "properties": {"service": {"type": "string"}, "backends": {"type": "array", "items": backend}}}
        if name in ("v1alpha3", "v1alpha4"):
            match = {k: {"type": "string"} for k in ("apiGroup", "kind", "name")}
            spec["properties"]["matches"] = {"type": "array", "items": {"type": "object", "properties": match}}
        return {"name": name, "served": True, "storage": name == stored,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}}

    spec = {"group": GROUP, "scope": "Namespaced", "versions": [version(name) for name in served],
            "names": {"plural": "trafficsplits", "singular": "trafficsplit", "shortNames": ["ts"],
                      "kind": "TrafficSplit", "listKind": "TrafficSplitList"}}
    if conversion:
        spec["conversion"] = conversion
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": NAME}, "spec": spec}


def split(name, version, backends, namespace="shop", **more):
    return {"apiVersion": f"{GROUP}/{version}", "kind": "TrafficSplit", "metadata": {"name": name, "namespace": namespace},
            "spec": {"service": name, "backends": [{"service": s, "weight": w} for s, w in backends], **more}}


def exact(weight):
    """A weight as a fraction, whatever its spelling."""
    text = str(weight)
    digits = text.rstrip("munkKMGi")
    return Fraction(digits) * SUFFIXES[text[len(digits):]]


def shares(o):
    weights = [exact(b["weight"]) for b in o["spec"]["backends"]]
    return [w / sum(weights) for w in weights]


class Webhook:
    """tidegate-webhook as a process on loopback, behind port 8443 of the pods that stand for it."""

    def __init__(self, ground):
        self.ground, self.plane = ground, ground.plane
        self.plane.certificate("webhook=tidegate-webhook.tidegate.svc")
        self.program = ground.programs / "tidegate-webhook"
        self.process = None
        cert, key = (base64.b64encode(self.plane.pki(f"webhook.{end}").read_bytes()).decode() for end in ("crt", "key"))
        secret = {"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
                  "metadata": {"name": "tidegate-webhook-tls", "namespace": "tidegate"}, "data": {"tls.crt": cert, "tls.key": key}}
        # what the program itself says a cluster needs, and how a definition names it
        self.manifests = self.printed() + stream(secret)
        patches = [o for _, o in documents(self.printed("--conversion"))]
        self.conversion = next(o["spec"]["conversion"] for o in patches if o["metadata"]["name"] == NAME)

    def printed(self, *more):
        return self.ground.run(self.program, "manifests", "--image", "registry.example.com/tidegate-webhook:1",
                               "--ca-bundle", self.plane.pki("ca.crt"), *more).ok().out

    def start(self):
        from plane import free_port
        port = free_port()
        self.process = self.plane.run(
            "tidegate-webhook", "--listen", f"127.0.0.1:{port}", "--tls-cert", self.plane.pki("webhook.crt"),
            "--tls-key", self.plane.pki("webhook.key"), program=self.program,
        )
        self.plane.route(8443, f"127.0.0.1:{port}")
        until("the webhook listens", lambda: listens(port), 20, 0.05)

    def stop(self):
        self.plane.route(8443, None)
        if self.process:
            code, self.process = self.plane.end(self.process), None
            return code
        return None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()


def listens(port):
    import socket
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0


class Reader:
    """Lists all TrafficSplits at a version, again and again; what it reads must have the type and the shares it should."""

    def __init__(self, api, version, expected):
        self.api, self.version, self.expected = api, version, expected
        self.reads, self.faults, self.stopped, self.begun, self.retried = 0, [], False, False, 0
        self.path = f"/apis/{GROUP}/{version}/trafficsplits"
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.stopped:
            try:
                items = self.api.request("GET", self.path)["items"]
                self.begun = True
                self.reads += 1
                for o in items:
                    self.judge(o)
            except ApiError as error:
                # while the definition changes the server asks to come again, and every client does (429, Retry-After);
                # before the version is served for the first time nobody can read it
                if error.status == 429:
                    self.retried += 1
                elif self.begun or error.status != 404:
                    self.faults.append(str(error))
            time.sleep(0.01)

    def judge(self, o):
        name = o["metadata"]["name"]
        if o["apiVersion"] != f"{GROUP}/{self.version}":
            self.faults.append(f"{name} is {o['apiVersion']}")
        weights = [b["weight"] for b in o["spec"]["backends"]]
        if self.version != "v1alpha1" and not all(isinstance(w, int) for w in weights):
            self.faults.append(f"{name} at {self.version}: {weights}")
        elif name in self.expected and shares(o) != self.expected[name]:
            self.faults.append(f"{name} at {self.version}: shares {weights}")

    def stop(self):
        self.stopped = True
        self.thread.join(10)
        return self


def old_state(ground):
    """The cluster as it was: one stored version, weights as quantities. The splits' shares by name."""
    folder = ground.copy("traffic-split")
    made = []
    for part, o in documents((folder / "old.yaml").read_text()):
        ground.api.apply(o, part)
        made.append(o)
        if o["kind"] == "CustomResourceDefinition":
            ground.established([o])
    ground.remember(made)
    return {o["metadata"]["name"]: shares(o) for o in made if o["kind"] == "TrafficSplit"}


def given(ground, text):
    """Where splits come without their definition the cluster has it already: it is made here."""
    if GROUP in text and NAME not in text:
        ground.established(ground.apply(stream(definition(["v1alpha1", "v1alpha2"], "v1alpha1"))))


def stream(*objects):
    return "".join(f"---\n{json.dumps(o)}\n" for o in objects)


def no_faults(*readers):
    for reader in readers:
        check(not reader.faults, f"{reader.version}: {len(reader.faults)} of {reader.reads} reads: {reader.faults[:3]}")
        check(reader.reads > 0, f"{reader.version}: nothing was read")
