"""A real control plane on loopback, without containers: etcd, kube-apiserver, kube-controller-manager, kube-scheduler,
and kwok for the nodes. Everything lives in one temporary folder and ends with the run, whatever ends it.

Pods are not processes here: kwok says of them what `stages/pods.yaml` says. Where something must really answer (an
admission or conversion webhook), a process on loopback stands for what listens at a port of a pod: `Plane.route`.
"""

import ctypes
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time

from api import Api, ApiError, condition, until

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tidegate-ci"
NAMES = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "kwok", "pki", "tunnel"]


class Absent(Exception):
    """Something that this machine lacks: the run is skipped with this reason, or fails under CI=true."""


def built():
    """The folder of the control plane's programs, built on the first call of a version: (folder, seconds it took)."""
    tools = HERE / "tools"
    go = shutil.which("go")
    if go is None:
        raise Absent("no `go` on PATH: the control plane is built from Go modules")
    version = subprocess.run([go, "env", "GOVERSION"], cwd=tools, check=True, capture_output=True, text=True).stdout
    key = hashlib.sha256(version.encode())
    for file in sorted([*tools.glob("*.go"), tools / "go.mod", tools / "go.sum"]):
        key.update(file.read_bytes())
    folder = CACHE / f"e2e-{key.hexdigest()[:12]}"
    if (folder / "complete").exists():
        return folder, 0
    start = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kubernetes = module_version("k8s.io/kubernetes")
    flags = f"-s -w -X k8s.io/component-base/version.gitVersion={kubernetes}"
    print(f"building the control plane ({kubernetes}) into {folder}: minutes, once", flush=True)
    command = [go, "build", "-trimpath", "-mod=readonly", "-ldflags", flags, "-o", folder / "plane", "."]
    environment = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOFLAGS": ""}
    build = subprocess.run(command, cwd=tools, capture_output=True, text=True, env=environment)
    if build.returncode != 0:
        raise Absent(f"the control plane does not build: {build.stderr.strip()[-2000:]}")
    for name in NAMES:
        (folder / name).symlink_to("plane")
    (folder / "complete").touch()
    return folder, time.monotonic() - start


def module_version(module):
    for line in (HERE / "tools" / "go.mod").read_text().splitlines():
        words = line.split()
        if words[:1] == [module] and "=>" not in words:
            return words[1]
    raise KeyError(module)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def last_words(log):
    return log.read_text(errors="replace").strip()[-1500:]


