"""Runs one model on one table of votes in a process of its own, and says what it took.

python bench/peers/measure.py MODEL VOTES.npy CLASSES RESULT.json [--truth TRUTH.npy] [--probabilities FILE.npy]
"""

from __future__ import annotations

import argparse
import gc
import json
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np

from models import MODELS
from panels import simulate


def main() -> None:
    """Run a model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("votes", type=Path)
    parser.add_argument("classes", type=int)
    parser.add_argument("result", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--probabilities", type=Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")

    model = MODELS[args.model]
    votes = np.load(args.votes)
    prepare, label = model.load()
    # What packages load at their first use is not measured: each has been used once.
    label(prepare(simulate("independent", 300, 8, seed=0).votes, 2), 2)
    table = prepare(votes, args.classes)
    if table is not votes:
        del votes
    gc.collect()
    before = reset_peak()
    clock, processor = time.perf_counter(), time.process_time()
    probabilities = label(table, args.classes)
    result = {
        "seconds": time.perf_counter() - clock,
        "processor_seconds": time.process_time() - processor,
        "peak_bytes": max(0, peak() - before),
        "version": version(model.package),
    }
    items = table.shape[0] if args.model != "dawid-skene" else int(table["task"].iloc[-1]) + 1
    if probabilities.shape != (items, args.classes) or not np.isfinite(probabilities).all():
        raise SystemExit(f"{args.model} gave no finite probability for {items} items and {args.classes} classes")
    if args.truth:
        result["accuracy"] = accuracy(probabilities, np.load(args.truth))
    if args.probabilities:
        np.save(args.probabilities, probabilities)
    args.result.write_text(json.dumps(result))


def accuracy(probabilities: np.ndarray, truth: np.ndarray) -> float:
    """Give the share of items whose most probable class is the true one; of tied ones each counts in part."""
    best = probabilities >= probabilities.max(axis=1, keepdims=True) - 1e-9
    return float(np.mean(best[np.arange(len(truth)), truth] / best.sum(axis=1)))


def reset_peak() -> int:
    """Forget the process's peak of memory and give what it holds now, in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def peak() -> int:
    """Give the most memory that the process held since `reset_peak`, in bytes."""
    return _status("VmHWM")


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"/proc/self/status has no {name}: memory is measured on Linux only")


if __name__ == "__main__":
    main()
