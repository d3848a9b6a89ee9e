"""Draws a panel of judges before and after: every judge for himself, and votes that repeat others counted once.

    make pictures

The panel is made up: ten LLM judges say which of two answers is better, 2,000 times. Four are different models, right 82, 79,
76 and 73 times in a hundred. Six are prompts of one model that prefers the longer answer, each in 90% of the cases, and the
longer answer is the better one half of the time. Everything else in the picture is what `LabelModel` makes of their votes: how
much a vote of each judge counts (log odds of an item that nobody else has judged), who repeats whom, and the share of right
labels. Writes judges-panel.svg, .png, .json with the numbers, and the votes as .csv, which `make demo` labels.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch

import consilience

ITEMS = 2_000
SEED = 0
PREFERENCE = 0.9
ACCURACIES = {"B": 0.82, "C": 0.79, "D": 0.76, "E": 0.73}
PROMPTS = [f"A{i}" for i in range(1, 7)]
JUDGES = [*PROMPTS, *ACCURACIES]

INK, SOFT, PALE = "#1f2937", "#6b7280", "#e5e7eb"
AMBER, TEAL = "#d97706", "#0f766e"
GROUND = {"amber": "#fffbeb", "teal": "#f0fdfa"}


def panel() -> tuple[np.ndarray, np.ndarray]:
    """Draw the true classes and the votes."""
    rng = np.random.default_rng(SEED)
    truth = rng.integers(0, 2, ITEMS)
    longer = rng.integers(0, 2, ITEMS)
    fooled = [np.where(rng.random(ITEMS) < PREFERENCE, longer, 1 - longer) for _ in PROMPTS]
    honest = [np.where(rng.random(ITEMS) < accuracy, truth, 1 - truth) for accuracy in ACCURACIES.values()]
    return truth, np.stack([*fooled, *honest], axis=1)


def fitted(dependencies: str, truth: np.ndarray, votes: consilience.Votes) -> dict:
    """Fit the model and say what it makes of the panel."""
    model = consilience.LabelModel(dependencies=dependencies).fit(votes)
    alone = np.where(np.eye(len(JUDGES), dtype=bool), 1, -1)
    p = model.predict_proba(consilience.Votes(alone, sources=JUDGES, classes=2))[:, 1]
    links = {tuple(sorted(pair)): share for *pair, share in model.repeats_}
    return {
        "right": float(np.mean(model.predict_proba(votes).argmax(axis=1) == truth)),
        "counts": {judge: abs(float(np.log(q / (1 - q)))) for judge, q in zip(JUDGES, p, strict=True)},
        "repeats": [[*pair, share] for pair, share in sorted(links.items())],
    }


def places() -> dict[str, tuple[float, float]]:
    """Where judges stand: the six in a ring on the left, the four in a column on the right."""
    found = {}
    for i, judge in enumerate(PROMPTS):
        angle = np.pi / 2 - i * np.pi / 3
        found[judge] = (2.35 + 1.45 * np.cos(angle), 3.37 + 1.3 * np.sin(angle))
    for i, judge in enumerate(ACCURACIES):
        found[judge] = (5.75 + (i % 2) * 1.5, 4.17 - (i // 2) * 1.6)
    return found


def draw_side(axes: Axes, title: str, about: str, note: str, result: dict) -> None:
    """Draw one side of the picture."""
    where = places()
    axes.set_xlim(0, 8.6)
    axes.set_ylim(-0.95, 6.6)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.text(0.15, 6.3, title, fontsize=14, fontweight="bold", color=INK, va="top")
    axes.text(0.15, 5.78, about, fontsize=10.5, color=SOFT, va="top")
    for x, width, ground, text in (
        (0.15, 4.4, "amber", "six prompts of one model"),
        (4.75, 3.5, "teal", "four other models"),
    ):
        box = FancyBboxPatch((x + 0.15, 1.28), width - 0.3, 3.82, boxstyle="round,pad=0.15", color=GROUND[ground], zorder=0)
        axes.add_patch(box)
        axes.text(x + width / 2, 1.36, text, fontsize=9.5, color=SOFT, ha="center", va="center")
    for a, b, share in result["repeats"]:
        xs, ys = zip(where[a], where[b], strict=True)
        axes.plot(xs, ys, color=AMBER, alpha=0.6, linewidth=3.2 * share, zorder=1, solid_capstyle="round")
    for judge in JUDGES:
        _judge(axes, where[judge], judge, result["counts"][judge])
    _say(axes, result, note)


def _judge(axes: Axes, place: tuple[float, float], judge: str, count: float) -> None:
    """Draw a judge, the larger the more a vote counts, and hollow where it counts for nothing."""
    colour = AMBER if judge in PROMPTS else TEAL
    heard = count >= 0.05
    radius = 0.34 + 0.14 * np.sqrt(count / 3) if heard else 0.34
    inside, text = (colour, "white") if heard else ("white", colour)
    axes.add_patch(Circle(place, radius, linewidth=1.7, zorder=2, facecolor=inside, edgecolor=colour))
    x, y = place
    middle = {"color": text, "ha": "center", "va": "center", "zorder": 3}
    axes.text(x, y + 0.11, judge, fontsize=10, fontweight="bold", **middle)
    axes.text(x, y - 0.16, f"{count:.1f}", fontsize=8.5, **middle)


def _say(axes: Axes, result: dict, note: str) -> None:
    """Who has the say, and what comes of it."""
    total = sum(result["counts"].values())
    part = sum(result["counts"][judge] for judge in PROMPTS) / total
    left, width = 0.15, 8.1
    axes.text(left, 0.72, "whose votes count", fontsize=9.5, color=SOFT, va="bottom")
    for start, length, colour in ((0, part, AMBER), (part, 1 - part, TEAL)):
        if length > 0.002:
            axes.add_patch(plt.Rectangle((left + width * start, 0.32), width * length, 0.3, color=colour, linewidth=0))
            if length > 0.12:
                middle = left + width * (start + length / 2)
                look = {"color": "white", "fontsize": 9, "fontweight": "bold", "ha": "center", "va": "center"}
                axes.text(middle, 0.465, f"{100 * length:.0f}%", **look)
    axes.text(left, -0.42, f"{100 * result['right']:.0f}%", fontsize=27, fontweight="bold", color=INK, va="center")
    axes.text(left + 1.62, -0.42, "of the labels are right", fontsize=12, color=INK, va="center")
    axes.text(left + width, -0.42, note, fontsize=9.5, color=SOFT, va="center", ha="right")


def main() -> None:
    """Make the picture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    truth, matrix = panel()
    votes = consilience.Votes(matrix, sources=JUDGES, classes=2)
    before, after = fitted("independent", truth, votes), fitted("auto", truth, votes)
    ones = matrix.mean(axis=1)
    majority = float(np.mean(np.where(ones == 0.5, 0.5, (ones > 0.5) == truth)))
    numbers = {
        "majority": majority,
        "judges": {judge: float(np.mean(matrix[:, j] == truth)) for j, judge in enumerate(JUDGES)},
        "independent": before,
        "default": after,
    }
    rows = [",".join([*JUDGES, "better"]), *(",".join(map(str, [*row, y])) for row, y in zip(matrix, truth, strict=True))]
    (folder / "judges-panel.csv").write_text("\n".join(rows) + "\n")
    (folder / "judges-panel.json").write_text(json.dumps(numbers, indent=1) + "\n")

    plt.rcParams.update({"font.family": "DejaVu Sans", "svg.hashsalt": "judges", "figure.facecolor": "white"})
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.4, 5.15))
    draw_side(
        left,
        "Before: ten independent judges",
        "Agreement looks like accuracy, so the six win.",
        f"by majority vote {100 * majority:.0f}%",
        before,
    )
    draw_side(
        right,
        "After: who repeats whom is learned",
        "The six count once, and are found to know little.",
        "no true label was used",
        after,
    )
    figure.add_artist(plt.Line2D([0.5, 0.5], [0.06, 0.94], color=PALE, linewidth=1))
    figure.subplots_adjust(left=0.012, right=0.995, top=1.02, bottom=0.03, wspace=0.04)
    said = "2,000 made-up comparisons. The six prefer the longer answer, which is the better one half of the time."
    figure.text(0.5, 0.025, f"{said} In a circle: what one vote counts, in log odds.", fontsize=9, color=SOFT, ha="center")
    figure.savefig(folder / "judges-panel.svg", metadata={"Date": None})
    figure.savefig(folder / "judges-panel.png", dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main()
