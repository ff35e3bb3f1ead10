"""Gates: what must be ready first is, and what can never be ready is said at once."""

import base64
import os
import signal
import time

from actors import Admission
from api import until
from ground import check, documents, scenario

BACKUP = {"apiVersion": "backup.e2e.example.com/v1", "kind": "Backup", "metadata": {"name": "nightly", "namespace": "gates"}}


def operator(ground):
    """The fixture with this run's CA in it, and a process behind port 9443 of its pods: (folder, admission)."""
    folder = ground.copy("gates")
    ca = base64.b64encode(ground.plane.pki("ca.crt").read_bytes()).decode()
    file = folder / "all.yaml"
    file.write_text(file.read_text().replace("CA_BUNDLE", ca))
    ground.remember([o for _, o in documents(file.read_text())])
    ground.plane.certificate("operator=operator.gates.svc")
    admission = Admission(ground.plane.pki("operator.crt"), ground.plane.pki("operator.key"))
    ground.plane.route(9443, admission.address)
    return folder, admission


def release(ground):
    """Lets the operator's pods become ready; they are there."""
    pods = until("the operator's pod is made", lambda: ground.api.list("v1", "Pod", "gates", "app=operator"))
    for pod in pods:
        ground.api.patch(ground.api.where_of(pod),
                         {"metadata": {"annotations": {"e2e.tidegate.dev/hold": None}}})


@scenario("4.1", "plain kubectl: an object is refused while the operator's webhook is not ready", ["plane"])
def naive(ground):
    folder, admission = operator(ground)
    try:
        text = "".join(f"---\n{part}" for part, o in documents((folder / "all.yaml").read_text()) if o["kind"] != "Backup")
        ground.kubectl("apply", "--server-side", "-f", "-", stdin=text).ok()
        ground.established([o for _, o in documents(text)])
        refused = ground.kubectl("apply", "--server-side", "-f", folder)
        check(refused.code != 0 and "failed calling webhook" in refused.err, f"exit {refused.code}: {refused.err}")
        release(ground)
        until("the webhook answers", lambda: ground.kubectl("apply", "--server-side", "-f", folder).code == 0, 20, 0.5)
        check(admission.asked, "the webhook was never asked")
    finally:
        admission.stop()
        ground.plane.route(9443, None)
    return "failed calling webhook …, until its pod is ready"


@scenario("4.2", "`tidegate apply` waits for the operator, then the next wave follows", ["apply", "plane"])
def waits(ground):
    folder, admission = operator(ground)
    held_back(ground, admission, ground.start(ground.programs / "tidegate", "apply", folder))


def held_back(ground, admission, run):
    """A program that applies the operator waits for it, then brings the Backup, which the webhook is asked about."""
    try:
        until("the operator's pod is made", lambda: ground.api.list("v1", "Pod", "gates", "app=operator"), 60)
        time.sleep(6)
        check(run.poll() is None, "it ended before the operator was ready")
        check(ground.there(BACKUP) is None, "the Backup was applied before the operator was ready")
        release(ground)
        out, _ = run.communicate(timeout=120)
        check(run.returncode == 0, f"exit {run.returncode}\n{out[-3000:]}")
        check(ground.there(BACKUP) is not None, f"no Backup\n{out}")
        check(("Backup", "gates", "nightly") in admission.asked,
              f"the Backup came by before the API server knew the webhook; it was asked about {admission.asked}\n{out}")
    finally:
        end(run)
        admission.stop()
        ground.plane.route(9443, None)


@scenario("4.3", "`tidegate apply` fails at once, with the pod's reason, on what can never be ready", ["apply", "plane"])
def never(ground):
    folder = ground.copy("never-ready")
    ground.remember([o for _, o in documents((folder / "all.yaml").read_text())])
    ran = ground.tidegate("apply", folder, timeout=240)
    check(ran.code == 1, f"exit {ran.code}\n{ran.err[-2000:]}")
    for word in ("ImagePullBackOff", "store", "never-ready"):
        check(word in ran.err, f"{word} is not named\n{ran.err[-2000:]}")
    check(ran.seconds < 60, f"it took {ran.seconds:.0f} s")
    migrate = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "migrate", "namespace": "never-ready"}}
    check(ground.there(migrate) is None, "the Job was applied though its gate never opened")
    return f"after {ran.seconds:.0f} s"


@scenario("4.4", "interrupted, `tidegate apply` leaves a clear state and a second run goes on", ["apply", "plane"])
def interrupted(ground):
    folder, admission = operator(ground)
    run = ground.start(ground.programs / "tidegate", "apply", folder)
    try:
        until("the operator's pod is made", lambda: ground.api.list("v1", "Pod", "gates", "app=operator"), 60)
        os.killpg(run.pid, signal.SIGINT)
        out, _ = run.communicate(timeout=30)
        check(run.returncode not in (0, 4), f"exit {run.returncode}\n{out[-2000:]}")
        release(ground)
        ground.tidegate("apply", folder).ok()
        check(ground.there(BACKUP) is not None, "the second run did not finish the work")
    finally:
        end(run)
        admission.stop()
        ground.plane.route(9443, None)
    return f"exit {run.returncode}, then 0"


def end(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
