"""What answers in a cluster whose pods are not processes: an admission webhook, and a controller that issues Secrets."""

import http.server
import json
import ssl
import threading
import time

from api import ApiError


class Admission:
    """A webhook on loopback that admits everything, remembers what it was asked about, and converts by name only."""

    def __init__(self, cert, key):
        self.asked = []
        actor = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = json.dumps({**{k: review[k] for k in ("apiVersion", "kind")},
                                     "response": actor.answer(review)}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, review):
        request = review["request"]
        if review["kind"] == "ConversionReview":
            converted = [{**o, "apiVersion": request["desiredAPIVersion"]} for o in request["objects"]]
            return {"uid": request["uid"], "result": {"status": "Success"}, "convertedObjects": converted}
        self.asked.append((request["kind"]["kind"], request.get("namespace"), request.get("name")))
        return {"uid": request["uid"], "allowed": True}

    @property
    def address(self):
        return f"127.0.0.1:{self.server.server_address[1]}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Issuer:
    """Does what cert-manager does, as far as order is concerned: some time after a Certificate is there, its Secret is,
    and then it is Ready."""

    CRD = {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "certificates.cert-manager.io"},
        "spec": {
            "group": "cert-manager.io", "scope": "Namespaced",
            "names": {"plural": "certificates", "singular": "certificate", "kind": "Certificate", "listKind": "CertificateList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                          "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}],
        },
    }

    def __init__(self, api, delay=0.5):
        self.api, self.delay, self.stopped = api, delay, False
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.stopped:
            try:
                for o in self.api.list("cert-manager.io/v1", "Certificate"):
                    if not o.get("status"):
                        time.sleep(self.delay)
                        self.issue(o)
            except ApiError:
                pass
            time.sleep(0.2)

    def issue(self, o):
        meta = o["metadata"]
        self.api.apply({"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
                        "metadata": {"name": o["spec"]["secretName"], "namespace": meta["namespace"]},
                        "stringData": {"tls.crt": "made here", "tls.key": "made here"}})
        self.api.patch(self.api.where_of(o) + "/status",
                       {"status": {"conditions": [{"type": "Ready", "status": "True", "reason": "Issued"}]}})

    def stop(self):
        self.stopped = True
        self.thread.join(5)
