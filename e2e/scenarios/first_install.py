"""A first install: a namespace, definitions, objects of theirs and workloads, all new to the cluster."""

import re

from ground import ROOT, check, documents, scenario
from splits import given

FIXTURE = "first-install"


def objects_of(folder):
    return [o for file in sorted(folder.rglob("*.yaml")) for _, o in documents(file.read_text())]


def all_there(ground, objects):
    ground.api.discover()
    missing = [f"{o['kind']} {o['metadata']['name']}" for o in objects if ground.there(o) is None]
    check(not missing, f"not there: {', '.join(missing)}")


def generations(ground, folder):
    """How often each object's wishes have changed."""
    return {o["metadata"]["name"]: ground.there(o)["metadata"].get("generation") for o in objects_of(folder)}


def documented_loop():
    """The block of the README that applies stage by stage, as it stands there."""
    text = (ROOT / "README.md").read_text()
    section = text.partition("### Apply stage by stage")[2].partition("\n### ")[0]
    block = re.search(r"^```sh[^\n]*\n(.*?)^```", section, re.S | re.M)
    check(block, "the README has no block below `### Apply stage by stage`")
    return block.group(1)


@scenario("1.1", "plain `kubectl apply -f DIR` fails on the first run")
def naive(ground):
    folder = ground.copy(FIXTURE)
    ground.remember(objects_of(folder))
    first = ground.kubectl("apply", "-f", folder)
    check(first.code != 0, "it succeeds: then there is nothing to show here")
    check('no matches for kind "Ticket"' in first.err, f"another reason: {first.err}")
    return "no matches for kind \"Ticket\" …"


@scenario("1.2", "the documented `render --stage … | kubectl apply` loop succeeds on the first run")
def loop(ground):
    for fixture in (FIXTURE, "no-crds"):
        folder = ground.copy(fixture)
        ground.remember(objects_of(folder))
        script = documented_loop()
        check("examples/01-quickstart/input" in script, "the block has another input than examples/01-quickstart/input")
        script = script.replace("examples/01-quickstart/input", str(folder))
        ground.run("bash", "-c", script, cwd=folder.parent).ok()
        all_there(ground, objects_of(folder))
    return "two of three stages empty in the second set"


@scenario("1.3", "the same loop over every example")
def examples(ground):
    done = []
    for folder in sorted((ROOT / "examples").glob("*/input")):
        rendered = ground.tidegate("render", folder, "--engine", "kubectl")
        if rendered.code != 0:
            continue
        objects = [o for _, o in documents(rendered.out)]
        backends = [o for o in objects if o["kind"].endswith("WebhookConfiguration")]
        if backends:
            continue
        given(ground, rendered.out)
        ground.remember(objects)
        script = documented_loop().replace("examples/01-quickstart/input", str(folder))
        work = ground.folder / "work" / f"loop-{folder.parent.name}"
        work.mkdir(parents=True)
        ground.run("bash", "-c", script, cwd=work).ok()
        all_there(ground, objects)
        done.append(folder.parent.name)
        ground.clean()
    check(done, "no example could be applied")
    return ", ".join(done) + " (those with admission webhooks need their backend: scenario 6)"


@scenario("1.4", "`tidegate apply` succeeds on the first run", ["apply"])
def apply(ground):
    for fixture in (FIXTURE, "no-crds"):
        folder = ground.copy(fixture)
        ground.remember(objects_of(folder))
        ran = ground.tidegate("apply", folder).ok()
        all_there(ground, objects_of(folder))
        before = generations(ground, folder)
        ground.tidegate("apply", folder).ok()
        check(generations(ground, folder) == before, "the second run changed something")
    return f"{ran.seconds:.1f} s, and a second run changes nothing"
