"""The goals: what is measured against what, what must hold and what is aimed at."""

import math
from dataclasses import dataclass
from typing import Callable

from harness import inputs, peers
from harness.inputs import Absent
from harness.measure import Command, Spread, pairs, runs

LINKERD_HA = (
    "linkerd2/cli/cmd/testdata/install_crds.golden",
    "linkerd2/cli/cmd/testdata/install_ha_output.golden",
)
ARGO_CD = ("argo-cd/manifests/install.yaml",)
CHECKSUM = b"tidegate.dev/config-checksum:"
WAVE = b"argocd.argoproj.io/sync-wave:"


@dataclass(frozen=True)
class Result:
    """The figures of a goal: medians of both sides as text, and what is judged."""

    ours: str
    theirs: str
    judged: Spread


@dataclass(frozen=True)
class Goal:
    """A line of the table. A figure of None is not asked for."""

    name: str
    what: str
    must: float | None
    aim: float | None
    slow: bool  # left out by --quick
    measure: Callable


@dataclass(frozen=True)
class Bench:
    """What a measurement needs: the binary, a folder of its own, how many pairs to run."""

    binary: str
    work: object
    pairs: int

    def render(self, source):
        return Command((self.binary, "render", *(str(file) for file in source.files)))


def against(bench, source, theirs, deducted=0.0):
    """CPU seconds of ours over theirs, from which `deducted` seconds are taken off."""
    done = pairs(bench.render(source), theirs, bench.pairs)
    ours = Spread.of([ours.cpu for ours, _ in done])
    other = Spread.of([theirs.cpu - deducted for _, theirs in done])
    ratio = Spread.of([ours.cpu / (theirs.cpu - deducted) for ours, theirs in done])
    return Result(seconds(ours.median), seconds(other.median), ratio)


def rapidyaml(bench):
    """Only the start of an empty Python is taken off: loading the module (15 ms or so) stays theirs."""
    source = inputs.stream(10_000)
    start = Spread.of([sample.cpu for sample in runs(peers.empty_python(), bench.pairs)])
    return against(bench, source, peers.rapidyaml(source.files[0]), deducted=start.median)


def pyyaml(bench):
    source = inputs.stream(10_000)
    return against(bench, source, peers.pyyaml(source.files[0]))


def helm(bench):
    peers.helm()
    chart = inputs.chart(10_000, bench.work)
    return against(bench, inputs.stream(10_000), peers.helm_template(chart, bench.work))


def kustomize(bench):
    peers.kubectl()
    return against(bench, inputs.stream(1_000), peers.kustomize(inputs.kustomized(1_000, bench.work)))


def real_set(files, name):
    def measure(bench):
        source = inputs.real(*files)
        chart = inputs.chart_of(source.files, bench.work, name)
        return against(bench, source, peers.helm_template(chart, bench.work))

    return measure


def growth(fewer, more):
    """The exponent e of CPU ~ objects^e between two sizes."""

    def measure(bench):
        small, large = inputs.stream(fewer), inputs.stream(more)
        done = pairs(bench.render(small), bench.render(large), bench.pairs)
        factor = math.log(large.objects / small.objects)
        exponent = Spread.of([math.log(b.cpu / a.cpu) / factor for a, b in done])
        times = (Spread.of([samples[side].cpu for samples in done]).median for side in (1, 0))
        return Result(*(seconds(time) for time in times), exponent)

    return measure


def memory(bench):
    source = inputs.stream(50_000)
    peak = Spread.of([sample.peak for sample in runs(bench.render(source), bench.pairs)])
    per_byte = Spread(*(value / source.size for value in (peak.median, peak.least, peak.greatest)))
    return Result(f"{peak.median / 1e6:.0f} MB", f"{source.size / 1e6:.0f} MB", per_byte)


def cores(bench):
    done = runs(bench.render(inputs.stream(10_000)), bench.pairs)
    wall, cpu = (Spread.of([getattr(sample, field) for sample in done]) for field in ("wall", "cpu"))
    return Result(seconds(wall.median), seconds(cpu.median), Spread.of([s.wall / s.cpu for s in done]))


def start_up(bench):
    done = runs(bench.render(inputs.empty_config_map(bench.work)), 4 * bench.pairs)
    wall = Spread.of([sample.wall * 1000 for sample in done])
    return Result(f"{wall.median:.2f} ms", "-", wall)


GOALS = (
    Goal("rapidyaml", "10,000 objects: rapidyaml parse + emit", 2.0, 1.0, False, rapidyaml),
    Goal("helm", "10,000: helm template, 3 checksums each", 0.25, 0.1, False, helm),
    Goal("pyyaml", "10,000: the PyYAML script", 0.10, 0.04, False, pyyaml),
    Goal("kustomize", "1,000: kubectl kustomize", 1 / 50, 1 / 100, False, kustomize),
    Goal("linkerd", "linkerd HA: helm template", 0.3, 0.1, False, real_set(LINKERD_HA, "linkerd")),
    Goal("argo-cd", "argo-cd install: helm template", 0.3, 0.1, False, real_set(ARGO_CD, "argo-cd")),
    Goal("growth", "growth exponent, 1k to 50k", 1.1, None, True, growth(1_000, 50_000)),
    Goal("growth-200k", "growth exponent, 1k to 200k", None, 1.03, True, growth(1_000, 200_000)),
    Goal("memory", "peak memory per input byte, 50,000", 8.0, 4.0, True, memory),
    Goal("cores", "10,000: wall against CPU", None, 0.6, False, cores),
    Goal("start-up", "an empty ConfigMap, wall ms", None, 5.0, False, start_up),
)


def seconds(value):
    return f"{value:.4f} s" if value < 0.1 else f"{value:.3f} s"


def inputs_to_verify(work):
    """Inputs whose rendering is checked before anything is timed: name, input, is it generated."""
    yield "generated 1,000", inputs.stream(1_000), True
    yield "generated 10,000", inputs.stream(10_000), True
    yield "empty ConfigMap", inputs.empty_config_map(work), False
    for name, files in (("linkerd HA", LINKERD_HA), ("argo-cd install", ARGO_CD)):
        try:
            yield name, inputs.real(*files), False
        except Absent:
            continue  # its goal says so

