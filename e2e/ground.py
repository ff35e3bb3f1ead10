"""What a scenario stands on: programs, the cluster, a folder, and the ways to fail or to be skipped."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import yaml

from api import ApiError, condition, until

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# beside the checkout or further up
SHARED = next((p / "shared" for p in ROOT.parents if (p / "shared").is_dir()), ROOT.parent / "shared")
ROWS = []
# not ours to take away
KEPT = {f"Namespace {name}" for name in ("default", "kube-system", "kube-public", "kube-node-lease")}


class Failed(Exception):
    """A scenario's claim does not hold."""


class Skipped(Exception):
    """A scenario cannot be run here; the message says why."""


def scenario(number, title, needs=()):
    """Registers a row of the table. `needs`: verbs of tidegate (`apply`, `convert`), `webhook` (the second program),
    `plane` (the control plane of this run: pods on command, processes behind Services)."""

    def register(function):
        ROWS.append((number, title, frozenset(needs), function))
        return function

    return register


def check(claim, message):
    if not claim:
        raise Failed(message)


class Ran:
    """A program that has ended: `code`, `out`, `err`, `seconds`."""

    def __init__(self, command, code, out, err, seconds):
        self.command, self.code, self.out, self.err, self.seconds = command, code, out, err, seconds

    def ok(self):
        check(self.code == 0, f"{' '.join(map(str, self.command))}: exit {self.code}\n{(self.err or self.out)[-3000:]}")
        return self


class Ground:
    def __init__(self, api, kubeconfig, kubectl, programs, folder, plane=None):
        self.api, self.kubeconfig, self.kubectl_path = api, kubeconfig, kubectl
        self.programs, self.folder, self.plane = programs, folder, plane
        self.environment = {
            **os.environ, "KUBECONFIG": str(kubeconfig), "KUBECACHEDIR": str(folder / "kube-cache"), "HOME": str(folder),
            "PATH": f"{programs}{os.pathsep}{os.path.dirname(kubectl)}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1",
        }
        self.made = []

    # programs

    def run(self, *command, stdin=None, timeout=300, cwd=None, more=None):
        """`more`: what the environment has besides."""
        start = time.monotonic()
        done = subprocess.run(
            [str(c) for c in command], capture_output=True, text=True, timeout=timeout,
            env={**self.environment, **(more or {})}, cwd=cwd or self.folder,
            **({"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}),
        )
        return Ran(command, done.returncode, done.stdout, done.stderr, time.monotonic() - start)

    def start(self, *command, cwd=None):
        """A program that goes on beside the scenario; whoever starts it ends it."""
        return subprocess.Popen(
            [str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL,
            env=self.environment, cwd=cwd or self.folder, start_new_session=True,
        )

    def tidegate(self, *arguments, **more):
        return self.run(self.programs / "tidegate", *arguments, **more)

    def kubectl(self, *arguments, **more):
        return self.run(self.kubectl_path, *arguments, **more)

    def verbs(self):
        """The verbs that `tidegate --help` lists."""
        text = self.tidegate("--help").ok().out
        return {line.split()[0] for line in text.splitlines() if line.startswith("  ") and line.split()}

    # the cluster

    def apply(self, text, **more):
        """Applies a stream of documents one by one, as they are written; the objects."""
        made = []
        for part, o in documents(text):
            self.api.apply(o, part, **more)
            self.made.append(o)
            made.append(o)
        return made

    def remember(self, objects):
        """What another program applies and this scenario takes away at its end."""
        self.made.extend(objects)

    def clean(self):
        self.made = [o for o in self.made if name_of(o) not in KEPT]
        self.api.delete_all(self.made)
        gone = [o for o in self.made if o["kind"] in ("Namespace", "CustomResourceDefinition")]
        self.made = []
        for o in gone:
            try:
                until("it is gone", lambda o=o: self.there(o) is None, 60, 0.1)
            except TimeoutError:
                print(f"note: {name_of(o)} does not go away", file=sys.stderr)

    def there(self, o):
        try:
            return self.api.get(o["apiVersion"], o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"])
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def established(self, objects, timeout=30):
        """Waits until the definitions among the objects are served at each version, their kinds known here too."""
        for o in objects:
            if o["kind"] == "CustomResourceDefinition":
                name, spec = o["metadata"]["name"], o["spec"]
                until(f"{name} is established", lambda o=o: condition(self.there(o), "Established") == "True", timeout, 0.05)
                for version in spec["versions"]:
                    if version["served"]:
                        path = f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}?limit=1"
                        until(f"{path} is served", lambda path=path: self.served(path), timeout, 0.05)
        self.api.discover()

    def served(self, path):
        """Whether the server knows the path; what it answers is another matter."""
        try:
            self.api.request("GET", path)
        except ApiError as error:
            return error.status not in (404, 429)
        return True

    # files

    def copy(self, fixture):
        """A fixture's folder, copied into the run's own."""
        to = self.folder / "work" / f"{fixture}-{time.monotonic_ns()}"
        shutil.copytree(HERE / "fixtures" / fixture, to)
        return to


def documents(text):
    """(text of the document, the object) for each document that is one, Lists taken apart.

    The text is given only where it is the whole object; a List's items have None.
    """
    for part in split(text):
        o = yaml.load(part, Loader=yaml.CSafeLoader)
        if isinstance(o, dict):
            yield from items(part, o)


def items(text, o):
    """The object itself, or what a List holds, Lists in it too; their items have no text of their own."""
    if str(o.get("kind", "")).endswith("List") and isinstance(o.get("items"), list):
        for item in o["items"]:
            if isinstance(item, dict):
                yield from items(None, item)
    else:
        yield text, o


def split(text):
    part = []
    for line in text.splitlines(keepends=True):
        if line.startswith("---") and line[3:4] in ("", "\n", "\r", " ", "\t"):
            yield "".join(part)
            part = [line[3:].lstrip()] if line[3:].strip() and not line[3:].strip().startswith("#") else []
        else:
            part.append(line)
    yield "".join(part)


def name_of(o):
    meta = o.get("metadata", {})
    namespace = meta.get("namespace")
    return f"{o.get('kind')} {namespace + '/' if namespace else ''}{meta.get('name') or meta.get('generateName')}"
