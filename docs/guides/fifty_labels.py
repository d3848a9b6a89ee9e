"""Draws how much answers help: score and log loss against the number of answers, compared with training on the answers alone.

    make pictures

The table is made up by data/make.py: 2,000 support tickets, of which 8% are urgent. For each number of answers, items are drawn
at random 40 times; the items that were not drawn are scored, labelled to maximize expected F1. Bands
hold the middle 80% of the draws. Writes fifty-labels.svg, .png, and .json with the numbers.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import consilience

DATA = Path(__file__).resolve().parent / "data"
COUNTS = [10, 25, 50, 100, 200, 300]
DRAWS = 40
INK, SOFT, AMBER, TEAL = "#1f2937", "#6b7280", "#d97706", "#0f766e"


def table() -> tuple[consilience.Votes, np.ndarray]:
    """Read the votes and the true classes."""
    with (DATA / "tickets.csv").open() as file:
        rows = list(csv.DictReader(file))
    votes = consilience.Votes({name: [row[name] or None for row in rows] for name in rows[0]})
    with (DATA / "tickets-gold.csv").open() as file:
        gold = {row["item"]: row["truth"] for row in csv.DictReader(file)}
    return votes, np.array([votes.classes.index(gold[item]) for item in votes.item_names or []])


def alone(votes: np.ndarray, rows: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Ridge logistic regression on the votes of the answered items, by Newton's method: no label model at all."""
    features = np.concatenate([votes == 0, votes == 1, np.ones((len(votes), 1), dtype=bool)], axis=1).astype(float)
    penalty = np.append(np.ones(features.shape[1] - 1), 1 / 9)
    weights = np.zeros(features.shape[1])
    x = features[rows]
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (p - answers) + penalty * weights
        weights -= np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + np.diag(penalty), slope)
        if np.abs(slope).max() < 1e-9:
            break
    p = 1 / (1 + np.exp(-(features @ weights)))
    return np.stack([1 - p, p], axis=1)


def for_f1(p: np.ndarray) -> np.ndarray:
    """Label tickets as urgent so that the expected F1 is largest, as `--decide f1=urgent` does.

    It needs probabilities that are calibrated, so the model without answers labels with the most probable class instead.
    """
    order = np.argsort(-p, kind="stable")
    expected = 2 * np.cumsum(p[order]) / (np.arange(1, len(p) + 1) + p.sum())
    decided = np.zeros(len(p), dtype=bool)
    decided[order[: expected.argmax() + 1]] = True
    return decided


def scores(p: np.ndarray, truth: np.ndarray, decided: np.ndarray, kept: np.ndarray) -> tuple[float, float]:
    """Give F1 of the tickets that are decided to be urgent, and the log loss."""
    decided, urgent = decided[kept], truth[kept] == 1
    loss = -np.log(np.clip(p[np.arange(len(truth)), truth], 1e-6, 1))[kept].mean()
    return float(2 * (decided & urgent).sum() / (decided.sum() + urgent.sum())), float(loss)


def measure(draws: int) -> dict:
    """Score all draws."""
    votes, truth = table()
    matrix = votes.to_numpy()
    everything = np.ones(len(truth), dtype=bool)
    p = consilience.LabelModel().fit(votes).predict_proba(votes)
    found: dict = {"none": scores(p, truth, p.argmax(axis=1) == 1, everything)}
    for name in ("answers", "alone"):
        found[name] = {}
    for count in COUNTS:
        runs: dict[str, list[tuple[float, float]]] = {"answers": [], "alone": []}
        for seed in range(draws):
            drawn = consilience.sample(votes, count, seed=seed)
            kept = everything.copy()
            kept[drawn] = False
            answers = np.full(len(truth), -1)
            answers[drawn] = truth[drawn]
            labels = np.where(answers < 0, None, np.array(votes.classes, dtype=object)[answers])
            taught = consilience.LabelModel().fit(votes, answers=labels).predict_proba(votes)
            for name, p in ("answers", taught), ("alone", alone(matrix, drawn, truth[drawn])):
                decided = np.zeros(len(truth), dtype=bool)
                decided[kept] = for_f1(p[kept, 1])
                runs[name].append(scores(p, truth, decided, kept))
        for name, list_of_runs in runs.items():
            values = np.array(list_of_runs)
            found[name][count] = {
                "mean": values.mean(axis=0).round(5).tolist(),
                "low": np.quantile(values, 0.1, axis=0).round(5).tolist(),
                "high": np.quantile(values, 0.9, axis=0).round(5).tolist(),
            }
    return found


def draw(found: dict, folder: Path) -> None:
    """Draw both panels."""
    plt.rcParams.update({"font.family": "DejaVu Sans", "svg.hashsalt": "answers", "figure.facecolor": "white"})
    figure, panels = plt.subplots(1, 2, figsize=(10, 4))
    for which, (axes, title) in enumerate(zip(panels, ("F1 of urgent tickets, %", "Log loss"), strict=True)):
        factor = 100 if which == 0 else 1
        axes.axhline(factor * found["none"][which], color=SOFT, linestyle="--", linewidth=1.2, label="no answers")
        for name, colour, label in (
            ("answers", TEAL, "label model with answers"),
            ("alone", AMBER, "the answers alone (ridge)"),
        ):
            points = {part: factor * np.array([found[name][c][part][which] for c in COUNTS]) for part in ("mean", "low", "high")}
            axes.plot(COUNTS, points["mean"], color=colour, marker="o", markersize=4, label=label)
            axes.fill_between(COUNTS, points["low"], points["high"], color=colour, alpha=0.15, linewidth=0)
        axes.set_xscale("log")
        axes.set_xticks(COUNTS, [str(count) for count in COUNTS])
        axes.minorticks_off()
        axes.set_xlabel("answers", color=INK)
        axes.set_title(title, fontsize=11, color=INK, loc="left")
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=3, frameon=False, fontsize=9.5)
    figure.subplots_adjust(left=0.06, right=0.985, top=0.92, bottom=0.23, wspace=0.16)
    figure.savefig(folder / "fifty-labels.svg", metadata={"Date": None})
    figure.savefig(folder / "fifty-labels.png", dpi=150, metadata={"Software": None})


def main() -> None:
    """Measure and draw."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    found = measure(int(sys.argv[2]) if len(sys.argv) > 2 else DRAWS)
    (folder / "fifty-labels.json").write_text(json.dumps(found, indent=1) + "\n")
    draw(found, folder)


if __name__ == "__main__":
    main()
