"""A small client of the Kubernetes API: what the scenarios look with. Standard library only.

All requests go through `kubectl proxy` on a unix socket in the run's own folder: the same way for the control plane
of this run and for whatever cluster a kubeconfig names, however it signs in.
"""

import http.client
import json
import socket
import threading
import time
import urllib.parse

DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"


class ApiError(Exception):
    """An answer that is not 2xx. `status` is the code (0: no answer at all), `message` the server's own words."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status
        self.message = message


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Api:
    """One for all threads: each thread keeps a connection of its own."""

    def __init__(self, path, manager="e2e"):
        self.path = path
        self.manager = manager
        self.local = threading.local()
        self.kinds = {}

    def request(self, method, path, body=None, content_type="application/json", accept="application/json", timeout=60):
        """The parsed answer; ApiError where it is not 2xx. A body that is no text is sent as JSON."""
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        headers = {"Accept": accept}
        if body is not None:
            headers["Content-Type"] = content_type
        for again in (True, False):
            kept = getattr(self.local, "connection", None)
            connection = kept or UnixConnection(self.path, timeout)
            self.local.connection = connection
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                text = answer.read()
                break
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self.local.connection = None
                # a kept connection that the other side has closed meanwhile says nothing about this request
                if not (again and kept):
                    raise ApiError(0, f"{method} {path}: {error!r}") from error
        if not 200 <= answer.status < 300:
            raise ApiError(answer.status, message_of(text))
        return json.loads(text) if text[:1] in (b"{", b"[") else text.decode()

    # kinds and paths

    def discover(self):
        """Reads anew which kinds there are: (group, version, kind) -> (plural, namespaced)."""
        kinds = {}
        for root in ("/api", "/apis"):
            for group in self.request("GET", root, accept=DISCOVERY)["items"]:
                name = group["metadata"].get("name", "")
                for version in group.get("versions", []):
                    for resource in version.get("resources", []):
                        kind = resource.get("responseKind", {}).get("kind")
                        if kind:
                            kinds[name, version["version"], kind] = resource["resource"], resource["scope"] == "Namespaced"
        self.kinds = kinds

    def kind(self, api_version, kind, fresh=False):
        group, _, version = api_version.rpartition("/")
        if fresh or (group, version, kind) not in self.kinds:
            self.discover()
        found = self.kinds.get((group, version, kind))
        if found is None:
            raise ApiError(404, f'no matches for kind "{kind}" in version "{api_version}"')
        return found

    def where(self, api_version, kind, namespace=None, name=None):
        plural, namespaced = self.kind(api_version, kind)
        path = ("/apis/" if "/" in api_version else "/api/") + api_version
        if namespaced and namespace != "*":
            path += f"/namespaces/{urllib.parse.quote(namespace or 'default')}"
        return path + f"/{plural}" + (f"/{urllib.parse.quote(name)}" if name else "")

    def where_of(self, o):
        meta = o["metadata"]
        return self.where(o["apiVersion"], o["kind"], meta.get("namespace"), meta["name"])

    # verbs

    def get(self, api_version, kind, namespace, name):
        """The object, or None where there is none."""
        try:
            return self.request("GET", self.where(api_version, kind, namespace, name))
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def list(self, api_version, kind, namespace="*", labels=None):
        path = self.where(api_version, kind, namespace)
        if labels:
            path += "?labelSelector=" + urllib.parse.quote(labels)
        # the items of a list do not say what they are
        return [{"apiVersion": api_version, "kind": kind, **o} for o in self.request("GET", path)["items"]]

    def apply(self, o, text=None, dry_run=False, manager=None):
        """Server-side apply of one object, as text where it is given."""
        query = {"fieldManager": manager or self.manager, "force": "true"}
        if dry_run:
            query |= {"dryRun": "All", "fieldValidation": "Strict"}
        return self.request("PATCH", self.where_of(o) + "?" + urllib.parse.urlencode(query), text or json.dumps(o), APPLY)

    def create(self, o):
        meta = o["metadata"]
        return self.request("POST", self.where(o["apiVersion"], o["kind"], meta.get("namespace")), o)

    def patch(self, path, body):
        return self.request("PATCH", path, body, MERGE)

    def delete(self, api_version, kind, namespace, name):
        try:
            self.request("DELETE", self.where(api_version, kind, namespace, name) + "?propagationPolicy=Background")
        except ApiError as error:
            if error.status != 404:
                raise

    def delete_all(self, objects):
        """What is there of them goes, last first; what cannot go any more is left."""
        for o in reversed(objects):
            try:
                self.delete(o["apiVersion"], o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"])
            except ApiError:
                pass


def message_of(text):
    try:
        return json.loads(text).get("message", "")
    except ValueError:
        return text.decode(errors="replace").strip()


class Watch:
    """Follows a collection in a thread of its own: `events` grows by (type, object) in the order the server sends."""

    def __init__(self, api, api_version, kind, namespace="*"):
        self.events = []
        self.stopped = False
        path = api.where(api_version, kind, namespace)
        start = api.request("GET", path)["metadata"]["resourceVersion"]
        self.connection = UnixConnection(api.path, 600)
        self.connection.request("GET", f"{path}?watch=true&resourceVersion={start}", headers={"Accept": "application/json"})
        self.answer = self.connection.getresponse()
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        try:
            for line in self.answer:
                if self.stopped:
                    return
                event = json.loads(line)
                self.events.append((event["type"], event["object"]))
        except (OSError, ValueError, http.client.HTTPException):
            return

    def stop(self):
        self.stopped = True
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass
        return self.events


def until(what, test, timeout=60, every=0.2):
    """Waits until `test()` is true and hands its value back; TimeoutError with `what` otherwise."""
    end = time.monotonic() + timeout
    while True:
        value = test()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"after {timeout} s still not so: {what}")
        time.sleep(every)


def condition(o, kind):
    """The status of a condition, `None` where the object has none of that type."""
    for c in ((o or {}).get("status") or {}).get("conditions") or []:
        if c.get("type") == kind:
            return c.get("status")
    return None
