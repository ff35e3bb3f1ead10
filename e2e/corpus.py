"""The units of the corpus, as golden/corpus.tsv lists them: one installation each."""

import hashlib
import shutil

from ground import ROOT


def corpus_units(ground, root):
    """(name, place to read it from) of each unit."""
    for line in (ROOT / "golden" / "corpus.tsv").read_text().splitlines():
        if line and not line.startswith(("#", "unit\t")):
            path, exclude = line.split("\t")[:2]
            yield path, place(ground, root / path, [] if exclude == "-" else exclude.split(" "))


def place(ground, path, exclude):
    """The folder itself, or a copy without what is excluded."""
    if not exclude:
        return path
    copy = ground.folder / "work" / f"unit-{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        inside = file.relative_to(path)
        if not set(inside.parts) & set(exclude):
            to = copy / inside
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, to)
    return copy
