"""Results as Markdown, from the files in a results folder. Depends on nothing else, so documents can be checked anywhere."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import mean, median

TITLES = {
    "consilience-independent": "Consilience, independent",
    "consilience": "Consilience, default",
    "snorkel": "Snorkel",
    "dawid-skene": "Dawid-Skene (crowd-kit)",
    "hyperlm": "HyperLM",
    "skweak": "Naive Bayes (skweak)",
}
PACKAGES = {
    "consilience-independent": "consilience",
    "consilience": "consilience",
    "snorkel": "snorkel",
    "dawid-skene": "crowd-kit",
    "hyperlm": "hyperlm",
    "skweak": "skweak",
}
APPLIED = {"functions": "Python functions", "declared": "declared rules"}


class Results:
    """A results folder."""

    def __init__(self, folder: Path) -> None:
        self.about = json.loads((folder / "machine.json").read_text())
        self.runs = _rows(folder / "runs.csv")
        self.board = _rows(folder / "board.csv")
        self.appliers = _rows(folder / "appliers.csv")

    def version(self, model: str) -> str:
        """The version of a model's package."""
        return self.about["packages"].get(PACKAGES[model], {}).get("version", "")

    def models(self) -> list[str]:
        """The models that were run, ours first."""
        ran = {run["model"] for run in self.runs + self.board}
        return [model for model in TITLES if model in ran]

    def median(self, model: str, value: str, **where: object) -> float | None:
        """The median of a value over the runs that succeeded, or None."""
        found = [float(run[value]) for run in self.find(model, **where) if run["outcome"] == "done"]
        return median(found) if found else None

    def find(self, model: str, **where: object) -> list[dict[str, str]]:
        """The runs of a model on some panels."""
        return [r for r in self.runs if r["model"] == model and all(r[name] == str(v) for name, v in where.items())]

    def why_none(self, model: str, **where: object) -> str:
        """Why a model has no number: a limit (also on another panel of the same size), a failure, or that it was not run."""
        same_size = {name: value for name, value in where.items() if name != "panel"}
        for run in self.find(model, **same_size):
            if run["outcome"] == "over time":
                return f"> {self.about['limits']['seconds']:.0f} s"
            if run["outcome"] == "over memory":
                return f"> {self.about['limits']['gigabytes']:.0f} GB"
            if run["outcome"] != "done":
                return "failed"
        return "not run"

    def sizes(self) -> list[tuple[int, int]]:
        """Items and sources of the panels, the smallest first."""
        return sorted({(int(run["items"]), int(run["sources"])) for run in self.runs}, key=lambda size: size[::-1])

    def kinds(self) -> list[str]:
        """The kinds of panels."""
        return list(dict.fromkeys(run["panel"] for run in self.runs))


def _rows(file: Path) -> list[dict[str, str]]:
    if not file.is_file():
        return []
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in [header, ["---"] * len(header), *rows]]
    return "\n".join(lines)


def seconds_text(seconds: float) -> str:
    """Seconds with two significant digits."""
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.2g} s"


def bytes_text(number: float) -> str:
    """Bytes in MB or GB."""
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"


def _size_text(items: int, sources: int) -> str:
    return f"{items:,} x {sources}"


def titles(results: Results) -> list[str]:
    """The models' names with the versions of the peers."""
    names = []
    for model in results.models():
        own = PACKAGES[model] == "consilience"
        title, version = TITLES[model], results.version(model)
        named = f"{title[:-1]} {version})" if title.endswith(")") else f"{title} {version}"
        names.append(title if own else named)
    return names


def speed(results: Results, panel: str = "independent", sources: int | None = None) -> str:
    """CPU seconds and memory in addition to the votes, medians."""
    rows = []
    for items, width in results.sizes():
        if sources not in (None, width):
            continue
        where = {"panel": panel, "items": items, "sources": width}
        cells = []
        for model in results.models():
            taken = results.median(model, "processor_seconds", **where)
            memory = results.median(model, "peak_bytes", **where)
            done = taken is not None and memory is not None
            cells.append(f"{seconds_text(taken)}, {bytes_text(memory)}" if done else results.why_none(model, **where))
        rows.append([_size_text(items, width), *cells])
    return _table(["items x sources", *titles(results)], rows)


def clock(results: Results) -> str:
    """Wall-clock seconds, CPU seconds and the number of runs, for all panels."""
    rows = []
    for items, width in results.sizes():
        for panel in results.kinds():
            where = {"panel": panel, "items": items, "sources": width}
            cells = []
            for model in results.models():
                values = [results.median(model, name, **where) for name in ("seconds", "processor_seconds")]
                count = sum(run["outcome"] == "done" for run in results.find(model, **where))
                text = f"{seconds_text(values[0])} / {seconds_text(values[1])} ({count})" if count else ""
                cells.append(text or results.why_none(model, **where))
            if any(results.find(model, **where) for model in results.models()):
                rows.append([_size_text(items, width), panel, *cells])
    return _table(["items x sources", "panel", *titles(results)], rows)


def accuracy(results: Results, items: int | None = None) -> str:
    """Share of correct labels next to the oracle's, medians over the draws that all models have labelled."""
    rows = []
    for size, width in results.sizes():
        if items not in (None, size):
            continue
        for panel in results.kinds():
            where = {"panel": panel, "items": size, "sources": width}
            done = {
                model: {run["repeat"]: run for run in results.find(model, **where) if run["outcome"] == "done"}
                for model in results.models()
            }
            labelled = [set(runs) for runs in done.values() if runs]
            draws = set.intersection(*labelled) if labelled else set()
            if not draws:
                continue
            oracle = next(runs for runs in done.values() if runs)
            cells = [f"{median(float(oracle[draw]['oracle']) for draw in draws):.3f}"]
            for model, runs in done.items():
                value = median(float(runs[draw]["accuracy"]) for draw in draws) if runs else None
                cells.append(results.why_none(model, **where) if value is None else f"{value:.3f}")
            rows.append([_size_text(size, width), panel, *cells])
    return _table(["items x sources", "panel", "oracle", *titles(results)], rows)


