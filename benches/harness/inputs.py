"""What is rendered: generated streams, charts made of them, and real sets."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

PROJECT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tidegate-ci"
# A line at the margin is a top-level key: every object has this one once.
OBJECT_LINE = b"apiVersion:"
CONFIG_FILE = re.compile(r"(configmap|secret)-.*\.yaml")
CHECKSUMS_PER_DEPLOYMENT = 3

EMPTY_CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: empty\n"
KUSTOMIZATION = """apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [all.yaml]
commonAnnotations: {bench.example.com/revision: r1}
sortOptions: {order: legacy}
"""
CHART = "apiVersion: v2\nname: bench\nversion: 1.0.0\n"


class Absent(Exception):
    """Something that a goal needs is not on this machine; the text says what."""


@dataclass(frozen=True)
class Input:
    """Files to render together."""

    files: tuple
    objects: int
    size: int  # bytes


def shared():
    """The folder `shared` beside this project or beside a folder that holds it."""
    for parent in PROJECT.parents:
        if (parent / "shared/bench/gen.py").is_file():
            return parent / "shared"
    raise Absent("shared/bench/gen.py is in no folder above the project")


def generated(resources, layout):
    """Runs the generator, or takes what an earlier run made with the same generator and options."""
    generator = shared() / "bench/gen.py"
    key = hashlib.sha256(generator.read_bytes()).hexdigest()[:12]
    folder = CACHE / "bench" / key / f"{resources}-{layout}"
    done = folder / "done.json"
    if not done.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--resources", str(resources), "--layout", layout, "--shuffle", "--out", str(folder / "in")]
        made = subprocess.run([sys.executable, str(generator), *options], check=True, capture_output=True)
        done.write_bytes(made.stdout)
    return folder / "in", json.loads(done.read_text())


def stream(resources):
    """One file with so many objects in random order."""
    folder, made = generated(resources, "stream")
    return Input((folder / "all.yaml",), made["resources"], made["bytes"])


def chart(resources, work):
    """The same objects as a chart of one template an object; each Deployment hashes what it reads."""
    folder, _ = generated(resources, "dirs")
    target = work / f"chart-{resources}"
    for path in sorted(folder.rglob("*.yaml")):
        text = escaped(path.read_text())
        if path.name.startswith("deployment-"):
            text = with_checksums(text, path)
        write(target / "templates" / path.relative_to(folder), text)
    write(target / "Chart.yaml", CHART)
    return target


def with_checksums(text, path):
    """The checksum idiom of charts, once for each ConfigMap and Secret in the folder of a Deployment."""
    configs = [p for p in sorted(path.parent.iterdir()) if CONFIG_FILE.fullmatch(p.name)]
    if len(configs) != CHECKSUMS_PER_DEPLOYMENT:
        raise ValueError(f"{path}: {len(configs)} ConfigMaps and Secrets, not {CHECKSUMS_PER_DEPLOYMENT}")
    lines = "".join(
        f'        checksum/{n}: {{{{ include (print $.Template.BasePath "/{p.parent.name}/{p.name}") . | sha256sum }}}}\n'
        for n, p in enumerate(configs)
    )
    anchor = "      annotations:\n"
    if text.count(anchor) != 1:
        raise ValueError(f"{path}: expected one {anchor.strip()!r} in the pod template")
    return text.replace(anchor, anchor + lines)


def real(*names):
    """Files of the corpus."""
    files = tuple(shared() / "corpus" / name for name in names)
    for file in files:
        if not file.is_file():
            raise Absent(f"{file} is not there")
    return Input(files, sum(count_objects(open(file, "rb")) for file in files), sum(f.stat().st_size for f in files))


def chart_of(files, work, name):
    """Plain manifests as templates of a chart."""
    target = work / name
    for number, file in enumerate(files):
        write(target / "templates" / f"{number}.yaml", escaped(file.read_text()))
    write(target / "Chart.yaml", CHART)
    return target


def kustomized(resources, work):
    """The stream beside a kustomization."""
    source = stream(resources).files[0]
    target = work / f"kustomize-{resources}"
    write(target / "kustomization.yaml", KUSTOMIZATION)
    shutil.copy(source, target / "all.yaml")
    return target


def empty_config_map(work):
    file = work / "empty.yaml"
    write(file, EMPTY_CONFIG_MAP)
    return Input((file,), 1, len(EMPTY_CONFIG_MAP))


def count_objects(lines):
    """How many objects a YAML stream without lists holds."""
    return sum(line.startswith(OBJECT_LINE) for line in lines)


def escaped(text):
    """Text that a chart's template prints as it was."""
    return text.replace("{{", '{{"{{"}}')


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
