"""Whatever tidegate writes, a real API server accepts, unless it refuses the input as well."""

import json
import os
import re
import shutil
import tomllib

from api import ApiError, until
from corpus import corpus_units
from ground import HERE, ROOT, SHARED, Skipped, check, documents, items, name_of, scenario

# What must really be there before a dry run of the rest says anything about the rest.
FIRST = ["Namespace", "CustomResourceDefinition", "ServiceAccount", "PriorityClass", "RuntimeClass", "StorageClass"]
REFUSED = HERE / "refused.tsv"
HEAD = "# What the API server refuses in tidegate's output and in its input alike, with the same words: the input's fault.\n" \
    "# Written by `BLESS=1 e2e/run --only 5` (of the version in tools/go.mod); the diff is read before it is committed.\n" \
    "unit\tobject\treason\n"


class Judge:
    """Real objects that dry runs need, shared by all units; definitions are replaced where a unit brings its own."""

    def __init__(self, ground):
        self.ground, self.api = ground, ground.api
        self.crds, self.spare, self.done, self.stand_ins = {}, {}, set(), set()

    def gather(self, roots):
        """All definitions in these folders: for units whose own kinds are defined elsewhere."""
        for root in roots:
            for file in sorted(p for p in root.rglob("*") if p.is_file() and p.suffix in (".yaml", ".yml", ".json", ".golden")):
                text = file.read_text(errors="replace")
                if "CustomResourceDefinition" in text:
                    self.spare.update({kind_of(o): o for o in readable(text) if is_crd(o)})

    def prepare(self, objects):
        first = [o for o in objects if o["kind"] in FIRST]
        mine = {kind_of(o): o for o in first if is_crd(o)}
        wanted = {key_of(o) for o in objects} - set(mine)
        spare = {k: self.spare[k] for k in wanted if k in self.spare}
        stand_ins = [self.stand_in(k, objects) for k in sorted(wanted) if self.is_custom(k, objects, spare)]
        definitions = [*mine.values(), *(spare[k] for k in sorted(spare)), *stand_ins]
        for namespace in sorted({o["metadata"].get("namespace") or "default" for o in objects}):
            self.once({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": str(namespace)}})
        for o in first:
            if not is_crd(o):
                self.once({k: v for k, v in o.items() if k != "status"})
        if [o for o in definitions if self.define(o)]:
            # kubectl keeps what it has learnt of kinds for hours
            shutil.rmtree(self.ground.folder / "kube-cache", ignore_errors=True)

    def is_custom(self, key, objects, spare):
        """Whether no definition here serves this kind at the versions that these objects have."""
        if "." not in key[0] or key[0].endswith(".k8s.io") and not key[0].startswith("gateway."):
            return False
        versions = {v["name"] for v in spare.pop(key)["spec"]["versions"] if v.get("served")} if key in spare else set()
        if versions >= versions_of(key, objects):
            spare[key] = self.spare[key]
            return False
        return True

    def stand_in(self, key, objects):
        """A definition without a schema for a kind that nobody here defines: names and metadata are still judged."""
        group, kind = key
        self.stand_ins.add(f"{kind}.{group}")
        scope = "Cluster" if kind.startswith("Cluster") else "Namespaced"
        plural = kind.lower() + ("es" if kind.lower().endswith(("s", "x", "sh", "ch")) else "s")
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        versions = [{"name": v, "served": True, "storage": i == 0, "schema": schema}
                    for i, v in enumerate(sorted(versions_of(key, objects)))]
        return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": f"{plural}.{group}", "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
                "spec": {"group": group, "scope": scope, "versions": versions,
                         "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"}}}

    def once(self, o):
        if name_of(o) in self.done:
            return
        self.done.add(name_of(o))
        try:
            self.api.apply(o)
        except ApiError:
            return
        self.ground.remember([o])
        if o["kind"] == "Namespace":
            name = o["metadata"]["name"]
            until(f"{name} has a service account", lambda: self.api.get("v1", "ServiceAccount", name, "default"), 30, 0.05)

    def define(self, o):
        """Makes the cluster serve this definition; whether it does now and did not before."""
        if self.crds.get(kind_of(o), {}).get("spec") == o["spec"]:
            return False
        bare = {"apiVersion": o["apiVersion"], "kind": o["kind"], "spec": o["spec"], "metadata": {
            "name": o["metadata"]["name"],
            "annotations": {k: v for k, v in (o["metadata"].get("annotations") or {}).items() if "approved" in k}}}
        try:
            # two definitions of one kind, or a stored version that the new one lacks, would not go together
            before = self.crds.pop(kind_of(o), None)
            if before:
                self.api.delete_all([before])
                until(f"{before['metadata']['name']} is gone", lambda: self.ground.there(before) is None, 30, 0.05)
            self.api.apply(bare)
            self.ground.remember([bare])
            self.ground.established([bare])
        except (ApiError, TimeoutError):
            return False
        self.crds[kind_of(o)] = bare
        return True

    def judge(self, unit, output, read_input):
        """Rows of refused.tsv for one unit, and the faults that are tidegate's: what is refused, but not in the input."""
        objects = [(part, o) for part, o in readable_parts(output) if (o.get("metadata") or {}).get("name")]
        self.prepare([o for _, o in objects])
        # `apply` takes no generateName, whoever wrote it
        if not objects:
            return [], []
        text = "".join(f"---\n{part or json.dumps(o)}\n" for part, o in objects)
        whole = self.ground.kubectl("apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-", stdin=text)
        if whole.code == 0:
            return [], []
        rows, faults, given = [], [], None
        for part, o in objects:
            reason = self.refusal(o, part)
            if reason is None:
                continue
            if given is None:
                given = {(i["kind"], i["metadata"].get("name")): (p, i) for p, i in read_input()}
            there = given.get((o["kind"], o["metadata"]["name"]))
            before = self.refusal(there[1], there[0]) if there else "(the input is in a form that this judge cannot read)"
            if before is None:
                faults.append(f"{unit}: {name_of(o)}: {reason}; the input is accepted")
            else:
                rows.append((unit, name_of(o), reason if before == reason else f"{reason} [input: {before}]"))
        if not rows and not faults:
            faults.append(f"{unit}: {whole.err.strip()[:600]}")
        return rows, faults

    def refusal(self, o, part):
        try:
            self.api.apply(o, part, dry_run=True, manager="kubectl")
        except ApiError as error:
            if error.message == "404 page not found":
                # this client's list of kinds is of a moment ago, when another unit's definition served it
                return f'no matches for kind "{o["kind"]}" in version "{o["apiVersion"]}"'
            return in_order(" ".join(error.message.split()))[:200]
        return None


