"""Results as pictures: time and memory against the number of items."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from tables import TITLES, Results

INK, PALE = "#1f2937", "#d1d5db"
LOOKS = {
    "consilience-independent": ("#0f766e", "o", 2.4),
    "consilience": ("#14b8a6", "D", 2.4),
    "snorkel": ("#b45309", "s", 1.5),
    "dawid-skene": ("#7c3aed", "^", 1.5),
    "hyperlm": ("#be185d", "v", 1.5),
    "skweak": ("#64748b", "P", 1.5),
}
#: Less is not told apart.
LEAST = {"processor_seconds": 1e-3, "peak_bytes": 1e6}
#: The panels that are drawn.
PANEL = "independent"


def draw(folder: Path) -> None:
    """Draw `speed` and `memory`, as SVG and PNG, from a folder's runs."""
    results = Results(folder)
    if not results.runs:
        return
    limits, cores = results.about["limits"], results.about["machine"]["cores pinned"]
    seconds = "Seconds on one core" if "," not in cores else "Seconds of all cores together"
    _draw(results, "processor_seconds", limits["seconds"], "over time", f"{seconds}, from votes to labels", folder / "speed")
    _draw(results, "peak_bytes", limits["gigabytes"] * 1e9, "over memory", "Peak memory beyond the votes", folder / "memory")


def _draw(results: Results, value: str, limit: float, outcome: str, title: str, file: Path) -> None:
    widths = sorted({sources for _, sources in results.sizes()})
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "peers", "text.color": INK})
    figure, all_axes = plt.subplots(1, len(widths), figsize=(9.6, 4.3), sharey=True, squeeze=False)
    for axes, sources in zip(all_axes[0], widths, strict=True):
        _panel(axes, results, value, limit, outcome, sources)
    figure.suptitle(f"{title}", x=0.012, y=0.98, ha="left", fontsize=13, fontweight="bold")
    handles, labels = all_axes[0][-1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=3, frameon=False, fontsize=9.5)
    figure.tight_layout(rect=(0, 0.12, 1, 1.0))
    figure.savefig(file.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(file.with_suffix(".png"), dpi=160, metadata={"Software": None})
    plt.close(figure)


def _panel(axes: Axes, results: Results, value: str, limit: float, outcome: str, sources: int) -> None:
    sizes = [items for items, width in results.sizes() if width == sources]
    stopped = False
    for model in results.models():
        colour, marker, width = LOOKS[model]
        where = [{"panel": PANEL, "items": items, "sources": sources} for items in sizes]
        points = [(items, results.median(model, value, **at)) for items, at in zip(sizes, where, strict=True)]
        done = [(items, max(y, LEAST[value])) for items, y in points if y is not None]
        ours = model.startswith("consilience")
        style = {"color": colour, "marker": marker, "linewidth": width, "markersize": 6, "zorder": 3 if ours else 2}
        axes.plot(*zip(*done, strict=True), label=TITLES[model], **style) if done else axes.plot(
            [], [], label=TITLES[model], **style
        )
        over = [
            items
            for items, at in zip(sizes, where, strict=True)
            if any(r["outcome"] == outcome for r in results.find(model, **at))
        ]
        if over:
            stopped = True
            start = done[-1:]
            axes.plot(
                [x for x, _ in start] + [over[0]], [y for _, y in start] + [limit], color=colour, linewidth=1, linestyle=":"
            )
            axes.plot(
                [over[0]], [limit], color=colour, marker="x", markersize=8, markeredgewidth=2, linestyle="none", clip_on=False
            )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{items:,}" for items in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("items")
    axes.set_title(f"{sources} sources", loc="left", fontsize=10.5)
    axes.yaxis.set_major_formatter(FuncFormatter(_bytes if value == "peak_bytes" else _seconds))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(axis="y", color=PALE, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if stopped:
        axes.axhline(limit, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.annotate(
            f"limit: {(_bytes if value == 'peak_bytes' else _seconds)(limit, 0)}",
            (sizes[0], limit),
            xytext=(0, 4),
            textcoords="offset points",
            fontsize=8.5,
            ha="left",
        )


def _seconds(value: float, _: int) -> str:
    return f"{value:g} s"


def _bytes(value: float, _: int) -> str:
    return f"{value / 1e9:g} GB" if value >= 1e9 else f"{value / 1e6:g} MB"
