"""Compares our wheel with that of another commit on the same matrices, in turn on one core: machines differ, ratios less.

HOME/venv/bin/python bench/peers/against.py COMMIT [--items 1000000] [--sources 100] [--rounds 3] [--core 1]

HOME is the folder of the environment that `make peers` sets up; packages are built there, and kept by their commits.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from panels import simulate

ROOT = Path(__file__).resolve().parents[2]
PANELS = 3


def main() -> None:
    """Build both wheels, run both, print the seconds and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the other commit")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--sources", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", type=int, default=(os.cpu_count() or 1) - 1)
    args = parser.parse_args()
    python = Path(sys.executable)
    packages = [package(python, commit) for commit in (args.commit, "HEAD")]
    with tempfile.TemporaryDirectory() as folder:
        tables = [Path(folder) / f"{seed}.npy" for seed in range(PANELS)]
        for seed, table in enumerate(tables):
            np.save(table, simulate("independent", args.items, args.sources, seed=seed).votes)
        seconds: tuple[list[float], list[float]] = ([], [])
        for _ in range(args.rounds):
            for table in tables:
                for of_package, where in zip(seconds, packages):
                    of_package.append(run(python, where, table, args.core))
                print(f"{seconds[0][-1]:.3f} s before, {seconds[1][-1]:.3f} s now", flush=True)
    ratios = [now / before for before, now in zip(*seconds)]
    before, now = (statistics.median(of_package) for of_package in seconds)
    print(f"medians: {before:.3f} s before, {now:.3f} s now; ratio {statistics.median(ratios):.3f}")


def package(python: Path, commit: str) -> Path:
    """Give a folder with the installed package of a commit."""
    commit = subprocess.run(["git", "rev-parse", commit], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    where = python.parents[2] / "against" / commit
    if where.exists():
        return where
    print(f"building the wheel of {commit[:7]}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        tree, wheels = Path(folder) / "tree", Path(folder) / "wheels"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tree)], check=True)
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=tree, check=True)
        maturin = [str(python.parent / "maturin"), "build", "--quiet", "--release", "--locked", "--out", str(wheels)]
        environment = {**os.environ, "CARGO_TARGET_DIR": str(Path(folder) / "target")}
        subprocess.run([*maturin, "--interpreter", str(python)], cwd=tree / "python", env=environment, check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(where)]
        subprocess.run([*install, *map(str, wheels.glob("*.whl"))], check=True)
    return where


def run(python: Path, where: Path, table: Path, core: int) -> float:
    """Give the processor seconds of the default model on a table."""
    result = table.with_suffix(".json")
    command = [str(python), "-B", str(ROOT / "bench/peers/measure.py"), "consilience", str(table), "2", str(result)]

    def on_one_core() -> None:
        os.sched_setaffinity(0, {core})

    environment = {**os.environ, "PYTHONPATH": str(where)}
    subprocess.run(command, env=environment, preexec_fn=on_one_core, check=True)
    return json.loads(result.read_text())["processor_seconds"]


if __name__ == "__main__":
    main()
