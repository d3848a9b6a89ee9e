"""What Python adds to the core: `Votes` of a matrix of 1,000,000 x 100 signed bytes and `LabelModel().fit` on it.

    <the environment of make python, with the release wheel>/bin/python bench/python_cost.py [items] [sources] [coverage]

Runs the Rust example `matrix` on the same bytes in the same run, in turns, and compares seconds of the processor over all
threads (the best of each).
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import consilience
from consilience.labeling.model import LabelModel as MirroredModel

ROOT = Path(__file__).resolve().parent.parent
TURNS = 3


def processor_seconds() -> float:
    """Give the processor time of this process, over all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(work):
    """Give the result of `work` and the processor time it took."""
    started = processor_seconds()
    result = work()
    return result, processor_seconds() - started


def table(items: int, sources: int, coverage: float) -> np.ndarray:
    """Draw votes of sources that are right in 60 to 90 of 100 cases and vote on a share of the items."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, items, dtype=np.int8)
    votes = np.full((items, sources), -1, dtype=np.int8)
    for j in range(sources):
        voted = rng.random(items) < coverage
        right = rng.random(items) < 0.6 + 0.3 * j / sources
        votes[voted, j] = np.where(right, truth, 1 - truth)[voted]
    return votes


def main() -> None:
    """Compare."""
    items, sources = (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((1, 1_000_000), (2, 100)))
    coverage = float(sys.argv[3]) if len(sys.argv) > 3 else 0.05
    matrix = table(items, sources, coverage)
    cargo = ["cargo", "run", "--quiet", "--release", "-p", "consilience", "--example", "matrix", "--"]
    core, python, mirrored = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matrix"
        matrix.tofile(path)
        for _ in range(TURNS):
            said = subprocess.run([*cargo, str(path), str(sources)], cwd=ROOT, check=True, capture_output=True, text=True)
            built, fitted, _, _, patterns, _ = said.stdout.split()
            core.append((float(built), float(fitted)))
            votes, building = timed(lambda: consilience.Votes(matrix))
            _, fitting = timed(lambda: consilience.LabelModel().fit(votes))
            python.append((building, fitting))
            mirrored.append(timed(lambda: MirroredModel(verbose=False).fit(matrix, progress_bar=False))[1])
    print(f"{items} x {sources} int8, {coverage:.0%} votes, {patterns} distinct rows; processor seconds, best of {TURNS}")
    print(f"{'':<28} {'Votes':>8} {'fit':>8} {'together':>9}")
    best = [tuple(min(one) for one in zip(*runs)) for runs in (core, python)]
    together = [min(sum(run) for run in runs) for runs in (core, python)]
    for name, (built, fitted), both in zip(("the core", "Python"), best, together):
        print(f"{name:<28} {built:8.2f} {fitted:8.2f} {both:9.2f}")
    print(f"Python / core: {together[1] / together[0]:.2f}")
    print(f"under Snorkel's names, fit from the matrix: {min(mirrored):.2f}")


if __name__ == "__main__":
    main()
