"""Declares the rules of TREC as sources, applies them, and compares the votes with those of the data set, cell for cell.

    python bench/apply/trec.py CONSILIENCE

CONSILIENCE is the command. The rules, texts and votes are read from $CONSILIENCE_DATA/trec (default ../shared/data/trec);
nothing of them is written into the repository. Ends with 1 where more than 1 cell in 100,000 differs.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DATA = Path(os.environ.get("CONSILIENCE_DATA", "../shared/data")) / "trec"
MOST = 1e-5


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sources(rules: list[dict[str, str]], lower: bool) -> str:
    """The rules as a sources.toml; a JSON text is a TOML text."""
    classes = sorted({rule["class"] for rule in rules}, key=int)
    lines = [f"classes = {json.dumps(classes)}", 'text = "text"']
    for rule in rules:
        lines += ["", "[[source]]", f"name = {json.dumps(rule['lf'])}", f"vote = {json.dumps(rule['class'])}"]
        lines += [f"regex = {json.dumps(rule['rule'], ensure_ascii=False)}"]
        if lower:
            lines += ["lower = true"]
    return "\n".join(lines) + "\n"


def main() -> int:
    command = sys.argv[1]
    rules, expected = rows("rules.csv"), rows("votes.csv")
    with tempfile.TemporaryDirectory() as folder:
        declared, votes = Path(folder) / "sources.toml", Path(folder) / "votes.csv"
        declared.write_text(sources(rules, lower=True), encoding="utf-8")
        subprocess.run([command, "apply", declared, DATA / "text.csv", "-o", votes], check=True)
        with votes.open(newline="", encoding="utf-8") as file:
            found = list(csv.DictReader(file))
    texts = rows("text.csv")
    names = [rule["lf"] for rule in rules]
    if len(found) != len(expected):
        print(f"{len(found)} rows, but {len(expected)} in votes.csv")
        return 1
    cells = len(found) * len(names)
    differ = [(i, name) for i in range(len(found)) for name in names if found[i][name] != expected[i][name]]
    votes_cast = sum(row[name] != "" for row in expected for name in names)
    print(f"{len(names)} rules, {len(found)} texts, {votes_cast} votes: {len(differ)} of {cells} cells differ")
    for i, name in differ[:20]:
        text = texts[i]["text"]
        print(f"  row {i + 1}, {name}: {found[i][name]!r}, not {expected[i][name]!r}, on {text!r}")
    return int(len(differ) > MOST * cells)


if __name__ == "__main__":
    sys.exit(main())
