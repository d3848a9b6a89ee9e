"""Draws the cost of learning from the output of `cargo bench --bench cost`.

    make cost

Reads docs/cost/cost.csv; writes cost.svg and cost.png next to it, and the tables in docs/cost.md. With --check, it only reports whether
docs/cost.md has the tables of cost.csv.
"""

from __future__ import annotations

import csv
import math
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "cost"
PAGE = DOCS / "cost.md"
BEGIN, END = "<!-- from cost/cost.csv -->", "<!-- until here -->"
SWEEPS = {"sources": "Sources", "items": "Items", "coverage": "Coverage"}
METHODS = {"exact_seconds": ("exact, with standard errors", "#0f766e"), "sgd_seconds": ("Algorithm 1", "#d97706")}


def rows() -> list[dict[str, str]]:
    with (FOLDER / "cost.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def slope(points: list[tuple[float, float]]) -> float:
    """The power of x that y grows with, by least squares on logarithms over the upper half of the points."""
    upper = points[len(points) // 2 :]
    x = [math.log(a) for a, _ in upper]
    y = [math.log(b) for _, b in upper]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def tables(measured: list[dict[str, str]]) -> str:
    parts = []
    for by, title in SWEEPS.items():
        sweep = [row for row in measured if row["by"] == by]
        lines = [f"| {title} | exact | passes of 16 problems | Algorithm 1 |", "|---|---|---|---|"]
        for row in sweep:
            at = f"{100 * float(row[by]):.0f}%" if by == "coverage" else f"{int(row[by]):,}"
            lines.append(
                f"| {at} | {float(row['exact_seconds']):.3f} s | {row['exact_passes']} | {float(row['sgd_seconds']):.3f} s |"
            )
        powers = [slope([(float(row[by]), float(row[method])) for row in sweep]) for method in METHODS]
        lines.append("")
        lines.append(
            f"Over the upper half of the range, time grows with exponent {powers[0]:.1f} (exact) and {powers[1]:.1f} (Algorithm 1)."
        )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def draw(measured: list[dict[str, str]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "consilience"
    figure, axes = plt.subplots(1, len(SWEEPS), figsize=(11, 3.6), sharey=True)
    for axis, (by, title) in zip(axes, SWEEPS.items()):
        sweep = [row for row in measured if row["by"] == by]
        at = [float(row[by]) * (100 if by == "coverage" else 1) for row in sweep]
        for method, (name, colour) in METHODS.items():
            axis.plot(at, [float(row[method]) for row in sweep], "o-", color=colour, label=name, markersize=4)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xticks(at, [f"{x:g}" if x < 1000 else f"{x / 1000:g}k" for x in at], fontsize=8)
        axis.minorticks_off()
        axis.set_xlabel(title + (" (% of the items that a source votes on)" if by == "coverage" else ""), fontsize=9)
        axis.grid(True, color="#e5e7eb")
    axes[0].set_ylabel("seconds")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", ncols=2, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.92))
    figure.savefig(FOLDER / "cost.svg", metadata={"Date": None})
    figure.savefig(FOLDER / "cost.png", dpi=110)


def main() -> int:
    measured = rows()
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    filled = f"{before}{BEGIN}\n\n{tables(measured)}\n\n{END}{after}"
    if "--check" in sys.argv[1:]:
        if page != filled:
            print("error: docs/cost.md does not have the tables of docs/cost/cost.csv; run make cost", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(filled, encoding="utf-8")
    draw(measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