def in_order(message):
    """The server lists what is wrong with an object in no order, and names any one of the fields that it does not know."""
    message = re.sub(r"\): \.\S+: field not declared in schema", "): a field is not declared in the schema", message)
    head, bracket, rest = message.partition(": [")
    return head + bracket + ", ".join(sorted(re.split(r", (?=[a-z][\w.\[\]]*: )", rest)))


def is_crd(o):
    """A definition that has all its parts."""
    spec = o.get("spec")
    return (o.get("kind") == "CustomResourceDefinition" and o.get("apiVersion") == "apiextensions.k8s.io/v1"
            and isinstance(spec, dict) and isinstance(spec.get("versions"), list) and "group" in spec
            and isinstance(spec.get("names"), dict) and "kind" in spec["names"])


def kind_of(crd):
    return crd["spec"]["group"], crd["spec"]["names"]["kind"]


def key_of(o):
    return o["apiVersion"].rpartition("/")[0], o["kind"]


def versions_of(key, objects):
    return {o["apiVersion"].rpartition("/")[2] for o in objects if key_of(o) == key}


def readable_parts(text):
    """(text, object) of each document that is an object; also of JSON values one behind the other."""
    try:
        found = list(documents(text))
    except Exception:
        found = list(json_values(text))
    return [(p, o) for p, o in found if isinstance(o, dict) and o.get("apiVersion") and o.get("kind") and isinstance(o.get("metadata"), dict)]


def json_values(text):
    decoder, at = json.JSONDecoder(), 0
    text = text.strip()
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            return
        if isinstance(value, dict):
            yield from items(text[at:end], value)
        at = end + len(text[end:]) - len(text[end:].lstrip())


def readable(text):
    return [o for _, o in readable_parts(text)]


