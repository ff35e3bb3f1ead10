"""What an object needs before it is applied, read from the manifests alone: the judge of every order here.

Written from what Kubernetes does, on its own: it shares neither code nor tables with what it judges. It knows only what
is sure to go wrong: a missing namespace, definition, ConfigMap, Secret or ServiceAccount of pods, a webhook before what
serves it, an object before the webhook that must see it, and what an annotation asks for.
"""

VERSIONS = {
    "Namespace": "v1", "ConfigMap": "v1", "Secret": "v1", "ServiceAccount": "v1", "Service": "v1", "Deployment": "apps/v1",
    "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "Job": "batch/v1", "CustomResourceDefinition": "apiextensions.k8s.io/v1",
}
DEPENDS_ON = "config.kubernetes.io/depends-on"


def id_of(o):
    meta = o["metadata"]
    namespace = meta.get("namespace")
    return f"{o['kind']} {namespace + '/' if namespace else ''}{meta.get('name') or meta.get('generateName')}"


def of(objects):
    """id -> [(id, "there"|"ready")], only between the objects given."""
    here = {id_of(o): o for o in objects}
    found = {}

    def need(o, other, how="there"):
        if other in here and other != id_of(o):
            found.setdefault(id_of(o), []).append((other, how))

    for o in objects:
        namespace = o["metadata"].get("namespace")
        if namespace:
            need(o, f"Namespace {namespace}")
        for crd in objects:
            if crd["kind"] == "CustomResourceDefinition" and defines(crd, o):
                need(o, id_of(crd))
        pods = template(o)
        if pods is not None:
            for kind, name in read_by(pods):
                need(o, f"{kind} {namespace + '/' if namespace else ''}{name}")
        if o["kind"].endswith("WebhookConfiguration"):
            for backend in backends(o, objects):
                need(o, id_of(backend), "ready")
        for registration in objects:
            if acts_on(registration, o, objects):
                need(o, id_of(registration))
        for other in depends_on(o):
            need(o, other, "ready")
    return found


def defines(crd, o):
    return (crd["spec"]["group"], crd["spec"]["names"]["kind"]) == (o["apiVersion"].rpartition("/")[0], o["kind"])


def template(o):
    """The pod spec and metadata that an object makes pods from, or None."""
    spec = o.get("spec") or {}
    if o["kind"] == "Pod":
        return {"spec": spec, "metadata": o["metadata"]}
    if o["kind"] in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"):
        return spec.get("template")
    if o["kind"] == "CronJob":
        return spec["jobTemplate"]["spec"]["template"]
    return None


def read_by(pods):
    spec = pods.get("spec") or {}
    if spec.get("serviceAccountName"):
        yield "ServiceAccount", spec["serviceAccountName"]
    for container in [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]:
        for source in container.get("envFrom") or []:
            yield from references(source, "configMapRef", "secretRef")
        for variable in container.get("env") or []:
            yield from references(variable.get("valueFrom") or {}, "configMapKeyRef", "secretKeyRef")
    for volume in spec.get("volumes") or []:
        yield from references(volume, "configMap", "secret")
        for source in (volume.get("projected") or {}).get("sources") or []:
            yield from references(source, "configMap", "secret")


def references(source, config_map, secret):
    for key, kind in ((config_map, "ConfigMap"), (secret, "Secret")):
        reference = source.get(key)
        if reference and not reference.get("optional"):
            yield kind, reference.get("name") or reference.get("secretName")


def backends(registration, objects):
    """Workloads behind the Services that a registration needs, and the Services. What lets all pass while nobody
    answers, or has no rules yet, needs nobody."""
    for webhook in registration.get("webhooks") or []:
        service = (webhook.get("clientConfig") or {}).get("service")
        if webhook.get("failurePolicy", "Fail") != "Fail" or not webhook.get("rules"):
            continue
        for o in objects if service else ():
            if o["kind"] == "Service" and (o["metadata"].get("namespace"), o["metadata"]["name"]) == (service["namespace"], service["name"]):
                yield o
                yield from behind(o, objects)


def behind(service, objects):
    wanted = service["spec"].get("selector")
    for o in objects if wanted else ():
        pods = template(o) if o["kind"] != "Job" else None
        if pods is None or o["metadata"].get("namespace") != service["metadata"].get("namespace"):
            continue
        labels = (pods.get("metadata") or {}).get("labels") or {}
        if all(labels.get(k) == v for k, v in wanted.items()):
            yield o


def acts_on(registration, o, objects):
    """Whether a fail-closed registration must be there before this object: exact groups and plurals only."""
    if not registration["kind"].endswith("WebhookConfiguration") or o["kind"].endswith("WebhookConfiguration"):
        return False
    served_by = [id_of(b) for b in backends(registration, objects)]
    if id_of(o) in served_by:
        return False
    for webhook in registration.get("webhooks") or []:
        if webhook.get("failurePolicy", "Fail") != "Fail" or not webhook["clientConfig"].get("service"):
            continue
        if not namespace_matches(webhook.get("namespaceSelector"), o):
            continue
        for rule in webhook.get("rules") or []:
            if "CREATE" in rule["operations"] and (hits_resource(rule, o, objects) or hits_pods(rule, webhook, o)):
                return True
    return False


def namespace_matches(selector, o):
    """Only the form that names namespaces is read; any other selector counts as not matching."""
    if not selector:
        return True
    named = (selector.get("matchLabels") or {}).get("kubernetes.io/metadata.name")
    return len(selector) == 1 and named is not None and named == o["metadata"].get("namespace")


def hits_resource(rule, o, objects):
    group = o["apiVersion"].rpartition("/")[0]
    plurals = [c["spec"]["names"].get("plural") for c in objects if c["kind"] == "CustomResourceDefinition" and defines(c, o)]
    return group in rule["apiGroups"] and any(plural in rule["resources"] for plural in plurals)


def hits_pods(rule, webhook, o):
    pods = template(o)
    if pods is None or "pods" not in rule["resources"] or "" not in rule["apiGroups"]:
        return False
    wanted = ((webhook.get("objectSelector") or {}).get("matchLabels")) or {}
    labels = (pods.get("metadata") or {}).get("labels") or {}
    return all(labels.get(k) == v for k, v in wanted.items())


def depends_on(o):
    text = (o["metadata"].get("annotations") or {}).get(DEPENDS_ON, "")
    for reference in filter(None, (part.strip() for part in text.split(","))):
        parts = reference.split("/")
        if len(parts) == 5:
            yield f"{parts[3]} {parts[2]}/{parts[4]}"
        elif len(parts) == 3:
            yield f"{parts[1]} {parts[2]}"
