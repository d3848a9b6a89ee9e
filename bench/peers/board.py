"""Label models on real vote tables with gold, each table a folder with `votes.csv`, `gold.csv` and `meta.json`.

Every model is given the items that have a vote. For each table and peer a folder of labels holds `<table>/<model>.csv` (item,
label, confidence and the probability of each class, in the order of the votes; items without a vote have no label and even
probabilities) and `<table>/<model>.json` (seconds, peak_bytes, version). Gold is for scoring only.
"""

from __future__ import annotations

import csv
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from environment import HERE, Environment, say
from measure import accuracy
from models import MODELS
from runner import Limits, Machine, Runs, read_result, run

COLUMNS = (
    "table", "items", "sources", "classes", "metric", "model", "outcome", "score", "log_loss", "seconds", "processor_seconds",
    "peak_bytes",
)  # fmt: skip
#: Probabilities are clipped to this in the log loss.
SMALLEST = 1e-6


@dataclass
class Table:
    """Votes with gold."""

    name: str
    classes: int
    metric: str
    votes: np.ndarray
    gold: np.ndarray

    @classmethod
    def read(cls, folder: Path) -> Table:
        """Read a folder."""
        meta = json.loads((folder / "meta.json").read_text())
        votes, gold = _cells(folder / "votes.csv"), _cells(folder / "gold.csv")[:, 0]
        if len(votes) != len(gold):
            raise SystemExit(f"{folder}: {len(votes)} rows of votes, but {len(gold)} of gold")
        return cls(folder.name, meta["classes"], meta["metric"], votes, gold)


def _cells(file: Path) -> np.ndarray:
    with file.open(newline="") as lines:
        rows = csv.reader(lines)
        next(rows)
        return np.array([[int(cell) if cell else -1 for cell in row or [""]] for row in rows], dtype=np.int16)


def tables(data: Path) -> list[Path]:
    """The folders of tables in a folder."""
    return sorted(folder.parent for folder in data.glob("*/votes.csv") if (folder.parent / "gold.csv").is_file())


def measure(
    environment: Environment, machine: Machine, limits: Limits, data: Path, names: list[str], file: Path, labels: Path
) -> None:
    """Run all models on the tables of `data`, or on those of them that `names` has."""
    found = [folder for folder in tables(data) if not names or folder.name in names]
    if not found:
        raise SystemExit(f"{data}: no folder in it has votes.csv and gold.csv, or none of the names asked for")
    runs = Runs(file, COLUMNS)
    models = [model for model in MODELS.values() if "version" in environment.packages.get(model.package, {})]
    for folder in found:
        due = [model for model in models if not runs.find(table=folder.name, model=model.name)]
        if not due:
            continue
        table = Table.read(folder)
        for model in due:
            row = _measure_one(environment, machine, limits, table, model.name, labels)
            runs.add(row)
            say(f"{table.name}: {model.name}: {row['outcome']} {row.get('score', '')} {row.get('log_loss', '')}")


def _measure_one(
    environment: Environment, machine: Machine, limits: Limits, table: Table, model: str, labels: Path
) -> dict[str, object]:
    voted = (table.votes >= 0).any(axis=1)
    row: dict[str, object] = {
        "table": table.name,
        "items": int(voted.sum()),
        "sources": table.votes.shape[1],
        "classes": table.classes,
        "metric": table.metric,
        "model": model,
    }
    with tempfile.TemporaryDirectory(dir=environment.home) as folder:
        votes, result, probabilities = (Path(folder) / name for name in ("votes.npy", "result.json", "probabilities.npy"))
        np.save(votes, table.votes[voted])
        arguments = [model, votes, table.classes, result, "--probabilities", probabilities]
        stopped = run(environment, machine, limits, HERE / "measure.py", arguments)
        if stopped:
            return {**row, "outcome": stopped}
        taken = read_result(result)
        rows = np.full((len(voted), table.classes), 1 / table.classes)
        rows[voted] = np.load(probabilities)
    if MODELS[model].package != "consilience":
        _write_labels(labels / table.name, model, rows, voted, taken)
    return {**row, "outcome": "done", **score(table, rows, voted), **taken}


def score(table: Table, probabilities: np.ndarray, voted: np.ndarray) -> dict[str, float]:
    """Score the items that have a vote and gold: in per cent by the table's metric, and by log loss; ties count in part."""
    judged = voted & (table.gold >= 0)
    p, gold = probabilities[judged], table.gold[judged]
    if table.metric == "f1":
        best = p >= p.max(axis=1, keepdims=True) - 1e-9
        named = best[:, 1] / best.sum(axis=1)
        reached = 2 * named[gold == 1].sum() / (named.sum() + (gold == 1).sum())
    else:
        reached = accuracy(p, gold)
    log_loss = -np.log(np.clip(p[np.arange(len(gold)), gold], SMALLEST, 1)).mean()
    return {"score": 100 * float(reached), "log_loss": float(log_loss)}


def _write_labels(folder: Path, model: str, probabilities: np.ndarray, voted: np.ndarray, taken: dict[str, object]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    best = probabilities.argmax(axis=1)
    with (folder / f"{model}.csv").open("w", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["item", "label", "confidence", *(f"p_{c}" for c in range(probabilities.shape[1]))])
        for i, row in enumerate(probabilities.tolist()):
            writer.writerow([i, best[i] if voted[i] else "", row[best[i]], *row])
    kept = {name: taken[name] for name in ("seconds", "peak_bytes", "version")}
    (folder / f"{model}.json").write_text(json.dumps(kept) + "\n")
