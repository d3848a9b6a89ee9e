"""Label models on simulated panels: time, memory and accuracy."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from environment import HERE, Environment, say
from models import MODELS
from panels import KINDS, simulate
from runner import Limits, Machine, Runs, read_result, run

COLUMNS = (
    "panel", "items", "sources", "model", "repeat", "outcome", "seconds", "processor_seconds", "peak_bytes", "accuracy",
    "oracle", "load",
)  # fmt: skip
#: A run that took longer than this on the processor is not repeated.
LONG_SECONDS = 20.0


@dataclass(frozen=True)
class Size:
    """A size of panels, and how often it is drawn: with independent sources, and with copies."""

    items: int
    sources: int
    repeats: int
    with_copies: int


QUICK = (Size(1_000, 10, 2, 1), Size(1_000, 100, 2, 1), Size(10_000, 10, 2, 1))
FULL = (
    Size(10_000, 10, 3, 3),
    Size(10_000, 100, 3, 3),
    Size(100_000, 10, 3, 1),
    Size(100_000, 100, 3, 1),
    Size(1_000_000, 10, 3, 1),
    Size(1_000_000, 100, 3, 1),
)


def measure(environment: Environment, machine: Machine, limits: Limits, sizes: tuple[Size, ...], file: Path) -> None:
    """Run all models on all panels in turns, so that what else the machine does hits all alike.

    Each draw of a panel meets every model, and every size has had its turn before the next draw.
    """
    runs = Runs(file, COLUMNS)
    models = [model for model in MODELS.values() if "version" in environment.packages.get(model.package, {})]
    for repeat in range(max(size.repeats for size in sizes)):
        for kind in KINDS:
            for size in sizes:
                if repeat >= (size.repeats if kind == "independent" else size.with_copies):
                    continue
                where = {"panel": kind, "items": size.items, "sources": size.sources}
                due = [model.name for model in models if _is_due(runs, where, model.name, repeat)]
                if due:
                    _measure_panel(environment, machine, limits, runs, where, due, repeat)


def _is_due(runs: Runs, where: dict, model: str, repeat: int) -> bool:
    """Whether a run is to be made: not if it was, nor if an earlier one was long, or came to no end on a panel of the size."""
    if runs.find(**where, model=model, repeat=repeat):
        return False
    if any(run["outcome"] != "done" for run in runs.find(items=where["items"], sources=where["sources"], model=model)):
        return False
    return not any(float(run["processor_seconds"]) > LONG_SECONDS for run in runs.find(**where, model=model))


def _measure_panel(
    environment: Environment, machine: Machine, limits: Limits, runs: Runs, where: dict, models: list[str], repeat: int
) -> None:
    panel = simulate(where["panel"], where["items"], where["sources"], seed=repeat)
    with tempfile.TemporaryDirectory(dir=environment.home) as folder:
        votes, truth, result = (Path(folder) / name for name in ("votes.npy", "truth.npy", "result.json"))
        np.save(votes, panel.votes)
        np.save(truth, panel.truth)
        oracle = panel.oracle_accuracy
        del panel
        # Another model begins in each turn, so that none is always the first.
        for model in models[repeat % len(models) :] + models[: repeat % len(models)]:
            result.unlink(missing_ok=True)
            load = Path("/proc/loadavg").read_text().split()[0]
            stopped = run(environment, machine, limits, HERE / "measure.py", [model, votes, 2, result, "--truth", truth])
            found = {} if stopped else read_result(result)
            if not stopped and found["processor_seconds"] > limits.seconds:
                stopped = "over time"
            row = {**where, "model": model, "repeat": repeat, "outcome": stopped or "done", "oracle": oracle, "load": load}
            runs.add(row if stopped else {**row, **found})
            taken = f"{found['seconds']:.3f} s ({found['processor_seconds']:.3f} on the processor)" if found else ""
            took = stopped or f"{taken}, {found['peak_bytes'] / 1e6:.0f} MB, {found['accuracy']:.4f}"
            say(f"{where['items']} x {where['sources']}, {where['panel']}, {repeat + 1}: {model}: {took}")
