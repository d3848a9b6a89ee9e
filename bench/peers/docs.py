"""Fills the tables in the documents from the stored results, or checks that both agree.

    python bench/peers/docs.py [--check]

Documents mark the place of a table, or of a sentence with numbers, with `<!-- peers: NAME -->` and `<!-- /peers -->`. The
results are in docs/peers.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tables import BLOCKS, Results

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ("README.md", "docs/peers.md")
RESULTS = "docs/peers"
BLOCK = re.compile(r"<!-- peers: (?P<name>[^>]*?) -->\n(?P<text>.*?)<!-- /peers -->", re.DOTALL)


def judges(results: Results) -> str:
    """The picture of a judges' panel, with its numbers in words."""
    numbers = json.loads((ROOT / "docs/pictures/judges-panel.json").read_text())
    before, after, majority = numbers["independent"]["right"], numbers["default"]["right"], numbers["majority"]
    words = (
        f"Ten judges, six of them prompts of one model. {100 * majority:.0f}% of the labels are correct by majority vote, "
        f"{100 * before:.0f}% if all judges are treated as independent, and {100 * after:.0f}% if the six count once."
    )
    return f"![{words}](docs/pictures/judges-panel.svg)"


def filled(document: str, results: Results) -> str:
    """The document with all its tables updated."""
    known = {**BLOCKS, "judges": judges}

    def table(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in known:
            raise SystemExit(f"unknown table {name!r}; the tables are {', '.join(known)}")
        return f"<!-- peers: {name} -->\n{known[name](results)}\n<!-- /peers -->"

    return BLOCK.sub(table, document)


def main() -> None:
    """Fill or check."""
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(f"usage: {sys.argv[0]} [--check]")
    results = Results(ROOT / RESULTS)
    stale = []
    for name in DOCUMENTS:
        file = ROOT / name
        before = file.read_text()
        after = filled(before, results)
        if after != before:
            stale.append(name)
            if not check:
                file.write_text(after)
    if check and stale:
        raise SystemExit(f"{', '.join(stale)}: tables differ from {RESULTS}; run: python bench/peers/docs.py")


if __name__ == "__main__":
    main()