def board(results: Results) -> str:
    """Score and log loss on real tables."""
    models = [model for model in results.models() if any(row["model"] == model for row in results.board)]
    rows, columns = [], {model: [] for model in models}
    for table in dict.fromkeys(row["table"] for row in results.board):
        found = {row["model"]: row for row in results.board if row["table"] == table}
        first = next(iter(found.values()))
        cells = []
        for model in models:
            row = found.get(model)
            if row and row["outcome"] == "done":
                columns[model].append((float(row["score"]), float(row["log_loss"])))
                cells.append(f"{float(row['score']):.1f} / {float(row['log_loss']):.2f}")
            else:
                cells.append("failed" if row else "not run")
        rows.append([table, f"{first['items']} x {first['sources']}", first["metric"], *cells])
    averages = [f"{mean(s for s, _ in c):.1f} / {mean(g for _, g in c):.2f} ({len(c)})" if c else "" for c in columns.values()]
    rows.append(["**average (number of tables)**", "", "", *averages])
    return _table(["table", "items x sources", "metric", *titles(results)], rows)


def appliers(results: Results) -> str:
    """Seconds for each way of applying rules, and the speed-up over Snorkel's `PandasLFApplier`."""
    found: dict[str, list[float]] = {}
    for row in results.appliers:
        if row["outcome"] == "done":
            found.setdefault(row["way"], []).append(float(row["seconds"]))
    base = found.get("snorkel, PandasLFApplier, functions")
    rows = []
    for way, taken in found.items():
        package, kind, rules = way.split(", ")
        name = "Consilience" if package == "consilience" else f"Snorkel {results.version('snorkel')}"
        times = f"{median(base) / median(taken):.1f}" if base else ""
        rows.append([name, f"`{kind}`", APPLIED[rules], seconds_text(median(taken)), times])
    items = next(iter(results.appliers))["items"] if results.appliers else "0"
    header = ["package", "applier", f"three rules, {int(items):,} comments", "seconds", "speed-up over Snorkel's `PandasLFApplier`"]
    return _table(header, rows)


def machine(results: Results) -> str:
    """The machine and the versions."""
    about, packages = results.about["machine"], results.about["packages"]
    used = ", ".join(f"{name} {state['version']}" for name, state in packages.items() if "version" in state)
    skipped = [f"{name} was skipped: {state['skipped']}." for name, state in packages.items() if "skipped" in state]
    loads = [float(run["load"]) for run in results.runs] or [0.0]
    return "\n".join(
        [
            f"{about['processor']}, {about['cores of the machine']} cores, {about['memory in GB']} GB, {about['system']}, "
            f"Python {about['python']}; label models pinned to core {about['cores pinned']}, appliers on all cores.",
            f"Median load average {median(loads):.1f}, range {min(loads):.1f} to {max(loads):.1f}.",
            f"Versions: {used}.",
            *skipped,
            *_completeness(results),
        ]
    )


def _completeness(results: Results) -> list[str]:
    """How often panels were drawn, and whether all of them were run."""
    missing = counted = 0
    draws: set[int] = set()
    for items, width in results.sizes():
        for panel in results.kinds():
            where = {"panel": panel, "items": items, "sources": width}
            for model in results.models():
                done = sum(run["outcome"] == "done" for run in results.find(model, **where))
                counted += 1
                missing += not done and results.why_none(model, **where) == "not run"
                draws |= {done} if done else set()
    if not draws:
        return []
    times = f"{min(draws)}" if len(draws) == 1 else f"{min(draws)} to {max(draws)}"
    said = [f"Runs per model and panel: {times}."]
    if missing:
        said.append(f"The run was stopped early: {missing} of {counted} combinations of model and panel are missing.")
    return said


def headline(results: Results) -> str:
    """The cost of the largest panel, in one sentence."""
    items, sources = max(results.sizes(), key=lambda size: size[0] * size[1])
    where = {"panel": "independent", "items": items, "sources": sources}
    said = []
    for model in results.models():
        taken, memory = (results.median(model, value, **where) for value in ("processor_seconds", "peak_bytes"))
        cost = f"{seconds_text(taken)} and {bytes_text(memory)}" if taken is not None else results.why_none(model, **where)
        said.append(f"{TITLES[model]} {cost}")
    return f"Labelling {items:,} items x {sources} sources takes: {'; '.join(said)}."


BLOCKS = {
    "headline": headline,
    "speed": speed,
    "speed 100": lambda results: speed(results, sources=100),
    "speed copied": lambda results: speed(results, "copied"),
    "clock": clock,
    "accuracy": accuracy,
    "accuracy 10000": lambda results: accuracy(results, 10_000),
    "board": board,
    "appliers": appliers,
    "machine": machine,
}


def page(folder: Path) -> str:
    """All tables of a results folder."""
    results = Results(folder)
    parts = ["# Label models of public packages and ours, in one run", machine(results)]
    if results.runs:
        parts += ["## CPU seconds, and memory in addition to the votes", speed(results)]
        parts += ["## Share of correct labels", accuracy(results)]
        parts += ["## Wall-clock / CPU seconds (runs)", clock(results)]
    if results.board:
        parts += ["## Real tables: score / log loss", board(results)]
    if results.appliers:
        parts += ["## Text rules", appliers(results)]
    return "\n\n".join(parts) + "\n"
