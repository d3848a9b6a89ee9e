"""Rules over texts: Snorkel's appliers and ours, on the same comments."""

from __future__ import annotations

import tempfile
from pathlib import Path

from apply_rules import WAYS
from environment import HERE, Environment, say
from runner import Limits, Machine, Runs, read_result, run

COLUMNS = ("way", "items", "repeat", "outcome", "seconds", "votes", "load")


def measure(environment: Environment, machine: Machine, limits: Limits, items: int, repeats: int, file: Path) -> None:
    """Run all ways in turns; they must give the same votes."""
    runs = Runs(file, COLUMNS)
    ways = [name for name, (package, _, _) in WAYS.items() if "version" in environment.packages.get(package, {})]
    for repeat in range(repeats):
        for name in ways:
            if runs.find(way=name, items=items, repeat=repeat):
                continue
            with tempfile.TemporaryDirectory(dir=environment.home) as folder:
                result = Path(folder) / "result.json"
                load = Path("/proc/loadavg").read_text().split()[0]
                stopped = run(environment, machine, limits, HERE / "apply_rules.py", [name, items, result])
                found = {} if stopped else read_result(result)
            runs.add({"way": name, "items": items, "repeat": repeat, "outcome": stopped or "done", "load": load, **found})
            say(f"{items} comments, {repeat + 1}: {name}: {stopped or format(found['seconds'], '.3f') + ' s'}")
    if len(different := {row["votes"] for row in runs.find(items=items, outcome="done")}) > 1:
        raise SystemExit(f"{file}: the ways gave different votes: {sorted(different)}")
