"""Runs commands and measures them: CPU seconds, wall seconds and peak memory of the child, by wait4."""

import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass


class CommandFailed(Exception):
    """A measured command did not exit with 0; the text says which and what it printed."""


@dataclass(frozen=True)
class Command:
    """A command line; its output is thrown away."""

    argv: tuple
    env: tuple = ()


@dataclass(frozen=True)
class Sample:
    """One run."""

    cpu: float  # seconds, user + system
    wall: float  # seconds
    peak: int  # bytes; never below what this program itself holds


def run(command):
    """Runs a command once. Its standard error is kept only to be shown when it fails."""
    env = {**os.environ, **dict(command.env)}
    with tempfile.TemporaryFile() as errors, open(os.devnull, "r+b") as null:
        actions = [
            (os.POSIX_SPAWN_DUP2, null.fileno(), 0),
            (os.POSIX_SPAWN_DUP2, null.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        start = time.perf_counter()
        pid = os.posix_spawn(command.argv[0], command.argv, env, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - start
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            errors.seek(0)
            text = errors.read(2000).decode(errors="replace").strip()
            raise CommandFailed(f"exit {code}: {' '.join(command.argv)}\n{text}")
    return Sample(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def runs(command, count):
    """`count` runs after one that warms the file cache."""
    run(command)
    return [run(command) for _ in range(count)]


def pairs(ours, theirs, count):
    """`count` runs of both, in turn, after one of each."""
    run(ours), run(theirs)
    return [(run(ours), run(theirs)) for _ in range(count)]


def output_lines(command):
    """The lines a command prints, as bytes, one at a time."""
    env = {**os.environ, **dict(command.env)}
    with subprocess.Popen(command.argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env) as child:
        yield from child.stdout
    if child.returncode != 0:
        raise CommandFailed(f"exit {child.returncode}: {' '.join(command.argv)}")


@dataclass(frozen=True)
class Spread:
    """Median, least and greatest of some figures."""

    median: float
    least: float
    greatest: float

    @staticmethod
    def of(figures):
        return Spread(statistics.median(figures), min(figures), max(figures))