def dies_with_us():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Plane:
    """Started by `start`, ended by `stop`; `api` answers from then on, `kubeconfig` is for kubectl and tidegate."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.running = []
        self.routes = {}
        self.lost = None
        self.stopping = False
        self.kubeconfig = folder / "admin.kubeconfig"
        self.api = None

    # processes

    def run(self, name, *arguments, program=None, environment=None):
        """Starts a program in a process group of its own; what it says goes to NAME.log."""
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen(
            [str(program or self.programs / name), *map(str, arguments)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder), **(environment or {})},
            start_new_session=True, preexec_fn=dies_with_us,
        )
        self.running.append((name, process))
        return process

    def end(self, process, patience=10):
        """SIGTERM to the process's group, SIGKILL after `patience` seconds; its exit code."""
        for sig, wait in ((signal.SIGTERM, patience), (signal.SIGKILL, 10)):
            try:
                os.killpg(process.pid, sig)
            except ProcessLookupError:
                pass
            try:
                process.wait(wait)
                break
            except subprocess.TimeoutExpired:
                continue
        self.running = [(name, p) for name, p in self.running if p is not process]
        return process.returncode

    def dead(self):
        return [name for name, process in self.running if process.poll() is not None]

    def guard(self, alarm):
        """From now on calls `alarm` when a part of the control plane ends by itself; its last words are in `lost`."""
        parts = list(self.running)

        def look():
            while not self.stopping:
                for name, process in parts:
                    if process.poll() is not None and not self.stopping:
                        self.lost = f"{name}: {last_words(self.folder / f'{name}.log')}"
                        alarm()
                        return
                time.sleep(0.5)
        threading.Thread(target=look, daemon=True).start()

    def stop(self):
        self.stopping = True
        for _, process in reversed(list(self.running)):
            self.end(process, 5)

    # certificates

    def certificate(self, *specs):
        """Issues certificates: `pki` in tools/pki.go says how they are named."""
        subprocess.run([str(self.programs / "pki"), str(self.folder / "pki"), *specs], check=True)

    def pki(self, name):
        return self.folder / "pki" / name

    def write_kubeconfig(self, file, user, server):
        text = {
            "apiVersion": "v1", "kind": "Config", "current-context": "e2e",
            "clusters": [{"name": "e2e", "cluster": {"server": server, "certificate-authority": str(self.pki("ca.crt"))}}],
            "users": [{"name": user, "user": {
                "client-certificate": str(self.pki(f"{user}.crt")), "client-key": str(self.pki(f"{user}.key"))}}],
            "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": user}}],
        }
        file.write_text(json.dumps(text))
        file.chmod(0o600)

    # start

    def start(self, kubectl):
        (self.folder / "pki").mkdir()
        etcd_port, peer_port, port = free_port(), free_port(), free_port()
        self.certificate(
            "apiserver=localhost,127.0.0.1,kubernetes.default.svc", "etcd=localhost,127.0.0.1", "service-accounts",
            "admin/system:masters", "system:kube-controller-manager", "system:kube-scheduler", "front-proxy",
        )
        server = f"https://127.0.0.1:{port}"
        self.write_kubeconfig(self.kubeconfig, "admin", server)
        for name in ("controller-manager", "scheduler"):
            self.write_kubeconfig(self.folder / f"{name}.kubeconfig", f"system-kube-{name}", server)
        self.start_etcd(etcd_port, peer_port)
        self.start_tunnel()
        self.start_apiserver(port, etcd_port)
        self.run("proxy", "proxy", f"--unix-socket={self.folder}/api.sock", "--kubeconfig", self.kubeconfig, program=kubectl)
        self.api = Api(str(self.folder / "api.sock"))
        self.wait_for("the API server is ready", lambda: self.answers("/readyz"))
        self.start_controllers()
        self.wait_for("the namespace `default` has its service account",
                      lambda: self.api.get("v1", "ServiceAccount", "default", "default"))
        self.add_node()

    def attach(self, kubectl, kubeconfig):
        """A way to a cluster that is already there; only the proxy is ours to stop."""
        self.run("proxy", "proxy", f"--unix-socket={self.folder}/api.sock", "--kubeconfig", kubeconfig, program=kubectl)
        self.api = Api(str(self.folder / "api.sock"))
        self.wait_for("the cluster answers", lambda: self.answers("/readyz"))
        return self.api

    def answers(self, path):
        try:
            return self.api.request("GET", path) == "ok"
        except ApiError:
            return False

    def wait_for(self, what, test):
        def alive():
            if self.dead():
                name = self.dead()[0]
                raise RuntimeError(f"{name} ended while waiting for: {what}\n{last_words(self.folder / f'{name}.log')}")
            try:
                return test()
            except ApiError:
                return None
        return until(what, alive, 90)

    def start_etcd(self, port, peer_port):
        self.run(
            "etcd", "--data-dir", self.folder / "etcd", f"--listen-client-urls=https://127.0.0.1:{port}",
            f"--advertise-client-urls=https://127.0.0.1:{port}", f"--listen-peer-urls=http://127.0.0.1:{peer_port}",
            f"--initial-advertise-peer-urls=http://127.0.0.1:{peer_port}",
            f"--initial-cluster=default=http://127.0.0.1:{peer_port}",
            f"--cert-file={self.pki('etcd.crt')}", f"--key-file={self.pki('etcd.key')}", "--client-cert-auth",
            f"--trusted-ca-file={self.pki('ca.crt')}", "--unsafe-no-fsync", "--log-level=warn",
        )

    def start_tunnel(self):
        (self.folder / "routes").write_text("")
        self.run("tunnel", self.folder / "tunnel.sock", self.folder / "routes")
        (self.folder / "egress.yaml").write_text(json.dumps({
            "apiVersion": "apiserver.k8s.io/v1beta1", "kind": "EgressSelectorConfiguration",
            "egressSelections": [{"name": "cluster", "connection": {
                "proxyProtocol": "HTTPConnect",
                "transport": {"uds": {"udsName": str(self.folder / "tunnel.sock")}}}}],
        }))

    def start_apiserver(self, port, etcd_port):
        self.run(
            "kube-apiserver", f"--etcd-servers=https://127.0.0.1:{etcd_port}", f"--etcd-cafile={self.pki('ca.crt')}",
            f"--etcd-certfile={self.pki('admin.crt')}", f"--etcd-keyfile={self.pki('admin.key')}",
            "--bind-address=127.0.0.1", f"--secure-port={port}", "--advertise-address=10.96.0.2", "--endpoint-reconciler-type=none",
            f"--tls-cert-file={self.pki('apiserver.crt')}", f"--tls-private-key-file={self.pki('apiserver.key')}",
            f"--client-ca-file={self.pki('ca.crt')}", "--authorization-mode=Node,RBAC", "--allow-privileged=true",
            "--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.96.0.0/16",
            f"--service-account-key-file={self.pki('service-accounts.key')}",
            f"--service-account-signing-key-file={self.pki('service-accounts.key')}",
            f"--requestheader-client-ca-file={self.pki('ca.crt')}", "--requestheader-allowed-names=front-proxy",
            "--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            f"--proxy-client-cert-file={self.pki('front-proxy.crt')}", f"--proxy-client-key-file={self.pki('front-proxy.key')}",
            # every read of a split is converted anew, instead of out of a cache
            "--watch-cache-sizes=trafficsplits.split.smi-spec.io#0", "--enable-aggregator-routing=true", f"--egress-selector-config-file={self.folder}/egress.yaml",
        )

    def start_controllers(self):
        self.run(
            "kube-controller-manager", "--kubeconfig", self.folder / "controller-manager.kubeconfig", "--leader-elect=false",
            "--bind-address=127.0.0.1", "--secure-port=0", f"--root-ca-file={self.pki('ca.crt')}",
            f"--service-account-private-key-file={self.pki('service-accounts.key')}", "--use-service-account-credentials=true",
            f"--cluster-signing-cert-file={self.pki('ca.crt')}", f"--cluster-signing-key-file={self.pki('ca.key')}",
            "--kube-api-qps=500", "--kube-api-burst=1000", "--concurrent-namespace-syncs=40",
        )
        self.run(
            "kube-scheduler", "--kubeconfig", self.folder / "scheduler.kubeconfig", "--leader-elect=false",
            "--bind-address=127.0.0.1", "--secure-port=0", "--kube-api-qps=200", "--kube-api-burst=400",
        )
        self.run(
            "kwok", "--kubeconfig", self.kubeconfig, "--config", HERE / "stages" / "pods.yaml", "--manage-all-nodes=true",
            "--cidr=10.244.0.0/16", "--node-ip=10.240.0.1", "--node-lease-duration-seconds=40",
        )

    def add_node(self):
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1", "labels": {
            "kubernetes.io/hostname": "node-1", "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}}}
        self.api.create(node)
        self.wait_for("the node is ready", lambda: condition(self.api.get("v1", "Node", None, "node-1"), "Ready") == "True")

    # pods that answer

    def route(self, pod_port, address):
        """From now on `address` (host:port) answers for every pod's port `pod_port`; None: nothing does."""
        self.routes.pop(pod_port, None)
        if address:
            self.routes[pod_port] = address
        new = self.folder / "routes.new"
        new.write_text("".join(f"{port} {to}\n" for port, to in self.routes.items()))
        new.rename(self.folder / "routes")