def report(ground, what, units, roots):
    """Judges units of (name, output, reader of the input) and compares with refused.tsv."""
    judge = Judge(ground)
    judge.gather(roots)
    rows, faults, accepted = [], [], 0
    for unit, output, read_input in units:
        more, wrong = judge.judge(unit, output, read_input)
        rows += more
        faults += wrong
        accepted += not more and not wrong
    known = known_rows(what)
    if os.environ.get("BLESS"):
        bless(what, rows)
    elif ground.plane is not None:
        faults += [f"refused, and not in refused.tsv: {' | '.join(row)}" for row in sorted(set(rows) - known)]
        faults += [f"in refused.tsv, and accepted: {' | '.join(row)}" for row in sorted(known - set(rows))]
    check(not faults, f"{len(faults)} faults\n" + "\n".join(faults[:40]))
    check(len(units) > 50, f"only {len(units)} units")
    return (f"{accepted} of {len(units)} whole; {len(rows)} objects are refused before and after (refused.tsv); "
            f"{len(judge.stand_ins)} kinds without a definition here had one without a schema")


def known_rows(what):
    if not REFUSED.exists():
        return set()
    rows = [tuple(line.split("\t")) for line in REFUSED.read_text().splitlines() if not line.startswith(("#", "unit\t"))]
    return {row for row in rows if row[0].startswith(what)}


def bless(what, rows):
    others = set()
    if REFUSED.exists():
        others = {tuple(line.split("\t")) for line in REFUSED.read_text().splitlines() if not line.startswith(("#", "unit\t"))}
    rows = sorted({row for row in others if not row[0].startswith(what)} | set(rows))
    REFUSED.write_text(HEAD + "".join("\t".join(row) + "\n" for row in rows))


# what of tidegate makes manifests
MAKERS = ("render", "convert", "fn", "cmp")


@scenario("5.1", "every golden output is accepted by `kubectl apply --server-side --dry-run=server`")
def golden(ground):
    units = []
    for file in sorted((ROOT / "golden").glob("*/*.toml")):
        case = tomllib.loads(file.read_text())
        arguments = case.get("args") or []
        if isinstance(arguments, str):
            arguments = arguments.split()
        if arguments[:1] and arguments[0] in MAKERS:
            unit = f"golden/{file.parent.name}/{file.stem}"
            units += [(unit, *rest) for rest in outputs(ground, file, case, arguments)]
    return report(ground, "golden/", units, [SHARED / "corpus"])


def outputs(ground, file, case, arguments):
    """(manifests, reader of the input) of what a case prints, if it ends well and prints any, and of the files it writes."""
    work = ground.folder / "work" / f"golden-{file.parent.name}-{file.stem}"
    folder, given = file.with_suffix(".in"), file.with_suffix(".stdin")
    if folder.is_dir():
        shutil.copytree(folder, work, symlinks=True)
    else:
        work.mkdir(parents=True)
    stdin = case.get("stdin") or (given.read_text() if given.is_file() else None)
    before = {p: p.read_bytes() for p in work.rglob("*") if p.is_file()}
    read = [pair for text in [*(b.decode(errors="replace") for b in before.values()), stdin or ""] for pair in readable_parts(text)]
    output = ground.tidegate(*arguments, cwd=work, stdin=stdin, more=case.get("env", {}).get("add"))
    if output.code != 0:
        return
    if output.out.lstrip().startswith(("apiVersion:", "kind:", "---", "metadata:", "{")):
        yield output.out, lambda: read
    written = [p for p in sorted(work.rglob("*.yaml")) if p.is_file() and before.get(p) != p.read_bytes()]
    # one stream: an object of one file may need a definition in another
    made = [p.read_text(encoding="utf-8-sig") for p in written if p.name != "kustomization.yaml"]
    if made:
        yield "".join(f"---\n{text}\n" for text in made), lambda: read


def input_of(path):
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return [pair for file in files for pair in readable_parts(file.read_text(errors="replace"))]


@scenario("5.2", "every unit of the corpus is accepted, once its definitions are in")
def corpus(ground):
    root = SHARED / "corpus"
    if not root.is_dir():
        raise Skipped("no ../shared/corpus beside the checkout")
    units = []
    for path, place in corpus_units(ground, root):
        output = ground.tidegate("render", place)
        check(output.code == 0, f"{path}: exit {output.code}\n{output.err[-1000:]}")
        units.append((path, output.out, lambda place=place: input_of(place)))
    return report(ground, "corpus/", [(f"corpus/{unit}", out, read) for unit, out, read in units], [root])
